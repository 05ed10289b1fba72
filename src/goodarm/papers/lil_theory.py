"""Theory of the lil'HDoC paper, and lower bounds that hold for every algorithm.

The paper's theory needs at least two arms and a delta below 1/e; the lower bounds need neither.
"""

import math

import numpy as np

from goodarm.algorithm import (
    bound_lil_hdoc_pulls,
    lil_parameters,
    lower_bound_good,
    lower_bound_stop,
)
from goodarm.datasets import Instance
from goodarm.kernels.numerics.formulas import hoeffding_bound, lil_bound
from goodarm.papers.theory import Theory
from goodarm.results import Fact, Quantity, Widths


def information_bound(instance: Instance, delta: float, quantity: Quantity) -> float:
    """Return a lower bound, for any algorithm, on the expected pulls to a quantity."""
    if quantity.count is None:
        return lower_bound_stop(instance.means, instance.threshold, delta)
    return lower_bound_good(instance.means, instance.threshold, delta, quantity.count)


def compute_lil_facts(instance: Instance, delta: float) -> tuple[Fact, ...]:
    """Return the parameters of lil'HDoC, and the pulls that suffice by its theorem."""
    found = lil_parameters(instance.num_arms, delta)
    gaps = [abs(mean - instance.threshold) for mean in instance.means]
    pulls = sum(bound_lil_hdoc_pulls(gap, instance.num_arms, delta) for gap in gaps)
    suffices = pulls if math.isfinite(pulls) else None
    return (
        Fact("epsilon", "epsilon", found.epsilon, f"{found.epsilon:.6g}"),
        Fact("c", "c", found.c, f"{found.c:.6g}"),
        Fact("warmup", "warm-up T of each arm", found.warmup, f"{found.warmup:,}"),
        Fact(
            "suffices",
            "pulls that suffice by the theorem, all arms",
            suffices,
            "infinite" if suffices is None else f"{suffices:.4g}",
        ),
    )


def compute_lil_widths(instance: Instance, delta: float) -> Widths:
    """Compute Hoeffding's bound and the LIL bound, which cross at the warm-up."""
    num_arms = instance.num_arms
    epsilon, c = (found := lil_parameters(num_arms, delta)).epsilon, found.c
    pulls = np.unique(np.geomspace(10, 1e7, 200).round())
    return Widths(
        title="The two confidence bounds",
        caption="Half widths times sqrt(n), which makes them near flat. The LIL bound is the "
        "narrower one from T pulls on: the warm-up of lil'HDoC.",
        pulls=pulls,
        lines={
            "Hoeffding": np.array([hoeffding_bound(int(n), num_arms, delta) for n in pulls]),
            "LIL": np.array([lil_bound(int(n), num_arms, delta, epsilon, c) for n in pulls]),
        },
        crossing=found.warmup,
        crossing_name="T",
    )


LIL_THEORY = Theory(information_bound, compute_lil_facts, compute_lil_widths)
