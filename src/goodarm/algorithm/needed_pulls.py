"""Further pulls until an arm is labelled: the median and the 90 % quantile.

Both are quantiles of a predictive distribution, since the arm's mean is not known. The prior on the
mean is uniform, for rewards in [0, 1] as for Gaussian ones; the distribution of the number of pulls
is mixed over the posterior given the rewards so far. (Its expectation would be infinite: means next
to the bar take too many pulls.) ``goodarm.kernels.numerics.needed_pulls`` computes the mixture. The
numbers are for one arm that is pulled alone.

Inputs:

- boundaries of the rule: the sums from which on n pulls prove good and up to which they prove bad.
  They are computed at some places and interpolated;
- variance of the rewards: that of 0/1 rewards. This is exact for 0/1 rewards and the largest
  possible for other rewards in a range, so the numbers tend to be too large for those; rules that
  bet on each reward estimate how much smaller it is. Gaussian rewards have the variance that the
  user gave;
- lost pulls: they say nothing about the mean, and stay in the test as its worst case. The same
  share of the further pulls is expected to be lost. The boundaries of rules that bet on each reward
  do not allow for that, and their numbers are unclear once more than 1 pull in 50 is lost;
- a warm-up without labels: an arm that would have been labelled in it is labelled at its end.
"""

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from goodarm.algorithm.identification.rule import (
    Boundaries,
    Floats,
    IdentificationRule,
    Levels,
    Places,
    Tally,
)
from goodarm.algorithm.threads import fill_in_threads
from goodarm.kernels.codes import GAUSSIAN, Setup

if TYPE_CHECKING:
    from goodarm.kernels.numerics.needed_pulls import BoundaryRows

MAX_PULLS: Final = 100_000
MAX_PULLS_FACTOR: Final = 1000
"""Numbers above CAP and above CAP_TIMES times the arm's pulls are returned as infinite."""

_LOG_STEP: Final = 0.2
"""Distance between the logs of the pulls at which boundaries are computed."""
_MIN_PULLS: Final = 16
_RANGE_FACTOR: Final = 1.5
"""Boundaries are computed up to this multiple of the last pulls that matter."""
_ARMS_PER_CALL: Final = 2000
"""Arms per call if each has its own boundaries, which take memory."""
_MAX_LOST_SHARE: Final = 0.02
"""Share of lost pulls up to which the boundaries of a rule that bets on each reward are right."""
_UNREACHABLE_SUM: Final = 1e12
"""Boundary for infinity, if no sum is enough: larger than any sum."""
_GAUSSIAN_OVERSHOOT: Final = 0.583 * 0.5
"""Mean overshoot of a walk of standard normal steps, in units of two standard deviations."""


def find_needed_pulls(
    setup: Setup,
    rule: IdentificationRule,
    tally: Tally,
    levels: Levels,
    pool: float = math.inf,
) -> tuple[Floats, Floats]:
    """Return the further pulls that arms without a label need: median and 90 % quantile.

    Args:
        setup: the problem and the rule, for the kernels.
        rule: the identification rule.
        tally: the arms' tallies, as arrays; each arm has been pulled.
        levels: the logs of the evidence that proves good, and bad.
        pool: the number of cases of each arm, infinite without a pool. If the rule has no
            boundaries, the result is the number of cases left.

    Numbers are rounded up to three digits, and infinite above the cap: 100,000, or a thousand times
    the arm's pulls if that is more.
    """
    from goodarm.kernels.numerics.needed_pulls import fill_needed

    if setup.keeps_wealth and len(tally.n) > _ARMS_PER_CALL:
        starts = range(0, len(tally.n), _ARMS_PER_CALL)
        some = (tally.of(np.arange(k, min(k + _ARMS_PER_CALL, len(tally.n)))) for k in starts)
        each = [find_needed_pulls(setup, rule, few, levels, pool) for few in some]
        median, likely = (np.concatenate(parts) for parts in zip(*each, strict=True))
        return median, likely
    n, total = np.asarray(tally.n, float), np.asarray(tally.total, float)
    cap = np.maximum(MAX_PULLS_FACTOR * n, MAX_PULLS)
    found = rule.boundaries(setup, tally, _choose_places(n, cap, pool), levels)
    if found is None:
        return pool - n, pool - n
    lost = np.array(np.broadcast_to(tally.lost, n.shape), float)
    back = np.arange(len(n))
    if len(found.good) == 1 and not lost.any():  # equal counts are computed once
        _, first, back = np.unique(n + 1j * total, return_index=True, return_inverse=True)
        n, total, cap, lost = n[first], total[first], cap[first], lost[first]
    parts, most = np.array(np.broadcast_to(found.parts, n.shape)), np.minimum(cap, pool - n)
    median, likely = np.empty(len(n)), np.empty(len(n))
    numbers = (_make_boundary_rows(setup, found), n, total, lost, parts, most, median, likely)
    if len(found.good) == 1:
        fill_in_threads(fill_needed, len(n), *numbers)
    else:  # arms with their own boundaries: few per call
        fill_needed(*numbers)
    shown = np.stack([median, likely])
    if setup.keeps_wealth:
        shown[:, lost > _MAX_LOST_SHARE * n] = np.inf
    if not setup.identify_during_warmup:
        shown = np.maximum(shown, setup.warmup + 1 - n)
    is_known = shown <= cap
    shown = np.where(is_known, round_up(np.where(is_known, shown, 1.0)), np.inf)
    median, likely = np.minimum(shown, pool - n)[:, back]
    return median, likely


