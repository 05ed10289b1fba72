"""A rule of the user's own in ``check``: goodarm says that it has not checked it."""

from dataclasses import dataclass

import numpy as np
import pytest

import goodarm as ga
from goodarm.errors import SpecError


@dataclass(frozen=True)
class TwoPoints(ga.rules.CountsRule):
    """Likelihood ratio of two points, which is valid."""

    name = "two-points"
    has_e_values = True

    def log_good(self, n, s, bar):
        p = np.minimum(bar + 0.1, 0.999)
        return s * np.log(p / bar) + (n - s) * np.log((1 - p) / (1 - bar))

    def log_bad(self, n, s, bar):
        return self.log_good(n, n - s, 1 - bar)


class Careless(TwoPoints):
    """Evidence for good from pulls alone: its intervals do not have the mean in them."""

    name = "careless"

    def log_good(self, n, s, bar):
        return 5.0 * n * (0.95 - bar)

    def log_bad(self, n, s, bar):
        return -1.0 + 0.0 * n


def test_a_rule_that_nobody_checked_is_called_so():
    table = ga.check({"a": (100, 70)}, threshold=0.5, rule=TwoPoints())
    assert "'two-points' is your own: this holds if it is valid" in repr(table)
    assert "your own" not in repr(ga.check({"a": (100, 70)}, threshold=0.5, rule="hoeffding"))


def test_an_interval_without_the_mean_is_refused():
    with pytest.raises(SpecError, match="must include its mean, 0.9, in its interval, for arm 'a'"):
        ga.check({"a": (100, 90)}, threshold=0.5, rule=Careless())
