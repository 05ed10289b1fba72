"""Ask and tell: what a pull costs, what reports and documents cost, and what batches waste."""

import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from goals import Goal, at_most, print_goals
from numpy.typing import NDArray

import goodarm as ga
from goodarm.cli.output import print_table
from goodarm.kernels.codes import Setup
from goodarm.kernels.simulation.laws import Numbers
from goodarm.kernels.simulation.place import Places
from goodarm.kernels.simulation.tape import draw_reward, make_places
from goodarm.papers import find_paper
from goodarm.papers.paper import PaperExperiment
from goodarm.views.text import TableLayout

ALGORITHMS = ("e-hdoc", "hdoc", "cho2025")
SIZES = (10, 10_000)
PAIRS = 10_000
BATCH = 100
LOGGED = 1_000_000
"""Pulls of the document that is written and read."""

BATCHES = (10, 100, 1000)
WASTED = {
    "synthetic": (None, 10),
    "covertype": (None, 10),
    "jester": (3, 40),
    "movielens": (3, 20),
    "four": (None, 200),
    "ten": (None, 100),
}
"""How many good arms end a run, all labels if None, and how many runs are made."""


def time_asking(algorithm: str, num_arms: int, batch: int) -> tuple[float, float]:
    """Microseconds for a pull asked and told, on average, and of the slowest call in a hundred."""
    means = np.linspace(0.3, 0.7, num_arms).tolist()
    luck = np.random.default_rng(0).uniform(size=2 * PAIRS + num_arms).tolist()
    ident = ga.Identifier(ga.Problem(num_arms, 0.5, 0.05), algorithm, seed=0)

    def rewards(pulls: list[ga.Pull]) -> list[int]:
        return [int(luck[pull.number - 1] < means[int(pull.arm)]) for pull in pulls]

    pulls = ident.ask_many(num_arms)
    ident.tell_many(pulls, rewards(pulls))
    spent, calls, made = 0.0, [], 0
    while made < PAIRS and not ident.is_done:
        start, start_cpu = time.perf_counter(), time.process_time()
        pulls = ident.ask_many(batch) if batch > 1 else [ident.ask()]
        between, between_cpu = time.perf_counter(), time.process_time()
        told = rewards(pulls)
        again, again_cpu = time.perf_counter(), time.process_time()
        if batch > 1:
            ident.tell_many(pulls, told)
        else:
            ident.tell(pulls[0], told[0])
        calls.append(time.perf_counter() - again + between - start)
        spent += time.process_time() - again_cpu + between_cpu - start_cpu
        made += len(pulls)
    return 1e6 * spent / made, 1e6 * float(np.quantile(calls, 0.99))


def cost_of_pulls() -> list[dict[str, Any]]:
    """One by one and in batches, for few arms and for many."""
    found: list[dict[str, Any]] = []
    for algorithm in ALGORITHMS:
        for num_arms in SIZES:
            time_asking(algorithm, num_arms, BATCH)  # compiled before anything is measured
            mean, slowest = time_asking(algorithm, num_arms, 1)
            batched, _ = time_asking(algorithm, num_arms, BATCH)
            found.append(
                {
                    "algorithm": algorithm,
                    "arms": num_arms,
                    "us for a pair": mean,
                    "us, 99th percentile": slowest,
                    f"us for a pull in batches of {BATCH}": batched,
                }
            )
    rows = [
        (name, f"{size:,}", *(f"{us:.1f}" for us in costs))
        for name, size, *costs in map(dict.values, found)
    ]
    header = ("algorithm", "arms", "ask and tell", "99th percentile", f"in batches of {BATCH}")
    print_table("Microseconds for a pull that is asked and told", header, rows, TableLayout(left=1))
    return found


def seconds(call: Callable[[], Any]) -> float:
    """Of processor time."""
    start = time.process_time()
    call()
    return time.process_time() - start


def cost_of_state() -> list[dict[str, Any]]:
    """Measure reports of many arms, and the document of a long run."""
    rng = np.random.default_rng(0)
    many = ga.Identifier(ga.Problem(10_000, 0.5, 0.05), seed=0)
    for arm, mean in enumerate(np.linspace(0.3, 0.7, 10_000)):
        many.observe(arm, rng.binomial(1, mean, int(rng.integers(20, 400))).tolist())
    many.table()
    long = ga.Identifier(ga.Problem(1000, 0.5, 1e-3, max_pulls=LOGGED), seed=0)
    while pulls := long.ask_many(100_000):
        long.tell_many(pulls, rng.binomial(1, 0.5, len(pulls)).tolist())
    document = long.to_dict()
    found = [
        {"what": "table of 10,000 arms", "seconds": seconds(many.table)},
        {"what": "to_dict of a million pulls", "seconds": seconds(long.to_dict)},
        {
            "what": "from_dict of a million pulls",
            "seconds": seconds(lambda: ga.Identifier.from_dict(document)),
        },
    ]
    rows = [(row["what"], f"{row['seconds']:.2f}") for row in found]
    print_table("Seconds for the whole state", ("what", "seconds"), rows, TableLayout(left=1))
    return found


