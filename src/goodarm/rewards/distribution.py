"""Base class of reward distributions."""

from dataclasses import asdict, fields
from typing import Any, ClassVar, Self

from goodarm.arguments import check_document
from goodarm.errors import SpecError


class Distribution:
    """Distribution of an arm's rewards, which are independent. Frozen, with a JSON form.

    >>> import goodarm as ga
    >>> beta = ga.rewards.Beta(mean=0.4, sd=0.1)
    >>> isinstance(beta, Distribution), beta.mean, beta.support
    (True, 0.4, (0.0, 1.0))
    """

    kind: ClassVar[str]

    @property
    def mean(self) -> float:
        """Expected reward."""
        raise NotImplementedError

    @property
    def sd(self) -> float:
        """Standard deviation of a reward."""
        raise NotImplementedError

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest reward."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return the distribution as a JSON document."""
        parts: dict[str, Any] = asdict(self)  # type: ignore[call-overload]
        listed = {key: list(v) if isinstance(v, tuple) else v for key, v in parts.items()}
        return {"kind": self.kind, "format": 1, **listed}

    @classmethod
    def from_dict(cls, document: object) -> Self:
        """Create the distribution that a JSON document describes, and validate it.

        Args:
            document: what ``to_dict`` returned.

        Raises:
            SpecError: the document is not that of this class.
        """
        keys = tuple(field.name for field in fields(cls))  # type: ignore[arg-type]
        found = check_document(document, cls.kind, keys)
        unknown = [key for key in found if key not in (*keys, "kind", "format")]
        if unknown:
            raise SpecError(
                f"The {cls.kind} document has keys that it must not have: {unknown!r}.",
                argument=unknown[0],
                owner=f"the {cls.kind} document",
                rule="be left out",
                value=found[unknown[0]],
            )
        return cls(**{key: found[key] for key in keys})
