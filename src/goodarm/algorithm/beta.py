"""The mass of a Beta distribution above a bar, many at a time and with nothing that cancels.

    mass(a, b, bar) = integral over t from bar to 1 of (t / bar)^a ((1 - t) / rest)^b dt / (t (1 - t))
                    = B(a, b) P(Beta(a, b) > bar) / (bar^a rest^b),   rest = 1 - bar

Within three deviations of the bar the integral is done by a quadrature in the log-odds. Further
away log B is split into a deviance, which is total times a divergence, and small corrections, and
what is missing from the whole, or all there is, comes from a continued fraction.
"""

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Floats = NDArray[np.float64]

_BLOCK: Final = 8192
"""So many at a time stay near the processor."""
_NEAR: Final = 4.5
"""The deviance up to which the quadrature is used: three deviations."""
_FALL: Final = 32.0
"""The integrand is followed until it has fallen by so many powers of e."""
_NODES: Final = np.polynomial.legendre.leggauss(28)
_MORE_NODES: Final = np.polynomial.legendre.leggauss(64)
_FEW: Final = 20.0
"""Below so many of either outcome the integrand is skewed and takes more nodes."""
_TINY: Final = 0.5
"""Below it the integrand has no peak."""
_MOST_TERMS: Final = 3000
_HALF_LOG_TWO_PI: Final = 0.5 * math.log(2.0 * math.pi)


def log_mass(a: ArrayLike, b: ArrayLike, bar: ArrayLike, rest: ArrayLike) -> Floats:
    """The log of the mass above the bar, for arrays of any one shape.

    >>> round(float(log_mass(1.0, 1.0, 0.5, 0.5)), 6)
    0.693147
    """
    given = np.broadcast_arrays(*(np.asarray(part, np.float64) for part in (a, b, bar, rest)))
    flat = [part.ravel() for part in given]
    found = np.empty(flat[0].shape)
    for start in range(0, len(found), _BLOCK):
        block = slice(start, start + _BLOCK)
        found[block] = _log_mass(*(part[block] for part in flat))
    return found.reshape(given[0].shape)


def _log_mass(a: Floats, b: Floats, bar: Floats, rest: Floats) -> Floats:
    total = a + b
    depth = deviance(a, total * bar) + deviance(b, total * rest)
    is_above = a >= total * bar
    is_near = depth < _NEAR
    rarer = np.minimum(a, b)
    kinds: tuple[tuple[NDArray[np.bool_], Callable[..., Floats]], ...] = (
        (is_near & (rarer < _TINY), _by_scipy),
        (is_near & (_TINY <= rarer) & (rarer < _FEW), _by_more_nodes),
        (is_near & (rarer >= _FEW), _by_nodes),
        (~is_near & is_above, _by_what_is_missing),
        (~is_near & ~is_above, _by_what_is_left),
    )
    found = np.empty_like(a)
    for mask, method in kinds:
        chosen = np.flatnonzero(mask)
        if len(chosen) == len(a):
            return method(a, b, bar, rest, depth)
        if len(chosen):
            found[chosen] = method(*(part[chosen] for part in (a, b, bar, rest, depth)))
    return found


def _by_scipy(a: Floats, b: Floats, bar: Floats, rest: Floats, _: Floats) -> Floats:
    tail = np.log(special.betaincc(a, b, bar))
    return np.asarray(special.betaln(a, b) + tail - a * np.log(bar) - b * np.log(rest))


def _by_nodes(a: Floats, b: Floats, bar: Floats, rest: Floats, _: Floats) -> Floats:
    return _integrate(a, b, bar, rest, _NODES)


def _by_more_nodes(a: Floats, b: Floats, bar: Floats, rest: Floats, _: Floats) -> Floats:
    return _integrate(a, b, bar, rest, _MORE_NODES)


