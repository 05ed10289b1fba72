"""What came of a pull, and who makes them."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from goodarm.problem import Arm


class Task(NamedTuple):
    """A pull to make: its number and arm, and in a pool the case with its number."""

    pull: int
    arm: Arm
    case: str | int | None = None
    case_number: int | None = None


@dataclass(frozen=True)
class Outcome:
    """The base of all outcomes."""


@dataclass(frozen=True)
class Made(Outcome):
    """It has a reward, as it came: whether the problem allows it is not known yet."""

    reward: float


@dataclass(frozen=True)
class Failed(Outcome):
    """It failed: the least reward there is."""


@dataclass(frozen=True)
class TimedOut(Outcome):
    """It took longer than it may, and was ended."""


@dataclass(frozen=True)
class Broken(Outcome):
    """It gave no reward; ``why`` says what was wrong, ``is_final`` that it must not be counted."""

    why: str
    is_final: bool = False


@dataclass(frozen=True)
class Ended(Outcome):
    """It was ended from here, and will be made again."""


class Maker(Protocol):
    """Makes pulls, one at a time; each job has its own."""

    def make(self, task: Task) -> Outcome:
        """Make a pull and wait for it."""

    def end(self, *, at_once: bool = False) -> None:
        """End what is under way, and make nothing more. Called from another thread."""

    def close(self) -> None:
        """Let go of what is left; ``make`` is not called any more."""


class Source(Protocol):
    """Where makers come from."""

    def maker(self) -> Maker:
        """One more."""
