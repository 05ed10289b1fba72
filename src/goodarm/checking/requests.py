"""Requests to a table, from the keywords of ``check`` or from a Problem."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any, Final

from goodarm.errors import invalid_argument
from goodarm.problem import resolve_problem
from goodarm.tables import ReadOptions, TableRequest
from goodarm.wording import Arg, EdgeText, Symbol, phrase

_OWNER: Final = "check"


def make_request(
    problem: object,
    form: ReadOptions,
    threshold: object,
    delta: float | None,
    pool: object,
    options: Mapping[str, Any],
) -> TableRequest:
    """Return the request; each arm's own threshold and pool are known once the table is read."""
    if problem is not None:
        return _make_problem_request(problem, form, threshold, delta, pool, options)
    for name, value in (("threshold", threshold), ("pool", pool)):
        if name in form.columns and value is not None:
            rule = f"be left out if the column {form.columns[name]!r} has one for each arm"
            raise invalid_argument(name, _OWNER, rule, value)
    bar: Any = threshold
    if "threshold" in form.columns or isinstance(threshold, Mapping):
        bar = _find_middle(options)
    elif threshold is None:
        remedy = phrase(
            "For a threshold of each arm, give {table}a column: {columns}.",
            table=EdgeText("python", "a dict, or "),
            columns=Arg("columns", {"threshold": Symbol("NAME")}),
        )
        whole = EdgeText("python", ", or a problem in place of it")
        needed = phrase("be given{problem}", problem=whole)
        raise invalid_argument("threshold", _OWNER, needed, None, remedy)
    cases: Any = pool
    size: Any = pool
    if "pool" in form.columns or isinstance(pool, Mapping):
        size = 1
    elif pool is not None and not isinstance(pool, Integral):
        raise invalid_argument(
            "pool", _OWNER, "be a number of cases, or a dict from each arm to its number", pool
        )
    asked = resolve_problem(_OWNER, 1, None, bar, delta, {**options, "pool": size})
    if "threshold" in form.columns:
        return TableRequest(asked, None, cases)
    thresholds = threshold if isinstance(threshold, Mapping) else asked.threshold
    return TableRequest(asked, thresholds, cases)


def _find_middle(options: Mapping[str, Any]) -> float:
    """Return the middle of the range, a threshold to validate the other options with.

    A margin or gap that is too large for it is too large for all thresholds.
    """
    if options.get("rewards") == "gaussian":
        return 0.0
    low, high = options.get("low"), options.get("high")
    try:
        return 0.5 * ((0.0 if low is None else low) + (1.0 if high is None else high))
    except TypeError:  # not numbers; Problem raises a better error
        return 0.5


def _make_problem_request(
    problem: object,
    form: ReadOptions,
    threshold: object,
    delta: float | None,
    pool: object,
    options: Mapping[str, Any],
) -> TableRequest:
    """Return the request of a problem; no other keyword may be given with it."""
    given: Any = threshold
    asked = resolve_problem(_OWNER, 1, problem, given, delta, {**options, "pool": pool})
    for name in form.own:
        rule = f"not name a column of each arm's {name} if a problem is given"
        raise invalid_argument("columns", _OWNER, rule, dict(form.columns))
    if asked.pools is None:
        return TableRequest(asked, asked.threshold)
    sizes = dict(zip(asked.arms, asked.pools, strict=True))
    return TableRequest(asked, asked.threshold, sizes, has_arms=True)
