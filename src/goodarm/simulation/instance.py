"""True means and reward distributions of a simulation's arms, and their validation."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.arguments import check_list, check_number, parse_share
from goodarm.errors import SpecError, invalid_argument
from goodarm.problem import MAX_UNITS, OTHER_REWARDS, Arm, Problem
from goodarm.rewards import Beta, Discrete, Distribution, Uniform
from goodarm.simulation.pools import count_cases, count_successes
from goodarm.wording import phrase

Mean = float | Distribution
Means = Sequence[Mean] | NDArray[Any] | Mapping[Arm, Mean]
Distributions = tuple[Distribution | None, ...]

_WHAT: Final = "numbers or distributions, or a mapping from arm to one of them"


class SimulatedArms(NamedTuple):
    """True means of the arms, and distributions: None for an arm that has only a mean.

    Args:
        means: (K,) the true means.
        distributions: the arms' distributions; None if all have a mean alone.

    >>> SimulatedArms(np.array([0.7, 0.4])).documents is None
    True
    """

    means: NDArray[np.float64]
    distributions: Distributions | None = None

    @property
    def documents(self) -> tuple[dict[str, Any] | None, ...] | None:
        """Distributions as JSON documents."""
        if self.distributions is None:
            return None
        return tuple(None if each is None else each.to_dict() for each in self.distributions)


def split_means(means: object, owner: str) -> tuple[int | list[Arm], list[object]]:
    """Split means into arms and values; without a mapping, the arms are their number.

    Args:
        means: a sequence or a mapping from arm to mean or distribution.
        owner: the function that an error names.

    Returns:
        The arms' labels, or their number, and the values.

    Raises:
        SpecError: the means are no sequence or mapping, or empty.

    >>> split_means({"a": 0.7, "b": 0.4}, "simulate")
    (['a', 'b'], [0.7, 0.4])
    """
    if isinstance(means, Mapping):
        return list(means), list(means.values())
    values = check_list("means", owner, means, _WHAT)
    if not values:
        raise invalid_argument("means", owner, "have at least one arm", values)
    return len(values), values


def fit_instance(
    problem: Problem,
    arms: int | list[Arm],
    values: list[object],
    owner: str,
    argument: str = "means",
) -> SimulatedArms:
    """Validate means that were split, and put them in the order of the problem's arms.

    Args:
        problem: the problem to be simulated.
        arms: the arms' labels, or their number.
        values: a mean or distribution for each.
        owner: the function that an error names.
        argument: the argument that an error names, ``"means"`` or ``"samples"``.

    Returns:
        Means and distributions in the order of ``problem.arms``.

    Raises:
        SpecError: arms or values do not suit the problem.

    >>> problem = Problem(["a", "b"], threshold=0.5)
    >>> fit_instance(problem, ["b", "a"], [0.7, 0.4], "simulate").means.tolist()
    [0.4, 0.7]
    """
    if len(values) != problem.num_arms:
        if argument == "samples":
            raise invalid_argument(
                argument, owner, f"have rewards of each of {problem.num_arms} arms", arms
            )
        raise invalid_argument(
            "means", owner, f"have one mean for each of {problem.num_arms} arms", values
        )
    if isinstance(arms, list):
        named = dict(zip(map(str, arms), values, strict=True))
        for arm in problem.arms:
            if str(arm) not in named:
                what = "mean" if argument == "means" else "rewards"
                remedy = f"Arm {arm!r} has no {what}."
                raise invalid_argument(
                    argument, owner, "name the arms of the problem", arms, remedy
                )
        values = [named[str(arm)] for arm in problem.arms]
    if problem.pools is None and not any(isinstance(value, Distribution) for value in values):
        return SimulatedArms(np.array(_parse_means(problem, values, owner), np.float64))
    fitted = [
        _fit(problem, position, value, owner, argument) for position, value in enumerate(values)
    ]
    distributions = tuple(distribution for _, distribution in fitted)
    means = np.array([mean for mean, _ in fitted], np.float64)
    return SimulatedArms(
        means, None if all(each is None for each in distributions) else distributions
    )


def _fit(
    problem: Problem, position: int, value: object, owner: str, argument: str
) -> tuple[float, Distribution | None]:
    """Validate one arm; return its mean, and its distribution if it has more than a mean."""
    arm = problem.arms[position]
    if isinstance(value, Distribution):
        _check_support(problem, arm, value, owner, argument)
    if problem.rewards == "bernoulli" or not isinstance(value, Distribution):
        if isinstance(value, Distribution):
            mean = value.mean
        else:
            (mean,) = _parse_means(problem, [value], owner)
        if problem.pools is None:
            return mean, None
        if problem.rewards != "bernoulli":
            remedy = "A mean alone does not say what the scores of the cases are."
            rule = f"give arm {arm!r} a Discrete: the scores of its pool, each with its share"
            raise invalid_argument(argument, owner, rule, value, remedy)
        size = problem.pools[position]
        return count_successes(arm, size, mean, owner, argument) / size, None
    if problem.pools is not None:
        count_cases(arm, problem.pools[position], value, owner, argument)
    return value.mean, value


def _parse_means(problem: Problem, values: list[object], owner: str) -> list[float]:
    """Parse means; reject those outside the range of rewards."""
    shares = [parse_share("means", owner, value, problem.reward_range) for value in values]
    means = [check_number("means", owner, value) for value in shares]
    if problem.reward_range is not None:
        low, high = problem.reward_range
        for mean in means:
            if not low <= mean <= high:
                raise invalid_argument(
                    "means", owner, f"lie in [{low:g}, {high:g}], the rewards' range", mean
                )
    return means


def _check_support(
    problem: Problem, arm: Arm, value: Distribution, owner: str, argument: str
) -> None:
    """Reject a distribution that can draw rewards which the problem does not allow."""
    if not isinstance(value, Beta | Discrete | Uniform):
        rule = f"give arm {arm!r} a number, a Beta, a Discrete or a Uniform"
        raise invalid_argument(argument, owner, rule, value)
    if problem.rewards == "bernoulli":
        if isinstance(value, Discrete) and set(value.values) <= {0.0, 1.0}:
            return
        rule = f"give arm {arm!r} a mean, or a Discrete of 0 and 1, for bernoulli rewards"
        raise invalid_argument(argument, owner, rule, value, OTHER_REWARDS)
    least, most = problem.reward_range or (-MAX_UNITS, MAX_UNITS)
    low, high = value.support
    if low < least or high > most:
        wrong = low if low < least else high
        rule = f"draw the rewards of arm {arm!r} from [{least:g}, {most:g}], and not {wrong!r}"
        raise invalid_argument(argument, owner, rule, value)


def check_ends(problem: Problem, means: NDArray[np.float64], can_starve: bool, owner: str) -> None:
    """Reject a simulation that would never end because an arm's mean is on the threshold.

    Under a sampling rule that can starve arms, ``until`` may never be reached. A pool always ends:
    its last case labels the arm, even one on the threshold.

    Args:
        problem: the problem to be simulated.
        means: (K,) the true means.
        can_starve: whether the sampling rule can keep an arm from ever being pulled again.
        owner: the function that an error names.

    Raises:
        SpecError: a run would never end.

    >>> check_ends(Problem(1, threshold=0.5), np.array([0.5]), False, "simulate")
    Traceback (most recent call last):
    goodarm.errors.SpecError: ...
    """
    on_threshold = np.flatnonzero(means == problem.threshold)
    has_cap = problem.find_max_pulls(owner) is not None
    has_end = problem.margin > 0 or has_cap or problem.pools is not None
    if has_end or len(on_threshold) == 0:
        return
    num_above = int((means > problem.threshold).sum())
    if problem.until is not None and problem.until <= num_above and not can_starve:
        return
    arm = problem.arms[on_threshold[0]]
    if can_starve:
        remedy = phrase(
            "Give a {margin} or a {max_pulls}, because this sampling rule may never leave that arm."
        )
    elif num_above > 0:
        remedy = phrase(
            "Give a {margin}, a {max_pulls}, or an {until} of at most {most}, the number of arms "
            "above the threshold.",
            most=str(num_above),
        )
    else:
        remedy = phrase("Give a {margin} or a {max_pulls}.")
    endless = (
        f"The simulation would never end: arm {arm!r} has its mean on the threshold "
        f"{problem.threshold!r}, so no rule can label it."
    )
    raise SpecError(
        endless,
        argument="means",
        owner=owner,
        rule="lie off the threshold, or the runs need another end",
        value=problem.threshold,
        remedy=remedy,
    )
