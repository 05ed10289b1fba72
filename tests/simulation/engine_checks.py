"""Short checks of the fast engine that a wrong one fails; run on mutants, without compiling.

``python -m simulation.engine_checks`` ends with an AssertionError where the engines differ.
"""

import itertools

import numpy as np

import goodarm as ga
from goodarm.kernels.codes import CURVE
from goodarm.kernels.dispatch import index_clock
from goodarm.kernels.simulation.jump import jump
from goodarm.kernels.simulation.state import clear, make_scratch, make_state
from goodarm.simulation.engine import SimulatedRun, SimulationTask
from simulation.first_difference import find_first_difference, run_both


def compose_algorithm(warmup=1, identify=True, sampling="hdoc"):
    return ga.Algorithm(
        sampling=sampling,
        identification="hoeffding",
        warmup=ga.rules.Warmup(warmup, identify_during_warmup=identify),
    )


def check_ties():
    """Equal arms with equal counts: the lowest goes first, and the end shows which it was."""
    run_both([0.97] * 3, 0.5, 0.5, compose_algorithm(), until=1, runs=40, max_pulls=500)
    run_both([0.5] * 4, 0.45, 0.5, compose_algorithm(), max_pulls=57, runs=20)


def check_first_tested_pull():
    """After a warm-up without tests, a failure may well prove an arm good: once."""
    run_both([0.9, 0.85], 0.5, 0.3, compose_algorithm(60, identify=False), runs=20, max_pulls=500)


def check_labels_within_reach():
    """Arms that leave in the middle of what could be one jump, good ones and bad ones."""
    run_both([0.9, 0.8, 0.1, 0.2, 0.0], 0.5, 0.3, compose_algorithm(), runs=8, max_pulls=900)
    run_both([0.9] * 3 + [0.1] * 3, 0.5, 0.3, compose_algorithm(), runs=4, max_pulls=200)


def check_the_clock_lifts():
    """Long jumps early on, where the clock runs: one round is not enough."""
    for max_pulls in (100, 150, 300):
        run_both(
            np.linspace(0.1, 0.9, 8), 0.95, 0.05, compose_algorithm(), max_pulls=max_pulls, runs=6
        )


def check_ceilings():
    """Indices that are no lines, and jumps that fail after ceilings were put on what they moved."""
    means, algorithm = [0.45, 0.45, 0.5, 0.5], compose_algorithm(sampling="moss")
    run_both(means, 0.7, 0.3, algorithm, max_pulls=100, runs=2, seed=2)


def check_each_step():
    """The same counts after every step: a run that was wrong for a while may end right."""
    for sampling, means, threshold, seed in (
        ("moss", [0.23, 0.83, 0.62, 0.51, 0.37], 0.3, 6),
        ("moss", [0.48, 0.39, 0.61, 0.25, 0.1], 0.56, 7),
        ("hdoc", [0.48, 0.39, 0.61, 0.25, 0.1], 0.56, 7),
    ):
        problem = ga.Problem(5, threshold, 0.05, max_pulls=150)
        found = find_first_difference(problem, compose_algorithm(sampling=sampling), means, seed)
        assert found is None, str(found)


def check_a_clock_that_stands():
    """Long rows of failures, so that jumps are long: they end with the step of the clock."""
    for sampling in ("kl-moss", "kl-ucb"):
        algorithm = compose_algorithm(sampling=sampling)
        run_both([0.02, 0.015, 0.01, 0.01], 0.05, 0.1, algorithm, max_pulls=1500, runs=3)
        run_both([0.3] * 12, 0.35, 0.3, algorithm, max_pulls=300, runs=3)
        run_both([0.9, 0.8, 0.1, 0.2, 0.0], 0.5, 0.3, algorithm, max_pulls=400, runs=3)


def check_distributions():
    """Rewards of several words, given back before a pull that proves its arm good."""
    good, bad = ga.rewards.Beta(a=3, b=0.5), ga.rewards.Beta(a=0.5, b=2)
    keywords = {"rewards": "bounded", "max_pulls": 500, "runs": 2}
    run_both([good, bad] * 9, 0.5, 0.9, compose_algorithm(), **keywords)


def check_the_budget():
    for max_pulls in (3, 10, 41):
        run_both([0.3, 0.31, 0.9], 0.6, 0.1, compose_algorithm(), max_pulls=max_pulls, runs=6)


def jump_to(mark_of):
    """The pulls of a jump whose mark is made from the index that arm 1 has from the start."""
    means = np.array([0.9, 0.1])
    setup = compose_algorithm().setup(ga.Problem(2, 0.5, 0.01))
    state = make_state(setup, means, 0, 0, np.zeros((2, 0)))
    state.arms["pulls"], state.arms["sum"] = [40, 40], [36.0, 3.0]
    state.places["next_success"] = [10**6, 10**6]
    # The clock stands still, so that only rounding matters: t is large and the jump is short.
    state.progress["pulls"] = t = 10**16
    scratch = make_scratch(setup, state)
    scratch.hints["bad_from"] = 10**6
    clock = index_clock(setup, t)
    top, second = (float(scratch.level[arm] + scratch.width[arm] * clock) for arm in range(2))
    scratch.steering["reach"], scratch.steering["rate"] = top - mark_of(second), 1.0
    mark = top - float(scratch.steering["reach"][0])
    made = jump(setup, np.zeros(1, CURVE), state, scratch, clock, top, 10**6)
    return made, mark - second


def check_the_last_places():
    """A jump that ends within rounding of an index is undone; one that ends clear of it is not."""
    made, distance = jump_to(lambda second: second + 1e-6)
    assert made > 0
    assert distance > 0
    for ulps in (1, 2, 3):
        made, distance = jump_to(lambda second, ulps=ulps: second + ulps * np.spacing(second))
        assert 0 < distance < 16 * np.spacing(1.0)
        assert made == 0


def end_of(task, is_clearing):
    """How a run ends that is made in small steps, with Scratch cleared after each or never."""
    run = SimulatedRun(task, 0)
    while not run.is_over:
        run.step(1)
        if is_clearing:
            clear(task.setup, run.state, run.scratch)
    return run.pulls, run.state.tau, run.state.labels, run.state.arms, run.state.wealth


def check_scratch():
    """Clearing Scratch after every step changes nothing: neither engine needs it."""
    for sampling, identification, engine in itertools.product(
        ("hdoc", "kl-moss"), ("hoeffding", "kelly"), ("fast", "reference")
    ):
        algorithm = ga.Algorithm(sampling=sampling, identification=identification)
        problem = ga.Problem(4, 0.5, 0.3, max_pulls=250)
        means = np.array([0.9, 0.8, 0.1, 0.4])
        rule, setup = algorithm.rule(problem), algorithm.setup(problem)
        task = SimulationTask(rule, setup, means, 0, [0], engine)
        for found, expected in zip(end_of(task, True), end_of(task, False), strict=True):
            np.testing.assert_array_equal(found, expected)


CHECKS = (
    check_ties,
    check_first_tested_pull,
    check_labels_within_reach,
    check_the_clock_lifts,
    check_ceilings,
    check_each_step,
    check_a_clock_that_stands,
    check_distributions,
    check_the_budget,
    check_the_last_places,
    check_scratch,
)

if __name__ == "__main__":
    np.seterr(over="ignore")
    for check in CHECKS:
        check()
