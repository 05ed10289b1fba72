"""Ratings from 0 to 5 stars: which dishes earn 3.5 or more on average? Bounded rewards.

Each pull serves a dish to a new guest (made up here). The default bets on every rating and
profits from guests who agree; a test of sums alone, the mixture, needs far more of them.
"""

from collections import Counter
from pathlib import Path

import numpy as np

import goodarm as ga
from goodarm.views.figures.arms import save_arms

STARS = {"curry": 4.3, "gnocchi": 4, "ramen": 3.8, "salad": 3.2, "stew": 3, "aspic": 1.5}
ASKED = {"threshold": 3.5, "delta": 0.05, "rewards": "bounded", "low": 0, "high": 5}


def run(algorithm):
    luck = np.random.default_rng(8)
    guests = {dish: iter(luck.normal(stars, 0.8, 5000)) for dish, stars in STARS.items()}
    ident = ga.Identifier(ga.Problem(list(STARS), **ASKED), algorithm, seed=8)
    told = {dish: Counter() for dish in STARS}
    while not ident.is_done:
        pull = ident.ask()
        rating = min(max(round(next(guests[pull.arm])), 0), 5)
        ident.tell(pull, rating)
        told[pull.arm][rating] += 1
    return ident, told


default, told = run("e-hdoc")
mixture, _ = run("kl-moss+mixture")
print(default.table())
print(f"{default.pulls:,} guests by default, {mixture.pulls:,} with the mixture of sums.")
print("The same labels:", set(default.verdict.good) == set(mixture.verdict.good))
save_arms(ga.check(told, values=True, **ASKED), Path("example-ratings.png"))