def _choose_places(n: Floats, cap: Floats, pool: float) -> Places:
    """Return places as far as any arm needs them, and never beyond a pool.

    They are rounded, because boundaries are cached by places.
    """
    end = math.log(min(_RANGE_FACTOR * float(np.max(n + cap)), max(pool, _RANGE_FACTOR)))
    size = math.ceil(end / _LOG_STEP / _MIN_PULLS) * _MIN_PULLS
    step = end / size if math.isfinite(pool) else _LOG_STEP
    longest = math.log(_RANGE_FACTOR * float(np.max(np.minimum(1.0 + cap / n, pool / n))))
    return Places(step, size + 1, math.ceil(longest / step))


def round_up(values: Floats) -> Floats:
    """Round pulls up to three digits, the precision of the approximation.

    >>> round_up(np.array([0.3, 998.2, 1000.1])).tolist()
    [1.0, 999.0, 1010.0]
    """
    whole = np.maximum(np.ceil(values), 1.0)
    unit = 10.0 ** np.maximum(np.floor(np.log10(whole)) - 2.0, 0.0)
    return np.asarray(np.ceil(whole / unit) * unit)


def _make_boundary_rows(setup: Setup, found: Boundaries) -> "BoundaryRows":
    from goodarm.kernels.numerics.needed_pulls import BoundaryRows

    n, is_flat = found.pulls, setup.rewards == GAUSSIAN
    first, root = np.log(n[:, 0]), np.sqrt(n)
    good, bad = (found.good - setup.good_bar * n) / root, (found.bad - setup.bad_bar * n) / root
    return BoundaryRows(
        good=np.nan_to_num(good, posinf=_UNREACHABLE_SUM, neginf=-_UNREACHABLE_SUM),
        bad=np.nan_to_num(bad, posinf=_UNREACHABLE_SUM, neginf=-_UNREACHABLE_SUM),
        first=first,
        step=float(np.log(n[0, 1]) - first[0]),
        good_bar=setup.good_bar,
        bad_bar=setup.bad_bar,
        over=_GAUSSIAN_OVERSHOOT if is_flat else compute_overshoot(setup.good_bar),
        under=_GAUSSIAN_OVERSHOOT if is_flat else compute_overshoot(1.0 - setup.bad_bar),
        is_flat=is_flat,
    )


def compute_overshoot(bar: float) -> float:
    """Return the mean overshoot above a line of a walk of 0/1 rewards whose mean is the bar.

    For bars up to 1/2 the walk falls in steps of the bar: it passes a line below by half of that on
    average, and a line above by that plus a third of the steps' skewness. For bars from 1/2 on it
    rises in steps of 1 - bar, and passes a line above by half of that.

    >>> [round(compute_overshoot(bar), 3) for bar in (0.01, 0.5, 0.9)]
    [0.332, 0.25, 0.05]
    """
    return 0.5 * bar + (1.0 - 2.0 * bar) / 3.0 if bar <= 0.5 else 0.5 * (1.0 - bar)
