"""The capped test: published numbers, exact errors by plain programmes, and wrong variants."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from goodarm.algorithm import calibrate, compute_crossing, find_fewest_runs, fit_lines
from goodarm.algorithm.identification.mixture import LINE_SCALE, MAX_RUNS, Mixture
from goodarm.algorithm.identification.mixture.evidence import fit_prior_polynomials
from goodarm.algorithm.identification.mixture.weights import WEIGHTS
from goodarm.kernels.compilation.jit import Kernel, interpret_kernels
from goodarm.kernels.numerics import capped


def sides(bar, margin=0.0):
    """The bar of good and one minus it, and the same of bad."""
    low, high = bar - margin, bar + margin
    return (low, 1.0 - low), (1.0 - high, high)


def walk(least, rate, number=Fraction):
    """The chance of crossing, by a plain programme over a dictionary: rational numbers, no cuts."""
    rate = number(rate)
    chances, crossed = {0: number(1)}, number(0)
    for n in range(1, len(least)):
        after = {}
        for s, chance in chances.items():
            after[s] = after.get(s, 0) + chance * (1 - rate)
            after[s + 1] = after.get(s + 1, 0) + chance * rate
        crossed += sum(chance for s, chance in after.items() if s >= least[n])
        chances = {s: chance for s, chance in after.items() if s < least[n]}
    return crossed, chances


def draw_curve(bar, rest, level, cap):
    """The curve of a level, by evaluating the evidence of all counts."""
    least = [1]
    for n in range(1, cap + 1):
        logs = Mixture().log_good(np.full(n + 1, n), np.arange(n + 1), bar)
        enough = np.flatnonzero(logs >= math.log(level))
        least.append(int(enough[0]) if len(enough) else n + 1)
    return least


@pytest.mark.parametrize(
    ("bar", "cap", "arms", "levels", "errors"),
    [
        (0.9, 300, 1, (7.6769, 6.6329), (0.049857297, 0.049875627)),
        (0.9, 300, 20, (89.5668, 73.6744), (0.002488893, 0.002493490)),
        (0.5, 100, 1, (None, None), (0.049867830, 0.049867830)),
        (0.8, 20, 1, (None, None), (0.043980465, 0.048120238)),
    ],
)
def test_levels_and_errors(bar, cap, arms, levels, errors):
    for pair, level, error in zip(sides(bar), levels, errors, strict=True):
        curve = calibrate(*pair, cap, 0.05 / arms)
        assert level is None or curve.level == pytest.approx(level, abs=6e-5)
        assert curve.error == pytest.approx(error, abs=6e-10)
        assert curve.later_level is None


def test_levels_with_a_margin():
    (good, bad) = (calibrate(*pair, 300, 0.05) for pair in sides(0.9, 0.02))
    assert (good.level, bad.level) == pytest.approx((8.1784, 6.2672), abs=6e-5)
    assert (good.least[300], 300 - bad.least[300]) == (278, 264)


def test_a_dozen_pulls_in_rational_numbers():
    curve = calibrate(0.5, 0.5, 12, 0.05)
    assert curve.least[1:].tolist() == [2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 10]
    assert curve.level == pytest.approx(3.8423, abs=6e-5)
    paths = itertools.product((0, 1), repeat=12)
    sums = (itertools.accumulate(path) for path in paths)
    crossed = sum(any(s >= curve.least[n + 1] for n, s in enumerate(path)) for path in sums)
    assert crossed == 198
    assert curve.error == 198 / 4096


def test_chances_of_crossing_from_counts():
    curve = calibrate(0.9, 1 - 0.9, 300, 0.05)
    for (n, s), chance in {
        (40, 40): 0.923705,
        (100, 94): 0.087794,
        (200, 186): 0.026219,
        (290, 272): 0.0,
    }.items():
        assert compute_crossing(curve.least, 0.9, 1 - 0.9, n, s) == pytest.approx(chance, abs=6e-7)
    assert compute_crossing(curve.least, 0.9, 1 - 0.9, 41, 41) == 1.0


def test_a_soft_cap():
    curve = calibrate(0.9, 1 - 0.9, 300, 0.05, is_soft=True)
    assert curve.level == pytest.approx(8.8627, abs=6e-5)
    assert curve.error == pytest.approx(0.0416986, abs=6e-8)
    assert curve.remainder == pytest.approx(0.615665, abs=6e-7)
    assert curve.later_level == pytest.approx(74.164, abs=6e-4)
    assert int(np.flatnonzero(curve.least <= np.arange(301))[0]) == 43


@pytest.mark.parametrize(
    ("bar", "needed"),
    [
        (0.5, [5, 9, 12]),
        (0.8, [14, 27, 38]),
        (0.9, [29, 57, 79]),
        (0.95, [59, 117, 162]),
        (0.99, [299, 597, 826]),
    ],
)
def test_fewest_runs(bar, needed):
    assert [find_fewest_runs(bar, 0.05 / arms) for arms in (1, 20, 200)] == needed
    rest = 1.0 - bar
    for misses in range(4):
        runs = find_fewest_runs(bar, 0.05, misses)
        tail = [
            sum(math.comb(n, k) * rest**k * bar ** (n - k) for k in range(misses + 1))
            for n in (runs - 1, runs)
        ]
        assert tail[1] <= 0.05 < tail[0]


GRID = list(
    itertools.product((0.05, 0.3, 0.5, 0.8, 0.9, 0.97), (1, 7, 20, 60), (1, 20), (0.0, 0.02))
)


@pytest.mark.parametrize(("bar", "cap", "arms", "margin"), GRID)
def test_the_error_is_never_above_what_is_allowed(bar, cap, arms, margin):
    """By rational numbers, which are the floats' own; never above the curve of K / delta."""
    alpha = 0.05 / arms
    for rate, rest in sides(bar, margin):
        open_curve = draw_curve(rate, rest, 1 / alpha, cap)
        for is_soft in (False, True):
            curve = calibrate(rate, rest, cap, alpha, is_soft=is_soft)
            assert (curve.least <= open_curve).all()
            assert set(np.diff(curve.least[1:])) <= {0, 1}
            crossed, left = walk(curve.least.tolist(), rate)
            assert float(crossed) == pytest.approx(curve.error, abs=1e-13)
            assert crossed <= Fraction(alpha)
            if is_soft:
                logs = Mixture().log_good(np.full(len(left), cap), np.array([*left]), rate)
                remainder = float(np.array([float(c) for c in left.values()]) @ np.exp(logs))
                assert remainder == pytest.approx(curve.remainder, rel=1e-9, abs=1e-15)
                assert float(crossed) + remainder / curve.later_level <= alpha
                assert curve.later_level <= 4 / alpha


