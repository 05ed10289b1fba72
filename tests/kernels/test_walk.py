"""Walks and jumps equal their naive twins, and what the plain loop makes of the same pulls."""

import copy
import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.kernels.clock import find_clock_end
from goodarm.kernels.codes import CURVE
from goodarm.kernels.dispatch import index_clock
from goodarm.kernels.index import index_at, mark_at
from goodarm.kernels.simulation import walk as kernel
from goodarm.kernels.simulation.jump import jump, pull_best_arm
from goodarm.kernels.simulation.keys import compute_keys
from goodarm.kernels.simulation.plain_loop import advance
from goodarm.kernels.simulation.state import make_scratch
from goodarm.kernels.simulation.steering import choose_depth
from goodarm.kernels.simulation.tape import draw_reward
from helpers import SAMPLING, make_naive_case, run_under_way
from naive import algorithms as naive
from naive import tape as naive_tape
from naive import walk as twin

STATUS = {
    kernel.BELOW: twin.BELOW,
    kernel.PROVEN_BAD: twin.DEAD,
    kernel.DUE: twin.DUE,
    kernel.TOO_LONG: twin.TOO_LONG,
}
PAIRS = [
    ("bernoulli", "hoeffding"),
    ("bernoulli", ga.rules.Lil(0.6)),
    ("bernoulli", "mixture"),
    ("bernoulli", "kelly"),
    ("bounded", "hoeffding"),
    ("bounded", "mixture"),
    ("bounded", "betting"),
    ("bounded", ga.rules.Betting(gamblers=10, tilt=0.5, tail=5, widen=True)),
    ("gaussian", "hoeffding"),
    ("gaussian", "half-normal"),
]
FAR = 400
"""No walk or jump here makes more pulls."""


RICH = {
    0.3: ga.rewards.Beta(mean=0.3, sd=0.2),
    0.5: ga.rewards.Discrete([0, 0.5, 1]),
    0.7: ga.rewards.Uniform(0.5, 0.9),
}
"""What stands for some means where rewards are drawn from distributions."""


class Ahead:
    """All unit rewards of an arm, drawn when they are first asked for."""

    def __init__(self, rewards):
        self.rewards, self.known = rewards, []

    def __getitem__(self, place):
        end = place.stop if isinstance(place, slice) else place + 1
        self.known.extend(itertools.islice(self.rewards, max(end - len(self.known), 0)))
        return self.known[place]


class Scene:
    """A run in the middle: its state, and the same as the naive twins want it."""

    def __init__(self, means, sampling, pair, warmup, pulls, seed, max_pulls=10**6):
        rewards, identification = pair
        sigma = {"sigma": 0.5} if rewards == "gaussian" else {}
        if seed & 1 and rewards != "bernoulli":
            means = [RICH.get(mean, mean) for mean in means]
        is_pool = seed & 1 and rewards == "bernoulli" and identification == "mixture"
        size = 1000 if seed < 16 else 500  # that of the examples; the twin is quicker with fewer
        pool = [size] * len(means) if is_pool else None
        self.problem = ga.Problem(
            len(means), 0.5, 0.2, rewards=rewards, max_pulls=max_pulls, pool=pool, **sigma
        )
        self.algorithm = ga.Algorithm(
            sampling=sampling, identification=identification, warmup=warmup
        )
        run = run_under_way(self.problem, self.algorithm, means, seed)
        while not run.is_over and run.pulls < warmup * len(means) + pulls:
            run.step(warmup * len(means) + pulls - run.pulls)
        assume(not run.is_over)
        self.t, self.state = run.pulls, run.state
        self.setup = self.algorithm.setup(self.problem)
        self.scratch = make_scratch(self.setup, self.state)
        self.room = max_pulls - self.t
        if self.setup.is_stepped:
            compute_keys(self.setup, self.state, self.scratch)
            self.room = min(max_pulls, find_clock_end(self.setup, self.t)) - self.t
        growing, self.curves = (
            self.algorithm.rule(self.problem).curves(self.setup),
            np.zeros(1, CURVE),
        )
        if growing is not None:
            end = self.t + 10 * FAR  # a solo may go so far
            self.curves = growing.reach(end, float(end))
        self.case = make_naive_case(self.problem, self.algorithm)
        self.alive = [int(arm) for arm in self.state.alive[: self.state.progress["alive"][0]]]
        self.tapes, self.arms = {}, {}
        for arm in self.alive:
            words = naive_tape.tape(self.problem, seed, 0, arm, means[arm])
            n, s = self.state.arms[arm].item()[:2]
            unit = ((x - self.problem.offset) / self.problem.scale for x in words)
            self.tapes[arm] = Ahead(unit)
            self.arms[arm] = naive.Arm(n, s, self.tapes[arm][:n], cases=pool[arm] if pool else 0)

    def indices(self, t):
        clock = index_clock(self.setup, t)
        arms = self.state.arms
        return {
            arm: index_at(self.setup, n, s / n, clock)
            for arm in self.alive
            for n, s in [arms[arm].item()[:2]]
        }

    def mark(self, arm, depth):
        """A mark a little below an arm's index; or, for a whole number, where failures bring it."""
        if isinstance(depth, float):
            return self.indices(self.t)[arm] - depth
        n, s = self.arms[arm].n + depth, self.arms[arm].s
        return naive.SAMPLING[self.case.sampling](naive.Arm(n, s), self.t, self.case)

    def check_arm(self, arm):
        """The arm's counts, the rewards that come next, and its wealth."""
        expected = self.arms[arm]
        n, s = self.state.arms[arm].item()[:2]
        assert (n, s) == (expected.n, expected.s)
        if self.setup.keeps_wealth:
            naive.label_of(self.case, expected)
            assert self.state.wealth[arm] == pytest.approx(expected.logs, rel=1e-9, abs=1e-9)
        place = self.state.places[arm : arm + 1].copy()[0]
        units = [
            (draw_reward(self.setup, place, self.state.numbers, arm, n + k) - self.setup.offset)
            / self.setup.scale
            for k in range(1, 11)
        ]
        assert units == self.tapes[arm][n : n + 10]


