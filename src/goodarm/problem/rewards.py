"""Kinds of rewards, their range and their unit."""

import math
from typing import TYPE_CHECKING, Final, Literal, TypeVar, get_args

from goodarm.arguments import check_number, parse_number, parse_share, suggest_fraction
from goodarm.errors import invalid_argument
from goodarm.wording import Arg, join, phrase

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Rewards = Literal["bernoulli", "bounded", "gaussian"]
Numbers = TypeVar("Numbers", float, "NDArray[np.float64]")

REWARD_KINDS: Final[tuple[Rewards, ...]] = get_args(Rewards)
MIN_GAP: Final = 1e-100
"""Least gap, as a fraction of the rewards' range: the square of a smaller one would be 0."""
MIN_PART: Final = 1e-9
"""Least distance of bars from the ends of the rewards' range, as a fraction of the range."""
MAX_UNITS: Final = 1e100
"""Largest distance of Gaussian rewards and thresholds from 0, in units: sums must not overflow."""

_MAX_RATING: Final = 10
"""Largest threshold that may be meant as a rating; a larger one below 100 is a percentage."""
_BOUNDED: Final = Arg("rewards", "bounded", "Problem")
OTHER_REWARDS: Final = phrase(
    "For other rewards, {pass} {rewards} with {low} and {high}.",
    rewards=_BOUNDED,
    low=Arg("low", owner="Problem"),
    high=Arg("high", owner="Problem"),
)

_RATINGS: Final = {
    high: phrase(
        f"For ratings from {low} to {high}, {{pass}} {{rewards}} with {{low}} and {{high}}.",
        rewards=_BOUNDED,
        low=Arg("low", low, "Problem"),
        high=Arg("high", high, "Problem"),
    )
    for low, high in ((1, 5), (0, 10))
}
"""Remedies for a threshold that may be a rating, by the best rating."""


def check_rewards(
    rewards: Rewards, low: float | None, high: float | None, sigma: float | None
) -> tuple[float | None, float | None, float | None]:
    """Return low, high and sigma with their defaults; reject those that the kind does not use."""
    owner = "Problem"
    for name, value in (("low", low), ("high", high)):
        if rewards != "bounded" and value is not None:
            remedy = phrase("For rewards in a range, {pass} {bounded}.", bounded=_BOUNDED)
            raise invalid_argument(name, owner, f"be left out for {rewards} rewards", value, remedy)
    if rewards != "gaussian" and sigma is not None:
        remedy = phrase(
            "For rewards with a known standard deviation, {pass} {rewards}.",
            rewards=Arg("rewards", "gaussian"),
        )
        raise invalid_argument("sigma", owner, f"be left out for {rewards} rewards", sigma, remedy)
    if rewards == "bounded":
        low = check_number("low", owner, 0.0 if low is None else parse_number(low))
        high = check_number("high", owner, 1.0 if high is None else parse_number(high))
        if low >= high or not math.isfinite(high - low):
            rule = phrase("be above {low}, {least}, by a finite number", least=repr(low))
            raise invalid_argument("high", owner, rule, high)
    if rewards == "gaussian":
        if sigma is None:
            raise invalid_argument("sigma", owner, "be given for gaussian rewards", sigma)
        sigma = check_number("sigma", owner, parse_share("sigma", owner, sigma, None))
        if not 0 < sigma <= MAX_UNITS:
            raise invalid_argument("sigma", owner, f"be above 0 and at most {MAX_UNITS:g}", sigma)
    return low, high, sigma


_GIVE_RANGE: Final = phrase(
    "Give {low} and {high}: the range is 0 to 1 unless given.",
    low=Arg("low"),
    high=Arg("high"),
)


def check_reachable(
    rewards: Rewards,
    threshold: float,
    margin: float,
    low: float | None,
    high: float | None,
    sigma: float | None,
) -> None:
    """Check that the threshold, and threshold ± margin, lie strictly inside the rewards' range."""
    if sigma is not None:
        if (abs(threshold) + margin) / (2.0 * sigma) > MAX_UNITS:
            raise invalid_argument(
                "threshold", "Problem", f"be within {MAX_UNITS:g} sigma of 0", threshold
            )
        return
    least, most = (0.0, 1.0) if low is None or high is None else (low, high)
    inside = f"strictly between {least:g} and {most:g}"
    if rewards == "bounded":
        inside += ", the range of the rewards"
    if not least < threshold < most:
        meant = suggest_fraction(threshold) if most == 1.0 else ""
        rating = next((top for top in _RATINGS if 1 < threshold < top), 0)
        is_percentage = bool(meant) and threshold > _MAX_RATING
        others = _RATINGS.get(rating, OTHER_REWARDS) if rewards == "bernoulli" else ""
        remedy = meant if is_percentage else join(meant, others)
        if rewards == "bounded" and (least, most) == (0.0, 1.0):
            remedy = join(meant if is_percentage else "", _GIVE_RANGE)
        elif rewards == "bounded":
            remedy = meant
        raise invalid_argument("threshold", "Problem", f"be {inside}", threshold, remedy)
    if not (least < threshold - margin and threshold + margin < most):
        raise invalid_argument(
            "margin", "Problem", f"leave threshold - margin and threshold + margin {inside}", margin
        )


def check_gap(
    gap: object, rewards: Rewards, threshold: float, low: float | None, high: float | None
) -> float:
    """Return the gap: positive and, if rewards have a range, less than their largest spread."""
    value = check_number("gap", "Problem", gap)
    if value <= 0:
        raise invalid_argument("gap", "Problem", "be a finite number above 0", gap)
    if rewards == "gaussian":
        return value
    least, most = (0.0, 1.0) if low is None or high is None else (low, high)
    if value < MIN_GAP * (most - least):
        raise invalid_argument(
            "gap", "Problem", f"be at least {MIN_GAP:g} of the rewards' range", gap
        )
    spread = math.sqrt((threshold - least) * (most - threshold))
    if value >= spread:
        rule = f"be below {spread:.6g}, the most that rewards can spread around the threshold"
        raise invalid_argument("gap", "Problem", rule, gap)
    return value
