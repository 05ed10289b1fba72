"""Costs of pulls: money is counted in billionths, as whole numbers, so that it adds up exactly.

Python's whole numbers have no limit, and the float of each sum is the nearest one to it: .1 paid
ten times is 1.0, and a total does not depend on the order in which its parts came.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any, Final

from goodarm.arguments import as_float, check_list
from goodarm.errors import invalid_argument

MONEY_UNITS: Final = 10**9
"""Units of money in 1: costs have at most nine digits behind the point."""
MAX_COST: Final = 1e6
"""Most money of one pull."""
MAX_MONEY: Final = 1e12
"""Most money of a ``max_cost``, or of all pulls of a row of a table."""


def make_money_rule(most: float = MAX_COST) -> str:
    """Return the rule for an amount of money in words."""
    return f"be an amount of money from 0 to {most:,.0f}"


def to_money_units(argument: str, owner: str, value: object, most: float = MAX_COST) -> int:
    """Return an amount of money in billionths, rounded; raise an error if it is none.

    >>> to_money_units("cost", "Problem", 0.02), to_money_units("cost", "Problem", 3)
    (20000000, 3000000000)
    """
    number = as_float(value)
    if number is None or not 0.0 <= number <= most:
        raise invalid_argument(argument, owner, make_money_rule(most), value)
    units = int((Decimal(repr(number)) * MONEY_UNITS).to_integral_value(ROUND_HALF_EVEN))
    if not units and number:
        remedy = "Count the money in a smaller currency unit."
        raise invalid_argument(argument, owner, "be 0 or at least 0.000000001", value, remedy)
    return units


def from_money_units(units: int) -> float:
    """Return an amount of money from billionths: the nearest float.

    >>> from_money_units(sum(to_money_units("cost", "Problem", 0.1) for _ in range(10)))
    1.0
    """
    return units / MONEY_UNITS


def add_money(amounts: Iterable[float]) -> float:
    """Return the sum of amounts that ``from_money_units`` returned; unknown ones, nan, add nothing.

    >>> add_money([0.1] * 10), add_money([])
    (1.0, 0.0)
    """
    known = [amount for amount in amounts if not math.isnan(amount)]
    return from_money_units(sum(to_money_units("cost", "", each, math.inf) for each in known))


def check_costs(cost: object, arms: Sequence[str | int]) -> float | tuple[float, ...] | None:
    """Return the cost of a pull, or of one of each arm in arm order; None without costs.

    Args:
        cost: an amount, one for each arm in arm order, or a mapping from each arm to its own.
        arms: the arms' labels.
    """
    owner = "Problem"
    if cost is None:
        return None
    if isinstance(cost, Mapping):
        return _list_by_arm(cost, arms)
    if isinstance(cost, str | bytes) or not isinstance(cost, Iterable):
        return _check_cost(cost)
    costs = check_list("cost", owner, cost, "amounts of money, one for each arm")
    if len(costs) != len(arms):
        raise invalid_argument("cost", owner, f"have one amount for each of {len(arms)} arms", cost)
    return tuple(map(_check_cost, costs))


def add_cost(
    costs: float | tuple[float, ...] | None, count: int, cost: object, owner: str
) -> float | tuple[float, ...] | None:
    """Return the costs of ``count`` arms and of one more, whose pull costs ``cost``."""
    if costs is None:
        if cost is not None:
            raise invalid_argument("cost", owner, "be left out if the problem has no cost", cost)
        return None
    if cost is None:
        if isinstance(costs, tuple):
            raise invalid_argument("cost", owner, "be given if each arm has its own", None)
        return costs
    own = from_money_units(to_money_units("cost", owner, cost))
    if not isinstance(costs, tuple):
        return costs if own == costs else (*(costs,) * count, own)
    return *costs, own


def check_max_cost(max_cost: object, cost: float | tuple[float, ...] | None) -> float | None:
    """Return the most money that may be asked for; it pays for a pull of any arm."""
    if max_cost is None:
        return None
    if cost is None:
        remedy = "Say what a pull of each arm costs."
        rule = "come with the cost of a pull"
        raise invalid_argument("max_cost", "Problem", rule, max_cost, remedy)
    most = from_money_units(to_money_units("max_cost", "Problem", max_cost, MAX_MONEY))
    dearest = max(cost) if isinstance(cost, tuple) else cost
    if most < dearest:
        rule = f"be at least the cost of a pull of the dearest arm, {dearest:.12g}"
        raise invalid_argument("max_cost", "Problem", rule, max_cost)
    return most


def _check_cost(cost: object) -> float:
    return from_money_units(to_money_units("cost", "Problem", cost))


def _list_by_arm(cost: Mapping[Any, Any], arms: Sequence[str | int]) -> tuple[float, ...]:
    named = {str(arm): each for arm, each in cost.items()}
    for arm in arms:
        if str(arm) not in named:
            raise invalid_argument(
                "cost", "Problem", f"name every arm; {arm!r} is missing", dict(cost)
            )
    if len(named) > len(arms):
        raise invalid_argument("cost", "Problem", "name arms of the problem only", dict(cost))
    return tuple(_check_cost(named[str(arm)]) for arm in arms)
