"""Algorithm: a sampling rule, an identification rule and a warm-up under one name."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from goodarm.algorithm.identification import IdentificationRule
from goodarm.algorithm.identification.problem_errors import make_problem_error
from goodarm.algorithm.rule_lookup import (
    IDENTIFICATION_GROUP,
    SAMPLING_GROUP,
    find_identification_rule,
    find_sampling_rule,
)
from goodarm.algorithm.sampling import IndexRule, SamplingRule
from goodarm.algorithm.sampling.rule import SamplingTraits
from goodarm.algorithm.warmup import Warmup
from goodarm.arguments import check_document
from goodarm.errors import SpecError, invalid_argument
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem
from goodarm.wording import EdgeText, phrase

_REWARD_CODES = {
    "bernoulli": codes.BERNOULLI,
    "bounded": codes.BOUNDED,
    "gaussian": codes.GAUSSIAN,
}
_OTHER_KEYS: Final = ("kind", "format", "parameters")
"""Keys of a document besides the parts; ``describe`` adds ``parameters``, which are derived."""


def make_setup(
    problem: Problem,
    identification: IdentificationRule,
    sampling: IndexRule | SamplingRule | None = None,
    warmup: Warmup = Warmup(1, identify_during_warmup=True),  # noqa: B008  it is frozen
    arms_planned: int | None = None,
) -> Setup:
    """Convert a problem and rules to the numbers that the kernels read.

    Args:
        problem: the problem.
        identification: the rule that labels arms.
        sampling: the rule that chooses arms; None if arms are not chosen here.
        warmup: the pulls of each arm before the sampling rule takes over.
        arms_planned: the number of arms that share delta, in place of the problem's.
    """
    planned = problem.union_size if arms_planned is None else arms_planned
    low, high = problem.reward_range or (-math.inf, math.inf)
    choosing = SamplingTraits() if sampling is None else sampling.traits
    deciding = identification.traits(problem, planned)
    if problem.pools is not None and not deciding.has_pool:
        raise _make_pools_error(identification.name)
    return Setup(
        **choosing._asdict(),
        **deciding._asdict(),
        rewards=_REWARD_CODES[problem.rewards],
        num_arms=problem.num_arms,
        arms_planned=planned,
        delta=problem.delta,
        threshold=problem.to_unit(problem.threshold),
        good_bar=problem.to_unit(problem.threshold - problem.margin),
        bad_bar=problem.to_unit(problem.threshold + problem.margin),
        offset=problem.offset,
        scale=problem.scale,
        low=low,
        high=high,
        sigma=0.0 if problem.sigma is None else problem.sigma,
        warmup=warmup.resolve(problem, identification),
        # A pool may be smaller than the warm-up, and its last case decides the arm.
        identify_during_warmup=warmup.identify_during_warmup or problem.pools is not None,
        until=codes.NEVER if problem.until is None else problem.until,
        max_pulls=codes.NEVER if problem.max_pulls is None else problem.max_pulls,
    )


def _make_pools_error(name: str) -> SpecError:
    needs = f"The {name} rule does not support pools (fixed sets of cases)."
    use = EdgeText(
        "python",
        "algorithm='e-hdoc', or identification='mixture' or 'betting'",
        "e-hdoc, or a rule such as mixture or betting",
    )
    return make_problem_error(name, needs, "support pools", phrase("Use {use}.", use=use))


@dataclass(frozen=True, init=False)
class Algorithm:
    """Combination of a sampling rule, an identification rule and a warm-up.

    Args:
        sampling: chooses the next arm: ``"hdoc"``, ``"kl-moss"``, ``"kl-ucb"``, ``"moss"``,
            ``"lucb-g"``, ``"apt-g"``, ``"apgai"``, ``"round-robin"``, or a ``SamplingRule`` of your
            own.
        identification: labels arms: ``"hoeffding"``, ``"lil"``, ``"mixture"``,
            ``"betting"``, ``"kelly"``, ``"half-normal"``, a rule with settings such as
            ``Lil(epsilon=0.01)``, or a ``CountsRule`` of your own.
        warmup: pulls of each arm at the start: a number, ``"paper"``, or a ``Warmup``.
        name: its name in results; by default made from the names of the parts.

    Raises:
        SpecError: a part is unknown, or an argument is invalid.

    >>> Algorithm(sampling="round-robin", identification="lil", warmup=10).name
    'round-robin+lil'
    """

    name: str
    sampling: IndexRule | SamplingRule
    identification: IdentificationRule
    warmup: Warmup

    def __init__(
        self,
        *,
        sampling: str | IndexRule | SamplingRule,
        identification: str | IdentificationRule,
        warmup: int | Literal["paper"] | Warmup = 1,
        name: str | None = None,
    ) -> None:
        owner = "Algorithm"
        sampling = find_sampling_rule(sampling, owner)
        identification = find_identification_rule(identification, owner)
        if not isinstance(warmup, Warmup):
            warmup = Warmup(warmup)
        if name is None:
            name = f"{sampling.name}+{identification.name}"
        elif not isinstance(name, str) or not name:
            raise invalid_argument("name", owner, "be a text that is not empty", name)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "sampling", sampling)
        object.__setattr__(self, "identification", identification)
        object.__setattr__(self, "warmup", warmup)

    def rule(self, problem: Problem) -> IdentificationRule:
        """Return the identification rule in the form for the problem's rewards.

        Args:
            problem: the problem whose rewards and pools decide the form.
        """
        return self.identification.for_problem(problem)

    def setup(self, problem: Problem) -> Setup:
        """Convert the problem and this algorithm to the numbers that the kernels read.

        Args:
            problem: the problem to run it on.

        Returns:
            The numbers, as a `Setup` of ``goodarm.kernels.codes``.

        Raises:
            SpecError: the algorithm does not suit the problem.
        """
        return make_setup(problem, self.rule(problem), self.sampling, self.warmup)

    def to_dict(self) -> dict[str, Any]:
        """Return the algorithm as a JSON document, with the settings of its parts."""
        return {
            "kind": "algorithm",
            "format": 1,
            "name": self.name,
            "sampling": self.sampling.to_dict(),
            "identification": self.identification.to_dict(),
            "warmup": self.warmup.to_dict(),
        }

    def describe(self, problem: Problem) -> dict[str, Any]:
        """Return ``to_dict`` with the numbers that the settings resolve to on this problem.

        Args:
            problem: the problem that settings such as ``warmup="paper"`` depend on.
        """
        settings = self.identification.parameters(problem)
        numbers = {**settings, "warmup": self.warmup.resolve(problem, self.identification)}
        return {**self.to_dict(), "parameters": numbers}

    @classmethod
    def from_dict(cls, document: object) -> "Algorithm":
        """Create the algorithm that a JSON document describes.

        Args:
            document: what ``to_dict`` returned.

        Raises:
            SpecError: the document is not an algorithm's, or holds rules that no package registers.
        """
        keys = ("name", "sampling", "identification", "warmup")
        fields: Mapping[str, Any] = check_document(document, "algorithm", keys)
        unknown = [key for key in fields if key not in (*keys, *_OTHER_KEYS)]
        if unknown:
            raise SpecError(
                f"The algorithm document has keys that Algorithm lacks: {unknown!r}.",
                argument=unknown[0],
                owner="the algorithm document",
                rule="be left out",
                value=fields[unknown[0]],
            )
        try:
            choosing, deciding = dict(fields["sampling"]), dict(fields["identification"])
            return cls(
                sampling=find_sampling_rule(choosing.pop("rule"), "Algorithm", choosing),
                identification=find_identification_rule(
                    deciding.pop("rule"), "Algorithm", deciding
                ),
                warmup=Warmup(**fields["warmup"]),
                name=fields["name"],
            )
        except (TypeError, KeyError, ValueError) as error:
            if isinstance(error, SpecError):
                raise _explain_own_rule(error) from None
            raise SpecError(
                f"The algorithm document does not name its parts: {error}.",
                argument="algorithm",
                owner="the algorithm document",
                rule="name its parts",
            ) from error


def _explain_own_rule(error: SpecError) -> SpecError:
    """Return the error for an unknown rule of a document with the remedy: it may be the user's."""
    groups = {"sampling": SAMPLING_GROUP, "identification": IDENTIFICATION_GROUP}
    if error.owner != "Algorithm" or error.argument not in groups:
        return error
    remedy = (
        "A rule of your own is found again by its name. Install it as an entry point of the group "
        f"{groups[error.argument]!r}."
    )
    return error.replace_fields(remedy=remedy)
