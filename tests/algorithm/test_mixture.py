"""The mixture test: its numbers against mpmath, and its validity by an exact calculation."""

import itertools
import math
from functools import cache

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.algorithm.identification.mixture import WEIGHTS

MIXTURE = ga.rules.Mixture()
BARS = [1e-6, 0.004, 0.2, 0.5, 0.9, 1 - 1e-6]


@cache  # the masses of the priors are asked for again and again
def log_mass(a, b, bar):
    """log of B(a, b) P(Beta(a, b) > bar), by quadrature around its largest part."""
    peak = max(a / (a + b), bar)
    reach = mpmath.sqrt(peak * (1 - peak) / (a + b))
    slope = abs(a / peak - b / (1 - peak))
    if slope * reach > 1:
        reach = 1 / slope
    marks = {peak + k * reach for k in (-40, -10, -3, 0, 3, 10, 40)}
    inside = sorted({bar, mpmath.mpf(1)} | {x for x in marks if bar < x < 1})
    base = a * mpmath.log(peak) + b * mpmath.log(1 - peak)

    def density(x):
        if x == 1:
            return mpmath.mpf(0)
        return mpmath.exp(a * mpmath.log(x) + b * mpmath.log(1 - x) - base) / (x * (1 - x))

    return base + mpmath.log(mpmath.quad(density, inside, maxdegree=6))


def exact_good(n, s, bar):
    """The definition. Logs of up to 1e14 cancel: of 30 digits, 16 are left."""
    with mpmath.workdps(30):
        bar, total = mpmath.mpf(bar), mpmath.mpf(0)
        for weight in WEIGHTS:
            size = weight / min(bar, 1 - bar)
            a, b = size * bar, size * (1 - bar)
            ratio = log_mass(s + a, n - s + b, bar) - log_mass(a, b, bar)
            total += mpmath.exp(ratio - s * mpmath.log(bar) - (n - s) * mpmath.log(1 - bar))
        return float(mpmath.log(total / len(WEIGHTS)))


def make_places(bar):
    """Counts from 1 to 1e12, with sums on the bar, about it by some deviations, and far from it."""
    for n in (1, 1000, 10**6, 10**12):
        sd = math.sqrt(n * bar * (1 - bar))
        for z in (-200, -40, -5, 0, 6):
            yield n, min(max(round(n * bar + z * sd), 0), n)


@pytest.mark.slow
@pytest.mark.parametrize(
    "bar",
    [0.004, 1 - 1e-6, *(pytest.param(bar, marks=pytest.mark.large) for bar in (1e-6, 0.5))],
)
def test_the_evidence_is_that_of_mpmath(bar):
    for n, s in sorted(set(make_places(bar))):
        found = float(MIXTURE.log_good(n, s, bar))
        expected = exact_good(n, s, bar)
        assert found == pytest.approx(expected, rel=1e-9, abs=2e-6), (n, s)


@pytest.mark.parametrize("bar", BARS)
def test_bad_is_the_mirror_image_of_good(bar):
    for n, s in sorted(set(make_places(bar))):
        mirrored = float(MIXTURE.log_good(n, n - s, 1 - bar))
        assert float(MIXTURE.log_bad(n, s, bar)) == pytest.approx(mirrored, rel=1e-6, abs=1e-5)


@settings(max_examples=300)
@given(n=st.integers(1, 10**12), share=st.floats(0, 1), bar=st.sampled_from(BARS))
def test_no_count_gives_a_number_that_is_none(n, share, bar):
    s = round(share * n)
    assert math.isfinite(MIXTURE.log_good(n, s, bar))
    assert math.isfinite(MIXTURE.log_bad(n, s, bar))


@pytest.mark.parametrize("bar", BARS)
def test_with_fixed_successes_good_falls_and_bad_rises(bar):
    """With 0/1 rewards the rule is two integer curves because of this."""
    for s in (0, 1, 5, 100):
        start = max(s, 1)
        counts = np.unique(np.round(start + np.geomspace(1, 50 * (s + 1) / bar, 400) - 1))
        good = MIXTURE.log_good(counts, s, bar)
        bad = MIXTURE.log_bad(counts, s, bar)
        assert all(b <= a + 1e-9 for a, b in itertools.pairwise(good))
        assert all(b >= a - 1e-9 for a, b in itertools.pairwise(bad))
