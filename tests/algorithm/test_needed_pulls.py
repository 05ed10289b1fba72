"""Pulls needed: quantiles against the exact ones, and boundaries against slow ways."""

import itertools
import math

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm import BoundRule, Tally
from goodarm.algorithm.algorithm import make_setup
from goodarm.algorithm.identification.rule import Places
from goodarm.algorithm.needed_pulls import find_needed_pulls
from goodarm.algorithm.warmup import Warmup
from goodarm.kernels.numerics.needed_pulls import interpolate
from naive.needed_pulls import chances, edge_sum


def make_case(bar, delta, rule="mixture", warmup=None, **keywords):
    """A rule on one arm, and its setup."""
    problem = ga.Problem(1, bar, delta, **keywords)
    found = ga.Algorithm(sampling="hdoc", identification=rule).rule(problem)
    return found, make_setup(problem, found, warmup=warmup or Warmup(1, True))


def find_quantiles(rule, setup, n, s, lost=0.0, **keywords):
    """Median and 90 % quantile of one arm."""
    tally = Tally(np.array([n]), np.array([float(s)]), np.array([float(lost)]))
    found = find_needed_pulls(setup, rule, tally, (setup.level,) * 2, **keywords)
    return tuple(float(part[0]) for part in found)


COUNTS = [(3, 2), (3, 3), (10, 4), (10, 9), (30, 0), (30, 26), (100, 62), (100, 45), (300, 165)]


@pytest.mark.parametrize("rule", ["mixture", "betting"])
@pytest.mark.parametrize(("bar", "delta"), [(0.5, 0.05), (0.8, 0.02), (0.1, 0.001)])
def test_quantiles_are_those_of_the_urn(rule, bar, delta):
    """Where they are below 4,000.

    A median is that of a chance of .42 to .58, a 90 % quantile that of .87 to .93, or three pulls
    off: after few pulls each single one matters.
    """
    rule, setup = make_case(bar, delta, rule)
    rows = rule.curves(setup).reach(5000, 5000.0)

    def is_labelled(n, s):
        return (n <= rows["good_until"][s]) | (n >= rows["bad_from"][s])

    compared = 0
    for n, s in COUNTS:
        if is_labelled(n, np.array([s]))[0]:
            continue
        median, likely = find_quantiles(rule, setup, n, s)
        asked_for = [(median, 0.5, 0.08), (likely, 0.9, 0.03)]
        asked_for = [each for each in asked_for if each[0] <= 3500]
        # Beyond the last number, chances decide nothing: what they do not reach there lies above.
        exact = chances(
            is_labelled, n, s, max((int(each[0]) + 10 for each in asked_for), default=0)
        )
        for found, chance, off in asked_for:
            compared += 1
            least, most = np.searchsorted(exact, [chance - off, chance + off])
            assert least - 3 <= found <= most + 3, (n, s)
    assert compared >= 5


@pytest.mark.parametrize("rule", ["mixture", "betting", "hoeffding", "lil"])
@pytest.mark.parametrize("bar", [0.5, 0.04, 0.9])
def test_boundaries_between_places_are_those_by_halving(rule, bar):
    rule, setup = make_case(bar, 0.02, ga.rules.Lil(epsilon=0.01) if rule == "lil" else rule)
    places = Places(0.2, 60, 0)
    good, bad, pulls, parts = rule.boundaries(setup, Tally(1, 1), places, (setup.level,) * 2)
    assert parts == 1.0
    assert pulls.shape == good.shape == bad.shape == (1, 60)
    for row, sign, far in ((good, 1, 1 - bar), (bad, -1, bar)):
        heights = sign * (row - bar * pulls) / np.sqrt(pulls)
        for n in (300, 1234, 5000, 77_777):
            if isinstance(rule, BoundRule):
                whole = Tally(np.array([n]), np.array([0.0]), 0.0)
                exact = n * rule.interval(setup, whole, (0.0, 0.0))[1][0]
            else:
                log = rule.log_good if sign > 0 else rule.log_bad
                exact = edge_sum(
                    lambda n, x, log=log, sign=sign: log(n, bar * n + sign * x, bar) - setup.level,
                    n,
                    far * n,
                )
            found = interpolate(heights[0], math.log(n) / 0.2) * math.sqrt(n)
            assert found == pytest.approx(exact, rel=2e-3)


