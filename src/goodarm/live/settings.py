"""Settings that an experiment is created with; they never change."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from goodarm.algorithm import Algorithm, chosen_algorithm
from goodarm.arguments import as_float, check_document, check_flag, check_seed
from goodarm.errors import SpecError, invalid_argument, invalid_choice
from goodarm.live.flag_policy import Serving
from goodarm.problem import Problem
from goodarm.wording import Arg, phrase

Meaning = Literal["wait", "reward", "lost"]
MEANINGS: Final = ("wait", "reward", "lost")
FLAG_WAITS: Final = (
    "This experiment waits for every reward, but visitors of a feature flag may never send one: a "
    "single silent visitor holds up an arm. Give up (forget) pulls whose reward will not come, or "
    "create an experiment with a 'silence' that gives up after some time."
)
_NEEDED: Final = phrase(
    "An experiment with '{serving}' is for feature flags, whose visitors may never send a reward. "
    "Its '{silence}' must say what a missing reward means; 'wait' is not possible."
)
_CHOICES: Final = phrase(
    "Choose a meaning of 'reward' with {seconds} and {otherwise} (after that time it counts as "
    "this reward, such as 0 for no conversion), of 'lost' with {seconds} (it counts as the worst "
    "case for either label), or of 'lost' with {is_independent} true (it counts as never made, "
    "which is right only if losing it has nothing to do with its value).",
    seconds=Arg("seconds", owner="Silence"),
    otherwise=Arg("otherwise", owner="Silence"),
    is_independent=Arg("is_independent", owner="Silence"),
)


@dataclass(frozen=True)
class Silence:
    """Meaning of a missing reward: what happens if a pull is not told.

    Args:
        meaning: ``"wait"``: nothing, its reward is waited for; ``"reward"``: after ``seconds`` it
            has the reward ``otherwise``, as where no conversion within a week is a 0; ``"lost"``:
            after ``seconds`` it is given up.
        seconds: since it was asked.
        otherwise: the reward that silence stands for.
        is_independent: whether losing a pull has nothing to do with its reward; if not, a lost one
            counts as the worst case in both tests.
    """

    meaning: Meaning = "wait"
    seconds: float | None = None
    otherwise: float | None = None
    is_independent: bool = False

    def __post_init__(self) -> None:
        owner = "Silence"
        if self.meaning not in MEANINGS:
            raise invalid_choice("meaning", owner, MEANINGS, self.meaning)
        seconds = as_float(self.seconds) if self.seconds is not None else None
        if self.meaning == "wait":
            if self.seconds is not None:
                raise invalid_argument(
                    "seconds", owner, "be left out if silence means nothing", self.seconds
                )
        elif seconds is None or not 0 < seconds < float("inf"):
            raise invalid_argument("seconds", owner, "be a number above 0", self.seconds)
        if (self.otherwise is None) != (self.meaning != "reward"):
            rule = "be given if silence is a reward, and only then"
            raise invalid_argument("otherwise", owner, rule, self.otherwise)
        check_flag("is_independent", owner, self.is_independent)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "meaning": self.meaning,
            "seconds": self.seconds,
            "otherwise": self.otherwise,
            "is_independent": self.is_independent,
        }


@dataclass(frozen=True)
class ExperimentSettings:
    """Settings of an experiment: problem, algorithm, seed, missing rewards, feature flags."""

    problem: Problem
    algorithm: Algorithm
    seed: int
    silence: Silence = Silence()
    serving: Serving = field(default_factory=Serving)

    @classmethod
    def of(
        cls,
        problem: Problem,
        algorithm: str | Algorithm | None = None,
        seed: int | None = None,
        silence: Silence | None = None,
        serving: Serving | None = None,
    ) -> "ExperimentSettings":
        """Return settings from what a user gives; a seed is drawn if there is none."""
        silence = Silence() if silence is None else silence
        serving = Serving() if serving is None else serving
        chosen = chosen_algorithm(algorithm, problem, "Identifier")
        chosen.setup(problem)  # raises what a rule has against the problem
        if silence.otherwise is not None:
            try:
                problem.check_reward(silence.otherwise, "Silence")
            except SpecError as error:
                raise error.replaced(argument="otherwise") from None
        if silence.meaning == "lost" and not silence.is_independent:
            _check_worst_case(problem, chosen)
        serving.check(problem)
        return cls(problem, chosen, check_seed("Identifier", seed), silence, serving)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "kind": "experiment",
            "format": 1,
            "problem": self.problem.to_dict(),
            "algorithm": self.algorithm.to_dict(),
            "seed": self.seed,
            "silence": self.silence.to_dict(),
            "serving": self.serving.to_dict(),
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
            Silence(**fields["silence"]),
            Serving.from_dict(fields.get("serving", {})),
        )


def check_flag_rule(silence: Silence | None, serving: Serving | None) -> None:
    """Raise a SpecError with the choices for a new feature flag without a rule for missing rewards.

    Without one a visitor who never tells holds up an arm's test for good.
    """
    if serving is not None and (silence is None or silence.meaning == "wait"):
        raise SpecError(
            _NEEDED,
            argument="silence",
            owner="Store.experiment",
            rule="say what a missing reward means, and not 'wait'",
            value="wait",
            remedy=_CHOICES,
        )


def flag_warning(silence: Silence, serving: Serving) -> str | None:
    """Return the warning for a feature flag that waits for missing rewards, or None.

    New ones need a rule for missing rewards; older ones may lack it.
    """
    return FLAG_WAITS if silence.meaning == "wait" and serving != Serving() else None


def _check_worst_case(problem: Problem, algorithm: Algorithm) -> None:
    """Raise an error if lost pulls have no worst case under this problem and algorithm."""
    rule = algorithm.identification
    if problem.rewards == "gaussian":
        why = "be True for Gaussian rewards, which have no worst case"
        raise invalid_argument("is_independent", "Silence", why, False)
    if rule.minds_order:
        why = f"be True with the {rule.name} rule, whose bets depend on the rewards before"
        raise invalid_argument("is_independent", "Silence", why, False)
