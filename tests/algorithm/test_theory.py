"""Lower bounds and the theorem of lil'HDoC."""

import math

import pytest
from scipy.optimize import minimize

import goodarm as ga
from goodarm import datasets
from goodarm.algorithm.theory import (
    bound_lil_hdoc_pulls,
    compute_bernoulli_kl,
    lower_bound_good,
    lower_bound_stop,
)

MEANS, XI, DELTA = [0.9, 0.8, 0.7, 0.4], 0.5, 0.05


def term(mean):
    return compute_bernoulli_kl(DELTA, 1 - DELTA) / compute_bernoulli_kl(mean, XI)


def test_divergence():
    assert compute_bernoulli_kl(0.3, 0.3) == 0.0
    assert (
        compute_bernoulli_kl(0.0, 0.5)
        == compute_bernoulli_kl(1.0, 0.5)
        == pytest.approx(math.log(2))
    )
    assert compute_bernoulli_kl(0.5, 0.0) == math.inf


def test_bounds_at_the_ends_are_sums_of_terms():
    assert lower_bound_stop(MEANS, XI, DELTA) == pytest.approx(sum(map(term, MEANS)))
    assert lower_bound_good(MEANS, XI, DELTA, 1) == pytest.approx(term(0.9))
    assert lower_bound_good(MEANS, XI, DELTA, 3) == pytest.approx(sum(map(term, MEANS[:3])))
    assert lower_bound_stop([0.5], XI, DELTA) == math.inf


def test_the_bound_in_between_is_the_least_sum():
    """Against a general optimiser."""
    weights = [compute_bernoulli_kl(mean, XI) for mean in MEANS[:3]]

    def cost(p):
        return sum(compute_bernoulli_kl(x, DELTA) / w for x, w in zip(p, weights, strict=True))

    best = minimize(
        cost,
        [0.6, 0.6, 0.75],
        bounds=[(DELTA, 0.999)] * 3,
        constraints={"type": "ineq", "fun": lambda p: sum(p) - 2 * (1 - DELTA)},
    )
    assert best.success
    assert lower_bound_good(MEANS, XI, DELTA, 2) == pytest.approx(best.fun, rel=1e-4)


@pytest.mark.parametrize("name", datasets.list_names())
def test_bounds_grow_with_the_number_of_arms_asked_for(name):
    instance = datasets.load(name)
    counts = range(1, min(26, instance.num_good + 1))
    bounds = [lower_bound_good(instance.means, instance.threshold, 0.01, k) for k in counts]
    assert all(bound > 0 for bound in bounds)
    assert bounds == sorted(bounds)


def test_the_theorem_holds_in_simulation():
    """No arm of the easier synthetic instance takes more pulls than the theorem allows it."""
    means, threshold = [0.07, 0.06, 0.05, 0.03, 0.02, 0.01], 0.04
    runs = ga.simulate(means, threshold=threshold, delta=0.01, algorithm="lil-hdoc", runs=50)
    limits = [bound_lil_hdoc_pulls(abs(mean - threshold), 6, 0.01) for mean in means]
    assert (runs.pulls <= limits).all()
    assert bound_lil_hdoc_pulls(0.0, 6, 0.01) == math.inf
    assert (runs.stop >= lower_bound_stop(means, threshold, 0.01)).all()
