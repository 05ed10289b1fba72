"""Validation of what is told, forgotten and observed."""

import math
from collections.abc import Collection, Iterable, Sequence
from numbers import Integral
from typing import Any, Final, NamedTuple

import numpy as np

from goodarm.arguments import check_flag, check_list
from goodarm.errors import ProtocolError, SpecError, invalid_argument
from goodarm.kernels.codes import UNDECIDED
from goodarm.kernels.live.records import DROPPED, LOST, OUT, TOLD
from goodarm.live.identifier_core import IdentifierCore
from goodarm.live.reward_queue import Block
from goodarm.problem import LABELS, Arm, Problem, from_money_units, to_money_units
from goodarm.results import Pull
from goodarm.wording import Arg, Function, Text, phrase

KEEP_REWARD: Final = "keep the reward that it was told"
NOT_FORGOTTEN: Final = "not be forgotten"
"""Rules of what may be told, by which errors are known."""
_MIN_BATCH_PULLS: Final = 4
"""Pulls from which it is quicker to validate all of them at once."""
_INDEPENDENT_ARGUMENT: Final = Arg("loss_is_independent", True)


class ValidPull(NamedTuple):
    """Pull that was asked: its number, the arm's position, its state, and its reward if told."""

    number: int
    arm: int
    state: int
    reward: float


def check_pull(core: IdentifierCore, pull: object, owner: str) -> ValidPull:
    """Return the pull as it was asked; raise an error if it was not."""
    problem, arms = core.problem, core.arms
    if not isinstance(pull, Pull):
        raise invalid_argument("pull", owner, "be a Pull that 'ask' returned", pull)
    number, arm, case = pull
    if type(number) is not int and (isinstance(number, bool) or not isinstance(number, Integral)):
        raise invalid_argument("pull", owner, "have a whole number", pull)
    if not 1 <= number <= arms.asked:
        remedy = phrase(
            "For rewards of pulls that nobody asked for, use '{observe}'.",
            observe=Function("observe"),
        )
        raise make_unasked_error(int(number), arms.asked, owner, remedy)
    reward, position, _, drawn, state = arms.pull(int(number))
    asked = problem.arms[position]
    if arm is not asked and str(arm) != str(asked):
        what = f"was asked of arm {asked!r}, not of {arm!r}."
        raise _make_pull_error(int(number), what, owner, "name the arm that it was asked of")
    if case != (drawn if arms.setup.has_pool else None):
        wanted = f"case {drawn}" if arms.setup.has_pool else "no case"
        what = f"was asked on {wanted}, not on case {case!r}."
        raise _make_pull_error(int(number), what, owner, "name the case that it was asked on")
    return ValidPull(int(number), position, state, reward)


def check_told(
    core: IdentifierCore, pull: Pull, reward: object, owner: str
) -> tuple[int, float, bool]:
    """Return number and value of a reward that may be told, and whether it is new."""
    number, position, state, before = check_pull(core, pull, owner)
    value = core.problem.check_reward(reward, owner, core.problem.arms[position])
    if state in (LOST, DROPPED):
        what, remedy = "was forgotten; its reward can no longer count.", "Ask for a new pull."
        raise _make_pull_error(number, what, owner, NOT_FORGOTTEN, remedy)
    if state == TOLD and before != value:
        raise make_conflict_error(number, before, value, owner)
    return number, value, state == OUT


def check_all_told(
    core: IdentifierCore, pulls: Sequence[Pull], rewards: Sequence[object], owner: str
) -> dict[int, float]:
    """Return the new rewards of pulls by their numbers, in order, if all of them may be told."""
    if len(pulls) != len(rewards):
        rule = f"have one reward for each of {len(pulls)} pulls"
        raise invalid_argument("rewards", owner, rule, rewards)
    if len(pulls) == 1:
        number, value, is_new = check_told(core, pulls[0], rewards[0], owner)
        return {number: value} if is_new else {}
    if len(pulls) >= _MIN_BATCH_PULLS:
        plain = _check_batch(core, pulls, rewards)
        if plain is not None:
            return plain
    told: dict[int, float] = {}
    for pull, reward in zip(pulls, rewards, strict=True):
        number, value, is_new = check_told(core, pull, reward, owner)
        if is_new and told.setdefault(number, value) != value:
            raise make_conflict_error(number, told[number], value, owner)
    return dict(sorted(told.items()))


def check_told_costs(
    core: IdentifierCore,
    pulls: Sequence[Pull],
    costs: Iterable[object] | None,
    told: Collection[int],
    owner: str,
) -> dict[int, int]:
    """Return the costs of new rewards, in billionths, by the number of the pull.

    ``told`` are the numbers of the new rewards, of pulls that were checked before. A pull that was
    told before keeps its cost.
    """
    if costs is None:
        return {}
    given = check_list("costs", owner, costs, "amounts of money, or None")
    if len(given) != len(pulls):
        rule = f"have one cost for each of {len(pulls)} pulls"
        raise invalid_argument("costs", owner, rule, given)
    found: dict[int, int] = {}
    for pull, cost in zip(pulls, given, strict=True):
        if cost is None:
            continue
        if core.money is None:
            remedy = "Create the problem with what a pull is expected to cost."
            rule = "be left out if the problem has no cost"
            raise invalid_argument("cost", owner, rule, cost, remedy)
        number, units = int(pull.number), to_money_units("cost", owner, cost)
        before = found.get(number) if number in told else core.money.own.get(number, -1)
        if before not in (None, units):
            known = "no cost of its own" if before == -1 else repr(from_money_units(before))
            what = f"was told with {known} before, which cannot be changed to {cost!r}."
            raise _make_pull_error(number, what, owner, "keep the cost that it was told with")
        if number in told:
            found[number] = units
    return found


