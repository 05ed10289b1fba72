"""Problems in words: for the command line, notebooks, reports and pages."""

from functools import partial
from typing import Any, NamedTuple

from goodarm.problem import Problem
from goodarm.views.numbers import format_money, format_setting, plural

Fact = tuple[str, str]
"""Name and value of a setting."""


class ProblemFacts(NamedTuple):
    """Problem as views describe it; None where a setting is absent.

    Args:
        num_arms: how many arms there are.
        thresholds, pools, costs: the smallest and the largest of all arms.
        margin, delta, rewards, low, high, sigma, until, max_pulls, arms_planned, gap: as in
            Problem.
        is_percent: thresholds, margin and gap are shown in percent.
        max_cost: likewise.
    """

    num_arms: int
    thresholds: tuple[float, float]
    delta: float
    margin: float = 0.0
    rewards: str = "bernoulli"
    low: float | None = None
    high: float | None = None
    sigma: float | None = None
    pools: tuple[int, int] | None = None
    until: int | None = None
    max_pulls: int | None = None
    arms_planned: int | None = None
    gap: float | None = None
    is_percent: bool = False
    costs: tuple[float, float] | None = None
    max_cost: float | None = None


def get_problem_facts(problem: Problem) -> ProblemFacts:
    """Return the Question of a Problem."""
    pool: Any = problem.pool
    sizes = pool if isinstance(pool, tuple) else (pool,)
    cost: Any = problem.cost
    costs = cost if isinstance(cost, tuple) else (cost,)
    return ProblemFacts(
        num_arms=problem.num_arms,
        thresholds=(problem.threshold, problem.threshold),
        delta=problem.delta,
        margin=problem.margin,
        rewards=problem.rewards,
        low=problem.low,
        high=problem.high,
        sigma=problem.sigma,
        pools=None if pool is None else (min(sizes), max(sizes)),
        until=problem.until,
        max_pulls=problem.max_pulls,
        arms_planned=problem.arms_planned,
        gap=problem.gap,
        costs=None if cost is None else (min(costs), max(costs)),
        max_cost=problem.max_cost,
    )


def describe_problem(problem: Problem) -> str:
    """Describe a problem in a few words, for the title of a table.

    >>> describe_problem(Problem(3, 0.5, 0.05, pool=200, gap=0.1))
    '3 arms at threshold 0.5, out of 200 cases, delta 0.05, gap hint 0.1'
    """
    question = get_problem_facts(problem)
    return ", ".join([describe_bars(question), *list_settings(question)])


def get_end_name(problem: Problem) -> str:
    """Return what the end of a run is called in tables."""
    is_cut = any(
        limit is not None for limit in (problem.until, problem.max_pulls, problem.max_cost)
    )
    return "until the end" if is_cut else "until all decided"


def describe_bars(question: ProblemFacts) -> str:
    """Describe the arms and their thresholds.

    >>> describe_bars(ProblemFacts(1, (0.5, 0.9), 0.05, margin=0.1, pools=(20, 3000)))
    '1 arm at their own thresholds, 0.5 to 0.9 with margin 0.1, out of 20 to 3,000 cases'
    >>> describe_bars(ProblemFacts(3, (0.6, 0.6), 0.05, margin=0.03, is_percent=True))
    '3 arms at threshold 60 % with margin 3 %'
    """
    least, most = question.thresholds
    format_share = partial(format_setting, percent=question.is_percent)
    bars = f"threshold {format_share(least)}"
    if least != most:
        bars = f"their own thresholds, {format_share(least)} to {format_share(most)}"
    margin = f" with margin {format_share(question.margin)}" if question.margin else ""
    cases = "" if question.pools is None else f", out of {_describe_cases(question.pools)}"
    return f"{plural(question.num_arms, 'arm')} at {bars}{margin}{cases}"


