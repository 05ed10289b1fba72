"""Warm-up: pulls of each arm before the sampling rule takes over."""

from dataclasses import dataclass
from typing import Any, Literal

from goodarm.algorithm.identification import IdentificationRule
from goodarm.algorithm.identification.lil import MAX_WARMUP
from goodarm.arguments import check_count, check_flag
from goodarm.errors import SpecError, invalid_argument
from goodarm.problem import Problem
from goodarm.wording import EdgeText, phrase


@dataclass(frozen=True)
class Warmup:
    """Warm-up: arm 0 is pulled ``pulls`` times, then arm 1, and so on.

    Args:
        pulls: pulls of each arm, at least 1; ``"paper"`` for what the paper of the identification
            rule prescribes (1 for Hoeffding, T for LIL).
        identify_during_warmup: test arms during their warm-up too; an arm that is labelled ends
            its warm-up. The tests are valid at every n, so this only saves pulls.

    Raises:
        SpecError: ``pulls`` is neither a whole number from 1 on nor ``"paper"``.

    >>> Warmup("paper", identify_during_warmup=True)
    Warmup(pulls='paper', identify_during_warmup=True)
    """

    pulls: int | Literal["paper"] = 1
    identify_during_warmup: bool = False

    def __post_init__(self) -> None:
        check_flag("identify_during_warmup", "Warmup", self.identify_during_warmup)
        if isinstance(self.pulls, str):
            if self.pulls == "paper":
                return
            raise invalid_argument("pulls", "Warmup", "be a whole number or 'paper'", self.pulls)
        count = check_count("pulls", "Warmup", self.pulls, most=MAX_WARMUP)
        object.__setattr__(self, "pulls", count)

    def resolve(self, problem: Problem, identification: IdentificationRule) -> int:
        """Return the number of pulls of each arm for this problem.

        Args:
            problem: the problem to be labelled.
            identification: the rule whose paper says how many.

        Raises:
            SpecError: the paper asks for more pulls than a warm-up can have.
        """
        if not isinstance(self.pulls, str):
            return self.pulls
        pulls = identification.paper_warmup(problem)
        if pulls > MAX_WARMUP:
            large = (
                f"The paper's warm-up of {pulls:,} pulls of each arm is above {MAX_WARMUP:,}, the "
                "most that is allowed."
            )
            parts = "another epsilon (identification=Lil(epsilon=0.01)), or a number (warmup=1000)"
            other = phrase("or another {algorithm} such as e-hdoc")
            raise SpecError(
                large,
                argument="warmup",
                owner="Algorithm",
                rule=f"be at most {MAX_WARMUP:,} pulls of each arm",
                value=pulls,
                remedy=phrase(
                    "Use a smaller {delta}, {other}.", other=EdgeText("python", parts, other)
                ),
            )
        return pulls

    def to_dict(self) -> dict[str, Any]:
        """Return the warm-up as JSON."""
        return {"pulls": self.pulls, "identify_during_warmup": self.identify_during_warmup}
