"""Weighted bets on two-point rewards, exactly: skewed ones, and at the edges of the range."""

import math

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm.algorithm import make_setup
from goodarm.algorithm.identification import Tally
from goodarm.algorithm.identification.values import count_values

SUITED = ga.rules.Betting(gamblers=10, tilt=0.5, tail=5, widen=True)
EDGES = {
    "rare and large": (0.0, 1.0, 0.01),
    "rare and small": (0.0, 1.0, 0.99),
    "nearly all at the bar": (0.499, 1.0, 0.002),
    "nearly all above it": (0.0, 0.501, 0.998),
    "a coin": (0.0, 1.0, 0.5),
    "narrow": (0.45, 0.55, 0.5),
    "next to nothing": (0.0, 1e-3, 0.5),
}
"""Two rewards, and the probability of the larger one."""
PULLS = pytest.mark.parametrize("pulls", [150, pytest.param(400, marks=pytest.mark.large)])
LEVELS = (2.0, 20.0, 200.0)


def on(rule, bar):
    problem = ga.Problem(1, bar, 0.05, rewards="bounded")
    form = rule.for_problem(problem)
    return form, make_setup(problem, form)


def wealth_table(rule, low, high, bar, pulls):
    """The logs of E_good and E_bad after n pulls, k of them the larger reward."""
    form, setup = on(rule, bar)
    n, k = np.nonzero(np.tri(pulls + 1, dtype=bool))
    arms, count = np.tile(np.arange(len(n)), 2), len(n)
    values = np.repeat([high, low], count)
    times = np.concatenate([k, n - k]).astype(float)
    counted = count_values(arms, values, times, count)
    tally = Tally(n, low * (n - k) + high * k, 0.0, form.wealth(setup, counted))
    tables = []
    for logs in form.evidence(setup, tally):
        table = np.full((pulls + 1, pulls + 1), -np.inf)
        table[n, k] = logs
        tables.append(table)
    return tables


def log_chances(n, p):
    """The log of the probability of each count of the larger reward."""
    k = np.arange(n + 1)
    logs = [math.lgamma(n + 1) - math.lgamma(j + 1) - math.lgamma(n - j + 1) for j in k]
    return np.array(logs) + k * math.log(p) + (n - k) * math.log1p(-p)


def find_chance_of_ever(table, p, level):
    """The probability that the evidence ever reaches a level."""
    alive, crossed = np.array([1.0]), 0.0
    for n in range(1, len(table)):
        after = np.zeros(n + 1)
        after[1:] += alive * p
        after[:-1] += alive * (1.0 - p)
        is_over = table[n, : n + 1] >= math.log(level)
        crossed += after[is_over].sum()
        after[is_over] = 0.0
        alive = after
    return crossed


def largest_expectation(table, p):
    """Over some numbers of pulls."""
    return max(
        float(np.sum(np.exp(log_chances(n, p) + table[n, : n + 1])))
        for n in (1, 2, 10, 100, len(table) - 1)
    )


@PULLS
@pytest.mark.parametrize("name", EDGES)
def test_the_expected_wealth_is_1_at_the_bar_and_crossings_are_rare_enough(name, pulls):
    low, high, p = EDGES[name]
    bar = (1 - p) * low + p * high
    good, bad = wealth_table(SUITED, low, high, bar, pulls)
    for table in (good, bad):
        assert largest_expectation(table, p) == pytest.approx(1, rel=1e-6)
        for level in LEVELS:
            assert find_chance_of_ever(table, p, level) <= 1 / level
    worse, better = 0.9 * p, min(p + 0.5 * (1 - p), 0.999)
    assert largest_expectation(good, worse) < 1 + 1e-9
    assert largest_expectation(bad, better) < 1 + 1e-9


def find_largest_expected_wealth(rule, pulls, bar=0.5):
    """The largest expected wealth on good of coins whose mean is the bar, or less."""
    good, _ = wealth_table(rule, 0.0, 1.0, bar, pulls)
    return max(largest_expectation(good, p) for p in (bar, 0.9 * bar, 0.5 * bar))


class EitherSign(ga.rules.Betting):
    """Half of its gamblers bet on bad as well: not fair where the mean is below the bar."""

    @property
    def parts(self):
        return super().parts * np.where(np.arange(self.gamblers) % 2, -1.0, 1.0)


class MoreThanAll(ga.rules.Betting):
    """Shares that sum to more than 1."""

    @property
    def log_shares(self):
        return super().log_shares + 0.1


@PULLS
def test_wrong_bets_are_seen(pulls):
    assert find_largest_expected_wealth(SUITED, pulls) <= 1 + 1e-9
    assert find_largest_expected_wealth(EitherSign(gamblers=10), pulls) > 1.5
    assert find_largest_expected_wealth(MoreThanAll(gamblers=10), pulls) > 1.05


def test_a_stake_above_the_ruin_is_refused():
    with pytest.raises(ga.errors.SpecError, match="'most' of Betting must"):
        ga.rules.Betting(most=1.2)


class Whole(ga.rules.HalfNormal):
    """Drifts of either sign."""

    name = "whole-normal"

    def _log(self, n, total):
        up, down = super()._log(n, total), super()._log(n, -np.asarray(total))
        return np.logaddexp(up, down) - math.log(2.0)


def test_a_drift_of_either_sign_is_seen():
    """The whole normal mixture is no evidence against means below the bar."""
    from goodarm.testing import check_identification_rule

    with pytest.raises(AssertionError, match="must rise|must not be expected to rise"):
        check_identification_rule(Whole())


def test_a_prior_of_a_pool_that_is_not_cut_off_is_seen():
    """Shares below the bar in the prior: a pool that is worse than the bar then looks good."""
    size, least = 30, 24
    prior = np.full(size + 1, 1.0 / (size + 1))
    worse, n = 12, 15
    expected = 0.0
    for s in range(n + 1):
        ways = math.comb(worse, s) * math.comb(size - worse, n - s) / math.comb(size, n)
        under = math.comb(least - 1, s) * math.comb(size - least + 1, n - s)
        if ways and under:
            over = sum(
                p * math.comb(total, s) * math.comb(size - total, n - s)
                for total, p in enumerate(prior)
            )
            expected += ways * over / under
    assert expected > 1.5
