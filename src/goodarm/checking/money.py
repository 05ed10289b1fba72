"""Money of the arms of a table: what a pull costs, and what was spent."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from goodarm.errors import invalid_argument
from goodarm.judging import Totals
from goodarm.problem import Arm, Problem, from_money_units, to_money_units
from goodarm.tables import ReadOptions

_OWNER: Final = "check"


def check_money(form: ReadOptions, problem: object, cost: object) -> None:
    """Raise an error if a cost is given in two places."""
    if cost is None:
        return
    if form.money is not None:
        rule = f"be left out if the column {form.columns[form.money]!r} has the money"
        raise invalid_argument("cost", _OWNER, rule, cost)
    if isinstance(problem, Problem):
        remedy = f"Pass it to the problem: Problem(..., cost={cost!r})."
        raise invalid_argument("cost", _OWNER, "be left out if a problem is given", cost, remedy)


def find_money(
    counted: Totals, problem: Problem, cost: float | Mapping[Arm, float] | None
) -> dict[str, Any]:
    """Return the columns ``cost`` and ``spent``; none if nothing is known of money.

    A cost that was declared is that of a pull; otherwise it is the average of those in the table.
    Without a column of money each pull has cost what was declared.
    """
    costs = problem.cost_units if cost is None else _find_costs(cost, counted.arms)
    spent = counted.spent
    if costs is None and spent is None:
        return {}
    pulls = [int(count) for count in counted.pulls.tolist()]
    if costs is not None and len(costs) != len(pulls):  # those of the one arm that was asked for
        costs = costs[:1] * len(pulls)
    if spent is None and costs is not None:
        spent = tuple(count * each for count, each in zip(pulls, costs, strict=True))
    spent = spent or (0,) * len(pulls)
    found = np.array([from_money_units(each) for each in spent], np.float64)
    if costs is not None:
        price = np.array([from_money_units(each) for each in costs], np.float64)
    else:
        counts = np.array(pulls, np.float64)
        price = np.divide(found, counts, out=np.full(len(pulls), np.nan), where=counts > 0)
    return {"cost": price, "spent": found}


def _find_costs(cost: float | Mapping[Any, float], arms: tuple[Arm, ...]) -> tuple[int, ...]:
    """Return the cost of a pull of each arm, in billionths."""
    if not isinstance(cost, Mapping):
        return (to_money_units("cost", _OWNER, cost),) * len(arms)
    named = {str(arm): each for arm, each in cost.items()}
    missing = [arm for arm in arms if str(arm) not in named]
    if missing:
        rule = f"name every arm of the table; {missing[0]!r} is missing"
        raise invalid_argument("cost", _OWNER, rule, dict(cost))
    extra = set(named) - set(map(str, arms))
    if extra:
        rule = f"name arms of the table only, and not {min(extra)!r}"
        raise invalid_argument("cost", _OWNER, rule, dict(cost))
    return tuple(to_money_units("cost", _OWNER, named[str(arm)]) for arm in arms)
