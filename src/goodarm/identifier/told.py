"""Whether a pull is one that was asked, and whether its reward may be told."""

from numbers import Integral
from typing import NamedTuple

from goodarm.errors import ProtocolError, must
from goodarm.identifier.standings import Standings
from goodarm.kernels.live import DROPPED, LOST, TOLD
from goodarm.problem import Problem
from goodarm.results import Pull


class Asked(NamedTuple):
    """A pull that was asked: its number, the arm's place, its state, and its reward if told."""

    number: int
    arm: int
    state: int
    reward: float


def check_asked(problem: Problem, standings: Standings, pull: object, owner: str) -> Asked:
    """The pull as it was asked, or the error that says why it was not."""
    if not isinstance(pull, Pull):
        raise must("pull", owner, "be a Pull that 'ask' returned", pull)
    number, arm, case = pull
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise must("pull", owner, "have a whole number", pull)
    if not 1 <= number <= standings.asked:
        raise ProtocolError(
            f"Pull {number} was never asked; {standings.asked} pulls were. "
            "Use 'observe_many' for rewards that nobody asked for."
        )
    reward, position, _, drawn, state = standings.pull(int(number))
    asked = problem.arms[position]
    if arm is not asked and str(arm) != str(asked):
        raise ProtocolError(f"Pull {number} was asked of arm {asked!r}, not of {arm!r}.")
    if case != (drawn if standings.setup.has_pool else None):
        wanted = f"case {drawn}" if standings.setup.has_pool else "no case"
        raise ProtocolError(f"Pull {number} was asked on {wanted}, not on case {case!r}.")
    return Asked(int(number), position, state, reward)


def check_told(
    problem: Problem, standings: Standings, pull: Pull, reward: object, owner: str
) -> tuple[int, float]:
    """Number and value of a reward that may be told, or the error that says why it may not."""
    number, position, state, before = check_asked(problem, standings, pull, owner)
    value = problem.check_reward(reward, owner, problem.arms[position])
    if state in (LOST, DROPPED):
        raise ProtocolError(
            f"Pull {number} was forgotten; its reward can no longer count. Ask for a new pull."
        )
    if state == TOLD and before != value:
        raise told_otherwise(number, before, value)
    return number, value


def told_otherwise(number: int, before: float, now: float) -> ProtocolError:
    """The error for a reward that was told with another value before."""
    return ProtocolError(
        f"Pull {number} was told {before!r} before and cannot be changed to {now!r}."
    )
