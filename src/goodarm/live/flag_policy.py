"""Policy for feature flags: the arm that their clients get."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from goodarm.arguments import check_flag
from goodarm.errors import SpecError, invalid_argument, invalid_choice
from goodarm.live.identifier import Identifier
from goodarm.problem import Arm, Problem
from goodarm.wording import show_value

WhenDone = Literal["first_good", "best_mean", "default"]
WHEN_DONE_CHOICES: Final = ("first_good", "best_mean", "default")


@dataclass(frozen=True)
class FlagPolicy:
    """Policy for the clients of a feature flag, who ask for an arm and know no pulls.

    Args:
        when_done: the arm that all get once the experiment is done: ``"first_good"``, the first
            that was labelled good; ``"best_mean"``, the good arm with the largest mean; or
            ``"default"``.
        default: the arm where no arm is good, or none can be asked; None says that there is none.
        bulk: whether a client that asks for all flags at once gets this one too, and so spends a
            pull of it.

    Raises:
        SpecError: ``when_done`` is unknown, or ``"default"`` without a default.

    >>> import goodarm as ga
    >>> store = ga.open_store("memory:")
    >>> exp = store.experiment(
    ...     "banners",
    ...     ga.Problem(["red", "blue"], threshold=0.02),
    ...     reward_timeout=ga.RewardTimeout("reward", seconds=3600, default=0),
    ...     flag_policy=FlagPolicy("best_mean", default="red"),
    ... )
    >>> exp.arm_when_done
    'red'
    """

    when_done: WhenDone = "first_good"
    default: Arm | None = None
    bulk: bool = False

    def __post_init__(self) -> None:
        if self.when_done not in WHEN_DONE_CHOICES:
            raise invalid_choice("when_done", "FlagPolicy", WHEN_DONE_CHOICES, self.when_done)
        if self.when_done == "default" and self.default is None:
            raise invalid_argument(
                "default", "FlagPolicy", "be an arm if it is served when done", None
            )
        check_flag("bulk", "FlagPolicy", self.bulk)

    def check(self, problem: Problem) -> None:
        """Raise an error unless the default is an arm of the problem.

        Args:
            problem: the experiment's problem.

        Raises:
            SpecError: the default is not one of its arms.
        """
        if self.default is not None:
            try:
                problem.position(self.default, "FlagPolicy")
            except SpecError as error:
                raise error.replace_fields(argument="default") from None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"when_done": self.when_done, "default": self.default, "bulk": self.bulk}

    @classmethod
    def from_dict(cls, document: object) -> "FlagPolicy":
        """Return what ``to_dict`` wrote; missing keys have their defaults.

        Args:
            document: what ``to_dict`` returned.

        Raises:
            SpecError: a key or a value is not one of a policy.
        """
        if not isinstance(document, Mapping) or not set(document) <= {*cls.__dataclass_fields__}:
            raise SpecError(
                f"'serving' must have the keys of FlagPolicy; got {show_value(document)}.",
                argument="serving",
                owner="the experiment document",
                rule="have the keys of FlagPolicy",
                value=document,
            )
        return cls(**document)

    def arm_when_done(self, ident: Identifier) -> Arm | None:
        """Return the arm for all clients, by the labels so far; None if there is none.

        Args:
            ident: the identifier that has the labels.
        """
        good = ident.verdict.good
        if self.when_done == "default" or not good:
            return self.default
        if self.when_done == "first_good":
            return good[0]
        means = [ident.explain(arm).mean for arm in good]  # None where all its pulls were lost
        return good[max(range(len(good)), key=lambda k: _number(means[k]))]


def _number(mean: float | None) -> float:
    return -math.inf if mean is None else mean
