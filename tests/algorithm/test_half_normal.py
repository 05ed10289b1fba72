"""The half-normal mixture: against quadrature, its bounds, its hint, its limits."""

import math

import mpmath
import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm.algorithm import make_setup
from goodarm.algorithm.identification import Tally


def by_quadrature(n, total, scales):
    """The mixture as it is defined: exp(a S - n a^2 / 2) over half-normal drifts.

    What does not depend on the drift stands before the integral, and the two exponents are one.
    """
    weights = [mpmath.mpf(1) / ((j + 1) * (j + 2)) for j in range(len(scales))]
    found = mpmath.mpf(0)
    for weight, scale in zip(weights, scales, strict=True):
        t = mpmath.mpf(scale)

        curvature = n + 1 / t**2

        def density(a, curvature=curvature):
            return mpmath.exp(a * (total - curvature * a / 2))

        peak = max(total, 0) / curvature
        width = 1 / mpmath.sqrt(curvature)
        ends = sorted({mpmath.mpf(0), peak, peak + 8 * width, peak + 40 * width})
        half_normal = mpmath.sqrt(2 / mpmath.pi) / t
        found += weight / mpmath.fsum(weights) * half_normal * mpmath.quad(density, ends)
    return found


@pytest.mark.parametrize("n", [1, 7, 100, 10**4])
@pytest.mark.parametrize("place", [-5.0, -0.5, 0.0, 1.0, 4.0, 12.0])
def test_it_is_the_mixture(n, place):
    rule = ga.rules.HalfNormal()
    total = place * math.sqrt(n)
    with mpmath.workdps(20):
        expected = float(mpmath.log(by_quadrature(n, total, rule.scales)))
    assert float(rule.log_good(n, total / 2, 0.0)) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert float(rule.log_bad(n, -total / 2, 0.0)) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_no_nan_far_out():
    rule = ga.rules.HalfNormal()
    n = np.array([1.0, 1e3, 1e9, 1e12])
    for place in (-1e8, -40.0, 0.0, 40.0, 1e8):
        assert np.isfinite(rule.log_good(n, place * np.sqrt(n), 0.0)).all()


@pytest.mark.parametrize("delta", [0.2, 1e-6])
def test_a_bound_is_where_the_evidence_just_reaches_the_level(delta):
    problem = ga.Problem(3, 1.0, delta, rewards="gaussian", sigma=2.0)
    rule = ga.rules.HalfNormal()
    setup = make_setup(problem, rule)
    n = np.array([1, 5, 50, 5000])
    totals = np.array([0.3, -2.0, 40.0, 100.0])
    lower, upper = rule.interval(setup, Tally(n, totals), (setup.level, setup.level))
    assert rule.log_good(n, totals, lower) == pytest.approx(setup.level, rel=1e-9)
    assert rule.log_bad(n, totals, upper) == pytest.approx(setup.level, rel=1e-9)


def test_a_hint_is_one_scale_and_explicit_scales_stay():
    problem = ga.Problem(1, 0, 0.05, rewards="gaussian", sigma=4.0, gap=2.0)
    assert ga.rules.HalfNormal().for_problem(problem) == ga.rules.HalfNormal(scales=[0.5])
    assert ga.rules.HalfNormal(scales=[0.1, 0.2]).for_problem(problem) == ga.rules.HalfNormal(
        scales=[0.1, 0.2]
    )
    runs = ga.simulate([2.0], problem=problem, runs=2)
    assert runs.algorithm["parameters"]["scale"] == 0.5


@pytest.mark.parametrize("scales", [[], [0.0], [1e7], ["x"], None])
def test_scales_must_be_numbers(scales):
    with pytest.raises(ga.errors.SpecError, match="'scales' of HalfNormal must"):
        ga.rules.HalfNormal(scales=scales)


def test_it_is_for_gaussian_rewards_alone():
    with pytest.raises(ga.errors.SpecError, match="half-normal rule is for Gaussian rewards"):
        ga.simulate([0.6], threshold=0.5, delta=0.05, algorithm="kl-moss+half-normal", runs=1)
    with pytest.raises(ga.errors.SpecError, match="mixture rule needs rewards in a known range"):
        ga.simulate(
            [0.6],
            threshold=0.5,
            delta=0.05,
            algorithm="kl-moss+mixture",
            rewards="gaussian",
            sigma=1,
            runs=1,
        )