SCENES = {
    "means": st.lists(
        st.sampled_from([0.0, 0.05, 0.3, 0.5, 0.5, 0.7, 1.0]), min_size=1, max_size=6
    ),
    "sampling": st.sampled_from(SAMPLING),
    "pair": st.sampled_from(PAIRS),
    "warmup": st.sampled_from([1, 2, 10]),
    "pulls": st.integers(0, 60),
    "seed": st.integers(0, 2**32),
}
DEPTHS = st.one_of(st.floats(1e-9, 0.3), st.integers(1, 40))


WALKS = {
    **SCENES,
    "depth": DEPTHS,
    "most": st.sampled_from([1, 5, FAR]),
    "which": st.integers(0, 5),
}
JUMPS = {
    **SCENES,
    "depth": st.floats(1e-9, 0.3),
    "room": st.sampled_from([3, FAR, FAR]),
}


@settings(max_examples=30)
@given(**WALKS)
@example(  # an arm with a pool, which is proven bad a case before one without
    means=[0.0, 0.0, 0.0, 0.0, 0.05],
    sampling="kl-moss",
    pair=("bernoulli", "mixture"),
    warmup=1,
    pulls=0,
    seed=9,
    depth=0.125,
    most=FAR,
    which=4,
)
def test_a_walk_is_its_twin(**drawn):
    check_walk(**drawn)


@pytest.mark.large
@settings(max_examples=150)
@given(**WALKS)
def test_many_walks_are_their_twins(**drawn):
    check_walk(**drawn)


def check_walk(means, sampling, pair, warmup, pulls, seed, depth, most, which):
    """A walk of the kernel ends as the twin's does, with the same arm."""
    scene = Scene(means, sampling, pair, warmup, pulls, seed)
    setup, state, scratch = scene.setup, scene.state, scene.scratch
    arm = scene.alive[which % len(scene.alive)]
    mark = scene.mark(arm, depth)
    status, *_ = kernel.walk(
        setup,
        scene.curves,
        state.arms[arm],
        state.places[arm],
        state.numbers,
        scratch.hints[arm],
        state.wealth,
        scratch.old_wealth,
        arm,
        index_clock(setup, scene.t),
        mark_at(setup, mark),
        most,
        10**9,
        seeks=True,
    )
    expected = twin.walk(scene.case, scene.arms[arm], scene.tapes[arm], scene.t, mark, most)
    assert STATUS[status] == expected
    scene.check_arm(arm)


