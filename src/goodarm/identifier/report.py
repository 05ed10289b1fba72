"""One arm's numbers for a person: the interval shown is the one that decides."""

import math
from typing import Final

from goodarm.algorithm import Tally
from goodarm.identifier.counts import Counts
from goodarm.kernels.codes import BAD, GOOD, NEVER, UNDECIDED, Setup
from goodarm.kernels.rules import is_tested
from goodarm.problem import Problem
from goodarm.results import ArmReport, Label

LABELS: Final[dict[int, Label]] = {1: "good", -1: "bad", 0: "undecided"}


def make_report(problem: Problem, setup: Setup, counts: Counts, arm: int) -> ArmReport:
    """The ArmReport of the arm at this position."""
    n, lost = int(counts.pulls[arm]), int(counts.lost[arm])
    label = int(counts.labels[arm])
    mean = lower = upper = evidence = None
    if n > 0:
        tally = counts.tally(arm)
        interval = counts.rule.interval(setup, tally)
        evidence = counts.rule.evidence(setup, tally)
        if interval is not None:
            is_tested_now = is_tested(setup, n)
            good = _is_proven(label, GOOD, is_tested_now, interval[0] >= setup.good_bar)
            bad = _is_proven(label, BAD, is_tested_now, interval[1] <= setup.bad_bar)
            lower = _shown(problem, setup, interval[0], good, is_lower=True)
            upper = _shown(problem, setup, interval[1], bad, is_lower=False)
        if n > lost:
            mean = problem.from_unit(tally.total / (n - lost))
    expected, likely = _pulls_needed(setup, counts, arm)
    return ArmReport(
        arm=problem.arms[arm],
        pulls=n,
        mean=mean,
        lower=lower,
        upper=upper,
        e_good=None if evidence is None else _exp(evidence[0]),
        e_bad=None if evidence is None else _exp(evidence[1]),
        label=LABELS[label],
        labelled_at=int(counts.labelled_at[arm]) if label != UNDECIDED else None,
        pulls_needed=expected,
        pulls_needed_90=likely,
    )


def _is_proven(label: int, what: int, is_tested_now: bool, by_bound: bool) -> bool:
    """Whether a bound stands on the proven side: as the label says, where it says anything."""
    if label == what:
        return True
    return by_bound and not (label == UNDECIDED and is_tested_now)


def _shown(
    problem: Problem, setup: Setup, unit: float, is_proven: bool, *, is_lower: bool
) -> float:
    """A bound in the user's units, cut to the rewards' range, on its side of the bar.

    Rounding must not make a shown bound contradict the label.
    """
    value = problem.from_unit(unit)
    if problem.rewards != "gaussian":
        value = min(max(value, setup.low), setup.high)
    if is_lower:
        bar = problem.threshold - problem.margin
        if is_proven:
            return max(value, bar)
        return min(value, math.nextafter(bar, -math.inf))
    bar = problem.threshold + problem.margin
    if is_proven:
        return min(value, bar)
    return max(value, math.nextafter(bar, math.inf))


def _pulls_needed(setup: Setup, counts: Counts, arm: int) -> tuple[int | None, int | None]:
    """Further pulls until the arm is labelled if its mean stays what it is, and 90 % of them."""
    if counts.labels[arm] != UNDECIDED:
        return 0, 0
    n = int(counts.pulls[arm])
    if n == 0:
        return None, None
    known = counts.rule.remaining(setup, counts.tally(arm))
    if known is not None:
        expected, likely = (int(value) if math.isfinite(value) else None for value in known)
        return expected, likely
    return _followed(setup, counts, arm, n), None


def _followed(setup: Setup, counts: Counts, arm: int, n: int) -> int | None:
    """The same, by trying how far the mean must be followed."""
    low = float(counts.sums[arm]) / n
    high = float(counts.sums[arm] + counts.lost[arm]) / n
    gap = max(low - setup.good_bar, setup.bad_bar - high)
    if gap <= 0.0:
        return None
    first = n + 1 if setup.identify_during_warmup else max(n, setup.warmup) + 1
    share = low if low - setup.good_bar >= setup.bad_bar - high else high

    def is_labelled(pulls: int) -> bool:
        # Rewards go on as they did, and with them the wealth of a rule that bets.
        wealth = counts.wealth[arm] * (pulls / n)
        return counts.rule.decide(setup, Tally(pulls, share * pulls, 0.0, wealth)) != UNDECIDED

    if is_labelled(first):
        return first - n
    below, above = first, 2 * first
    while not is_labelled(above):
        if above >= NEVER // 2:
            return None
        below, above = above, 2 * above
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if is_labelled(middle) else (middle, above)
    return above - n


def _exp(log: float) -> float:
    """An e-value, at most the largest number there is."""
    return math.exp(min(log, 709.0))