@numba.njit
def draw(
    setup: Setup,
    places: Places,
    numbers: Numbers,
    read: NDArray[np.int64],
    arms: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the next rewards of these arms."""
    rewards = np.empty(len(arms))
    for k in range(len(arms)):
        arm = arms[k]
        read[arm] += 1
        rewards[k] = draw_reward(setup, places[arm], numbers, arm, read[arm])
    return rewards


def pulls_in_batches(
    problem: ga.Problem, means: list[float], batch: int, seed: int, *, is_capped: bool
) -> int:
    """Return the pulls until the end of a run whose batches are told in order.

    What ``ask_many`` and ``tell_many`` do, without the pulls as objects: that would take minutes.
    """
    ident = ga.Identifier(problem, seed=seed)
    ident.core.arms.progress["is_capped"] = is_capped
    places, numbers = make_places(ident.core.setup, np.array(means, float), seed, 0)
    read = np.zeros(len(means), np.int64)
    while not ident.is_done:
        first, arms, _ = ident.core.ask(batch)
        rewards = draw(ident.core.setup, places, numbers, read, np.array(arms, np.int64))
        ident.core.tell(np.arange(first, first + len(arms)), rewards)
    return ident.pulls


def waste_of(experiment: PaperExperiment, delta: float) -> list[dict[str, Any]]:
    """Return the pulls that batches of each size waste, beside single pulls on the same rewards."""
    instance = experiment.instance
    until, runs = WASTED[instance.name]
    means = list(instance.means)
    problem = ga.Problem(len(means), instance.threshold, delta, until=until)
    seeds = range(runs)
    single = np.array(
        [ga.simulate(means, problem=problem, runs=1, seed=seed).stop[0] for seed in seeds]
    )
    found = []
    for batch in BATCHES:
        row: dict[str, Any] = {
            "instance": instance.name,
            "good arms": until,
            "runs": runs,
            "pulls one by one": float(single.mean()),
            "batch": batch,
        }
        for name, is_capped in (("capped", True), ("uncapped", False)):
            pulls = np.array(
                [
                    pulls_in_batches(problem, means, batch, seed, is_capped=is_capped)
                    for seed in seeds
                ]
            )
            more = (pulls - single) / single.mean()
            row[name], row[f"{name}, error"] = more.mean(), more.std(ddof=1) / np.sqrt(runs)
        found.append(row)
    return found


def waste() -> list[dict[str, Any]]:
    """On the six instances; batches of 1 are the pulls one by one."""
    paper = find_paper("goodarm")
    found = [
        row
        for experiment in paper.experiments
        if experiment.instance.name in WASTED
        for row in waste_of(experiment, paper.delta_of(experiment))
    ]
    rows = [
        (
            row["instance"],
            "all labels" if row["good arms"] is None else f"{row['good arms']} good",
            f"{row['pulls one by one']:,.0f}",
            f"{row['batch']:,}",
            *(f"{row[name]:.1%} ± {row[f'{name}, error']:.1%}" for name in ("capped", "uncapped")),
        )
        for row in found
    ]
    header = ("instance", "until", "one by one", "batch", "more pulls", "without caps")
    print_table("Pulls that batches cost more, e-hdoc", header, rows, TableLayout(left=2))
    return found


def main() -> dict[str, list[dict[str, Any]]]:
    """Measure everything and print it."""
    return {"asking": cost_of_pulls(), "state": cost_of_state(), "batches": waste()}


PAIR_LIMITS = {10: 40.0, 10_000: 60.0}
"""Microseconds for a pull that is asked and told, by arms."""
SLOWEST_LIMIT = 2000.0
BATCHED_LIMIT = 15.0
SECONDS_LIMITS = {
    "table of 10,000 arms": 0.3,
    "to_dict of a million pulls": 1.0,
    "from_dict of a million pulls": 1.0,
}
MOST_WASTE = 5.0
"""Percent of the pulls that batches of 100 may cost more."""


def goals(found: dict[str, list[dict[str, Any]]]) -> list[Goal]:
    """Return the goals for a pull of e-hdoc, reports, documents and batches."""
    goals = []
    for row in found["asking"]:
        if row["algorithm"] == "e-hdoc":
            arms, batched = row["arms"], row[f"us for a pull in batches of {BATCH}"]
            goals += [
                at_most(f"pair at {arms:,} arms", row["us for a pair"], PAIR_LIMITS[arms], "us"),
                at_most(
                    f"pair at {arms:,} arms, 99th percentile",
                    row["us, 99th percentile"],
                    SLOWEST_LIMIT,
                    "us",
                ),
                at_most(f"pull in batches at {arms:,} arms", batched, BATCHED_LIMIT, "us"),
            ]
    for row in found["state"]:
        goals.append(at_most(row["what"], row["seconds"], SECONDS_LIMITS[row["what"]], "s"))
    for row in found["batches"]:
        if row["batch"] == BATCH:
            name = f"waste of batches of {BATCH} on {row['instance']}"
            goals.append(at_most(name, 100 * row["capped"], MOST_WASTE, "%"))
    return goals


if __name__ == "__main__":
    print_goals(goals(main()))
