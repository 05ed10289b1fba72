"""Check of rules that bet: every sequence of rewards up to a length, as the kernels bet on it."""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import IdentificationRule, Tally, make_setup
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem, Rewards
from goodarm.testing.evidence import BARS
from goodarm.testing.report import ROUNDING, expect

Floats = NDArray[np.float64]

FRACTIONS: Final = (0.0, 0.3, 0.5, 1.0)
LENGTHS: Final[dict[Rewards, int]] = {"bernoulli": 10, "bounded": 5}
MARGIN: Final = 0.0005

FAIR: Final = "wealth is at most 1 at first, and under its null not expected to rise"
TRIED: Final = "all sequences of 10 rewards of 0 and 1, and of 5 of 0, .3, .5 and 1"


class RewardSequences(NamedTuple):
    """Sequences of one length: all of them, their sums, and the logs of wealth."""

    sequences: list[tuple[float, ...]]
    sums: Floats
    wealth: Floats


def check_wealth(rule: IdentificationRule, rewards: Rewards) -> None:
    """Check that, after every sequence, bets on good are at most fair for means up to the bar.

    Bets on bad are checked in the same way, mirrored.
    """
    values = (0.0, 1.0) if rewards == "bernoulli" else FRACTIONS
    for bar in BARS:
        problem = Problem(2, bar, 0.05, margin=MARGIN, rewards=rewards)
        form = rule.for_problem(problem)
        setup = make_setup(problem, form)
        bets = form.bet_rows(setup)
        nodes = RewardSequences([()], np.zeros(1), np.zeros((1, bets.shape[1])))
        for log in _compute_evidence(form, setup, nodes, 0):
            expect(
                log[0] <= ROUNDING,
                f"The {rule.name} rule's wealth must be at most 1 before the first reward; at bar "
                f"{bar:g} it is {math.exp(log[0]):.10g}.",
            )
        for n in range(LENGTHS[rewards]):
            after = {x: _bet_on(setup, bets, nodes, n, x) for x in values}
            _check_step(form, setup, nodes, n, after)
            nodes = RewardSequences(
                [(*past, x) for x in values for past in nodes.sequences],
                np.concatenate([after[x].sums for x in values]),
                np.concatenate([after[x].wealth for x in values]),
            )
            _check_labels(form, setup, problem, nodes, n + 1)


def _bet_on(
    setup: Setup, bets: Floats, nodes: RewardSequences, n: int, x: float
) -> RewardSequences:
    """Return the same sequences with one more reward."""
    from goodarm.kernels.dispatch import bet

    count = len(nodes.sums)
    table = np.vstack([nodes.wealth, bets])
    for row in range(count):
        bet(setup, table, row, 0, n, nodes.sums[row], 0.0, x, x)
    return RewardSequences([(*past, x) for past in nodes.sequences], nodes.sums + x, table[:count])


def _compute_evidence(
    rule: IdentificationRule, setup: Setup, nodes: RewardSequences, n: int
) -> tuple[Floats, Floats]:
    count = len(nodes.sums)
    tally = Tally(np.full(count, n), nodes.sums, np.zeros(count), nodes.wealth)
    found = rule.evidence(setup, tally)
    if found is None:
        raise AssertionError(f"The {rule.name} rule keeps wealth and must have evidence.")
    for label, bar, logs in zip(
        ("good", "bad"), (setup.good_bar, setup.bad_bar), found, strict=True
    ):
        is_none = np.isnan(logs)
        at = int(np.argmax(is_none))
        expect(
            not is_none.any(),
            f"The {rule.name} rule's wealth on {label} must be a number, not below 0; at bar "
            f"{bar:g}, n = {n}, after the rewards {list(nodes.sequences[at])} its log is nan.",
        )
    return found


def _check_step(
    rule: IdentificationRule,
    setup: Setup,
    nodes: RewardSequences,
    n: int,
    after: dict[float, RewardSequences],
) -> None:
    """Check one more reward: at most fair at both ends of the null, and a fraction is no better."""
    before = _compute_evidence(rule, setup, nodes, n)
    logs = {x: _compute_evidence(rule, setup, then, n + 1) for x, then in after.items()}
    for side, (label, bar, far) in enumerate(
        (("good", setup.good_bar, 0.0), ("bad", setup.bad_bar, 1.0))
    ):
        none, whole = logs[0.0][side], logs[1.0][side]
        for p in (bar, far):
            with np.errstate(divide="ignore"):
                expected = np.logaddexp(np.log(p) + whole, np.log1p(-p) + none)
            _compare(rule, label, bar, nodes, expected, before[side], f"reward of mean {p:g}")
        for x in set(after) - {0.0, 1.0}:
            chord = np.logaddexp(math.log1p(-x) + none, math.log(x) + whole)
            what = f"reward {x:g} in place of 1 with that probability"
            _compare(rule, label, bar, nodes, logs[x][side], chord, what)


def _compare(
    rule: IdentificationRule,
    label: str,
    bar: float,
    nodes: RewardSequences,
    after: Floats,
    before: Floats,
    what: str,
) -> None:
    is_over = after > before + ROUNDING
    if is_over.any():
        at = int(np.argmax(is_over))
        past = nodes.sequences[at]
        expect(
            False,
            f"The {rule.name} rule's wealth on {label} must not be expected to rise under its null;"
            f" at bar {bar:g}, n = {len(past)}, s = {nodes.sums[at]:g}, after the rewards "
            f"{list(past)} a {what} takes its log from {before[at]:.10g} to {after[at]:.10g}.",
        )


def _check_labels(
    rule: IdentificationRule, setup: Setup, problem: Problem, nodes: RewardSequences, n: int
) -> None:
    """Check that labels are proven where evidence reaches K / delta, up to rounding."""
    count = len(nodes.sums)
    tally = Tally(np.full(count, n), nodes.sums, np.zeros(count), nodes.wealth)
    level = math.log(problem.union_size / problem.delta)
    evidence, proven = _compute_evidence(rule, setup, nodes, n), rule.proven(setup, tally)
    for label, logs, found in zip(("good", "bad"), evidence, proven, strict=True):
        is_wrong = (found & (logs < level - ROUNDING)) | (~found & (logs > level + ROUNDING))
        if is_wrong.any():
            at = int(np.argmax(is_wrong))
            expect(
                False,
                f"The {rule.name} rule must call an arm {label} where its evidence reaches K / "
                f"delta; at bars {setup.good_bar:g} and {setup.bad_bar:g}, n = {n}, after the "
                f"rewards {list(nodes.sequences[at])} its log is {logs[at]:.10g}, that of K / "
                f"delta {level:.10g}, and proven: {bool(found[at])}.",
            )
