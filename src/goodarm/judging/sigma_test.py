"""Test of a sigma by the rewards themselves.

For Gaussian rewards with mean m and standard deviation sigma, and for all that are sub-Gaussian
with sigma, z = (x - m) / sigma has E exp(l z^2 / 2) <= (1 - l)^(-1/2) for 0 <= l < 1, given all
that came before. So the product of sqrt(1 - l) exp(l z^2 / 2) over rewards, in the order in which
they came and over all arms, is a supermartingale that begins at 1: under any adaptive choice of
arms and any stopping it exceeds 1 / level with probability at most level (Ville). The mean is not
known, but the squares around an arm's own average are smaller than those around its mean, so that

    E(l) = (1 - l)^(N / 2) exp(l S / (2 sigma^2)),

with N rewards and S the squares within arms, never exceeds that product. Neither does the average
of E(l) over l that were fixed beforehand. It does not depend on the order of rewards: counts of
values suffice, and so do sums that an engine computes.

A few arms with a wide spread would be lost among many with a narrow one, so each arm also has
evidence of its own: the same with N and S of that arm alone. The product over its rewards is a
supermartingale that begins at 1, as it does not change while other arms are pulled. The test uses
the average of two parts: the evidence of all rewards together, and the mean of the arms' own
evidence. The weights, 1/2 and 1 / (2 K) for each of the K arms of the table, are fixed, and an
average of supermartingales with fixed weights is a supermartingale. (The maximum of the arms'
evidence is not.) The labels, too, need arms that were not chosen by their rewards.
"""

import math
from collections.abc import Sequence
from copy import copy
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goodarm.errors import SpecError, invalid_argument
from goodarm.views.names import printable
from goodarm.wording import Arg, phrase

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEVEL: Final = 1e-6
"""Maximum probability that a sigma is refused although it is large enough."""
VARIANCE_RATIOS: Final = (1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1e4, 1e8)
"""True variances, in units of sigma^2, that each l detects best: l = 1 - 1 / ratio."""


def log_evidence(rewards: ArrayLike, squares: ArrayLike) -> Floats:
    """Return the log of the evidence that sigma is too small.

    Args:
        rewards: the number of rewards.
        squares: the sum of their squared deviations from their arm's average, in units of sigma^2.

    >>> log_evidence([2, 2], [0.0, 132.0]).round(1).tolist()
    [-1.3, 59.0]
    """
    ratios = np.array(VARIANCE_RATIOS)
    shares, prices = np.multiply.outer(squares, 1.0 - 1.0 / ratios), np.log(ratios)
    logs = 0.5 * (shares - np.multiply.outer(rewards, prices))
    return np.asarray(np.logaddexp.reduce(logs, axis=-1) - math.log(len(ratios)))


def log_evidence_of_arms(rewards: Floats, squares: Floats) -> tuple[float, float]:
    """Return the logs of the two parts that are averaged.

    They are the evidence of all rewards together, and the mean of the arms' own evidence.
    """
    own = np.logaddexp.reduce(log_evidence(rewards, squares)) - math.log(len(rewards))
    return float(log_evidence(rewards.sum(), squares.sum())), float(own)


class Spread:
    """Number of rewards of each arm, their mean, and the sum of squared deviations from it."""

    def __init__(self) -> None:
        self._rewards = self._means = self._squares = np.zeros(0)

    def copy(self) -> "Spread":
        """Return a copy."""
        return copy(self)  # arrays are replaced, never changed

    def add(self, codes: Ints, values: Floats, times: Floats, num_arms: int) -> None:
        """Add rewards with the number of times that each occurred."""
        rewards = np.bincount(codes, times, num_arms).astype(float)
        sums = np.bincount(codes, times * values, num_arms)
        means = np.divide(sums, rewards, out=np.zeros(num_arms), where=rewards > 0)
        apart = (values - means[codes]) ** 2
        squares = np.bincount(codes, times * apart, num_arms).astype(float)
        self.add_counted(np.arange(num_arms), rewards, means, squares)

    def add_counted(self, codes: Ints, rewards: Floats, means: Floats, squares: Floats) -> None:
        """Add the moments of arms whose rewards have been summed already."""
        num_arms = max(len(self._rewards), int(codes.max(initial=-1)) + 1)
        before = [self._grow_array(part, num_arms) for part in self._parts]
        here = [np.zeros(num_arms) for _ in before]
        for part, given in zip(here, (rewards, means, squares), strict=True):
            part[codes] = given
        both = before[0] + here[0]
        share = np.divide(here[0], both, out=np.zeros(num_arms), where=both > 0)
        apart = here[1] - before[1]
        self._rewards = both
        self._means = before[1] + apart * share
        self._squares = before[2] + here[2] + apart**2 * before[0] * share

    @property
    def _parts(self) -> tuple[Floats, Floats, Floats]:
        return self._rewards, self._means, self._squares

    @staticmethod
    def _grow_array(part: Floats, num_arms: int) -> Floats:
        return np.append(part, np.zeros(num_arms - len(part)))

    def check_sigma(self, sigma: float, arms: Sequence[Any]) -> None:
        """Raise an error if the rewards' spread shows that sigma is too small.

        ``arms`` are the names of the arms, in the order of their codes.
        """
        rewards, squares = self._rewards, self._squares
        if not len(rewards):  # the table has sums, not single rewards
            return
        together, own = log_evidence_of_arms(rewards, squares / sigma**2)
        if np.logaddexp(together, own) - math.log(2) < -math.log(LEVEL):
            return
        if together >= own:
            freedom = rewards.sum() - np.count_nonzero(rewards)
            found = math.sqrt(squares.sum() / freedom)
            raise _make_sigma_error(sigma, f"{rewards.sum():,.0f} of them", found, "within arms")
        arm = int(log_evidence(rewards, squares / sigma**2).argmax())
        found = math.sqrt(squares[arm] / (rewards[arm] - 1))
        name = f"the {rewards[arm]:,.0f} of arm {printable(arms[arm])!r}"
        raise _make_sigma_error(sigma, name, found, "around their average")


def _make_sigma_error(sigma: float, which: str, found: float, where: str) -> SpecError:
    rule = (
        f"not be far below the spread of the rewards: {which} have a standard deviation of "
        f"{found:.4g} {where}, for which the chance is at most {LEVEL:g} if sigma is right"
    )
    remedy = phrase(
        "Give a sigma that is surely large enough or, for rewards in a known range, {rewards} with "
        "{low} and {high}. To skip this test, {pass} {trust}.",
        rewards=Arg("rewards", "bounded"),
        trust=Arg("trust_sigma", True),
    )
    return invalid_argument("sigma", "check", rule, sigma, remedy)
