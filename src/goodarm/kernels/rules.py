"""One floating-point expression for each index and each bound; all engines and ``ask`` use these.

A sampling rule's index is ``level + slope * clock``: level and slope depend on the arm's own
counts, the clock on all pulls so far. The largest index is pulled, ties going to the lowest arm.
Notation: n pulls of the arm, s the sum of its unit rewards, m = s / n, t pulls of all arms, K arms.
"""

import math

from goodarm.kernels.codes import (
    APGAI,
    APT_G,
    BAD,
    CURVES,
    GOOD,
    HDOC,
    HOEFFDING,
    LUCB_G,
    UNDECIDED,
    Curves,
    Setup,
)
from goodarm.kernels.jit import inlined


@inlined
def hoeffding_bound(n: int, num_arms: int, delta: float) -> float:
    """U(n) = sqrt(log(4 K n^2 / delta) / (2 n)), Kano et al. 2019."""
    pulls = float(n)
    return math.sqrt(math.log(4.0 * num_arms * pulls * pulls / delta) / (2.0 * pulls))


@inlined
def lil_bound(n: int, num_arms: int, delta: float, epsilon: float, c: float) -> float:
    """U(n) = (1 + sqrt eps) sqrt((1 + eps) / (2 n) log(c K log((1 + eps) n) / delta)), lil'HDoC."""
    spread = 1.0 + epsilon
    iterated = math.log(c * num_arms * math.log(spread * n) / delta)
    return (1.0 + math.sqrt(epsilon)) * math.sqrt(spread / (2.0 * n) * iterated)


@inlined
def bound(setup: Setup, n: int) -> float:
    """Half the width of the arm's confidence interval after n pulls."""
    if setup.identification == HOEFFDING:
        return hoeffding_bound(n, setup.num_arms, setup.delta)
    return lil_bound(n, setup.num_arms, setup.delta, setup.epsilon, setup.c)


@inlined
def decide(setup: Setup, n: int, total: float, lost: float) -> int:
    """The label that n pulls prove: good if m - U >= good_bar, bad if m + U <= bad_bar.

    Lost pulls count as 0 for good and as 1 for bad; ``total`` is the sum without them. If a margin
    makes both true, the arm is good exactly when the mean of the rewards that came is at least the
    threshold.
    """
    width = bound(setup, n)
    good = total / n - width >= setup.good_bar
    bad = (total + lost) / n + width <= setup.bad_bar
    if good and bad:
        return GOOD if total / max(n - lost, 1.0) >= setup.threshold else BAD
    if good:
        return GOOD
    return BAD if bad else UNDECIDED


@inlined
def decide_counts(setup: Setup, curves: Curves, n: int, s: float) -> int:
    """The label that n pulls with s successes prove, by the curves."""
    row = curves[int(s)]
    good, bad = n <= row["good_until"], n >= row["bad_from"]
    if good and bad:
        return GOOD if s / n >= setup.threshold else BAD
    if good:
        return GOOD
    return BAD if bad else UNDECIDED


@inlined
def reaches(setup: Setup, curves: Curves, s: float) -> bool:
    """Whether the curves go on far enough to test the next pull of an arm with s successes."""
    return setup.identification != CURVES or s + 1.0 < curves.shape[0]


@inlined
def is_tested(setup: Setup, n: int) -> bool:
    """Whether an arm is tested after its n-th pull: past the warm-up, or during it if so asked."""
    return setup.identify_during_warmup or n > setup.warmup


@inlined
def index_line(setup: Setup, n: int, mean: float) -> tuple[float, float]:
    """Level and slope of the arm's index after n pulls with this mean."""
    if setup.sampling == HDOC:
        return mean, math.sqrt(0.5 / n)
    if setup.sampling == LUCB_G:
        return mean + hoeffding_bound(n, setup.num_arms, setup.delta), 0.0
    if setup.sampling == APT_G:
        return -(math.sqrt(n) * abs(setup.threshold - mean)), 0.0
    if setup.sampling == APGAI:
        return math.sqrt(n) * (mean - setup.threshold), 0.0
    return -float(n), 0.0


@inlined
def index_clock(setup: Setup, t: int) -> float:
    """The part of the index that all arms share: sqrt(log t) for HDoC."""
    return math.sqrt(math.log(t)) if setup.sampling == HDOC else 0.0
