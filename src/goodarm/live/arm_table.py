"""Table of the arms of an identifier."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from goodarm.algorithm import (
    REASON_CASES_USED_UP,
    REASON_TAKEN_OUT,
    Algorithm,
    ResultColumns,
    compute_live_columns,
    make_problem_fields,
)
from goodarm.judging import RewardProfile
from goodarm.kernels.codes import UNDECIDED
from goodarm.kernels.live.records import TOLD
from goodarm.live.identifier_core import IdentifierCore
from goodarm.live.money import REASON_MONEY
from goodarm.problem import Problem
from goodarm.results import ArmReport, ArmTable, Waiting

_MAX_PROFILED: Final = 100_000
"""Latest pulls whose rewards are compared with their kind, so that a long run costs no more."""


def make_table(core: IdentifierCore, positions: Sequence[int] | None = None) -> ArmTable:
    """Return the table of all arms, or of those at these positions."""
    state, problem = core.arms, core.problem
    count = problem.num_arms
    chosen = np.arange(count) if positions is None else np.array(positions, np.intp)
    pulls, labels = state.pulls[chosen], state.labels[chosen].astype(np.int8)
    missing = {"needed": math.inf, "needed_90": math.inf}
    columns: dict[str, Any] = {
        name: np.full(len(chosen), missing.get(name, math.nan)) for name in ResultColumns._fields
    }
    pulled = np.flatnonzero(pulls > 0)
    if len(pulled):
        for name, values in _judge(core, chosen[pulled])._asdict().items():
            columns[name][pulled] = values
    asked = make_question_fields(problem, core.algorithm, count)
    if asked["pools"] is not None:
        asked["pools"] = asked["pools"][chosen]
    return ArmTable(
        arms=problem.arms if positions is None else tuple(problem.arms[k] for k in positions),
        pulls=pulls,
        labels=labels,
        **columns,
        labelled_at=np.where(labels == UNDECIDED, 0, state.labelled_at[chosen]),
        reasons=_find_reasons(core, chosen),
        waits=_find_waiting(core, chosen),
        lost=state.lost[chosen].astype(np.int64),
        rewards_note=_describe_kind(core) if positions is None else "",
        cost=None if core.money is None else core.money.prices(chosen),
        spent=None if core.money is None else core.money.spent(chosen),
        **asked,
    )


def make_table_from_reports(
    problem: Problem, algorithm: Algorithm, reports: Iterable[ArmReport]
) -> ArmTable:
    """Return the table of these rows, those of all arms in their order.

    The problem may have got more arms since they were made.
    """
    rows = list(reports)
    return ArmTable.from_reports(rows, **make_question_fields(problem, algorithm, len(rows)))


def make_question_fields(problem: Problem, algorithm: Algorithm, num_arms: int) -> dict[str, Any]:
    """Return the fields of an ArmTable that say what was asked."""
    rule = algorithm.identification.with_gap_hint(problem).to_dict()
    return make_problem_fields(problem, num_arms, rule)


def _judge(core: IdentifierCore, arms: np.ndarray) -> ResultColumns:
    state, setup = core.arms, core.setup
    tally = state.tallies(arms)
    if state.rule.shows_values:
        tally = tally._replace(values=core.observations.values(arms))
    is_tested = setup.identify_during_warmup | (tally.n > setup.warmup)
    labels = state.labels[arms]
    return compute_live_columns(core.problem, setup, state.rule, tally, labels, is_tested)


def _describe_kind(core: IdentifierCore) -> str:
    """Return the remark that another kind fits the rewards that were told; empty if none does."""
    problem, state = core.problem, core.arms
    if problem.rewards == "bernoulli":
        return ""
    latest = state.live.log[: state.asked][-_MAX_PROFILED:]
    told = latest[latest["state"] == TOLD]
    profile = RewardProfile()
    profile.add(told["arm"], told["reward"], np.ones(len(told)), problem.num_arms)
    return profile.describe(problem, problem.arms)


def _find_waiting(core: IdentifierCore, arms: np.ndarray) -> dict[int, Waiting]:
    """Return what waits to enter arms' tests, each behind the first of its pulls that is out."""
    counts, first = core.tests.count_waiting(arms), core.arms.arms["first"][arms]
    return {
        int(place): Waiting(int(counts[place]), int(first[place]))
        for place in np.flatnonzero(counts)
    }


def _find_reasons(core: IdentifierCore, arms: np.ndarray) -> dict[int, str]:
    """Return why arms are out of play, if no label is the reason."""
    state = core.arms
    is_open = state.labels[arms] == UNDECIDED
    found = dict.fromkeys(
        np.flatnonzero(is_open & state.find_used_up(arms)).tolist(), REASON_CASES_USED_UP
    )
    if core.is_money_used_up and core.is_done:
        found = dict.fromkeys(np.flatnonzero(is_open).tolist(), REASON_MONEY) | found
    if state.taken_out:
        is_out = is_open & np.isin(arms, list(state.taken_out))
        found |= dict.fromkeys(np.flatnonzero(is_out).tolist(), REASON_TAKEN_OUT)
    return found
