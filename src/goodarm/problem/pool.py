"""Finite pools: a fixed set of cases that an arm is judged on, each drawn at most once."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, get_args

from goodarm.arguments import check_count, check_list
from goodarm.errors import invalid_argument
from goodarm.problem.rewards import Rewards

CaseOrder = Literal["same", "own"]
CASE_ORDERS: Final[tuple[CaseOrder, ...]] = get_args(CaseOrder)

MAX_CASES: Final = 100_000
"""Most cases of a pool. For a larger one the curves take long, and drawing with replacement is as
good."""

_SHARE_ROUNDING: Final = 2.0**-50
"""Relative tolerance for thresholds such as .07, which floats cannot represent exactly."""


def find_least_successes(size: int, bar: float) -> int:
    """Return the least number of successes out of ``size`` cases whose share reaches the bar.

    >>> find_least_successes(100, 0.07), find_least_successes(200, 0.801)
    (7, 161)
    """
    found = max(math.floor(size * bar) - 1, 0)
    while found / size < bar * (1.0 - _SHARE_ROUNDING):
        found += 1
    return found


def check_pool(pool: object, arms: Sequence[str | int], rewards: Rewards) -> int | tuple[int, ...]:
    """Return the size of the pool, or of each arm's pool in arm order."""
    owner = "Problem"
    if rewards == "gaussian":
        raise invalid_argument("pool", owner, "be left out for gaussian rewards", pool)
    if isinstance(pool, Mapping):
        return _list_by_arm(pool, arms)
    if not isinstance(pool, Iterable):
        return check_count("pool", owner, pool, most=MAX_CASES)
    sizes = check_list("pool", owner, pool, "numbers of cases, one for each arm")
    if len(sizes) != len(arms):
        raise invalid_argument(
            "pool", owner, f"have one number for each of {len(arms)} arms", sizes
        )
    return tuple(check_count("pool", owner, size, most=MAX_CASES) for size in sizes)


def add_pool(
    pool: int | tuple[int, ...] | None, count: int, size: object, owner: str
) -> int | tuple[int, ...] | None:
    """Return the pools of ``count`` arms and of one more, which has ``size`` cases."""
    if pool is None:
        if size is not None:
            raise invalid_argument("pool", owner, "be left out if the other arms have none", size)
        return None
    if size is None:
        if not isinstance(pool, int):
            raise invalid_argument("pool", owner, "be given if each arm has its own", None)
        return pool
    cases = check_count("pool", owner, size, most=MAX_CASES)
    if isinstance(pool, int):
        return pool if cases == pool else (*(pool,) * count, cases)
    return *pool, cases


def _list_by_arm(pool: Mapping[Any, Any], arms: Sequence[str | int]) -> tuple[int, ...]:
    named = {str(arm): size for arm, size in pool.items()}
    for arm in arms:
        if str(arm) not in named:
            raise invalid_argument(
                "pool", "Problem", f"name every arm; {arm!r} is missing", dict(pool)
            )
    if len(named) > len(arms):
        raise invalid_argument("pool", "Problem", "name arms of the problem only", dict(pool))
    return tuple(check_count("pool", "Problem", named[str(arm)], most=MAX_CASES) for arm in arms)
