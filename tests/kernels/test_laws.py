"""Tapes of distributions and pools: equal to the naive ones, and distributed as they should be."""

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import stats

import goodarm as ga
from goodarm.kernels.codes import NEVER
from goodarm.kernels.simulation.tape import draw_reward
from goodarm.rewards import Beta, Discrete, Uniform
from naive import tape as naive_tape

DISTRIBUTIONS = [
    Uniform(-2, 5),
    Uniform(1.25, 1.25),
    Discrete([3.0]),
    Discrete([1, 2, 3, 4, 5], [5, 10, 20, 40, 25]),
    Discrete(np.linspace(-2, 5, 1001) ** 3 / 25),
    Beta(mean=0.65, sd=0.1),
    Beta(mean=1.0, sd=1.5, low=-2, high=5),
    Beta(a=0.3, b=0.5),
    Beta(a=0.05, b=40),
    Beta(a=3, b=0.2),
    Beta(a=1, b=1),
    Beta(a=1e5, b=2e6),
]
SEEDS = [(0, 0), (7, 3), (2**64 - 1, 2**63)]


def bounded(num_arms=1, **keywords):
    return ga.Problem(num_arms, 0.5, 0.1, rewards="bounded", low=-2, high=5, **keywords)


def rewards_of(tape, arm, count):
    return [tape.next_reward(arm) for _ in range(count)]


@pytest.mark.parametrize(("seed", "run"), SEEDS)
def test_tape_equals_the_naive_tape(seed, run):
    problem = bounded(len(DISTRIBUTIONS) + 1)
    means = [*DISTRIBUTIONS, 1.5]
    tape = ga.simulation.Tape(problem, means, seed, run)
    for arm, mean in enumerate(means):
        expected = itertools.islice(naive_tape.tape(problem, seed, run, arm, mean), 600)
        assert rewards_of(tape, arm, 600) == list(expected), mean


def test_a_gaussian_problem_takes_them_too():
    problem = ga.Problem(3, 0.5, 0.1, rewards="gaussian", sigma=2)
    means = [Beta(mean=0, sd=1, low=-9, high=9), 0.5, Discrete([-30, 40])]
    tape = ga.simulation.Tape(problem, means, seed=1)
    for arm, mean in enumerate(means):
        expected = itertools.islice(naive_tape.tape(problem, 1, 0, arm, mean), 100)
        assert rewards_of(tape, arm, 100) == list(expected)


@pytest.mark.parametrize("given", [Discrete([0, 1], [3, 1]), Discrete({1: 0.25, 0: 0.75})])
def test_a_discrete_of_0_and_1_is_its_mean(given):
    problem = ga.Problem(1, 0.5, 0.1)
    tapes = [ga.simulation.Tape(problem, [mean], seed=4) for mean in (given, 0.25)]
    assert rewards_of(tapes[0], 0, 300) == rewards_of(tapes[1], 0, 300)


def test_going_back_to_a_number_of_words_is_going_back_on_the_tape():
    """What a walk does before a pull that would prove its arm good."""
    problem = bounded(len(DISTRIBUTIONS))
    tape = ga.simulation.Tape(problem, DISTRIBUTIONS, seed=5)
    for arm in range(len(DISTRIBUTIONS)):
        place = tape._places[arm]
        for n in range(1, 200):
            drawn = place["drawn"]
            reward = draw_reward(tape._setup, place, tape._numbers, arm, n)
            place["drawn"] = drawn
            assert draw_reward(tape._setup, place, tape._numbers, arm, n) == reward


SHAPES = [(14.1, 7.6), (2, 5), (1, 1), (1, 3), (0.5, 0.5), (0.3, 4), (6, 0.4), (400, 900)]
LEVEL = 1e-3 / len(SHAPES)
"""So rarely does a right sampler fail a test, all shapes together once in a thousand seeds."""


def sample(given, count=20_000, seed=1):
    return np.array(rewards_of(ga.simulation.Tape(bounded(), [given], seed), 0, count))


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_beta_rewards_have_their_distribution(a, b):
    """Rounding leaves no room next to 1: there, rewards may coincide."""
    found = sample(Beta(a=a, b=b))
    inner = found[found < 1 - 1e-12]
    edge = 1 - stats.beta(a, b).cdf(1 - 1e-12)
    assert stats.binomtest(len(found) - len(inner), len(found), max(edge, 1e-300)).pvalue > LEVEL
    cdf = stats.beta(a, b).cdf
    assert stats.kstest(inner, lambda x: cdf(x) / (1 - edge)).pvalue > LEVEL


@pytest.mark.parametrize(("a", "b"), [(0.01, 0.02), (0.02, 30), (200, 0.01), (1e8, 3e8)])
def test_extreme_beta_rewards_lie_below_quantiles_as_often_as_they_should(a, b):
    found = sample(Beta(a=a, b=b))
    points = stats.beta(a, b).ppf([0.2, 0.5, 0.8])
    for point in points[(points > 1e-300) & (points < 1 - 1e-6)]:
        below = int((found <= point).sum())
        share = stats.beta(a, b).cdf(point)
        assert stats.binomtest(below, len(found), share).pvalue > 1e-5


