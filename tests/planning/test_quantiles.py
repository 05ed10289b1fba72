"""The error of "9 of 10 runs" is that of order statistics, whatever runs there are."""

import math

import numpy as np
import pytest
from scipy.stats import binom

import goodarm as ga
from goodarm.planning.forecast import FIRST_RUNS, Simulator
from goodarm.planning.quantiles import (
    STANDARD,
    bound_quantile,
    bound_quantile_below,
    estimate_quantile_error,
    find_least_runs,
    find_quantile,
)
from goodarm.results import estimate_share_error

SHARES = {
    "two endings": ([76.0, 1000.0], [0.89, 0.11]),
    "one ending and rare ones": ([50.0, 51.0, 5000.0], [0.9, 0.05, 0.05]),
    "many": (np.exp(np.linspace(6, 9, 400)), np.full(400, 1 / 400)),
}


def true_quantile(values, shares, quantile):
    return values[np.searchsorted(np.cumsum(shares), quantile - 1e-12)]


def old_error(pulls, quantile):
    """The wrong variant: normal ranks cut off at the last run, and 0 where many runs are alike."""
    share = math.sqrt(quantile * (1.0 - quantile) / pulls.size)
    sides = max(quantile - share, 0.0), min(quantile + share, 1.0)
    low, high = np.quantile(pulls, sides, method="inverted_cdf")
    between = pulls[(low <= pulls) & (pulls <= high)]
    if between.size > 10 and np.unique(between).size <= 2:
        return 0.0
    return (high - low) / 2


def coverage(error, name, runs, quantile=0.9, tries=4000):
    """How often the true quantile is within the error of the estimate; None counts as within."""
    values, shares = SHARES[name]
    drawn = np.random.default_rng(3).choice(values, (tries, runs), p=shares)
    true = true_quantile(values, shares, quantile)
    found = [(find_quantile(each, quantile), error(each, quantile)) for each in drawn]
    return np.mean([size is None or abs(own - true) <= size * (1 + 1e-9) for own, size in found])


@pytest.mark.parametrize("name", SHARES)
@pytest.mark.parametrize("runs", [18, 40, 150])
def test_the_true_quantile_is_within_the_error_as_often_as_said(name, runs):
    assert coverage(estimate_quantile_error, name, runs) >= STANDARD - 4 * math.sqrt(0.25 / 4000)


def test_the_wrong_variant_is_caught():
    """It is sure of a number that is wrong in half of all cases."""
    assert coverage(old_error, "two endings", FIRST_RUNS) < 0.6


@pytest.mark.parametrize("quantile", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("runs", [5, 17, 18, 40, 500])
def test_the_ranks_are_exact(runs, quantile):
    pulls, tail = np.arange(1.0, runs + 1.0), 0.5 * (1 - STANDARD)
    lower = bound_quantile_below(pulls, quantile, 1 - tail)
    upper = bound_quantile(pulls, quantile, 1 - tail)
    if upper is None:
        assert quantile**runs > tail
        assert estimate_quantile_error(pulls, quantile) is None
        return
    assert binom.cdf(upper - 1, runs, quantile) >= 1 - tail > binom.cdf(upper - 2, runs, quantile)
    if lower is None:
        assert (1 - quantile) ** runs > tail
        return
    assert binom.sf(lower - 1, runs, quantile) >= 1 - tail > binom.sf(lower, runs, quantile)
    own = find_quantile(pulls, quantile)
    assert estimate_quantile_error(pulls, quantile) == max(upper - own, own - lower)


def stopped_run(name, rng, monkeypatch, precision=0.05):
    """A plan's own loop over drawn endings: the estimate, its error and the runs it took."""
    values, shares = SHARES[name]
    drawn = rng.choice(values, 10_000, p=shares)
    problem, chosen = ga.Problem(1, 0.5, 0.05), ga.algorithms()["e-hdoc"].algorithm
    template = ga.simulate([0.9], problem=problem, runs=1)

    def run(_, algorithm, means, runs, **rest):
        count = np.ones(runs, np.int8)
        vars(made := type(template).__new__(type(template))).update(vars(template))
        vars(made).update(
            stop=drawn[:runs].astype(np.int64), labels=count[:, None], pulls=drawn[:runs, None],
            tau=drawn[:runs, None], wrong=count == 0,
        )  # fmt: skip
        return made

    monkeypatch.setattr(Simulator, "run", run)
    simulator = Simulator(problem, 0, 0.9, None, None, precision)
    found = simulator.simulate_enough_runs(chosen, np.array([0.9]), most_work=1e9)
    stop = found.stop.astype(float)
    return find_quantile(stop, 0.9), estimate_quantile_error(stop, 0.9), stop.size


@pytest.mark.parametrize("name", ["two endings", "many"])
def test_runs_are_made_until_the_error_is_small_and_it_is_still_true_then(name, monkeypatch):
    """Looking at the error after each batch costs some of its coverage, and not much."""
    rng, hits, tries = np.random.default_rng(1), 0, 150
    true = math.floor(true_quantile(*SHARES[name], 0.9))
    for _ in range(tries):
        own, error, runs = stopped_run(name, rng, monkeypatch)
        assert error <= 0.05 * own or runs == 10_000
        hits += abs(own - true) <= error + 1
    assert hits / tries >= 0.6


def test_runs_that_are_alike_take_more_of_them():
    assert find_least_runs(np.full(40, 7.0), 0.02) == 149
    assert find_least_runs(np.arange(40.0), 0.02) == 1
    assert 0.95 <= 1 - 0.98**149 < 1 - 0.98**150


def test_a_share_of_no_runs_or_all_has_an_error_too():
    for count in (0, 100):
        assert 0.005 < estimate_share_error(count, 100) < 0.02
    assert estimate_share_error(50, 100) == pytest.approx(0.05, rel=0.05)
