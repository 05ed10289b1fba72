"""Validation of what is told, forgotten and observed."""

import math
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any, Final, NamedTuple

import numpy as np

from goodarm.arguments import check_flag, check_list
from goodarm.errors import ProtocolError, SpecError, must
from goodarm.kernels.codes import UNDECIDED
from goodarm.kernels.live import DROPPED, LOST, OUT, TOLD
from goodarm.live.core import Core
from goodarm.live.reward_queue import Block
from goodarm.problem import Arm, Problem
from goodarm.problem.labels import LABELS
from goodarm.results import Pull

_MIN_BATCH_PULLS: Final = 4
"""Pulls from which it is quicker to validate all of them at once."""


class ValidPull(NamedTuple):
    """A pull that was asked: its number, the arm's position, its state, and its reward if told."""

    number: int
    arm: int
    state: int
    reward: float


def check_pull(core: Core, pull: object, owner: str) -> ValidPull:
    """Return the pull as it was asked; raise an error if it was not."""
    problem, arms = core.problem, core.arms
    if not isinstance(pull, Pull):
        raise must("pull", owner, "be a Pull that 'ask' returned", pull)
    number, arm, case = pull
    if type(number) is not int and (isinstance(number, bool) or not isinstance(number, Integral)):
        raise must("pull", owner, "have a whole number", pull)
    if not 1 <= number <= arms.asked:
        raise ProtocolError(
            f"Pull {number} was never asked; {arms.asked} pulls were. "
            "Use 'observe_many' for rewards that nobody asked for."
        )
    reward, position, _, drawn, state = arms.pull(int(number))
    asked = problem.arms[position]
    if arm is not asked and str(arm) != str(asked):
        raise ProtocolError(f"Pull {number} was asked of arm {asked!r}, not of {arm!r}.")
    if case != (drawn if arms.setup.has_pool else None):
        wanted = f"case {drawn}" if arms.setup.has_pool else "no case"
        raise ProtocolError(f"Pull {number} was asked on {wanted}, not on case {case!r}.")
    return ValidPull(int(number), position, state, reward)


def check_told(core: Core, pull: Pull, reward: object, owner: str) -> tuple[int, float, bool]:
    """Return number and value of a reward that may be told, and whether it is new."""
    number, position, state, before = check_pull(core, pull, owner)
    value = core.problem.check_reward(reward, owner, core.problem.arms[position])
    if state in (LOST, DROPPED):
        raise ProtocolError(
            f"Pull {number} was forgotten; its reward can no longer count. Ask for a new pull."
        )
    if state == TOLD and before != value:
        raise told_otherwise(number, before, value)
    return number, value, state == OUT


def check_all_told(
    core: Core, pulls: Sequence[Pull], rewards: Sequence[object], owner: str
) -> dict[int, float]:
    """Return the new rewards of pulls by their numbers, in order, if all of them may be told."""
    if len(pulls) != len(rewards):
        raise must("rewards", owner, f"have one reward for each of {len(pulls)} pulls", rewards)
    if len(pulls) == 1:
        number, value, is_new = check_told(core, pulls[0], rewards[0], owner)
        return {number: value} if is_new else {}
    if len(pulls) >= _MIN_BATCH_PULLS:
        plain = _told_at_once(core, pulls, rewards)
        if plain is not None:
            return plain
    told: dict[int, float] = {}
    for pull, reward in zip(pulls, rewards, strict=True):
        number, value, is_new = check_told(core, pull, reward, owner)
        if is_new and told.setdefault(number, value) != value:
            raise told_otherwise(number, told[number], value)
    return dict(sorted(told.items()))


def _told_at_once(
    core: Core, pulls: Sequence[Pull], rewards: Sequence[Any]
) -> dict[int, float] | None:
    """Return the same for many plain pulls at once; None if they must be validated one by one."""
    if set(map(type, pulls)) != {Pull}:
        return None
    if not set(map(type, rewards)) <= {int, float}:
        return None
    problem, state = core.problem, core.arms
    numbers, arms, cases = zip(*pulls, strict=True)
    is_whole = set(map(type, numbers)) == {int} and len(set(numbers)) == len(numbers)
    if not is_whole or min(numbers) < 1 or max(numbers) > state.asked:
        return None
    log = state.live.log[np.array(numbers, np.int64) - 1]
    asked = [problem.arms[position] for position in log["arm"].tolist()]
    drawn = log["case"].tolist() if core.has_pool else [None] * len(numbers)
    if (log["state"] != OUT).any() or list(cases) != drawn:
        return None
    if list(map(str, arms)) != list(map(str, asked)):
        return None
    if not all(map(problem.is_possible, set(rewards))):
        return None
    return dict(sorted(zip(numbers, map(float, rewards), strict=True)))


def told_otherwise(number: int, before: float, now: float) -> ProtocolError:
    """Return the error for a reward that was told with another value before."""
    return ProtocolError(
        f"Pull {number} was told {before!r} before and cannot be changed to {now!r}."
    )


def check_forgotten(core: Core, pull: Pull, is_independent: bool, owner: str) -> int | None:
    """Return the number of a pull that may be given up; None if it was already."""
    check_flag("loss_is_independent", owner, is_independent)
    number, arm, found, _ = check_pull(core, pull, owner)
    if core.problem.rewards == "gaussian" and not is_independent:
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
    rule = core.algorithm.identification
    if rule.minds_order and state == LOST and core.queue.is_known_after(arm, number):
        raise ProtocolError(
            f"Pull {number} cannot be given up: later rewards of its arm are known, and "
            f"the {rule.name} rule's bets on them depend on it. If the loss has nothing to "
            "do with any reward, pass loss_is_independent=True."
        )
    return number


def check_observed(
    core: Core, arm: Arm, rewards: Iterable[float], cases: Iterable[int] | None, owner: str
) -> tuple[int, list[float], list[int] | None] | None:
    """Return the arm's position, rewards and cases, if they may come in; None without rewards."""
    asked = core.problem
    position = asked.position(arm, owner)
    given = check_list("rewards", owner, rewards, "rewards")
    values = [asked.check_reward(reward, owner, arm) for reward in given]
    drawn = None if cases is None else check_list("cases", owner, cases, "cases")
    if not values:
        return None
    core.cases.check_observed(position, drawn, len(values), owner)
    return position, values, None if drawn is None else [int(case) for case in drawn]


def block_of(problem: Problem, rewards: Iterable[float]) -> Block:
    """Return a block of rewards that were checked before."""
    units = [problem.to_unit(reward) for reward in rewards]
    return Block(len(units), math.fsum(units), tuple(units))


def check_added(core: Core, arm: Arm) -> None:
    """Raise an error if the run is over, so that no arm can be added."""
    problem, ends = core.problem, None
    if core.arms.progress["good"] >= core.setup.until:
        ends = f"until={problem.until} good arms are found"
    elif core.arms.asked >= core.setup.max_pulls and core.is_done:
        ends = f"all {problem.max_pulls} pulls of max_pulls are made"
    if ends is not None:
        raise ProtocolError(f"Arm {arm!r} cannot be added: the run is over, {ends}.")


def check_taken_out(core: Core, arm: Arm, owner: str) -> int | None:
    """Return the position of an arm that may be taken out; None if it is out of play already."""
    position = core.problem.position(arm, owner)
    own = core.arms.arms[position]
    if own["labels"] != UNDECIDED:
        label = LABELS[int(own["labels"])]
        raise ProtocolError(
            f"Arm {arm!r} is labelled {label} and cannot be taken out: it is not asked again, and "
            "a label is final."
        )
    return position if own["active"] else None
