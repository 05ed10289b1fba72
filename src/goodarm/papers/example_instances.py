"""Made-up instances whose rewards are not plain 0/1 ones."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from goodarm.datasets import Instance
from goodarm.rewards import Beta, Discrete, Distribution

_STARS = (1, 2, 3, 4, 5)
_PRICES = tuple(step / 50 for step in range(1, 51))


def _make_bounded_instance(
    name: str, arms: Iterable[Distribution], threshold: float, about: str
) -> Instance:
    """Create an instance with bounded rewards, drawn from these distributions."""
    distributions = tuple(arms)
    return _make_example(
        name,
        [each.mean for each in distributions],
        threshold,
        about,
        rewards="bounded",
        low=min(each.support[0] for each in distributions),
        high=max(each.support[1] for each in distributions),
        distributions=distributions,
    )


def _make_example(
    name: str, means: Sequence[float], threshold: float, about: str, **kind: Any
) -> Instance:
    return Instance(
        name, tuple(means), threshold, f"{about}; made up", "goodarm", terms="none", **kind
    )


def make_spending(share: float, mean_price: float) -> Discrete:
    """Create the distribution of what visitors spend: a price with probability ``share``, else 0.

    Prices are fiftieths up to 1, with weights exp(-price / mean_price).
    """
    weights = [math.exp(-price / mean_price) for price in _PRICES]
    parts = [share * weight / math.fsum(weights) for weight in weights]
    return Discrete([0.0, *_PRICES], [1.0 - share, *parts])


RATINGS = _make_bounded_instance(
    "ratings",
    [
        Discrete(_STARS, weights)
        for weights in (
            (2, 5, 13, 35, 45),
            (4, 7, 17, 38, 34),
            (5, 9, 22, 37, 27),
            (7, 11, 23, 33, 26),
            (9, 13, 25, 30, 23),
            (11, 16, 27, 27, 19),
            (15, 20, 27, 23, 15),
            (22, 23, 25, 18, 12),
        )
    ],
    3.5,
    "how often each of eight products got 1, 2, 3, 4 and 5 stars",
)

SCORES = _make_bounded_instance(
    "scores",
    [Beta(mean=mean, sd=0.1) for mean in (0.75, 0.7, 0.65, 0.62, 0.58, 0.55, 0.5, 0.45)],
    0.6,
    "eight Beta arms with an sd of .1: scores that vary little",
)

REVENUE = _make_bounded_instance(
    "revenue",
    [
        make_spending(share, price)
        for share, price in ((0.07, 0.25), (0.05, 0.25), (0.02, 0.2), (0.01, 0.3))
    ],
    0.008,
    "what visitors of four pages spend, in hundreds: 93 to 99 % buy nothing, prices of the others "
    "are exponential",
)

GAUSSIAN = _make_example(
    "gaussian",
    (1.0, 0.5, 0.2, 0.1, -0.1, -0.2, -0.5, -1.0),
    0.0,
    "eight Gaussian arms, .1 to 1 sigma from the threshold",
    rewards="gaussian",
    sigma=1.0,
)

CASES = _make_example(
    "cases",
    (0.96, 0.92, 0.88, 0.84, 0.8, 0.75, 0.7, 0.68, 0.6, 0.5),
    0.8,
    "ten programs, each with its share of 200 test cases passed, one of them exactly on the "
    "threshold",
    pool=200,
)
