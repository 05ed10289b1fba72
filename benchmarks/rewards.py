"""Pulls where rewards are not 0/1: beside an oracle, and beside what a hint or a pool saves.

One arm, simulated, at the level K / delta = 200; pools and hints say their own. The pages that
the docs include are written anew: the same seeds give the same numbers.
"""

import math
from dataclasses import dataclass
from typing import Any

import hint
import numpy as np
import pools
from doc_tables import write_page
from goals import Goal, at_most, print_goals
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize_scalar
from scipy.special import betaincinv

import goodarm as ga
from goodarm.cli.output import print_table
from goodarm.papers.example_instances import make_spending
from goodarm.rewards import Beta, Discrete, Distribution, Uniform

LEVEL = math.log(200)
DELTA = 0.005
"""One arm: K / delta = 200."""
RUNS = 4000

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """Rewards against a bar; ``before`` is what the mixture needed in the table that set the goals.

    It came from 150 runs.
    """

    name: str
    law: Distribution
    bar: float
    before: float
    runs: int = RUNS
    most: float = 1.45
    """the goal of e-hdoc, in pulls of the oracle, where rewards are not 0/1"""

    @property
    def is_coin(self) -> bool:
        """Whether rewards are 0 or 1."""
        return isinstance(self.law, Discrete) and set(self.law.values) == {0.0, 1.0}


def coin(mean: float) -> Discrete:
    """0/1 rewards."""
    return Discrete([0, 1], [1 - mean, mean])


def mostly_nothing() -> Discrete:
    """95 % zeros, else exponential in fiftieths up to 1, with a mean of .0125 in all."""
    return make_spending(
        0.05, brentq(lambda price: make_spending(0.05, price).mean - 0.0125, 0.1, 1.0)
    )


def seldom(mean: float) -> Discrete:
    """Rewards of .5 and of 1, equally rare."""
    return Discrete([0, 0.5, 1], [1 - mean / 0.75, mean / 1.5, mean / 1.5])


CASES = (
    Case("0/1, .7 / .6", coin(0.7), 0.6, 301),
    Case("0/1, .06 / .04", coin(0.06), 0.04, 1473),
    Case("uniform .7 ± .3 / .6", Uniform(0.4, 1.0), 0.6, 314),
    Case("uniform .62 ± .3 / .6", Uniform(0.32, 0.92), 0.6, 8612),
    Case("Beta, sd .1, .65 / .6", Beta(mean=0.65, sd=0.1), 0.6, 1308),
    Case(
        "ratings 1..5 as 0..1, .66 / .6",
        Discrete([0, 0.25, 0.5, 0.75, 1], [5, 12, 23, 34, 26]),
        0.6,
        861,
    ),
    Case("95 % zeros, else exponential, .0125 / .008", mostly_nothing(), 0.008, 6277),
    Case("0, .5 and 1, .0015 / .001", seldom(0.0015), 0.001, math.nan, 400, 1.75),
    Case("0, .5 and 1, .0012 / .001", seldom(0.0012), 0.001, math.nan, 100, 1.75),
)
OF_150_RUNS = 2 / math.sqrt(150)
"""Two standard errors of the mean of 150 runs, in standard deviations."""


def points(law: Distribution) -> tuple[Floats, Floats]:
    """Return values and their probabilities; many values become a fine grid of quantiles."""
    if isinstance(law, Discrete):
        return np.array(law.values), law.shares
    middle = (np.arange(20_000) + 0.5) / 20_000
    parts = betaincinv(law.a, law.b, middle) if isinstance(law, Beta) else middle
    low, high = law.support
    return low + (high - low) * parts, np.full(len(middle), 1 / len(middle))


def best_bet(law: Distribution, bar: float) -> float:
    """Return the b with the largest E log(1 + b (x - bar)), of those fair for all of [0, 1]."""
    values, shares = points(law)

    def loss(bet: float) -> float:
        return -float(shares @ np.log1p(bet * (values - bar)))

    return float(minimize_scalar(loss, bounds=(0.0, 1.0 / bar), method="bounded").x)


