"""An identification rule of your own: one gambler on each side, who always bets the same part."""

from dataclasses import dataclass

import numpy as np

import goodarm as ga
from goodarm.testing import check_identification_rule


@dataclass(frozen=True)
class OneBet(ga.rules.CountsRule):
    """Good when a bet of ``part / bar`` on good has won K / delta, bad when one on bad has.

    Why it is valid: a success multiplies the wealth by 1 + part (1 - bar) / bar, a failure by
    1 - part. A mean of at most the bar makes that 1 at most on average, whatever came before: a
    supermartingale, which ever reaches K / delta with probability at most delta / K (Ville). A
    reward x in between multiplies it by a weighted geometric mean of the two, which is no more than
    their average: any rewards from 0 to 1 will do. Bad is the mirror image.
    """

    name = "one-bet"
    has_e_values = True
    takes_fractions = True

    part: float = 0.3

    def log_good(self, n, s, bar):
        return s * np.log1p(self.part * (1 - bar) / bar) + (n - s) * np.log1p(-self.part)

    def log_bad(self, n, s, bar):
        return self.log_good(n, n - s, 1 - bar)


for rule in (OneBet(), "mixture"):
    algorithm = ga.Algorithm(sampling="kl-moss", identification=rule)
    runs = ga.simulate(
        [0.8, 0.7, 0.3, 0.2], threshold=0.5, delta=0.05, algorithm=algorithm, runs=1000
    )
    print(f"{algorithm.name:16} {runs.stop.mean():.0f} pulls, {runs.wrong.sum()} runs wrong")
print(check_identification_rule(OneBet(), most_pulls=100))