def list_settings(question: ProblemFacts) -> list[str]:
    """List all other settings in words.

    >>> list_settings(ProblemFacts(3, (0.5, 0.5), 0.05, until=1, max_pulls=2000, arms_planned=5))
    ['delta 0.05', 'until 1 good arm', 'at most 2,000 pulls', '5 arms planned']
    """
    found = [f"delta {format_setting(question.delta)}"]
    found += describe_rewards(question.rewards, question.low, question.high, question.sigma)
    if question.until is not None:
        found.append(f"until {plural(question.until, 'good arm')}")
    if question.max_pulls is not None:
        found.append(f"at most {plural(question.max_pulls, 'pull')}")
    if question.arms_planned is not None:
        found.append(f"{plural(question.arms_planned, 'arm')} planned")
    if question.gap is not None:
        found.append(f"gap hint {format_setting(question.gap)}")
    if question.costs is not None:
        found.append(f"a pull costs {_describe_costs(question.costs)}")
    if question.max_cost is not None:
        found.append(f"at most {format_money(question.max_cost)} in all")
    return found


def describe_rewards(
    rewards: str, low: float | None, high: float | None, sigma: float | None
) -> list[str]:
    """Describe the kind of rewards; return an empty list for rewards of 0 and 1.

    >>> describe_rewards("bounded", 0.0, 5.0, None), describe_rewards("gaussian", None, None, 2.0)
    (['rewards from 0 to 5'], ['Gaussian rewards with sigma 2'])
    """
    if rewards == "bounded":
        return [f"rewards from {format_setting(low or 0.0)} to {format_setting(_find_high(high))}"]
    if rewards == "gaussian":
        return [f"Gaussian rewards with sigma {format_setting(sigma or 0.0)}"]
    return []


def describe_question(question: ProblemFacts) -> str:
    """Return the problem as a question in words.

    >>> describe_question(ProblemFacts(3, (0.5, 0.5), 0.05, margin=0.1))
    'Which of these 3 arms have a mean reward of at least 0.5, give or take 0.1?'
    """
    which = "Is the mean reward of this arm"
    if question.num_arms > 1:
        which = f"Which of these {question.num_arms:,} arms have a mean reward of"
    slack = f", give or take {format_setting(question.margin)}" if question.margin else ""
    pool = ""
    if question.pools is not None:
        least, most = question.pools
        pool = f" over {_describe_cases((least, most))} each"
        if least == most:
            pool = f" over their {least:,} cases"
    return f"{which} at least {format_setting(question.thresholds[0])}{pool}{slack}?"


def list_facts(question: ProblemFacts) -> tuple[list[Fact], list[Fact]]:
    """Return the settings by their names: those that all problems have, and the others."""
    rewards = {
        "bernoulli": "0 or 1",
        "bounded": f"from {format_setting(question.low or 0.0)} to "
        f"{format_setting(_find_high(question.high))}",
        "gaussian": f"Gaussian, sigma {format_setting(question.sigma or 0.0)}",
    }
    common = [
        ("Threshold", format_setting(question.thresholds[0])),
        ("Delta", format_setting(question.delta)),
        ("Rewards", rewards[question.rewards]),
    ]
    others: list[Fact] = []
    if question.margin:
        others.append(("Margin", format_setting(question.margin)))
    if question.pools is not None:
        others.append(("Pool", f"{_describe_cases(question.pools)} of each arm"))
    if question.until is not None:
        others.append(("Until", plural(question.until, "good arm")))
    if question.max_pulls is not None:
        others.append(("At most", plural(question.max_pulls, "pull")))
    if question.arms_planned is not None:
        others.append(("Arms planned", f"{question.arms_planned:,}"))
    if question.gap is not None:
        others.append(("Gap hint", format_setting(question.gap)))
    if question.costs is not None:
        others.append(("Cost of a pull", _describe_costs(question.costs)))
    if question.max_cost is not None:
        others.append(("Maximum cost", format_money(question.max_cost)))
    return common, others


def _describe_cases(pools: tuple[int, int]) -> str:
    least, most = pools
    return plural(least, "case") if least == most else f"{least:,} to {most:,} cases"


def _describe_costs(costs: tuple[float, float]) -> str:
    least, most = map(format_setting, costs)
    return least if least == most else f"{least} to {most}"


def _find_high(high: float | None) -> float:
    return 1.0 if high is None else high