def test_bets_on_zeros_and_ones_need_what_their_counts_do():
    """Wealth is kept for rewards in a range; of 0/1 rewards the counts say the same."""
    by_counts, setup = make_case(0.5, 0.02, "betting")
    by_wealth, bounded = make_case(0.5, 0.02, "betting", rewards="bounded")
    bets = by_wealth.bets(bounded)
    for n, s in ((30, 20), (100, 55), (60, 21)):
        won = s * np.log1p(0.5 * bets) + (n - s) * np.log1p(-0.5 * bets)
        tally = Tally(np.array([n]), np.array([float(s)]), np.zeros(1), won.reshape(1, -1))
        found = find_needed_pulls(bounded, by_wealth, tally, (setup.level,) * 2)
        assert np.ravel(found) == pytest.approx(find_quantiles(by_counts, setup, n, s), rel=0.06)


def test_many_arms_that_bet_are_done_in_parts():
    rule, setup = make_case(0.5, 0.02, "betting", rewards="bounded")
    rng = np.random.default_rng(0)
    n = rng.integers(5, 50, 4500)
    total = rng.uniform(0.4, 0.6, 4500) * n
    wealth = rng.normal(0, 0.1, (4500, 2 * rule.bets(setup).shape[1]))
    tally = Tally(n, total, np.zeros(4500), wealth)
    whole = find_needed_pulls(setup, rule, tally, (setup.level,) * 2)
    some = tally.of(np.arange(3000, 3010))
    few = find_needed_pulls(setup, rule, some, (setup.level,) * 2)
    for part, each in zip(whole, few, strict=True):
        assert part[3000:3010] == pytest.approx(each)


def test_labels_wait_for_the_end_of_the_warmup():
    rule, soon = make_case(0.5, 0.05)
    _, late = make_case(0.5, 0.05, warmup=Warmup(200, identify_during_warmup=False))
    median, likely = find_quantiles(rule, soon, 20, 14)
    assert median < 181 < likely
    assert find_quantiles(rule, late, 20, 14) == (181, likely)


@pytest.mark.parametrize(("size", "bar", "delta"), [(60, 0.8, 0.05), (100, 0.5, 0.01)])
def test_in_a_pool_quantiles_are_those_of_the_urn(size, bar, delta):
    """Also before the first pull that could bring a label, where the curves have not begun."""
    rule, setup = make_case(bar, delta, pool=size)
    rows = rule.curves(setup).rows

    def is_labelled(n, s):
        return (n <= rows["good_until"][s]) | (n >= rows["bad_from"][s])

    chance_of, compared = {"median": [], "likely": []}, 0
    for n, s in itertools.product(range(1, size - 10), range(size)):
        if s > n or is_labelled(n, np.array([s]))[0] or (n + s) % 3:
            continue
        tally = Tally(np.array([n]), np.array([float(s)]), np.zeros(1), cases=np.array([size]))
        median, likely = (
            int(part[0]) for part in find_needed_pulls(setup, rule, tally, (setup.level,) * 2, size)
        )
        assert median <= likely <= size - n
        exact = chances(is_labelled, n, s, size - n)
        compared += 1
        chance_of["median"].append(exact[min(median + 3, size - n)])
        chance_of["likely"].append(exact[min(likely + 3, size - n)])
    assert compared > 50
    assert min(chance_of["median"]) > 0.4
    assert min(chance_of["likely"]) > 0.8


def test_a_pool_is_the_most_there_is():
    rule, setup = make_case(0.5, 0.05)
    median, likely = find_quantiles(rule, setup, 20, 12)
    assert find_quantiles(rule, setup, 20, 12, pool=20 + median + 50) == (
        pytest.approx(median, rel=0.02),
        median + 50,
    )
    assert find_quantiles(rule, setup, 20, 12, pool=25) == (5, 5)
    assert likely > median + 50


