"""Settings that an experiment is created with; they never change."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from goodarm.algorithm import Algorithm, resolve_algorithm
from goodarm.arguments import as_float, check_document, check_flag, check_seed
from goodarm.errors import SpecError, invalid_argument, invalid_choice
from goodarm.live.flag_policy import FlagPolicy
from goodarm.old_names import RefusesOldNames, refuses_old_fields
from goodarm.problem import Problem
from goodarm.wording import Arg, phrase

Meaning = Literal["wait", "reward", "lost"]
TIMEOUT_KEYS: Final = {
    "meaning": "meaning",
    "seconds": "seconds",
    "otherwise": "default",
    "is_independent": "is_independent",
}
"""Arguments of a RewardTimeout, by their keys in documents."""
MEANINGS: Final = ("wait", "reward", "lost")
FLAG_WAITS_WARNING: Final = (
    "This experiment waits for every reward, but visitors of a feature flag may never send one: a "
    "single silent visitor holds up an arm. Give up (forget) pulls whose reward will not come, or "
    "create an experiment with a reward timeout that gives up after some time."
)
_FLAG_RULE: Final = phrase(
    "An experiment with '{flag_policy}' is for feature flags, whose visitors may never send a "
    "reward. Its '{reward_timeout}' must say what a missing reward means; 'wait' is not possible."
)
_FLAG_CHOICES: Final = phrase(
    "Choose a meaning of 'reward' with {seconds} and {default} (after that time it counts as "
    "this reward, such as 0 for no conversion), of 'lost' with {seconds} (it counts as the worst "
    "case for either label), or of 'lost' with {is_independent} true (it counts as never made, "
    "which is right only if losing it has nothing to do with its value).",
    seconds=Arg("seconds", owner="RewardTimeout"),
    default=Arg("default", owner="RewardTimeout"),
    is_independent=Arg("is_independent", owner="RewardTimeout"),
)


@refuses_old_fields
@dataclass(frozen=True)
class RewardTimeout(RefusesOldNames):
    """Rule for pulls whose reward does not come.

    Args:
        meaning: ``"wait"``: wait for the reward; ``"reward"``: after ``seconds`` the pull has the
            reward ``default``, for example 0 if there is no conversion within a week; ``"lost"``:
            after ``seconds`` the pull is given up.
        seconds: the time since the pull was asked.
        default: the reward that a missing one counts as.
        is_independent: whether losing a pull has nothing to do with its reward. If it may have, a
            lost pull counts as the worst case in both tests.

    Raises:
        SpecError: the arguments do not go together.

    >>> import goodarm as ga
    >>> store = ga.open_store("memory:")
    >>> week = RewardTimeout("reward", seconds=7 * 24 * 3600, default=0)
    >>> problem = ga.Problem(["red", "blue"], threshold=0.02)
    >>> store.experiment("banners", problem, reward_timeout=week).reward_timeout.default
    0
    """

    meaning: Meaning = "wait"
    seconds: float | None = None
    default: float | None = None
    is_independent: bool = False

    def __post_init__(self) -> None:
        owner = "RewardTimeout"
        if self.meaning not in MEANINGS:
            raise invalid_choice("meaning", owner, MEANINGS, self.meaning)
        seconds = as_float(self.seconds) if self.seconds is not None else None
        if self.meaning == "wait":
            if self.seconds is not None:
                raise invalid_argument(
                    "seconds",
                    owner,
                    "be left out if a missing reward is waited for",
                    self.seconds,
                )
        elif seconds is None or not 0 < seconds < float("inf"):
            raise invalid_argument("seconds", owner, "be a number above 0", self.seconds)
        if (self.default is None) != (self.meaning != "reward"):
            rule = "be given if a missing reward counts as one, and only then"
            raise invalid_argument("default", owner, rule, self.default)
        check_flag("is_independent", owner, self.is_independent)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON, where ``default`` is called ``otherwise``."""
        return {
            "meaning": self.meaning,
            "seconds": self.seconds,
            "otherwise": self.default,
            "is_independent": self.is_independent,
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "RewardTimeout":
        """Return what ``to_dict`` wrote; missing keys have their defaults.

        Args:
            document: what ``to_dict`` returned.

        Raises:
            SpecError: the values do not go together.
        """
        return cls(**{TIMEOUT_KEYS[key]: value for key, value in document.items()})


@dataclass(frozen=True)
class ExperimentSettings:
    """Settings of an experiment: problem, algorithm, seed, missing rewards, feature flags."""

    problem: Problem
    algorithm: Algorithm
    seed: int
    reward_timeout: RewardTimeout = RewardTimeout()
    flag_policy: FlagPolicy = field(default_factory=FlagPolicy)

    @classmethod
    def of(
        cls,
        problem: Problem,
        algorithm: str | Algorithm | None = None,
        seed: int | None = None,
        reward_timeout: RewardTimeout | None = None,
        flag_policy: FlagPolicy | None = None,
    ) -> "ExperimentSettings":
        """Return settings from what a user gives; a seed is drawn if there is none."""
        reward_timeout = RewardTimeout() if reward_timeout is None else reward_timeout
        flag_policy = FlagPolicy() if flag_policy is None else flag_policy
        chosen = resolve_algorithm(algorithm, problem, "Identifier")
        chosen.setup(problem)  # raises what a rule has against the problem
        if reward_timeout.default is not None:
            try:
                problem.check_reward(reward_timeout.default, "RewardTimeout")
            except SpecError as error:
                raise error.replace_fields(argument="default") from None
        if reward_timeout.meaning == "lost" and not reward_timeout.is_independent:
            _check_worst_case(problem, chosen)
        flag_policy.check(problem)
        return cls(problem, chosen, check_seed("Identifier", seed), reward_timeout, flag_policy)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "kind": "experiment",
            "format": 1,
            "problem": self.problem.to_dict(),
            "algorithm": self.algorithm.to_dict(),
            "seed": self.seed,
            "silence": self.reward_timeout.to_dict(),
            "serving": self.flag_policy.to_dict(),
        }

    @classmethod
    def from_dict(cls, document: object) -> "ExperimentSettings":
        """Return what ``to_dict`` wrote."""
        fields: Mapping[str, Any] = check_document(
            document, "experiment", ("problem", "algorithm", "seed", "silence")
        )
        return cls(
            Problem.from_dict(fields["problem"]),
            Algorithm.from_dict(fields["algorithm"]),
            check_seed("the experiment document", fields["seed"]),
            RewardTimeout.from_dict(fields["silence"]),
            FlagPolicy.from_dict(fields.get("serving", {})),
        )


