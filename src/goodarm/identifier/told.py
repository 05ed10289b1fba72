"""Whether a pull is one that was asked, and what may be told, forgotten and observed."""

import math
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any, Final, NamedTuple

import numpy as np

from goodarm.algorithm.reporting import LABELS
from goodarm.arguments import check_flag, check_list
from goodarm.errors import ProtocolError, SpecError, must
from goodarm.identifier.ledger import Block
from goodarm.identifier.parts import Parts
from goodarm.identifier.standings import Standings
from goodarm.kernels.codes import UNDECIDED
from goodarm.kernels.live import DROPPED, LOST, OUT, TOLD
from goodarm.problem import Arm, Problem
from goodarm.results import Pull

_MANY: Final = 4
"""Pulls from which it is quicker to look at all of them at once."""


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


def check_all_told(
    parts: Parts, pulls: Sequence[Pull], rewards: Sequence[object], owner: str
) -> dict[int, float]:
    """The rewards of pulls by their numbers, in order, if all of them may be told."""
    if len(pulls) != len(rewards):
        raise must("rewards", owner, f"have one reward for each of {len(pulls)} pulls", rewards)
    if (plain := _plainly_told(parts, pulls, rewards)) is not None:
        return plain
    told: dict[int, float] = {}
    for pull, reward in zip(pulls, rewards, strict=True):
        number, value = check_told(parts.problem, parts.standings, pull, reward, owner)
        if told.setdefault(number, value) != value:
            raise told_otherwise(number, told[number], value)
    return dict(sorted(told.items()))


def _plainly_told(
    parts: Parts, pulls: Sequence[Pull], rewards: Sequence[Any]
) -> dict[int, float] | None:
    """The same, all at once, where nothing is in question; else None: look at them one by one."""
    if len(pulls) < _MANY or set(map(type, pulls)) != {Pull}:
        return None
    if not set(map(type, rewards)) <= {int, float}:
        return None
    problem, standings = parts.problem, parts.standings
    numbers, arms, cases = zip(*pulls, strict=True)
    is_whole = set(map(type, numbers)) == {int} and len(set(numbers)) == len(numbers)
    if not is_whole or min(numbers) < 1 or max(numbers) > standings.asked:
        return None
    log = standings.live.log[np.array(numbers, np.int64) - 1]
    asked = [problem.arms[position] for position in log["arm"].tolist()]
    drawn = log["case"].tolist() if standings.setup.has_pool else [None] * len(numbers)
    if (log["state"] != OUT).any() or list(cases) != drawn:
        return None
    if list(map(str, arms)) != list(map(str, asked)):
        return None
    if not all(map(problem.is_possible, set(rewards))):
        return None
    return dict(sorted(zip(numbers, map(float, rewards), strict=True)))


def told_otherwise(number: int, before: float, now: float) -> ProtocolError:
    """The error for a reward that was told with another value before."""
    return ProtocolError(
        f"Pull {number} was told {before!r} before and cannot be changed to {now!r}."
    )


def check_forgotten(
    parts: Parts, pull: Pull, is_independent: bool, owner: str
) -> tuple[int, int, int] | None:
    """Number, arm and new state of a pull that may be given up; None if it was already."""
    check_flag("loss_is_independent", owner, is_independent)
    number, arm, found, _ = check_asked(parts.problem, parts.standings, pull, owner)
    if parts.problem.rewards == "gaussian" and not is_independent:
        raise SpecError(
            "Gaussian rewards have no worst case, so a lost pull cannot be counted. If the "
            "loss has nothing to do with the reward, pass loss_is_independent=True."
        )
    state = DROPPED if is_independent else LOST
    if found == state:
        return None
    if found != OUT:
        what = "told" if found == TOLD else "forgotten in the other way"
        raise ProtocolError(f"Pull {number} was {what} already and cannot be forgotten.")
    rule = parts.algorithm.identification
    if rule.minds_order and state == LOST and parts.ledger.is_known_after(arm, number):
        raise ProtocolError(
            f"Pull {number} cannot be given up: later rewards of its arm are known, and "
            f"the {rule.name} rule's bets on them depend on it. If the loss has nothing to "
            "do with any reward, pass loss_is_independent=True."
        )
    return number, arm, state


def check_observed(
    parts: Parts, arm: Arm, rewards: Iterable[float], cases: Iterable[int] | None, owner: str
) -> tuple[int, Block, list[int] | None] | None:
    """The arm's position, a block and its cases, if they may come in; None without rewards."""
    asked = parts.problem
    position = asked.position(arm, owner)
    given = check_list("rewards", owner, rewards, "rewards")
    units = [asked.to_unit(asked.check_reward(reward, owner, arm)) for reward in given]
    drawn = None if cases is None else check_list("cases", owner, cases, "cases")
    if not units:
        return None
    parts.cases.check_observed(position, drawn, len(units), owner)
    return position, _block(units), drawn


def block_of(problem: Problem, rewards: Iterable[float]) -> Block:
    """A block of rewards that were checked before."""
    return _block([problem.to_unit(reward) for reward in rewards])


def _block(units: list[float]) -> Block:
    return Block(len(units), math.fsum(units), tuple(units))


def check_taken_out(parts: Parts, arm: Arm, owner: str) -> int | None:
    """The place of an arm that may be taken out; None if it is out of play already."""
    position = parts.problem.position(arm, owner)
    own = parts.standings.arms[position]
    if own["labels"] != UNDECIDED:
        label = LABELS[int(own["labels"])]
        raise ProtocolError(
            f"Arm {arm!r} is labelled {label} and cannot be taken out: it is not asked again, and "
            "a label is final."
        )
    return position if own["active"] else None