def test_above_the_cap_there_is_no_number():
    rule, setup = make_case(0.5, 0.001, "hoeffding")
    median, likely = find_quantiles(rule, setup, 100, 50)
    assert 5000 < median < 100_000
    assert math.isinf(likely)
    median, likely = find_quantiles(rule, setup, 5000, 2500)
    assert 100_000 < median < 1000 * 5000
    assert math.isinf(likely)


def test_with_a_margin_all_arms_come_to_an_end():
    rule, setup = make_case(0.5, 0.05)
    _, wide = make_case(0.5, 0.05, margin=0.1)
    alone, with_margin = find_quantiles(rule, setup, 100, 50), find_quantiles(rule, wide, 100, 50)
    assert with_margin[1] < with_margin[0] * 6
    assert with_margin[0] < alone[0] / 3
    assert with_margin[1] < alone[1] / 20


def test_a_rule_without_boundaries_has_no_numbers():
    class Unknown(ga.rules.Mixture):
        name = "unknown"

        def boundaries(self, setup, tally, places, levels):
            return None

    rule, setup = make_case(0.5, 0.05, Unknown())
    assert find_quantiles(rule, setup, 10, 5) == (math.inf, math.inf)


def test_a_rule_that_never_labels_has_no_numbers():
    class Never(ga.rules.Mixture):
        name = "never"

        def log_good(self, n, s, bar):
            return np.zeros(np.broadcast(n, s).shape)

        log_bad = log_good

    rule, setup = make_case(0.5, 0.05, Never())
    assert find_quantiles(rule, setup, 10, 5) == (math.inf, math.inf)


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("rule", ["mixture", "betting", "kelly", "hoeffding", "lil"])
def test_few_pulls_and_lost_ones_have_numbers(rule, n):
    for keywords in ({}, {"rewards": "bounded"}):
        ident = ga.Identifier(
            ga.Problem(2, 0.3, 0.1, **keywords),
            ga.Algorithm(sampling="round-robin", identification=rule),
            seed=0,
        )
        for k, pull in enumerate(ident.ask_many(2 * n)):
            ident.forget(pull) if k == 1 else ident.tell(pull, 0)
        for report in ident.table():  # it may be unclear after a loss: half may go on being lost
            needed = report.pulls_needed or (math.inf if report.lost else 0)
            assert 0 < needed <= (report.pulls_needed_90 or math.inf)


def test_gaussian_rewards_have_a_flat_prior():
    """Moving rewards and threshold alike moves no number; lost digits aside."""
    rule, setup = make_case(0.0, 0.05, "hoeffding", rewards="gaussian", sigma=1.0)
    _, moved = make_case(40.0, 0.05, "hoeffding", rewards="gaussian", sigma=1.0)
    assert find_quantiles(rule, setup, 100, 12.0) == find_quantiles(
        rule, moved, 100, 12.0 + 100 * 20
    )


def test_further_pulls_are_lost_as_often_as_those_before():
    """Of runs that lose 3 pulls in 10, half need more than the median said: without, nearly all."""
    rng = np.random.default_rng(5)
    problem = ga.Problem(["a"], threshold=0.5)
    more = []
    for seed in range(60):
        ident = ga.Identifier(problem, seed=seed)
        mean, said = rng.uniform(), None
        while not ident.is_done and ident.pulls < 3000:
            pull = ident.ask()
            if rng.random() < 0.3:
                ident.forget(pull)
            else:
                ident.tell(pull, int(rng.random() < mean))
            if ident.pulls == 100 and not ident.is_done:
                said = ident.explain("a").pulls_needed
        if said is not None and said < 2900:
            more.append(ident.pulls - 100 > said)
    assert len(more) >= 10
    assert 0.2 <= np.mean(more) <= 0.8


def test_a_rule_that_bets_on_each_reward_says_that_losses_make_it_unclear():
    problem = ga.Problem(["a"], threshold=0.5, rewards="bounded")
    ident = ga.Identifier(problem, seed=1)
    for number, pull in enumerate(ident.ask_many(20)):
        ident.forget(pull) if number % 4 == 0 else ident.tell(pull, 0.55)
    assert ident.explain("a").pulls_needed is None
