"""The parameters of lil'HDoC."""

import math

import pytest

import goodarm as ga
from goodarm.algorithm.identification.lil.parameters import MAX_WARMUP, compute_exponent
from goodarm.kernels.numerics.formulas import hoeffding_bound, lil_bound

GRID = [
    (num_arms, delta)
    for num_arms in (2, 3, 6, 7, 30, 100, 1682, 10_000, 100_000)
    for delta in (1e-6, 1e-4, 0.001, 0.01, 0.05, 0.1, 0.2, 0.3)
]


@pytest.mark.parametrize(
    ("num_arms", "epsilon", "c", "warmup"),
    [
        (6, 0.0202863, 5367.905, 1673),
        (7, None, None, 1721),
        (100, None, None, 2785),
        (1682, 0.01416658, None, 3493),
    ],
)
def test_known_values(num_arms, epsilon, c, warmup):
    found = ga.rules.lil_parameters(num_arms, delta=0.01)
    assert found.warmup == warmup
    if epsilon is not None:
        assert found.epsilon == pytest.approx(epsilon, rel=1e-6)
    if c is not None:
        assert found.c == pytest.approx(c, abs=1e-3)


@pytest.mark.parametrize(("num_arms", "delta"), GRID)
def test_epsilon_is_the_largest_that_the_condition_allows(num_arms, delta):
    epsilon = ga.rules.lil_parameters(num_arms, delta).epsilon
    room = min(math.log(math.log(x)) / math.log(x) for x in (num_arms + 1, 1 / delta))
    assert compute_exponent(epsilon) - 1 <= room
    assert compute_exponent(epsilon * (1 + 1e-9)) - 1 > room


@pytest.mark.parametrize(("num_arms", "delta"), GRID)
def test_the_warm_up_ends_where_the_lil_bound_is_no_wider_than_hoeffdings(num_arms, delta):
    found = ga.rules.lil_parameters(num_arms, delta)

    def is_no_wider(n):
        return lil_bound(n, num_arms, delta, found.epsilon, found.c) <= hoeffding_bound(
            n, num_arms, delta
        )

    def inequality(n):
        r = compute_exponent(found.epsilon)
        left = n**2 / math.log((1 + found.epsilon) * n) ** r
        return left >= 0.25 * (num_arms / delta) ** (r - 1) * found.c**r

    for n in (found.warmup - 1, found.warmup // 2):
        assert not is_no_wider(n)
        assert not inequality(n)
    for n in (found.warmup, found.warmup + 1, 2 * found.warmup, 1000 * found.warmup):
        assert is_no_wider(n)
        assert inequality(n)


@pytest.mark.parametrize(("num_arms", "delta"), [(1, 0.01), (6, 0.4), (6, 1 / math.e)])
def test_where_no_epsilon_exists_the_error_says_so_and_how_to_go_on(num_arms, delta):
    with pytest.raises(ga.errors.SpecError, match=r"does not exist.*Lil\(epsilon=0.01\)"):
        ga.rules.lil_parameters(num_arms, delta)
    assert ga.rules.lil_parameters(num_arms, delta, epsilon=0.01).warmup > 0


def test_one_arm_with_lil_hdoc_is_refused_and_an_explicit_epsilon_accepted():
    problem = ga.Problem(1, 0.5, 0.05)
    with pytest.raises(ga.errors.SpecError, match="single arm"):
        ga.Identifier(problem, "lil-hdoc")
    algorithm = ga.Algorithm(sampling="hdoc", identification=ga.rules.Lil(0.01), warmup="paper")
    assert ga.Identifier(problem, algorithm).ask().arm == 0


def test_extreme_numbers_end():
    for num_arms, delta in ((2, 1e-308), (10**308, 0.1), (10**400, 0.1)):
        with pytest.raises(ga.errors.SpecError, match="number of arms / delta"):
            ga.rules.lil_parameters(num_arms, delta)


def test_a_warm_up_beyond_all_measure_is_refused():
    assert ga.rules.lil_parameters(6, 0.3678).warmup == pytest.approx(2.7e8, rel=0.02)
    with pytest.raises(ga.errors.SpecError, match=f"above {MAX_WARMUP:,}.*smaller delta"):
        ga.Identifier(ga.Problem(6, 0.5, 0.3678), "lil-hdoc")


@pytest.mark.parametrize("epsilon", [0, 1e-10, 1, -0.1, math.nan, "0.1", True])
def test_epsilon_must_be_a_number_between_0_and_1(epsilon):
    with pytest.raises(
        ga.errors.SpecError, match="'epsilon' of Lil must be a number strictly between"
    ):
        ga.rules.Lil(epsilon)
