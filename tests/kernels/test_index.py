"""Indices: the papers' formulas, and what the fast engine relies on."""

import math

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import goodarm as ga
from goodarm.kernels.clock import find_clock_end, step_start
from goodarm.kernels.codes import NEVER
from goodarm.kernels.dispatch import index_clock, index_parts, lead_over_mark
from goodarm.kernels.index import INDEX_ROUNDING, index_of, is_above, is_clearly_above, mark_at
from goodarm.kernels.numerics.formulas import kl_upper
from helpers import SAMPLING
from naive.algorithms import stepped

COUNTS = st.integers(1, 10**9)
TIMES = st.integers(2, 10**12)
RISING = ["hdoc", "kl-moss", "kl-ucb", "moss"]


def setup_of(sampling, num_arms=3, **rewards):
    algorithm = ga.Algorithm(sampling=sampling, identification="hoeffding")
    return algorithm.setup(ga.Problem(num_arms, 0.5, 0.1, **rewards))


def index(setup, n, mean, t):
    level, width = index_parts(setup, n, mean)
    return index_of(setup, level, width, index_clock(setup, t))


FORMULAS = {
    "hdoc": lambda n, m, t: m + math.sqrt(math.log(t) / (2 * n)),
    "lucb-g": lambda n, m, t: m + math.sqrt(math.log(4 * 3 * n**2 / 0.1) / (2 * n)),
    "apt-g": lambda n, m, t: -math.sqrt(n) * abs(0.5 - m),
    "apgai": lambda n, m, t: math.sqrt(n) * (m - 0.5),
    "moss": lambda n, m, t: m + math.sqrt(0.525 * max(0, math.log(t / (3 * n))) / n),
    "round-robin": lambda n, m, t: -n,
}


@pytest.mark.parametrize("sampling", FORMULAS)
@given(COUNTS, st.floats(0, 1), TIMES)
def test_indices_are_the_papers(sampling, n, mean, t):
    expected = FORMULAS[sampling](n, mean, t)
    assert index(setup_of(sampling), n, mean, t) == pytest.approx(expected, rel=1e-14, abs=1e-13)


def exact_upper(m, distance):
    """The largest q with kl(m, q) <= distance, by bisection in 60 digits."""
    with mpmath.workdps(60):
        m, distance = mpmath.mpf(m), mpmath.mpf(distance)

        def kl(q):
            head = m * mpmath.log(m / q) if m > 0 else 0
            return head + (1 - m) * mpmath.log((1 - m) / (1 - q))

        low, high = m, mpmath.mpf(1)
        for _ in range(150):
            middle = (low + high) / 2
            low, high = (middle, high) if kl(middle) <= distance else (low, middle)
        return low


MEANS = st.one_of(st.floats(0, 1), st.floats(1e-9, 1e-2), st.floats(0.99, 1 - 1e-9))


@example(0.995569332040282, 0.15839094812826288)  # it rounds to 1 on the way
@example(0.8563943179277661, 5.189725802623302)
@given(MEANS, st.floats(-12, 3).map(lambda x: 10.0**x))
def test_the_divergence_is_inverted_to_the_last_places(m, distance):
    """Within half of what the fast engine takes for rounding."""
    expected = 1 if m == 1 else exact_upper(m, distance)
    found = kl_upper(m, distance)
    assert m <= found <= 1
    assert abs(found - expected) <= 0.5 * INDEX_ROUNDING * (found + float(expected))


@pytest.mark.parametrize(("sampling", "budget"), [("kl-ucb", 0), ("kl-moss", 1)])
@given(COUNTS, MEANS, TIMES)
def test_kl_rules_are_the_papers(sampling, budget, n, mean, t):
    t = stepped(t)
    log = math.log(t) if budget == 0 else max(0, math.log(t / (3 * n)))
    expected = kl_upper(mean, log / n)
    assert index(setup_of(sampling), n, mean, t) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("sampling", ["kl-ucb", "kl-moss"])
@given(COUNTS, st.floats(-3, 3), TIMES)
def test_gaussian_rewards_have_their_own_divergence(sampling, n, mean, t):
    setup, t = setup_of(sampling, rewards="gaussian", sigma=0.5), stepped(t)
    log = math.log(t) if sampling == "kl-ucb" else max(0, math.log(t / (3 * n)))
    expected = mean + math.sqrt(log / (2 * n))
    assert index(setup, n, mean, t) == pytest.approx(expected, rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("sampling", ["kl-ucb", "kl-moss"])
@given(
    st.integers(1, 10**6),
    st.floats(0, 1),
    TIMES,
    st.one_of(st.floats(-1e-13, 1e-13), st.floats(-0.3, 0.3), st.floats(-2, 2)),
)
def test_an_index_is_compared_with_a_mark_without_its_root(sampling, n, share, t, distance):
    """Where the divergence tells them apart, so do the numbers, by more than rounding."""
    setup, s = setup_of(sampling), math.floor(share * n)
    clock = index_clock(setup, t)
    found = index(setup, n, s / n, t)
    mark = mark_at(setup, found + distance)
    lead = lead_over_mark(setup, n, s, clock, *mark)
    assert lead <= 0 or is_clearly_above(found, mark.value)
    assert lead >= 0 or is_clearly_above(mark.value, found)
    assert is_above(setup, n, s, clock, mark) == is_clearly_above(found, mark.value)


@given(st.integers(1, 10**12))
def test_the_clock_is_rounded_down_to_four_bits(t):
    setup = setup_of("kl-moss")
    start, end = step_start(t), find_clock_end(setup, t)
    assert start == stepped(t) <= t < end
    assert step_start(end - 1) == start
    assert step_start(end) == end
    assert end - start <= max(1, t / 8)


def test_a_clock_that_moves_with_every_pull_and_one_that_never_does():
    assert find_clock_end(setup_of("hdoc"), 1000) == 1001
    assert find_clock_end(setup_of("moss"), 1000) == 1001
    assert find_clock_end(setup_of("lucb-g"), 1000) == NEVER


@pytest.mark.parametrize("sampling", SAMPLING)
@given(COUNTS, st.floats(0, 1), TIMES, st.integers(0, 10**6), st.integers(1, 10**5))
def test_an_index_never_falls_when_the_clock_moves_on(sampling, n, mean, t, more, num_arms):
    """But for rounding, which the fast engine allows for; it rests on this."""
    setup = setup_of(sampling, num_arms)
    before, after = index(setup, n, mean, t), index(setup, n, mean, t + more)
    assert after >= before - INDEX_ROUNDING * (abs(before) + abs(after))


@pytest.mark.parametrize("sampling", RISING)
@given(st.integers(1, 10**6), st.floats(0, 1), TIMES, st.integers(1, 1000))
def test_failures_let_an_optimistic_index_fall(sampling, n, share, t, failures):
    s = math.floor(share * n)
    setup = setup_of(sampling)
    before, after = index(setup, n, s / n, t), index(setup, n + failures, s / (n + failures), t)
    assert after <= before + INDEX_ROUNDING * (abs(before) + abs(after))
