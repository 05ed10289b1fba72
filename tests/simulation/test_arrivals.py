"""Arms that arrive while a run is under way: the run that ask, tell and add_arm make."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from helpers import IDENTIFICATION, NAMED, SAMPLING, can_take_rewards, run_compiled

CODES = {"good": 1, "bad": -1, "undecided": 0}


class Least(ga.rules.SamplingRule):
    """Pulls the arm with the fewest pulls, one of them by lot: a rule in Python."""

    name = "least"

    def choose(self, view):
        assert len(view.pulls) == len(view.means) == view.num_arms
        assert (view.pulls[view.active] > 0).all()
        few = np.flatnonzero(view.active & (view.pulls == view.pulls[view.active].min()))
        return int(view.rng.choice(few))


def run_by_asking(problem, algorithm, means, seed, times):
    """Fed with run 0's tape; arms are added when they are due, or nothing is left to ask."""
    first = times.count(0)
    pools = None if problem.pools is None else list(problem.pools)
    ident = ga.Identifier(
        ga.Problem(
            problem.arms[:first],
            problem.threshold,
            problem.delta,
            margin=problem.margin,
            rewards=problem.rewards,
            low=problem.low,
            high=problem.high,
            sigma=problem.sigma,
            until=problem.until,
            max_pulls=problem.max_pulls,
            pool=None if pools is None else pools[:first],
            arms_planned=problem.union_size,
        ),
        algorithm,
        seed,
    )
    tape, tau, pulled = ga.simulation.Tape(problem, means, seed), [], []
    while True:
        count, until = ident.problem.num_arms, problem.until
        is_ended = len(ident.verdict.good) == until or ident.pulls == problem.max_pulls
        if count < problem.num_arms and not is_ended:
            now = max(ident.pulls, times[count]) if ident.is_done else ident.pulls
            for position in range(count, problem.num_arms):
                if times[position] <= now:
                    size = None if pools is None else pools[position]
                    ident.add_arm(problem.arms[position], pool=size)
        if ident.is_done:
            break
        pull = ident.ask()
        pulled.append(problem.position(pull.arm))
        ident.tell(pull, tape.next_reward(pull.arm))
        if len(ident.verdict.good) > len(tau):
            tau.append(ident.pulls)
    labels = [CODES[report.label] for report in ident.table()]
    labels += [0] * (problem.num_arms - len(labels))
    return pulled, labels, tau


def agrees(problem, algorithm, means, seed, times):
    arrivals = dict(zip(problem.arms, times, strict=True))
    runs = ga.simulate(
        dict(zip(problem.arms, means, strict=True)),
        problem=problem,
        algorithm=algorithm,
        runs=1,
        seed=seed,
        arrivals=arrivals,
    )
    pulled, labels, tau = run_by_asking(problem, algorithm, means, seed, times)
    assert runs.stop[0] == len(pulled)
    assert runs.pulls[0].tolist() == [pulled.count(k) for k in range(problem.num_arms)]
    assert runs.labels[0].tolist() == labels
    assert runs.tau[0][~np.isnan(runs.tau[0])].tolist() == tau
    if not isinstance(algorithm.sampling, ga.rules.SamplingRule):
        found = run_compiled(problem, algorithm, means, seed, arrivals=runs.arrivals)
        assert (found.pulled, found.labels, found.tau) == (pulled, labels, tau)
    return runs


REWARDS = {
    "bernoulli": {},
    "bounded": {"rewards": "bounded", "low": -1.0, "high": 1.0},
    "gaussian": {"rewards": "gaussian", "sigma": 0.3},
}


