"""Rules on counts that are wrong in one way each, and the sentence by which the kit finds them."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy import special

import goodarm as ga
from goodarm.testing import check_identification_rule

MOST_PULLS = 60


@dataclass(frozen=True)
class OneBet(ga.rules.CountsRule):
    """Right: one gambler on each side."""

    name: ClassVar[str] = "one-bet"
    has_e_values: ClassVar[bool] = True
    takes_fractions: ClassVar[bool] = True
    part: float = 0.3

    def log_good(self, n, s, bar):
        return s * np.log1p(self.part * (1 - bar) / bar) + (n - s) * np.log1p(-self.part)

    def log_bad(self, n, s, bar):
        return self.log_good(n, n - s, 1 - bar)


class BestOfThree(ga.rules.CountsRule):
    """Right: the best of three gamblers, less what choosing costs. A bound without e-values."""

    name = "best-of-three"

    def log_good(self, n, s, bar):
        logs = [OneBet(part).log_good(n, s, bar) for part in (0.1, 0.3, 0.6)]
        return np.max(logs, axis=0) - np.log(3)

    def log_bad(self, n, s, bar):
        return self.log_good(n, n - s, 1 - bar)


class AnyBestOfThree(BestOfThree):
    """Right: no reward is worth more than its average of 0 and 1."""

    takes_fractions = True


class NoEValues(BestOfThree):
    """Wrong: the best of three is no supermartingale."""

    has_e_values = True


class NotCutOff(OneBet):
    """Wrong: a Beta prior that also has means below the bar."""

    name = "not-cut-off"

    def log_good(self, n, s, bar):
        a, b = 2 * bar, 2 * (1 - bar)
        logs = special.betaln(s + a, n - s + b) - special.betaln(a, b)
        return logs - s * np.log(bar) - (n - s) * np.log1p(-bar)


class Doubled(OneBet):
    """Wrong: the gambler starts with 2."""

    name = "doubled"

    def log_good(self, n, s, bar):
        return super().log_good(n, s, bar) + np.log(2)


class DoubledLater(OneBet):
    """Wrong: the gambler is given 1 on the first success."""

    name = "doubled-later"

    def log_good(self, n, s, bar):
        return super().log_good(n, s, bar) + np.where(np.asarray(s) >= 1, np.log(2), 0)


class DoubledBad(OneBet):
    """Wrong: the same on the side of bad, seldom."""

    name = "doubled-bad"

    def log_bad(self, n, s, bar):
        return super().log_bad(n, s, bar) + np.where(np.asarray(n) - s >= 50, 1e-6, 0)


class WrongSide(OneBet):
    """Wrong: evidence for bad as that for good."""

    name = "wrong-side"

    def log_good(self, n, s, bar):
        return super().log_good(n, n - s, 1 - bar)

    def log_bad(self, n, s, bar):
        return super().log_good(n, s, bar)


class WrongMirror(OneBet):
    """Wrong: the bar is not mirrored with the rewards."""

    name = "wrong-mirror"

    def log_bad(self, n, s, bar):
        return super().log_good(n, n - s, bar)


class FallsInS(OneBet):
    """Wrong: a sum of 7 is worth less than one of 6. Being careful is valid, but has no curves."""

    name = "falls-in-s"

    def log_good(self, n, s, bar):
        return super().log_good(n, s, bar) - np.where(np.asarray(s) == 7, 50, 0)


class RisesInBar(OneBet):
    """Wrong: valid at each bar, but timid from .5 on, so that failures cost less there."""

    name = "rises-in-bar"

    def log_good(self, n, s, bar):
        part = np.where(np.asarray(bar) >= 0.5, 0.001, 0.3)
        return s * np.log1p(part * (1 - bar) / bar) + (n - s) * np.log1p(-part)


class NanFarOut(OneBet):
    """Wrong: infinity minus infinity."""

    name = "nan-far-out"

    def log_good(self, n, s, bar):
        far = np.where(np.asarray(n) > 1e11, np.inf, 0)
        return super().log_good(n, s, bar) + far - far


class InfiniteFarOut(OneBet):
    """Wrong: the evidence itself, not its log, where it no longer fits."""

    name = "infinite-far-out"

    def log_good(self, n, s, bar):
        return np.log(np.exp(super().log_good(n, s, bar)))


class RoundsUp(OneBet):
    """Wrong: a fraction counts as 1."""

    name = "rounds-up"

    def log_good(self, n, s, bar):
        return super().log_good(n, np.ceil(s), bar)


class RoundsUpWithoutEValues(RoundsUp):
    """Wrong: the same as a bound."""

    name = "rounds-up-as-bound"
    has_e_values = False


class WholeSumsOnly(OneBet):
    """Wrong: it says that it takes fractions, and looks them up as whole numbers."""

    name = "whole-sums-only"

    def log_good(self, n, s, bar):
        if not np.all(np.asarray(s) == np.round(s)):
            raise IndexError("no such row")
        return super().log_good(n, s, bar)


class TooEager(BestOfThree):
    """Wrong: the best of many gamblers, for nothing."""

    name = "too-eager"

    def log_good(self, n, s, bar):
        return super().log_good(n, s, bar) + np.log(3) + 0.5


class OneNumber(OneBet):
    """Wrong: one number for all arms."""

    name = "one-number"

    def log_good(self, n, s, bar):
        return np.max(super().log_good(n, s, bar))


WRONG = {
    NotCutOff: "evidence for good must rise in s; at bar 0.001, n = 2, s = 0",
    Doubled: "must be at most 1 before the first reward, E.0, 0. <= 1; at bar 0.001, n = 0, s = 0 "
    "it is 2",
    DoubledLater: "evidence for good must not be expected to rise under its null; at bar 0.001, "
    "n = 0, s = 0 its log is 0, and the next reward of mean 0.001 brings .* no e-values",
    DoubledBad: "evidence for bad must not be expected to rise under its null; at bar 0.001, n = ",
    NoEValues: "must not be expected to rise .* declares has_e_values = False",
    WrongSide: "evidence for good must rise in s; at bar 0.001, n = 1",
    WrongMirror: "evidence for bad must not be expected to rise under its null; at bar 0.001",
    FallsInS: "evidence for good must rise in s; at bar 0.001, n = .*, s = 6 the logs",
    RisesInBar: r"evidence for good must fall in the bar \(from 0.4\); at bar 0.5, n = 1, s = 0",
    NanFarOut: "evidence for good is nan at bar 0.001, n = 300000000000, s = 0",
    InfiniteFarOut: "evidence for good is infinite at bar 0.001, n = ",
    RoundsUp: "must be convex in a fractional last reward, or the rule is for 0/1 rewards only .* "
    "n = 0, s = 0 the next reward 0.1",
    RoundsUpWithoutEValues: "label good is proven too often; at bar .* within 12 pulls",
    WholeSumsOnly: "curves cannot be computed, for which n and s may be fractions: IndexError",
    TooEager: "label good is proven too often; at bar .* with mean .* the probability is .* where",
    OneNumber: "must have an entry for each n and s",
}


@pytest.mark.parametrize("rule", [OneBet(), BestOfThree(), AnyBestOfThree()], ids=lambda r: r.name)
def test_the_right_ones_pass(rule):
    report = check_identification_rule(rule, most_pulls=MOST_PULLS)
    is_bet = isinstance(rule, OneBet)
    assert ("a bound: no e-values, no FDR" in report.follows) is not is_bet
    assert ("0/1 rewards only" in report.follows) is (type(rule) is BestOfThree)


@pytest.mark.parametrize("rule", WRONG, ids=lambda rule: rule.name)
def test_wrong_evidence_is_found(rule):
    with pytest.raises(AssertionError, match=WRONG[rule]):
        check_identification_rule(rule(), most_pulls=MOST_PULLS)


class OtherCurves(OneBet):
    """Wrong: the engines look up another rule's labels."""

    name = "other-curves"

    def curves(self, setup):
        return OneBet(0.31).curves(setup)


