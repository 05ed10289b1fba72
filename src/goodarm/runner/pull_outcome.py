"""Outcomes of a pull, and the interface of what makes pulls."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from goodarm.problem import Arm


class PullTask(NamedTuple):
    """Pull to make: its number and arm, and in a pool the case with its number."""

    pull: int
    arm: Arm
    case: str | int | None = None
    case_number: int | None = None


@dataclass(frozen=True)
class PullOutcome:
    """Base class of all outcomes."""


@dataclass(frozen=True)
class PullReward(PullOutcome):
    """Pull with a reward and what it cost, not yet validated against the problem.

    The cost is None for what the problem says.
    """

    reward: float
    cost: float | None = None


@dataclass(frozen=True)
class PullFailure(PullOutcome):
    """Pull that failed: it counts as the least reward; ``said`` is the last line of its errors."""

    said: str = ""
    cost: float | None = None


@dataclass(frozen=True)
class PullTimeout(PullOutcome):
    """Pull that was ended by its timeout."""


@dataclass(frozen=True)
class PullError(PullOutcome):
    """Pull without a reward: ``why`` says what was wrong; ``is_final`` stops the run, uncounted."""

    why: str
    is_final: bool = False


@dataclass(frozen=True)
class PullInterruption(PullOutcome):
    """Pull that the run itself ended; the next run makes it again."""


class PullMaker(Protocol):
    """Maker of pulls, one at a time; each job has its own."""

    def make(self, task: PullTask) -> PullOutcome:
        """Make a pull and wait for it."""

    def end(self, *, at_once: bool = False) -> None:
        """End the current pull, and make no more. Called from another thread."""

    def close(self) -> None:
        """Release what is left; ``make`` is not called after this."""


class RewardSource(Protocol):
    """Source of rewards, which creates makers."""

    def maker(self) -> PullMaker:
        """Create a maker for one job."""