def draw(law: Distribution, size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Rewards, by numpy."""
    if isinstance(law, Discrete):
        return rng.choice(law.values, size, p=law.shares)
    if isinstance(law, Beta):
        return rng.beta(law.a, law.b, size)
    return rng.uniform(*law.support, size)


def oracle(law: Distribution, bar: float, runs: int = RUNS) -> Floats:
    """Return the pulls until the best single bet, held to from the start, has made 200 of 1."""
    rng, bet = np.random.default_rng(0), best_bet(law, bar)
    wealth, pulls = np.zeros(runs), np.zeros(runs)
    alive = np.arange(runs)
    while len(alive):
        factors = np.log1p(bet * (draw(law, (len(alive), 200), rng) - bar))
        paths = wealth[alive, None] + factors.cumsum(axis=1)
        is_over = paths >= LEVEL
        ends = is_over.any(axis=1)
        pulls[alive] += np.where(ends, is_over.argmax(axis=1) + 1, 200)
        wealth[alive] = paths[:, -1]
        alive = alive[~ends]
    return pulls


def simulated(case: Case, algorithm: str) -> Floats:
    """Return the pulls to the label."""
    options: dict[str, Any] = {} if case.is_coin else {"rewards": "bounded", "low": 0, "high": 1}
    found = ga.simulate(
        [case.law], threshold=case.bar, delta=DELTA, algorithm=algorithm, runs=case.runs, **options
    )
    return found.stop.astype(float)


ALGORITHMS = ("e-hdoc", "kl-moss+mixture", "kl-moss+betting")


def in_a_range() -> list[dict[str, Any]]:
    """Rewards in [0, 1], beside the oracle bet."""
    found = []
    for case in CASES:
        pulls = {name: simulated(case, name) for name in ALGORITHMS}
        best = oracle(case.law, case.bar, case.runs)
        ours, ratio = pulls["e-hdoc"], pulls["e-hdoc"].mean() / best.mean()
        spreads = (x.std() / x.mean() / math.sqrt(case.runs) for x in (ours, best))
        error = ratio * math.hypot(*spreads)
        most = case.before + OF_150_RUNS * ours.std() if case.is_coin else case.most
        found.append(
            {
                "rewards": case.name,
                "runs": case.runs,
                "oracle": best.mean(),
                "bet": best_bet(case.law, case.bar) * case.bar,
                **{name: each.mean() for name, each in pulls.items()},
                "ratio": ratio,
                "error": error,
                "goal": most,
                "is in pulls": case.is_coin,
            }
        )
    header = ("rewards, mean / bar", *ALGORITHMS, "oracle", "e-hdoc / oracle", "goal", "runs")
    rows = [
        (
            row["rewards"],
            *(f"{row[name]:,.0f}" for name in (*ALGORITHMS, "oracle")),
            f"{row['ratio']:.2f} ± {row['error']:.2f}",
            f"{row['goal']:,.0f} pulls" if row["is in pulls"] else f"{row['goal']:.2f}",
            f"{row['runs']:,}",
        )
        for row in found
    ]
    print_table("Rewards in a range, mean pulls to good", header, rows)
    text = (
        "Mean pulls to good, one arm, K/delta = 200 (`benchmarks/rewards.py`). The "
        "oracle knows the distribution and holds to the best single bet for it, of those that are "
        "fair for all rewards in [0, 1]. `e-hdoc` is the mixture on 0/1 rewards and weighted bets "
        "on the others; ± is one standard error. The goal of the 0/1 rows is what the mixture "
        "needed before, with two standard errors of the 150 runs it was measured by."
    )
    write_page("rewards", text, header, rows)
    return found


DRIFTS = {2.0: None, 1.0: 1.4, 0.5: None, 0.2: 1.5, 0.1: 1.5, 0.05: None}
"""Gaps in sigma, and the most pulls of e-hdoc in those of the oracle, where a goal was set."""


def gaussian() -> list[dict[str, Any]]:
    """Gaussian rewards, beside 2 log(K / delta) / d^2."""
    found = []
    for drift, goal in DRIFTS.items():
        best = 2 * LEVEL / drift**2
        row: dict[str, Any] = {"d": drift, "oracle": best, "goal": goal}
        for name in ("e-hdoc", "hdoc"):
            options: dict[str, Any] = {"rewards": "gaussian", "sigma": 1.0}
            stop = ga.simulate(
                [drift], threshold=0.0, delta=DELTA, algorithm=name, runs=RUNS, **options
            ).stop
            row[name] = stop.mean() / best
            row[f"{name} error"] = stop.std() / best / math.sqrt(RUNS)
        found.append(row)
    header = ("gap in sigma", "oracle, pulls", "e-hdoc / oracle", "hdoc / oracle", "goal")
    rows = [
        (
            f"{row['d']:g}",
            f"{row['oracle']:,.1f}",
            *(f"{row[name]:.2f} ± {row[f'{name} error']:.2f}" for name in ("e-hdoc", "hdoc")),
            "-" if row["goal"] is None else f"{row['goal']:.2f}",
        )
        for row in found
    ]
    print_table(f"Gaussian rewards, mean pulls to good, {RUNS} runs", header, rows)
    text = (
        f"Mean pulls to good, one arm, K/delta = 200, {RUNS} runs (`benchmarks/rewards.py`), in "
        "units of `2 log(K/delta) / d^2`, which a test that knows the gap d needs if it never "
        "overshoots; ± is one standard error. Whole pulls make much of the difference at 2 sigma."
    )
    write_page("gaussian", text, header, rows)
    return found


def main() -> dict[str, list[dict[str, Any]]]:
    """Measure, print and write everything."""
    found = {"range": in_a_range(), "gaussian": gaussian(), "pools": pools.main()}
    found["hint"] = hint.main()
    return found


def goals(found: dict[str, list[dict[str, Any]]]) -> list[Goal]:
    """Return the goals: the most pulls of e-hdoc, beside an oracle's or in themselves."""
    goals = []
    for row in found["range"]:
        if row["is in pulls"]:
            goals.append(at_most(row["rewards"], row["e-hdoc"], row["goal"], "pulls"))
        else:
            goals.append(at_most(f"{row['rewards']}: pulls / oracle", row["ratio"], row["goal"]))
    for row in found["gaussian"]:
        if row["goal"] is not None:
            name = f"Gaussian, gap of {row['d']:g} sigma: pulls / oracle"
            goals.append(at_most(name, row["e-hdoc"], row["goal"]))
    return goals + pools.goals(found["pools"]) + hint.goals(found["hint"])


if __name__ == "__main__":
    print_goals(goals(main()))
