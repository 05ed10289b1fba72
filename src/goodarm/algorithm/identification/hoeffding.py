"""Hoeffding's bound, with delta split over arms and pulls."""

from dataclasses import dataclass
from typing import ClassVar

from goodarm.algorithm.identification.bound import BoundRule
from goodarm.kernels import codes


@dataclass(frozen=True)
class Hoeffding(BoundRule):
    """Hoeffding test: good when m - U(n) reaches the threshold, bad when m + U(n) is at most it.

    Guarantee: any wrong label with probability at most delta. After n pulls an arm's mean is off
    by U(n) on one side with probability at most delta / (4 K n^2); summed over all n and K arms
    that is below 0.42 delta, whatever is pulled and whenever one looks.

    Reference: Kano et al. 2019, Algorithm 1.

    >>> Hoeffding()
    Hoeffding()
    """

    name: ClassVar[str] = "hoeffding"
    code: ClassVar[int] = codes.HOEFFDING
    formula: ClassVar[str] = "U(n) = sqrt(log(4 K n^2 / delta) / (2 n))"