class ShortInterval(OneBet):
    """Wrong: an interval that is not that of the labels."""

    name = "short-interval"

    def interval(self, setup, tally, levels):
        means = tally.total / tally.n
        return means - 0.1, means + 0.1


class BesideTheMean(OneBet):
    """Wrong: an interval that does not hold the mean."""

    name = "beside-the-mean"

    def interval(self, setup, tally, levels):
        return tally.total / tally.n + 1e-6, np.ones(len(tally.n))


class OtherDecision(OneBet):
    """Wrong: where ask and tell decides by itself, it never calls an arm bad."""

    name = "other-decision"

    def decide(self, setup, tally):
        return max(super().decide(setup, tally), 0)


OUT_OF_PLACE = {
    OtherCurves: "curves must give the labels of its functions; at bar 0.5, n = .*, s = ",
    ShortInterval: "interval must lie above",
    BesideTheMean: "interval must hold the mean; with bars 0.5 and 0.5, n = 1, s = 0",
    OtherDecision: "must decide as its curves do; at threshold .*, n = .*, s = ",
}


@pytest.mark.parametrize("rule", OUT_OF_PLACE, ids=lambda rule: rule.name)
def test_what_is_looked_up_and_shown_must_be_what_decides(rule):
    with pytest.raises(AssertionError, match=OUT_OF_PLACE[rule]):
        check_identification_rule(rule(), most_pulls=20)


@dataclass(frozen=True)
class WithTuple(OneBet):
    name: ClassVar[str] = "with-tuple"
    parts: tuple[float, ...] = (0.1, 0.2)


@dataclass
class Unhashable(BestOfThree):
    name: ClassVar[str] = "unhashable"
    part: float = 0.3


@dataclass(frozen=True)
class WithFunction(OneBet):
    name: ClassVar[str] = "with-function"
    function: Any = field(default_factory=lambda: lambda x: x)


class LostSettings(OneBet):
    name = "lost-settings"

    def to_dict(self):
        return {"rule": self.name}


class NameTaken(OneBet):
    name = "mixture"


class NotANumberSetting(OneBet):
    name = "not-json"

    def to_dict(self):
        return {"rule": self.name, "part": np.float32(0.3)}


class EqualToNone(OneBet):
    name = "equal-to-none"

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)


OBJECTS = [
    (WithTuple(), "must stay the same in JSON .write lists, not tuples."),
    (WithFunction(), "with-function rule must be one that pickle takes"),
    (LostSettings(0.5), "must make the same rule again; {} made LostSettings"),
    (NameTaken(), "must not be that of one of goodarm's rules; got 'mixture'"),
    (NotANumberSetting(), "to_dict of the not-json rule must be JSON: TypeError"),
    (Unhashable(), "unhashable rule must have a hash, as frozen dataclasses do: TypeError"),
    (EqualToNone(), "equal-to-none rule copied must equal the rule"),
]


@pytest.mark.parametrize(("rule", "message"), OBJECTS, ids=lambda part: getattr(part, "name", ""))
def test_the_rule_as_an_object(rule, message):
    with pytest.raises(AssertionError, match=message):
        check_identification_rule(rule, most_pulls=20)
