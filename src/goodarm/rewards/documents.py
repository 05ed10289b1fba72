"""Reader for the JSON documents of all distributions."""

from collections.abc import Mapping
from typing import Final

from goodarm.errors import invalid_argument, invalid_choice
from goodarm.rewards.beta import Beta
from goodarm.rewards.discrete import Discrete
from goodarm.rewards.distribution import Distribution
from goodarm.rewards.uniform import Uniform

_ALL: Final[tuple[type[Distribution], ...]] = (Beta, Discrete, Uniform)
_KINDS: Final = {each.kind: each for each in _ALL}


def from_dict(document: object) -> Distribution:
    """Create the distribution that a JSON document describes, and validate it.

    Args:
        document: what ``to_dict`` of a distribution returned.

    Returns:
        A `Beta`, `Discrete` or `Uniform`.

    Raises:
        SpecError: the document is not that of a distribution.

    >>> from_dict({"kind": "uniform", "format": 1, "low": 2, "high": 5})
    Uniform(2.0, 5.0)
    """
    if not isinstance(document, Mapping):
        raise invalid_argument("document", "distribution", "be a JSON object", document)
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise invalid_choice("kind", "the distribution document", _KINDS, kind)
    return _KINDS[kind].from_dict(document)
