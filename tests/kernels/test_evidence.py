"""The mass of a Beta distribution above a bar, against mpmath."""

import mpmath
import numpy as np
import pytest

from goodarm.algorithm.identification.mixture.evidence import fit_prior_polynomials
from goodarm.kernels.numerics.beta import log_mass
from goodarm.kernels.numerics.mixture import log_prior


@pytest.mark.parametrize("bar", [1e-3, 0.02, 0.3, 0.5, 0.8, 0.99])
def test_masses_of_tiny_priors_are_never_too_small(bar):
    """Or the evidence would be too large."""
    rarer = min(bar, 1 - bar)
    for weight in (0.001, 0.003, 0.03):
        (row,) = fit_prior_polynomials((weight,))
        mass = exact(weight * bar / rarer, weight * (1 - bar) / rarer, bar)
        assert mass <= log_prior(bar, 1 - bar, row) <= mass + 0.005


def exact(a, b, bar, digits=60):
    with mpmath.workdps(digits):
        bar = mpmath.mpf(bar)
        mass = mpmath.betainc(a, b, bar, 1).real
        return float(mpmath.log(mass) - a * mpmath.log(bar) - b * mpmath.log(1 - bar))


SHAPES = [(1, 1), (0.5, 3), (4, 1.3), (30, 3), (5, 12), (1, 250), (64, 900), (249, 1), (500, 480)]


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_the_mass_is_that_of_mpmath(a, b):
    mean, digits = a / (a + b), 120 + int(a + b)  # as many as sums of a and b terms can cancel
    for bar in {0.004, 0.5, 0.9, mean, 0.9 * mean, 1.02 * mean, 0.5 * mean}:
        if bar < 1:
            found = log_mass(float(a), float(b), bar, 1 - bar)
            assert found == pytest.approx(exact(a, b, bar, digits), abs=1e-10, rel=1e-12), bar


@pytest.mark.parametrize("bar", [1e-9, 1e-3, 0.3, 0.5, 0.77, 0.999])
def test_the_polynomials_of_the_priors(bar):
    weights = (0.1, 0.3, 1.0, 4.0, 64.0)
    rows = fit_prior_polynomials(weights)
    rarer = min(bar, 1 - bar)
    for row, weight in zip(rows, weights, strict=True):
        if weight * rarer > 1e-5 or weight >= 1:
            found = log_prior(bar, 1 - bar, np.asarray(row))
            a, b = weight * bar / rarer, weight * (1 - bar) / rarer
            tolerance = 1e-10 if bar > 1e-6 else 1e-6
            assert found == pytest.approx(exact(a, b, bar), abs=tolerance)
