"""Validity of the rules with evidence, computed exactly; wrong variants fail the same checks."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
from scipy import special

import goodarm as ga

RULES = {
    "mixture": ga.rules.Mixture(),
    "one prior": ga.rules.Mixture(weights=[8]),
    "betting": ga.rules.Betting(),
    "two gamblers": ga.rules.Betting(gamblers=2, most=0.5),
}
LEVELS = [5.0, 100.0]


def expected_evidence(log_evidence, n, mean, bar):
    """The mean of the evidence after n rewards, over all sums."""
    sums = np.arange(n + 1)
    logs = np.asarray(log_evidence(n, sums, bar))
    ways = special.gammaln(n + 1) - special.gammaln(sums + 1) - special.gammaln(n - sums + 1)
    return math.fsum(np.exp(logs + ways + sums * math.log(mean) + (n - sums) * math.log1p(-mean)))


def crossing_probability(is_crossed, mean, horizon):
    """The exact probability that the region is ever entered within ``horizon`` rewards."""
    chances, crossed = np.array([1.0]), 0.0
    for n in range(1, horizon + 1):
        chances = np.append(chances * (1 - mean), 0.0) + np.append(0.0, chances * mean)
        over = is_crossed(n, np.arange(n + 1))
        crossed += chances[over].sum()
        chances[over] = 0.0
    return crossed


def crossing_of_rule(rule, label, level, mean, bar, horizon=1500):
    """The same for a rule's own curves, which other tests compare with direct evaluation."""
    setup = ga.Algorithm(sampling="hdoc", identification=rule).setup(ga.Problem(1, bar, 1 / level))
    rows = rule.curves(setup).reach(horizon, float(horizon))

    def is_crossed(n, s):
        return n <= rows["good_until"][s] if label > 0 else n >= rows["bad_from"][s]

    return crossing_probability(is_crossed, mean, horizon)


def crossing_of_evidence(log_evidence, level, mean, bar, horizon=250):
    """The same for any evidence, evaluated directly."""

    def is_crossed(n, s):
        return np.asarray(log_evidence(n, s, bar)) >= math.log(level)

    return crossing_probability(is_crossed, mean, horizon)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize("bar", [0.004, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("n", [1, 2, 10, 300])
def test_on_the_bar_the_expected_evidence_is_1_and_beyond_it_less(rule, bar, n):
    for log_evidence, sign in ((rule.log_good, -1), (rule.log_bad, 1)):
        assert expected_evidence(log_evidence, n, bar, bar) == pytest.approx(1, abs=1e-9)
        beyond = bar + sign * 0.1 * min(bar, 1 - bar)
        assert expected_evidence(log_evidence, n, beyond, bar) < 1


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize("bar", [0.02, 0.5])
@pytest.mark.parametrize("level", LEVELS)
def test_the_level_is_crossed_no_more_often_than_promised(rule, bar, level):
    for label in (1, -1):
        assert 0 < crossing_of_rule(rule, label, level, bar, bar) <= 1 / level
        beyond = bar - label * 0.1 * min(bar, 1 - bar)
        assert crossing_of_rule(rule, label, level, beyond, bar) <= 1 / level


def test_hardly_any_of_delta_is_left_unused():
    """What was crossed, and at most the evidence still alive divided by the level for what may be.

    The first is exact, the second Ville's inequality from there on. A level that used the rest up
    could be lower by this part alone: the log of the level by less than 2 %.
    """
    level, bar, horizon = 80.0, 0.5, 2000
    crossed = crossing_of_rule(RULES["mixture"], 1, level, bar, bar, horizon)
    setup = ga.Algorithm(sampling="hdoc", identification="mixture").setup(
        ga.Problem(1, bar, 1 / level)
    )
    rows = RULES["mixture"].curves(setup).reach(horizon, float(horizon))
    chances = np.array([1.0])
    for n in range(1, horizon + 1):
        chances = np.append(chances * (1 - bar), 0.0) + np.append(0.0, chances * bar)
        chances[n <= rows["good_until"][: n + 1]] = 0.0
    alive = np.flatnonzero(chances)
    logs = RULES["mixture"].log_good(horizon, alive, bar)
    still = float((chances[alive] * np.exp(logs)).sum()) / level
    used = (crossed + still) * level
    assert 0.92 < used <= 1
    assert -math.log(used) / math.log(level) < 0.02


def kelly_wealth(rewards, bar):
    """The wealths of Kelly's two gamblers, as the kernels keep them."""
    problem = ga.Problem(1, bar, 1e-90)
    ident = ga.Identifier(problem, ga.Algorithm(sampling="hdoc", identification="kelly"), seed=0)
    for reward in rewards:
        ident.tell(ident.ask(), reward)
    return np.exp(ident.core.arms.wealth[0])


@pytest.mark.parametrize("bar", [0.2, 0.5, 0.9])
def test_kellys_expected_wealth_is_1_over_all_sequences(bar):
    n = 7
    expected = np.zeros(2)
    for rewards in itertools.product([0, 1], repeat=n):
        chance = math.prod(bar if reward else 1 - bar for reward in rewards)
        expected += chance * kelly_wealth(rewards, bar)
    assert expected == pytest.approx([1, 1], abs=1e-9)


def bets_of_either_sign(n, s, bar):
    """Wrong: half of the gamblers bet on the other side."""
    rule = ga.rules.Betting()
    return np.logaddexp(rule.log_good(n, s, bar), rule.log_bad(n, s, bar)) - math.log(2)


def compute_uncut_evidence(n, s, bar):
    """Wrong: a Beta prior that is not cut off at the bar."""
    a, b = 2 * bar, 2 * (1 - bar)
    logs = special.betaln(s + a, n - s + b) - special.betaln(a, b)
    return logs - s * math.log(bar) - (n - s) * math.log1p(-bar)


def prior_chosen_after_looking(n, s, bar):
    """Wrong: of many priors, the one that suits the counts best."""
    weights = np.geomspace(0.1, 1000, 12)
    return np.max([ga.rules.Mixture(weights=[w]).log_good(n, s, bar) for w in weights], axis=0)


def prior_moved_after_looking(n, s, bar):
    """Wrong: a prior that is centred where the rewards turned out to be."""
    mean = (s + 1) / (n + 2)
    a, b = 40 * mean, 40 * (1 - mean)
    logs = special.betaln(s + a, n - s + b) - special.betaln(a, b)
    logs = logs - s * math.log(bar) - (n - s) * math.log1p(-bar)
    return np.where(mean > bar, logs, -math.inf)


WRONG = {
    "bets of either sign": (bets_of_either_sign, 0.4),
    "not cut off": (compute_uncut_evidence, 0.4),
    "prior chosen after looking": (prior_chosen_after_looking, 0.5),
    "prior moved after looking": (prior_moved_after_looking, 0.5),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_variants_are_caught(name):
    """Each looks right somewhere, and is crossed too often at a mean on or below the bar."""
    log_evidence, mean = WRONG[name]
    level = 20.0
    assert crossing_of_evidence(log_evidence, level, mean, 0.5) > 1 / level
    for rule in RULES.values():
        assert crossing_of_evidence(rule.log_good, level, mean, 0.5) <= 1 / level


@pytest.mark.parametrize("rule", ["mixture", "two gamblers"])
def test_half_the_level_is_caught(rule):
    """A rule that doubled delta would break the promise of its level."""
    crossed = partial(crossing_of_rule, RULES[rule], 1, mean=0.5, bar=0.5)
    assert crossed(level=5.0) <= 1 / 5 < crossed(level=2.5)
