"""One floating-point expression for each bound, and the label it proves; all engines use these.

Notation: n pulls of the arm, s the sum of its unit rewards, m = s / n, K arms.
"""

import math

from goodarm.kernels.codes import BAD, BERNOULLI, CURVES, GOOD, HOEFFDING, UNDECIDED, Curves, Setup
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
def settle(setup: Setup, good: bool, bad: bool, mean: float) -> int:
    """The label, from what is proven; where a margin makes both true the mean decides."""
    if good and (not bad or mean >= setup.threshold):
        return GOOD
    return BAD if bad else UNDECIDED


@inlined
def decide(setup: Setup, n: int, total: float, lost: float) -> int:
    """The label that n pulls prove: good if m - U >= good_bar, bad if m + U <= bad_bar.

    Lost pulls count as 0 for good and as 1 for bad; ``total`` is the sum without them, and the mean
    that settles a tie is that of the rewards that came.
    """
    width = bound(setup, n)
    good = total / n - width >= setup.good_bar
    bad = (total + lost) / n + width <= setup.bad_bar
    return settle(setup, good, bad, total / max(n - lost, 1.0))


@inlined
def decide_counts(setup: Setup, curves: Curves, n: int, s: float) -> int:
    """The label that n pulls with sum s prove, by the curves."""
    if setup.rewards == BERNOULLI:
        row = curves[int(s)]
        good, bad = n <= row["good_until"], n >= row["bad_from"]
    else:
        row = curves[n]
        good, bad = s >= row["good_sum"], s <= row["bad_sum"]
    return settle(setup, good, bad, s / n)


@inlined
def reaches(setup: Setup, curves: Curves, n: int, s: float) -> bool:
    """Whether the curves go on far enough to test the next pull, after n pulls with sum s."""
    if setup.identification != CURVES:
        return True
    return (s if setup.rewards == BERNOULLI else float(n)) + 1.0 < curves.shape[0]


@inlined
def is_tested(setup: Setup, n: int) -> bool:
    """Whether an arm is tested after its n-th pull: past the warm-up, or during it if so asked."""
    return setup.identify_during_warmup or n > setup.warmup
