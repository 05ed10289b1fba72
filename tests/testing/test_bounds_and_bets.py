"""Bounds and bets that are wrong in one way each, and the sentence by which the kit finds them."""

from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm import IdentificationRule, WealthRule
from goodarm.kernels import codes
from goodarm.testing import check_identification_rule
from goodarm.testing.crossing_probability import compute_crossing_probabilities, make_chances


class Narrow(ga.rules.Hoeffding):
    """Wrong: a third of the width."""

    name = "narrow"

    def interval(self, setup, tally, levels):
        lower, upper = super().interval(setup, tally, levels)
        middle = 0.5 * (lower + upper)
        return middle + (lower - middle) / 3, middle + (upper - middle) / 3


class OneSided(ga.rules.Hoeffding):
    """Wrong: narrow on the side of bad alone."""

    name = "one-sided"

    def interval(self, setup, tally, levels):
        lower, upper = super().interval(setup, tally, levels)
        return lower, (2 * upper + lower) / 3


class Lingering(ga.rules.Hoeffding):
    """Wrong: a bound that does not fall."""

    name = "lingering"

    def interval(self, setup, tally, levels):
        means = tally.total / tally.n
        return means - 1.5, means + 1.5


class Hasty(ga.rules.Hoeffding):
    """Wrong: a bound that falls too fast for what the engines skip."""

    name = "hasty"

    def interval(self, setup, tally, levels):
        means, width = tally.total / tally.n, 2.0 / tally.n**1.1 + (tally.n < 400)
        return means - width, means + width


@dataclass(frozen=True)
class Bets(WealthRule):
    """Right: three bets on each side, held to."""

    name: ClassVar[str] = "bets"
    code: ClassVar[int] = codes.GRID

    def bets(self, setup):
        parts = np.array([0.1, 0.3, 0.9])
        return np.array([parts / setup.good_bar, -parts / (1 - setup.bad_bar)])


class EitherSign(Bets):
    """Wrong: one of the bets on good is a bet on bad."""

    name = "either-sign"

    def bets(self, setup):
        good, bad = super().bets(setup)
        return np.array([[good[0], good[1], -0.5], bad])


class WrongSide(Bets):
    """Wrong: the bets on bad are bets on good."""

    name = "wrong-side"

    def bets(self, setup):
        good, _ = super().bets(setup)
        return np.array([good, np.minimum(good, 0.5)])


class Ruined(Bets):
    """Wrong: a bet that can lose more than there is."""

    name = "ruined"

    def bets(self, setup):
        good, bad = super().bets(setup)
        return np.array([1.2 * good, bad])


class Rich(Bets):
    """Wrong: half of K / delta is enough for it."""

    name = "rich"
    factor = 0.5


class HighLevel(Bets):
    """Wrong: evidence that does not say when the label is proven."""

    name = "high-level"

    def proven(self, setup, tally):
        return super().proven(setup._replace(level=setup.level + 1), tally)


WRONG = {
    Narrow: "narrow rule's label good is proven too often; at bar .* with 2 arms, within 300 pulls "
    "of an arm with mean .* the probability is .* where 0.* is allowed",
    OneSided: "one-sided rule's label bad is proven too often",
    Lingering: "bound must fall in n; with 2 arms and delta 0.3 it is 1.5 at n = 1 and 1.5 at",
    Hasty: "bound must grow in n when multiplied by n",
    EitherSign: "wealth on good must not be expected to rise under its null; at bar 0.0995, n = 8, "
    r"s = 0, after the rewards \[0.0, .*\] a reward of mean 0 takes its log from",
    WrongSide: "wealth on bad must not be expected to rise under its null; at bar 0.0015, n = 0, "
    r"s = 0, after the rewards \[\] a reward of mean 1 takes its log from 0 to",
    Ruined: r"wealth on good must be a number, not below 0; .* n = 1, after the rewards \[0.0\]",
    Rich: "rich rule's wealth must be at most 1 before the first reward; .* it is 2",
    HighLevel: "must call an arm good where its evidence reaches K / delta",
}


def test_the_right_one_passes():
    assert "e-values: they may be used for FDR" in check_identification_rule(Bets()).follows


@pytest.mark.parametrize("rule", WRONG, ids=lambda rule: rule.name)
def test_a_wrong_one_is_found(rule):
    with pytest.raises(AssertionError, match=WRONG[rule]):
        check_identification_rule(rule())


class ByEvidence(IdentificationRule):
    """A rule on none of the three bases, by the evidence of another."""

    name = "by-evidence"
    has_e_values = True
    factor = 1.0

    def traits(self, problem, num_arms):
        return ga.rules.Mixture().traits(problem, num_arms)

    def decide(self, setup, tally):
        return ga.rules.Mixture().decide(setup, tally)

    def proven(self, setup, tally):
        return ga.rules.Mixture().proven(setup, tally)

    def evidence(self, setup, tally):
        good, bad = ga.rules.Mixture().evidence(setup, tally)
        return good + np.log(self.factor), bad

    def curves(self, setup):
        return ga.rules.Mixture().curves(setup)


class WithTwice(ByEvidence):
    name = "with-twice"
    factor = 2.0


class WithoutAny(ByEvidence):
    name = "without-any"

    def evidence(self, setup, tally):
        return None


def test_a_rule_on_no_base_is_known_by_its_evidence():
    assert check_identification_rule(ByEvidence(), most_pulls=20).rule == "by-evidence"
    with pytest.raises(AssertionError, match="at most 1 before the first reward"):
        check_identification_rule(WithTwice(), most_pulls=20)
    with pytest.raises(AssertionError, match="has_e_values, so it must have evidence"):
        check_identification_rule(WithoutAny(), most_pulls=20)


@pytest.mark.parametrize("parts", [1, 2])
def test_the_programme_agrees_with_a_sum_over_all_sequences(parts):
    """Of seven rewards of 0, (1/2) and 1, each sequence looked at."""
    pulls, means = 7, np.array([0.5, 0.3])
    chances = make_chances(means, parts)
    n, j = np.ogrid[: pulls + 1, : parts * pulls + 1]
    regions = np.array([j >= 0.8 * parts * n, j <= 0.2 * parts * n]) & (n > 1)
    expected = np.zeros((2, len(chances)))
    for rewards in product(range(parts + 1), repeat=pulls):
        sums = np.cumsum(rewards)
        for region in range(2):
            if regions[region, np.arange(1, pulls + 1), sums].any():
                expected[region] += chances[:, rewards].prod(axis=1)
    assert compute_crossing_probabilities(regions, chances) == pytest.approx(expected)
    assert chances @ np.arange(parts + 1) / parts == pytest.approx(np.resize(means, len(chances)))
    assert chances.sum(axis=1) == pytest.approx(1)