def check_flag_rule(reward_timeout: RewardTimeout | None, flag_policy: FlagPolicy | None) -> None:
    """Raise a SpecError with the choices for a new feature flag without a rule for missing rewards.

    Without one a visitor who never tells holds up an arm's test for good.
    """
    if flag_policy is not None and (reward_timeout is None or reward_timeout.meaning == "wait"):
        raise SpecError(
            _FLAG_RULE,
            argument="reward_timeout",
            owner="Store.experiment",
            rule="say what a missing reward means, and not 'wait'",
            value="wait",
            remedy=_FLAG_CHOICES,
        )


def find_flag_warning(reward_timeout: RewardTimeout, flag_policy: FlagPolicy) -> str | None:
    """Return the warning for a feature flag that waits for missing rewards, or None.

    New ones need a rule for missing rewards; older ones may lack it.
    """
    return (
        FLAG_WAITS_WARNING
        if reward_timeout.meaning == "wait" and flag_policy != FlagPolicy()
        else None
    )


def _check_worst_case(problem: Problem, algorithm: Algorithm) -> None:
    """Raise an error if lost pulls have no worst case under this problem and algorithm."""
    rule = algorithm.identification
    if problem.rewards == "gaussian":
        why = "be True for Gaussian rewards, which have no worst case"
        raise invalid_argument("is_independent", "RewardTimeout", why, False)
    if rule.depends_on_order:
        why = f"be True with the {rule.name} rule, whose bets depend on the rewards before"
        raise invalid_argument("is_independent", "RewardTimeout", why, False)
