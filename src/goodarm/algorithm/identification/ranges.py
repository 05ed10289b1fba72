"""Check for rules with evidence: rewards have a known range, bars are not at its ends."""

from goodarm.algorithm.identification.problem_errors import make_problem_error
from goodarm.errors import invalid_argument
from goodarm.problem import MIN_PART, Problem
from goodarm.wording import Arg, EdgeText, phrase


def check_range(problem: Problem, name: str) -> None:
    """Raise an error unless rewards have a known range and the bars are not at its ends.

    At the ends the bar or one minus the bar has no digits left, and evidence would be noise.
    """
    if problem.rewards == "gaussian":
        needs = f"The {name} rule needs rewards in a known range, and Gaussian rewards have none."
        use = EdgeText(
            "python",
            phrase("{rule}, 'hoeffding' or 'lil'", rule=Arg("identification", "half-normal")),
            phrase("an {algorithm} that identifies by half-normal, such as e-hdoc"),
        )
        raise make_problem_error(
            name, needs, "take gaussian rewards", phrase("Use {use}.", use=use)
        )
    low, high = problem.reward_range or (0.0, 1.0)
    least = MIN_PART * (high - low)
    below = problem.threshold - problem.margin - low
    above = high - problem.threshold - problem.margin
    if below < least or above < least:
        rule = f"stay at least {least:g} away from {low:g} and {high:g}, margin included"
        raise invalid_argument("threshold", f"the {name} rule", rule, problem.threshold)
