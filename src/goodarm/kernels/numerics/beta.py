"""Mass of a Beta distribution above a bar, without cancellation.

    mass(a, b) = integral over t from bar to 1 of (t / bar)^a ((1 - t) / rest)^b dt / (t (1 - t))
               = B(a, b) P(Beta(a, b) > bar) / (bar^a rest^b),   rest = 1 - bar

Near the bar the integral is computed by quadrature in the log-odds. Further away log B is split
into a deviance, which is a count times a divergence, and small corrections, and a continued
fraction gives the mass below the bar, to be subtracted, or the whole mass above it.
"""

import math
from typing import Final

import numpy as np

from goodarm.kernels.compilation.jit import interpreted_first, kernel, merged
from goodarm.kernels.numerics.gamma import log_gamma

_QUADRATURE_DEVIANCE: Final = 1.5
"""Deviance up to which the fraction would need many terms."""
_QUADRATURE_FALL: Final = 25.0
"""Log of the factor by which the integrand falls before the quadrature ends."""
_FEW_COUNTS: Final = 20.0
"""Count of the rarer outcome up to which the fraction needs few terms everywhere."""
_PLACES, _SHARES = np.polynomial.legendre.leggauss(28)
_EXCESS: Final = np.array([1.0 / (k * (k - 1)) for k in range(15, 1, -1)])
_MAX_TERMS: Final = 3000
_TINY: Final = 1e-100
_ALMOST_ONE: Final = 1.0 - 1e-9
_HALF_LOG_TWO_PI: Final = 0.5 * math.log(2.0 * math.pi)


@kernel
def log_mass(a: float, b: float, bar: float, rest: float) -> float:
    """Return the log of the mass above the bar."""
    total = a + b
    depth = deviance(a, total * bar) + deviance(b, total * rest)
    if depth < _QUADRATURE_DEVIANCE and min(a, b) > _FEW_COUNTS:
        return _integrate(a, b, bar, rest)
    if a < total * bar:
        return math.log(_fraction(b, a, rest, bar, 1.0) / b)
    corrections = _stirling(a) + _stirling(b) - _stirling(total)
    whole = depth + _HALF_LOG_TWO_PI + 0.5 * math.log(total / a / b) + corrections
    scale = math.exp(-whole) / a
    if scale < 1e-18:
        return whole
    return whole + math.log1p(-min(scale * _fraction(a, b, bar, rest, scale), _ALMOST_ONE))


@interpreted_first(lambda a, *_: len(a))
def fill_masses(
    a: np.ndarray, b: np.ndarray, bars: np.ndarray, rests: np.ndarray, found: np.ndarray
) -> None:
    """Fill ``found`` with ``log_mass`` of each element."""
    for k in range(len(a)):
        found[k] = log_mass(a[k], b[k], bars[k], rests[k])


@kernel
def deviance(count: float, expected: float) -> float:
    """Return count log(count / expected) + expected - count, without cancellation."""
    if count <= 0.0:
        return expected
    gap = count - expected
    u = gap / expected
    if u < -0.5:
        return count * math.log(count / expected) - gap
    if abs(u) >= 0.1 or abs(gap) < 1e3:
        return count * math.log1p(u) - gap
    # (1 + u) log(1 + u) - u is the sum of (-u)^k / (k (k - 1)) from k = 2.
    terms = 0.0
    for k in range(len(_EXCESS)):
        terms = _EXCESS[k] - u * terms
    return expected * u * u * terms


@merged
def _integrate(a: float, b: float, bar: float, rest: float) -> float:
    """Integrate by the Gauss-Legendre rule over v, the log-odds minus those of the bar."""
    total = a + b
    peak = max(math.log(a / b * rest / bar), 0.0)
    end = peak + math.sqrt(2.0 * _QUADRATURE_FALL * total / a / b) + _QUADRATURE_FALL / b
    mass = 0.0
    for k in range(len(_PLACES)):
        v = (0.5 + 0.5 * _PLACES[k]) * end
        # e^(a v) (rest + bar e^v)^-total, written from the side on which the bar is small.
        if bar <= 0.5:
            log = a * v - total * math.log1p(bar * math.expm1(v))
        else:
            log = -b * v - total * math.log1p(rest * math.expm1(-v))
        mass += _SHARES[k] * math.exp(log)
    return math.log(0.5 * end * mass)


@kernel
def _stirling(x: float) -> float:
    """Return log Gamma(x) minus the main terms of Stirling's formula."""
    if x < 10.0:
        return log_gamma(x) - (x - 0.5) * math.log(x) + x - _HALF_LOG_TWO_PI
    y = 1.0 / x
    z = y * y
    return y * (
        1 / 12 - z * (1 / 360 - z * (1 / 1260 - z * (1 / 1680 - z * (1 / 1188 - z * 691 / 360360))))
    )


@kernel
def _fraction(a: float, b: float, x: float, y: float, scale: float) -> float:
    """Return the continued fraction F of I_x(a, b) = x^a y^b F / (a B(a, b)), for small I only.

    y = 1 - x. It ends when F changes by a part of less than 1e-12, or scale times F by less than
    1e-12.
    """
    total = a + b
    # The last numerator, and the previous numerator and denominator, over the last denominator.
    near = (a + 1.0) / max(1.0 - b + total * y, _TINY)
    far = below = near
    for m in range(1, _MAX_TERMS):
        step = a + 2 * m
        part = x / ((step - 1.0) * step * (step + 1.0))
        even = m * (b - m) * (step + 1.0) * part
        odd = (a + m) * (total + m) * (step - 1.0) * part
        middle, under = near + even * far, 1.0 + even * below
        last = 1.0 / max(under - odd, _TINY)
        newer = (middle - odd * near) * last
        far, below = middle * last, under * last
        moved = abs(newer - near)
        near = newer
        if moved <= 1e-12 * near or moved * scale <= 1e-12:
            break
    return near