def _integrate(
    a: Floats, b: Floats, bar: Floats, rest: Floats, rule: tuple[Floats, Floats]
) -> Floats:
    """Gauss and Legendre's rule over v, the log-odds less those of the bar."""
    nodes, weights = rule
    found = np.empty_like(a)
    rows = max(_BLOCK * 4 // len(nodes), 1)
    for start in range(0, len(a), rows):
        block = slice(start, start + rows)
        found[block] = _sum(a[block], b[block], bar[block], rest[block], nodes, weights)
    return found


def _sum(
    a: Floats, b: Floats, bar: Floats, rest: Floats, nodes: Floats, weights: Floats
) -> Floats:
    total = a + b
    peak = np.maximum(np.log(a / b * rest / bar), 0.0)
    end = peak + math.sqrt(2.0 * _FALL) * np.sqrt(total / a / b) + _FALL / b
    # (1 - bar + bar e^v)^-total e^(a v), written from the side on which the bar is small.
    is_low = bar <= 0.5
    slope, small = np.where(is_low, a, -b), np.where(is_low, bar, rest)
    v = np.multiply.outer(0.5 + 0.5 * nodes, end)
    bent = np.log1p(small * np.expm1(np.where(is_low, v, -v)))
    mass = 0.5 * end * (weights @ np.exp(slope * v - total * bent))
    return np.asarray(np.log(mass))


def _by_what_is_missing(a: Floats, b: Floats, bar: Floats, rest: Floats, depth: Floats) -> Floats:
    """The whole of B(a, b) / (bar^a rest^b), less what lies below the bar."""
    corrections = _stirling(a) + _stirling(b) - _stirling(a + b)
    whole = depth + _HALF_LOG_TWO_PI + 0.5 * np.log((a + b) / a / b) + corrections
    scale = np.exp(-whole) / a
    return np.asarray(whole + np.log1p(-scale * _fraction(a, b, bar, scale)))


def _by_what_is_left(a: Floats, b: Floats, bar: Floats, rest: Floats, _: Floats) -> Floats:
    return np.asarray(np.log(_fraction(b, a, rest, np.ones_like(a)) / b))


def deviance(count: Floats, expected: Floats) -> Floats:
    """Count log(count / expected) + expected - count, without cancellation."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (count - expected) / expected
        series = expected * _excess(ratio)
        direct = special.xlogy(count, count / expected) + expected - count
    return np.where(np.abs(ratio) < 0.1, series, direct)


def _excess(u: Floats) -> Floats:
    """(1 + u) log(1 + u) - u for small u: the sum of (-u)^k / (k (k - 1)) from k = 2."""
    u = np.clip(u, -0.1, 0.1)
    terms = np.zeros_like(u)
    for k in range(18, 1, -1):
        terms = 1.0 / (k * (k - 1)) - u * terms
    return u * u * terms


def _stirling(x: Floats) -> Floats:
    """Log Gamma(x) less Stirling's main terms."""
    y = 1.0 / np.maximum(x, 10.0)
    z = y * y
    series = y * (
        1 / 12 - z * (1 / 360 - z * (1 / 1260 - z * (1 / 1680 - z * (1 / 1188 - z * 691 / 360360))))
    )
    small = np.flatnonzero(x < 10.0)
    if len(small):
        few = x[small]
        main = (few - 0.5) * np.log(few) - few + _HALF_LOG_TWO_PI
        series[small] = special.gammaln(few) - main
    return np.asarray(series)


def _fraction(a: Floats, b: Floats, x: Floats, scale: Floats) -> Floats:
    """The continued fraction F of I_x(a, b) = x^a (1 - x)^b F / (a B(a, b)), for small I only.

    Until scale times F moves by less than a rounding of 1, or F by less than one of its own.
    """
    value = np.ones_like(a)
    active = np.arange(len(a))
    total = a + b
    near, far = np.ones_like(a), np.ones_like(a)  # the last two numerators over the denominator
    below = np.ones_like(a)  # the last denominator but one, over the last
    last = 1.0 / (1.0 - total * x / (a + 1.0))
    far, below, near = far * last, last, near * last
    for m in range(1, _MOST_TERMS):
        step = a + 2 * m
        even = m * (b - m) * x / ((step - 1.0) * step)
        odd = (a + m) * (total + m) * x / (step * (step + 1.0))
        middle = near + even * far
        under = 1.0 + even * below
        last = 1.0 / (under - odd)
        newer = (middle - odd * near) * last
        far, below = middle * last, under * last
        moved = np.abs(newer - near)
        near = newer
        if m % 3:
            continue
        value[active] = near
        going = (moved > 1e-15 * np.abs(near)) & (moved * scale > 1e-16)
        if not going.any():
            break
        if going.mean() < 0.7:
            active, a, b, x, total, scale, near, far, below = (
                part[going] for part in (active, a, b, x, total, scale, near, far, below)
            )
    return value
