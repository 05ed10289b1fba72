"""Where rules with evidence can be used: rewards in a known range, bars not at its ends."""

from goodarm.errors import SpecError, must
from goodarm.problem import Problem
from goodarm.problem.rewards import LEAST_PART


def check_range(problem: Problem, name: str) -> None:
    """Rewards must lie in a known range, and the bars not at its very ends.

    There one minus the bar has no digits left, and evidence would be noise.
    """
    if problem.rewards == "gaussian":
        needs = f"The {name} rule needs rewards in a known range, and Gaussian ones have none."
        raise SpecError(
            f"{needs} Use identification='half-normal', 'hoeffding' or 'lil'.",
            f"{needs} Use an --algorithm that identifies by half-normal, such as e-hdoc.",
        )
    low, high = problem.reward_range or (0.0, 1.0)
    least = LEAST_PART * (high - low)
    below = problem.threshold - problem.margin - low
    above = high - problem.threshold - problem.margin
    if below < least or above < least:
        rule = f"stay at least {least:g} away from {low:g} and {high:g}, margin included"
        raise must("threshold", f"the {name} rule", rule, problem.threshold)
