"""Bounds: the papers' formulas, what the loop relies on, and the labels they give."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodarm as ga
from goodarm.kernels.dispatch import bound
from goodarm.kernels.label import label_by_bound
from goodarm.kernels.numerics.formulas import hoeffding_bound, lil_bound
from naive import algorithms as naive

COUNTS = st.integers(1, 10**12)
NUM_ARMS = st.integers(1, 10**5)
DELTAS = st.floats(1e-9, 0.999)


@given(COUNTS, NUM_ARMS, DELTAS)
def test_hoeffding_is_the_papers_formula(n, num_arms, delta):
    paper = math.sqrt(math.log(4 * num_arms * n**2 / delta) / (2 * n))
    assert hoeffding_bound(n, num_arms, delta) == pytest.approx(paper, rel=1e-14)


@given(COUNTS, NUM_ARMS, DELTAS, st.floats(1e-6, 0.99))
def test_lil_is_the_papers_formula(n, num_arms, delta, eps):
    c = (2 + eps) / eps * (1 / math.log(1 + eps)) ** (1 + eps)
    log = math.log(c * num_arms * math.log((1 + eps) * n) / delta)
    paper = (1 + math.sqrt(eps)) * math.sqrt((1 + eps) / (2 * n) * log)
    assert lil_bound(n, num_arms, delta, eps, c) == pytest.approx(paper, rel=1e-9)


@pytest.mark.parametrize(
    "rule", ["hoeffding", ga.rules.Lil(1e-6), ga.rules.Lil(0.01), ga.rules.Lil(0.99)]
)
@pytest.mark.parametrize("num_arms", [1, 2, 100_000])
@pytest.mark.parametrize("delta", [1e-9, 0.05, 0.999])
def test_bounds_fall_in_n_and_n_times_the_bound_grows(rule, num_arms, delta):
    """The cache of least bounds and the integer curves of 0/1 rewards rest on this."""
    algorithm = ga.Algorithm(sampling="hdoc", identification=rule)
    setup = algorithm.setup(ga.Problem(num_arms, 0.5, delta, allow_large_delta=True))
    counts = [*range(1, 2000), *(int(1.01**k) for k in range(800, 2500))]
    widths = [bound(setup, n) for n in counts]
    assert all(a > b for a, b in itertools.pairwise(widths))
    areas = [n * width for n, width in zip(counts, widths, strict=True)]
    assert all(a < b for a, b in itertools.pairwise(areas))


@given(n=st.integers(1, 5000), share=st.floats(0, 1), margin=st.sampled_from([0.0, 0.05, 0.2]))
def test_decide_is_the_naive_label(n, share, margin):
    problem = ga.Problem(3, 0.3, 0.1, margin=margin)
    algorithm = ga.algorithms()["hdoc"].algorithm
    total = float(round(share * n))
    case = naive.Case(
        3,
        3,
        0.3,
        0.3 - margin,
        0.3 + margin,
        0.1,
        "hdoc",
        "hoeffding",
        0.0,
        1,
        *[False, None, None],
    )
    arm = naive.Arm(n, total)
    assert label_by_bound(algorithm.setup(problem), n, total, 0.0) == naive.label_of(case, arm)


def test_where_the_margin_makes_both_labels_true_the_mean_decides():
    setup = ga.algorithms()["hdoc"].algorithm.setup(ga.Problem(1, 0.5, 0.1, margin=0.3))
    assert label_by_bound(setup, 1000, 500.0, 0.0) == 1
    assert label_by_bound(setup, 1000, 499.0, 0.0) == -1


def test_lost_pulls_count_against_both_labels():
    setup = ga.algorithms()["hdoc"].algorithm.setup(ga.Problem(1, 0.5, 0.1))
    assert label_by_bound(setup, 100, 80.0, 0.0) == 1
    assert label_by_bound(setup, 100, 60.0, 20.0) == 0
    assert label_by_bound(setup, 100, 20.0, 0.0) == -1
    assert label_by_bound(setup, 100, 20.0, 20.0) == 0
