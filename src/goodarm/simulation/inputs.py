"""Input of a simulation: means, or samples in place of means."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from goodarm.errors import invalid_argument
from goodarm.problem import Arm, Problem, resolve_problem
from goodarm.rewards import Discrete
from goodarm.simulation.instance import SimulatedArms, fit_instance, split_means
from goodarm.simulation.pools import check_cases
from goodarm.wording import phrase

if TYPE_CHECKING:
    from goodarm.tables import Samples

_OF_REWARDS: Final = ("margin", "rewards", "low", "high", "sigma")
"""Problem keywords that are needed to validate rewards."""


class SimulationInput(NamedTuple):
    """Arms, or their number, with a mean or a distribution for each.

    Args:
        arms: the arms' labels, or their number.
        values: a mean or a distribution for each.
        sizes: how many rewards each arm's sample has; None for means.
        read_as: how samples were read, where they were not in the documented form.

    >>> SimulationInput(2, [0.7, 0.4]).fit(Problem(2, threshold=0.5), "simulate").means.tolist()
    [0.7, 0.4]
    """

    arms: int | list[Arm]
    values: list[object]
    sizes: Mapping[Arm, int] | None = None
    """number of rewards in each arm's sample, if samples were given"""
    read_as: str = ""
    """how the table of samples was interpreted, if it is not in the documented form"""

    def fit(self, problem: Problem, owner: str) -> SimulatedArms:
        """Validate the arms; return the instance in the order of the problem's arms.

        Args:
            problem: the problem to be simulated.
            owner: the function that an error names.

        Raises:
            SpecError: arms or values do not suit the problem.
        """
        if self.sizes is None:
            return fit_instance(problem, self.arms, self.values, owner)
        check_cases(problem, self.sizes, owner)
        return fit_instance(problem, self.arms, self.values, owner, "samples")


def read_input(
    owner: str,
    means: object,
    samples: object,
    problem: object,
    threshold: float | None,
    delta: float | None,
    options: Mapping[str, Any],
) -> SimulationInput:
    """Read the arms from means or from samples; exactly one of the two must be given.

    Args:
        owner: the function that an error names.
        means: means or distributions, by arm or in order; None for samples.
        samples: a table of observed rewards; None for means.
        problem: the problem to be simulated; None to make one of the options.
        threshold: its threshold.
        delta: its delta.
        options: its other keywords.

    Returns:
        The arms with a mean or a distribution each, before they are fitted to a problem.

    Raises:
        SpecError: neither or both are given, or they cannot be read.

    >>> read_input("simulate", [0.7, 0.4], None, None, 0.5, 0.05, {}).arms
    2
    """
    if samples is None:
        if means is None:
            rule = phrase("be given, or {samples} in their place")
            raise invalid_argument("means", owner, rule, None)
        return SimulationInput(*split_means(means, owner))
    if means is not None:
        rule = phrase("be left out if {samples} are given")
        raise invalid_argument("means", owner, rule, means)
    if isinstance(problem, Problem):
        kind = problem
    else:
        own = {name: options[name] for name in _OF_REWARDS if name in options}
        kind = resolve_problem(owner, 1, problem, threshold, delta, own)
    from goodarm.tables import read_samples  # imports every reader, which means do not need

    return make_distributions(read_samples(samples, kind, owner))


def make_distributions(samples: "Samples") -> SimulationInput:
    """Turn each arm's rewards into a distribution that draws from them with replacement."""
    values: list[object] = []
    for rewards in samples.rewards:
        distinct, counts = np.unique(rewards, return_counts=True)
        values.append(Discrete(distinct, counts))
    sizes = dict(zip(samples.arms, map(len, samples.rewards), strict=True))
    return SimulationInput(samples.arms, values, sizes, samples.read_as)
