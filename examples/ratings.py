"""Ratings from 0 to 5 stars: which dishes earn 3.5 or more on average? Bounded rewards.

Each pull serves a dish to a new guest (made up here). The default test looks at pulls and
sums alone; the rule ``betting`` also profits from guests who agree, and needs far fewer.
"""

from pathlib import Path

import numpy as np

import goodarm as ga
from goodarm.report.arms import save_arms

STARS = {"curry": 4.3, "gnocchi": 4, "ramen": 3.8, "salad": 3.2, "stew": 3, "aspic": 1.5}
ASKED = {"threshold": 3.5, "delta": 0.05, "rewards": "bounded", "low": 0, "high": 5}


def run(algorithm):
    luck = np.random.default_rng(8)
    guests = {dish: iter(luck.normal(stars, 0.8, 5000)) for dish, stars in STARS.items()}
    ident = ga.Identifier(ga.Problem(list(STARS), **ASKED), algorithm, seed=8)
    while not ident.is_done:
        pull = ident.ask()
        rating = round(next(guests[pull.arm]))
        ident.tell(pull, min(max(rating, 0), 5))
    return ident


default = run("e-hdoc")
betting = run(ga.Algorithm(sampling="kl-moss", identification="betting"))
print(default.reports())
print(f"{default.pulls:,} guests by default, {betting.pulls:,} with betting.")
print("The same labels:", set(default.verdict.good) == set(betting.verdict.good))

sums = {arm.arm: (arm.pulls, arm.pulls * arm.mean) for arm in default.reports()}
save_arms(ga.check(sums, **ASKED), Path("example-ratings.png"))