@pytest.mark.parametrize(
    ("bar", "cap", "alpha"), [(0.9, 60, 0.05), (0.5, 40, 0.01), (0.2, 30, 0.1)]
)
def test_the_level_is_the_least(bar, cap, alpha):
    """The curve is that of its level, and the next lower curve spends too much."""
    curve = calibrate(bar, 1 - bar, cap, alpha)
    assert curve.least.tolist() == draw_curve(bar, 1 - bar, curve.level * (1 + 1e-9), cap)
    lower = draw_curve(bar, 1 - bar, curve.level * (1 - 1e-6), cap)
    assert float(walk(lower, bar, float)[0]) > alpha


def test_lower_rates_cross_less():
    curve = calibrate(0.9, 1 - 0.9, 60, 0.05)
    errors = [walk(curve.least.tolist(), rate, float)[0] for rate in (0.5, 0.8, 0.89, 0.9)]
    assert errors == sorted(errors)


def spend(least, rate):
    return float(walk([int(each) for each in least], rate, float)[0])


def test_wrong_variants_spend_too_much():
    bar, cap, alpha = 0.9, 300, 0.05
    curve = calibrate(bar, 1 - bar, cap, alpha)
    assert spend(curve.least, bar) <= alpha
    twice = calibrate(bar, 1 - bar, cap, 2 * alpha)
    assert spend(twice.least, bar) > alpha
    one_less = np.maximum(curve.least - 1, 1)
    assert spend(one_less, bar) > alpha
    one_early = [*curve.least[1:], curve.least[-1] + 1]
    assert spend(one_early, bar) <= alpha  # it asks for more: later, not wrong
    one_late = [1, 2, *curve.least[1:-1]]
    assert spend(one_late, bar) > alpha
    extended = draw_curve(bar, 1 - bar, curve.level, 2 * cap)
    assert extended[: cap + 1] == curve.least.tolist()
    assert spend(extended, bar) > alpha