def parts(state):
    """Everything that defines a run, as lists; the words of a block follow from what was drawn."""
    alive = state.alive[: state.progress["alive"][0]]
    places = [state.places[name].tolist() for name in ("drawn", "next_success")]
    others = (state.arms, state.labels, state.wealth, state.progress, alive)
    return [*places, *(part.tolist() for part in others)]


def check_plain_pulls(scene, before, made):
    """The plain loop comes from the state before to the state after by ``made`` pulls."""
    advance(scene.setup, scene.curves, before, make_scratch(scene.setup, before), made)
    assert parts(before) == parts(scene.state)


POOL = {
    "means": [0.0],
    "sampling": "hdoc",
    "pair": ("bernoulli", "mixture"),
    "warmup": 1,
    "seed": 1,
}


@settings(max_examples=60)
@given(**JUMPS)
@example(**POOL, pulls=1, depth=0.0078125, room=3)
@example(**POOL, pulls=0, depth=0.25, room=400)
def test_a_jump_is_its_twin(**drawn):
    check_jump(**drawn)


@pytest.mark.large
@settings(max_examples=150)
@given(**JUMPS)
def test_many_jumps_are_their_twins(**drawn):
    check_jump(**drawn)


def check_jump(means, sampling, pair, warmup, pulls, seed, depth, room):
    """A jump of the kernel moves all arms as the twin's does, and as the plain loop."""
    end = warmup * len(means) + pulls + room
    scene = Scene(means, sampling, pair, warmup, pulls, seed, max_pulls=end)
    setup, state, scratch = scene.setup, scene.state, scene.scratch
    top = max(scene.indices(scene.t).values())
    scratch.steering["reach"], scratch.steering["rate"] = 2.0**20, 2.0**20 / depth
    depth = choose_depth(scratch.steering, top)
    before, clock = copy.deepcopy(state), index_clock(setup, scene.t)
    made = jump(setup, scene.curves, state, scratch, clock, top, scene.room)
    arms, case = copy.deepcopy(scene.arms), scene.case
    rounds = 1 if setup.is_stepped else None
    dead = twin.jump(case, arms, scene.tapes, scene.t, top - depth, scene.room, rounds)
    if made == 0:
        assert dead is None
        assert parts(before) == parts(state)
        return
    assert dead is not None
    scene.arms = arms
    for arm in scene.alive:
        scene.check_arm(arm)
        assert state.labels[arm] == (-1 if arm in dead else 0)
    check_plain_pulls(scene, before, made)


@settings(max_examples=50)
@given(**SCENES)
@example(means=[0.5], sampling="hdoc", pair=("bernoulli", "mixture"), warmup=1, pulls=0, seed=8)
def test_a_solo_is_what_the_plain_loop_makes(**drawn):
    check_solo(**drawn)


@pytest.mark.large
@settings(max_examples=100)
@given(**SCENES)
def test_many_solos_are_what_the_plain_loop_makes(**drawn):
    check_solo(**drawn)


def check_solo(means, sampling, pair, warmup, pulls, seed):
    """The plain loop makes the pulls of a solo."""
    scene = Scene(means, sampling, pair, warmup, pulls, seed, max_pulls=pulls + 10 * FAR)
    indices = scene.indices(scene.t)
    best = max(indices, key=indices.get)
    others = {arm: index for arm, index in indices.items() if arm != best}
    second = max(others, key=others.get) if others else -1
    setup, before = scene.setup, copy.deepcopy(scene.state)
    clock = index_clock(setup, scene.t)
    scratch, room = scene.scratch, scene.room
    made = pull_best_arm(setup, scene.curves, scene.state, scratch, clock, best, second, room)
    check_plain_pulls(scene, before, made)


@given(st.integers(1, 3000), st.floats(0, 1), st.sampled_from([0.1, 0.5, 0.9]))
def test_failures_alone_prove_nothing_before_the_first_bad(n, share, threshold):
    setup = ga.algorithms()["hdoc"].algorithm.setup(ga.Problem(3, threshold, 0.1))
    s = float(math.floor(share * n))
    first = kernel.find_first_bad(setup, n, s)
    assert first > n
    bad = [s / k + naive.hoeffding(k, 3, 0.1) <= threshold for k in range(n + 1, first + 1)]
    assert not any(bad[:-1])