ARRIVALS = {
    "sampling": st.sampled_from([*SAMPLING, Least()]),
    "identification": st.sampled_from([*IDENTIFICATION, ga.rules.Lil(0.3)]),
    "warmup": st.sampled_from([1, 3]),
    "identify": st.booleans(),
    "times": st.lists(st.sampled_from([0, 0, 1, 2, 7, 40, 41, 10**6]), min_size=1, max_size=5),
    "means": st.lists(st.sampled_from([0.05, 0.3, 0.7, 0.95]), min_size=6, max_size=6),
    "until": st.sampled_from([None, 1, 2]),
    "max_pulls": st.sampled_from([None, 45, 150]),
    "later": st.sampled_from([None, 20]),
    "seed": st.integers(0, 99),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", REWARDS)
@settings(max_examples=40)
@given(**ARRIVALS)
def test_a_run_with_arrivals_is_what_ask_tell_and_add_arm_make(kind, **drawn):
    check_arrivals(kind, **drawn)


@pytest.mark.large
@pytest.mark.parametrize("kind", REWARDS)
@given(**ARRIVALS)
def test_many_runs_with_arrivals(kind, **drawn):
    check_arrivals(kind, **drawn)


def check_arrivals(
    kind, sampling, identification, warmup, identify, times, means, until, max_pulls, later, seed
):
    """Both engines make the run that ask, tell and add_arm make."""
    warm = ga.rules.Warmup(warmup, identify_during_warmup=identify)
    algorithm = ga.Algorithm(sampling=sampling, identification=identification, warmup=warm)
    if not can_take_rewards(algorithm, kind):
        return
    times = [0, *sorted(times)]
    problem = ga.Problem(
        [f"arm {k}" for k in range(len(times))],
        0.5,
        0.2,
        until=None if until is None else min(until, len(times)),
        max_pulls=2000 if max_pulls is None else max_pulls,
        arms_planned=None if later is None else len(times) + later,
        **REWARDS[kind],
    )
    agrees(problem, algorithm, means[: len(times)], seed, times)


@pytest.mark.parametrize("name", NAMED)
def test_named_algorithms_take_arms_that_arrive(name):
    problem = ga.Problem(["a", "b", "c", "d"], 0.5, 0.05, max_pulls=6000)
    runs = agrees(
        problem,
        ga.algorithms()[name].for_rewards("bernoulli"),
        [0.9, 0.2, 0.8, 0.1],
        3,
        [0, 0, 30, 500],
    )
    assert runs.engine == "reference"
    assert (runs.pulls > 0).all()


@pytest.mark.parametrize("sampling", SAMPLING)
def test_many_arms_arrive_in_the_middle_of_a_step_of_the_clock(sampling):
    """Indices that know how many arms there are change at once."""
    count = 30
    problem = ga.Problem(count, 0.5, 0.05, max_pulls=1150)
    means = [0.51, 0.5, *[0.3 + 0.01 * k for k in range(count - 2)]]
    algorithm = ga.Algorithm(sampling=sampling, identification="mixture")
    agrees(problem, algorithm, means, 2, [0, 0, *[1030] * (count - 2)])


@pytest.mark.parametrize("order", ["same", "own"])
def test_pools(order):
    problem = ga.Problem(4, 0.5, 0.05, pool=[30, 40, 20, 50], case_order=order)
    algorithm = ga.algorithms()["e-hdoc"].for_rewards("bernoulli")
    runs = agrees(problem, algorithm, [0.9, 0.2, 0.8, 0.1], 1, [0, 0, 10, 10**6])
    assert (runs.labels != 0).all()


def test_arrivals_at_the_start_are_no_arrivals():
    asked = {"threshold": 0.5, "delta": 0.05, "runs": 3}
    plain = ga.simulate([0.9, 0.1], **asked)
    assert ga.simulate([0.9, 0.1], **asked, arrivals={1: 0}) == plain
    assert ga.simulate([0.9, 0.1], **asked, arrivals={}) == plain
    later = ga.simulate([0.9, 0.1], **asked, arrivals={1: 5})
    assert later != plain
    assert later.arrivals == (0, 5)


def test_runs_do_not_depend_on_workers_and_are_kept(tmp_path):
    asked = {"threshold": 0.5, "delta": 0.05, "runs": 6, "arrivals": {"c": 40}}
    means = {"a": 0.9, "b": 0.1, "c": 0.7}
    runs = ga.simulate(means, **asked)
    assert ga.simulate(means, **asked, keep=tmp_path) == runs
    assert ga.simulate(means, **asked, keep=tmp_path) == runs
    assert ga.simulate(means, **{**asked, "arrivals": {"c": 9}}, keep=tmp_path) != runs
    runs.save(tmp_path / "runs.npz")
    assert ga.Runs.load(tmp_path / "runs.npz") == runs
    assert runs.to_dict()["arrivals"] == [0, 0, 40]


def test_more_arms_planned_take_more_pulls():
    asked = {"threshold": 0.5, "delta": 0.05, "runs": 20}
    few, many = (ga.simulate([0.9, 0.2], **asked, arms_planned=k) for k in (None, 10**6))
    assert (many.stop > few.stop).all()
    assert (
        ga.plan([0.9, 0.2], threshold=0.5, delta=0.05, arms_planned=10**6).problem == many.problem
    )


@pytest.mark.parametrize(
    ("arrivals", "match"),
    [
        ([1, 2], "must be a dict from arms to pulls"),
        ({0: 5}, "must leave the first arm at the start"),
        ({1: 5}, "must leave the first arm at the start and be in the order of the arms"),
        ({2: -1}, "must be a whole number"),
        ({7: 1}, "must be one of"),
    ],
)
def test_wrong_arrivals_are_refused(arrivals, match):
    with pytest.raises(ga.errors.SpecError, match=match):
        ga.simulate([0.9, 0.1, 0.5001], threshold=0.5, delta=0.05, arrivals=arrivals)


def test_the_fast_engine_refuses_arrivals():
    with pytest.raises(ga.errors.SpecError, match="'reference' or 'auto' for arms that arrive"):
        ga.simulate([0.9, 0.1], threshold=0.5, delta=0.05, arrivals={1: 5}, engine="fast")