def test_a_soft_cap_that_goes_on_at_its_first_level_spends_too_much():
    """c2 is needed, and enough: up to 900 pulls, and by Ville's inequality for ever."""
    bar, cap, alpha = 0.9, 300, 0.05
    curve = calibrate(bar, 1 - bar, cap, alpha, is_soft=True)
    far = 900
    right = draw_curve(bar, 1 - bar, curve.later_level, far)
    wrong = draw_curve(bar, 1 - bar, curve.level, far)
    assert spend([*curve.least, *right[cap + 1 :]], bar) <= alpha
    assert spend([*curve.least, *wrong[cap + 1 :]], bar) > alpha


@pytest.mark.parametrize(("bar", "arms", "after"), [(0.9, 1, 0), (0.1, 200, 0), (0.5, 20, 300)])
def test_lines_lie_on_or_above_the_curve(bar, arms, after):
    level = arms / 0.05
    lines = fit_lines(bar, 1 - bar, level, after)
    assert len(lines) <= 47
    n = np.unique(np.geomspace(after + 1, MAX_RUNS, 3000).astype(np.int64))
    least = np.min([(a + b * n) // LINE_SCALE + 1 for a, b in lines], axis=0)
    possible = least <= n
    logs = Mixture().log_good(n, least, bar)[possible]
    assert (logs >= math.log(level) - 1e-9).all()
    below = Mixture().log_good(n, np.maximum(least - 10, 0), bar)[possible]
    assert (below < math.log(level)).all()  # and not far above it
    first = n[possible][0]
    if not after:
        assert Mixture().log_good(first - 1, first - 1, bar) < math.log(level)


@pytest.mark.skipif(
    not isinstance(capped.calibrate_curve, Kernel), reason="interpreted by NUMBA_DISABLE_JIT"
)
@pytest.mark.parametrize("share", [0.0, 0.0125])
def test_interpreted_and_compiled_curves_are_the_same(share):
    found = []
    for call in (capped.calibrate_curve.py_func, capped.calibrate_curve.dispatcher):
        least, below, trial = (np.zeros(61, np.int64) for _ in range(3))
        scratch = below, trial, np.zeros(61), np.zeros(62)
        priors = fit_prior_polynomials(WEIGHTS)
        arguments = (0.8, 0.2, 0.05, share, np.array(WEIGHTS), priors, least, *scratch)
        if call is capped.calibrate_curve.py_func:
            with interpret_kernels():
                numbers = call(*arguments)
        else:
            numbers = call(*arguments)
        found.append(([float(each) for each in numbers], least.tolist()))
    assert found[0] == found[1]


@pytest.mark.speed
def test_ten_thousand_pulls_take_less_than_a_second():
    import time

    calibrate(0.7, 1 - 0.7, 1000, 0.05)  # compiled
    began = time.process_time()
    calibrate(0.7, 1 - 0.7, 10_000, 0.05)
    assert time.process_time() - began < 1.0
