"""What a plan says of the share of runs that stay within its quantile, where runs are few."""

import re

import numpy as np
import pytest
from scipy.stats import binom

import goodarm as ga
from goodarm.planning.quantiles import bound_quantile

MEANS = {"plain": 0.75, "steps": 0.92}
ASKED = {"threshold": 0.8, "delta": 0.05}


@pytest.mark.parametrize("quantile", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("runs", [5, 20, 28, 29, 40, 59, 200])
def test_the_bound_holds_with_95_percent_whatever_the_distribution(quantile, runs):
    """Exact: of n uniform numbers the k-th is above the quantile if fewer than k are below it."""
    upper = bound_quantile(np.random.default_rng(0).permutation(np.arange(1.0, runs + 1)), quantile)
    if upper is None:
        assert binom.cdf(runs - 1, runs, quantile) < 0.95  # not even the largest will do
        return
    rank = int(upper)
    assert binom.cdf(rank - 1, runs, quantile) >= 0.95 > binom.cdf(rank - 2, runs, quantile)
    # The wrong variant: the quantile of the runs themselves is too low every second time.
    usual = int(np.quantile(np.arange(1.0, runs + 1), quantile, method="inverted_cdf"))
    assert binom.cdf(usual - 1, runs, quantile) < 0.95


def test_few_runs_are_said_to_be_few():
    plan = ga.plan(MEANS, **ASKED, runs=20)
    end = plan.forecasts[0].stop
    assert end.quantile_upper is None
    assert any("Too few runs to say what 9 of 10 runs stay within" in line for line in plan.notes)
    assert any("Simulate at least 29 runs." in line for line in plan.notes)
    assert plan.to_dict()["forecasts"][0]["taus"][-1]["quantile_upper"] is None


def test_some_runs_have_a_bound_that_is_said_where_it_is_far():
    plan = ga.plan(MEANS, **ASKED, runs=30)
    end = plan.forecasts[0].stop
    assert end.quantile_upper > 1.1 * end.quantile
    words = f"With 30 runs, .* may be too low: 9 of 10 runs stay within {end.quantile_upper:,.0f}"
    assert any(re.search(words, line) for line in plan.notes)


def test_many_runs_need_no_further_word():
    plan = ga.plan(MEANS, **ASKED, runs=2000)
    end = plan.forecasts[0].stop
    assert end.quantile < end.quantile_upper <= 1.1 * end.quantile
    assert not any("may be too low" in line or "Too few" in line for line in plan.notes)


def test_it_says_that_labelled_arms_get_no_more_pulls():
    plan = ga.plan(MEANS, **ASKED, runs=40)
    words = "An arm gets no more pulls once it has its label."
    assert words in plan.notes


def test_a_cap_is_no_guess():
    """No run has more pulls than the cap, so what reaches it is certain, with one run too."""
    plan = ga.plan(MEANS, **ASKED, max_pulls=60, runs=1)
    assert plan.forecasts[0].stop.quantile == 60
    assert not any("is a guess" in line for line in plan.notes)
    assert any(line.endswith(": 1 run.") for line in plan.notes)
    far = ga.plan(MEANS, **ASKED, max_pulls=10**6, runs=2)
    assert any("is a guess" in line for line in far.notes)
    assert ": 1 run, " in ga.simulate([0.9], threshold=0.5, delta=0.05, runs=1, seed=1).summary