def _check_batch(
    core: IdentifierCore, pulls: Sequence[Pull], rewards: Sequence[Any]
) -> dict[int, float] | None:
    """Validate many plain pulls at once; return None if they must be validated one by one."""
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


def make_conflict_error(number: int, before: float, now: float, owner: str) -> ProtocolError:
    """Return the error for a reward that was told with another value before."""
    what = f"was told {before!r} before and cannot be changed to {now!r}."
    return _make_pull_error(number, what, owner, KEEP_REWARD)


def make_unasked_error(number: object, asked: int, owner: str, remedy: Text = "") -> ProtocolError:
    """Return the error for a pull that was never asked."""
    what = f"was never asked; there are {asked} pulls."
    return _make_pull_error(number, what, owner, "be one that was asked", remedy)


def _make_pull_error(
    number: object, what: str, owner: str, rule: str, remedy: Text = ""
) -> ProtocolError:
    return ProtocolError(
        f"Pull {number!r} {what}",
        argument="pull",
        owner=owner,
        rule=rule,
        value=number,
        remedy=remedy,
    )


def check_forgotten(
    core: IdentifierCore, pull: Pull, is_independent: bool, owner: str
) -> int | None:
    """Return the number of a pull that may be given up; None if it was already."""
    check_flag("loss_is_independent", owner, is_independent)
    number, arm, found, _ = check_pull(core, pull, owner)
    if core.problem.rewards == "gaussian" and not is_independent:
        raise SpecError(
            "Gaussian rewards have no worst case, so a lost pull cannot be counted.",
            argument="loss_is_independent",
            owner=owner,
            rule="be True for Gaussian rewards, which have no worst case",
            value=False,
            remedy=phrase(
                "If the loss has nothing to do with the reward, {pass} {independent}.",
                independent=_INDEPENDENT_ARGUMENT,
            ),
        )
    state = DROPPED if is_independent else LOST
    if found == state:
        return None
    if found != OUT:
        what = "told" if found == TOLD else "forgotten in the other way"
        what = f"was already {what} and cannot be forgotten."
        raise _make_pull_error(number, what, owner, "be out")
    rule = core.algorithm.identification
    if rule.depends_on_order and state == LOST and core.queue.is_known_after(arm, number):
        what = (
            f"cannot be given up: later rewards of its arm are known, and the {rule.name} rule's "
            "bets on them depend on it."
        )
        remedy = phrase(
            "If the loss has nothing to do with any reward, {pass} {independent}.",
            independent=_INDEPENDENT_ARGUMENT,
        )
        raise _make_pull_error(number, what, owner, "be the arm's last", remedy)
    return number


def check_observed(
    core: IdentifierCore,
    arm: Arm,
    rewards: Iterable[float],
    cases: Iterable[int] | None,
    owner: str,
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


def make_block(problem: Problem, rewards: Iterable[float]) -> Block:
    """Return a block of rewards that were checked before."""
    units = [problem.to_unit(reward) for reward in rewards]
    return Block(len(units), math.fsum(units), tuple(units))


def check_added(core: IdentifierCore, arm: Arm) -> None:
    """Raise an error if the run is over, so that no arm can be added."""
    problem, ends = core.problem, None
    if core.arms.progress["good"] >= core.setup.until:
        until = Arg("until", problem.until, "Problem")
        ends = phrase("{until} good arms are found", until=until)
    elif core.is_money_used_up and core.is_done:
        most = Arg("max_cost", problem.max_cost, "Problem")
        ends = phrase("the money of {most} is used up", most=most)
    elif core.arms.asked >= core.setup.max_pulls and core.is_done:
        most = Arg("max_pulls", owner="Problem")
        ends = phrase(
            "all {count} pulls of {most} are made", count=str(problem.max_pulls), most=most
        )
    if ends is not None:
        raise ProtocolError(
            phrase("Arm {arm} cannot be added: the run is over, {ends}.", arm=repr(arm), ends=ends),
            argument="arm",
            owner="add_arm",
            rule="come before the run is over",
            value=arm,
        )


def check_taken_out(core: IdentifierCore, arm: Arm, owner: str) -> int | None:
    """Return the position of an arm that may be taken out; None if it is out of play already."""
    position = core.problem.position(arm, owner)
    own = core.arms.arms[position]
    if own["labels"] != UNDECIDED:
        label = LABELS[int(own["labels"])]
        raise ProtocolError(
            f"Arm {arm!r} is labelled {label} and cannot be taken out: labels are final, and "
            "labelled arms get no more pulls.",
            argument="arm",
            owner=owner,
            rule="be undecided",
            value=arm,
        )
    return position if own["active"] else None