def test_a_beta_that_rejects_nothing_is_caught():
    u = np.array(list(itertools.islice(naive_tape.uniforms(1, 0, 0), 20_000)))
    weights = 2 * (u / (1 - u)) ** (5 / 13) ** 0.5
    wrong = weights / (5 + weights)
    assert stats.kstest(wrong, stats.beta(2, 5).cdf).pvalue < LEVEL


def test_uniform_rewards_have_their_distribution():
    assert stats.kstest(sample(Uniform(-1, 4)), stats.uniform(-1, 5).cdf).pvalue > 1e-3
    assert stats.kstest(sample(Uniform(-1, 4.2)), stats.uniform(-1, 5).cdf).pvalue < 1e-3


def test_discrete_rewards_come_as_often_as_their_weights_say():
    given = Discrete([1, 2, 3, 4, 5], [5, 10, 20, 40, 25])
    counts = Counter(sample(given).tolist())
    pairs = list(zip(given.values, given.shares, strict=True))
    pvalues = [stats.binomtest(counts[value], 20_000, share).pvalue for value, share in pairs]
    assert min(pvalues) > 1e-3 / 5
    swapped = [stats.binomtest(counts[6 - value], 20_000, share).pvalue for value, share in pairs]
    assert min(swapped) < 1e-3 / 5


@pytest.mark.parametrize("given", DISTRIBUTIONS[:6])
def test_mean_and_sd_are_those_of_the_rewards(given):
    found = sample(given)
    error = given.sd / np.sqrt(len(found))
    assert abs(found.mean() - given.mean) <= 4 * error + 1e-12
    assert found.std() == pytest.approx(given.sd, rel=0.03)


class TestPools:
    @pytest.mark.parametrize(("seed", "run"), SEEDS)
    def test_tape_equals_the_naive_tape(self, seed, run):
        sizes, means = [1, 4, 200, 1000, 60], [1.0, 0.5, 0.805, 0.0, 1.0]
        problem = ga.Problem(5, 0.5, 0.1, pool=sizes)
        tape = ga.simulation.Tape(problem, means, seed, run)
        for arm, (size, mean) in enumerate(zip(sizes, means, strict=True)):
            found = rewards_of(tape, arm, size)
            assert found == list(naive_tape.tape(problem, seed, run, arm, mean))
            assert sum(found) == round(size * mean)
        assert (tape._places["next_success"] == NEVER).all()

    @pytest.mark.parametrize(("seed", "run"), SEEDS)
    def test_scores_equal_the_naive_ones(self, seed, run):
        given = [Discrete([0, 1, 4], [2, 1, 1]), Discrete([0.5, 3]), Discrete(range(5))]
        problem = bounded(3, pool={0: 40, 1: 6, 2: 5})
        tape = ga.simulation.Tape(problem, given, seed, run)
        for arm, (size, mean) in enumerate(zip(problem.pools, given, strict=True)):
            found = rewards_of(tape, arm, size)
            assert found == list(naive_tape.tape(problem, seed, run, arm, mean))
            counts = Counter(found)
            assert [counts[value] for value in mean.values] == (mean.shares * size).tolist()

    def test_no_case_comes_after_the_last(self):
        problem = ga.Problem(["a"], 0.5, 0.1, pool=3)
        tape = ga.simulation.Tape(problem, [1.0], seed=0)
        assert rewards_of(tape, "a", 3) == [1.0, 1.0, 1.0]
        with pytest.raises(
            ga.errors.ProtocolError, match="Arm 'a' has had all 3 cases of its pool"
        ):
            tape.next_reward("a")

    def orders(self, problem, means, size, runs=6000):
        found = Counter()
        for run in range(runs):
            tape = ga.simulation.Tape(problem, means, 1, run)
            found[tuple(rewards_of(tape, 0, size))] += 1
        return found

    @pytest.mark.parametrize(
        ("problem", "means"),
        [
            (ga.Problem(1, 0.5, 0.1, pool=4), [0.5]),
            (bounded(pool=3), [Discrete([0, 1, 2])]),
        ],
    )
    def test_every_order_is_as_likely(self, problem, means):
        found = self.orders(problem, means, problem.pool)
        assert len(found) == 6
        pvalues = [stats.binomtest(count, 6000, 1 / 6).pvalue for count in found.values()]
        assert min(pvalues) > 1e-3 / 6

    def test_a_shuffle_that_takes_any_place_is_caught(self):
        """The classic mistake: the k-th changes places with any, not with one of those left."""
        found = Counter()
        for run in range(6000):
            order, draws = [0, 1, 2], naive_tape.all_words(1, run, 0)
            for k in range(3):
                j = next(draws) * 3 >> 64
                order[k], order[j] = order[j], order[k]
            found[tuple(order)] += 1
        pvalues = [stats.binomtest(count, 6000, 1 / 6).pvalue for count in found.values()]
        assert min(pvalues) < 1e-3 / 6

    def test_a_large_pool_is_read_to_its_end(self):
        problem = ga.Problem(1, 0.5, 0.1, pool=100_000)
        tape = ga.simulation.Tape(problem, [0.00007], seed=2)
        place, n, hits = tape._places[0], 0, 0
        while (n := int(place["next_success"])) < NEVER:
            assert draw_reward(tape._setup, place, tape._numbers, 0, n) == 1.0
            hits += 1
        assert hits == 7
