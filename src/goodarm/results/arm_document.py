"""Reader for the columns of a table of arms, from the rows of its JSON document."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.arguments import as_float, check_count, refuse_unknown_keys
from goodarm.errors import SpecError, invalid_argument, invalid_choice
from goodarm.problem import CODES, check_arms
from goodarm.results.waiting_rewards import Waiting

_OWNER: Final = "the check document"
_KEYS: Final = (
    *("arm", "label", "pulls", "mean", "lower", "upper", "e_good", "e_bad"),
    *("pulls_needed", "pulls_needed_90"),
)
_COUNTED: Final = ("successes", "sum")
_P_VALUES: Final = ("p_good", "p_bad")
_MEMORY: Final = ("kept", "opposed", "new", "absent")
_OPTIONAL_KEYS: Final = (
    "lost",
    *(*_COUNTED, *_P_VALUES, "threshold", "pool", "labelled_at", "reason", "waits"),
    *("labelled_pulls", "memory", "cost", "spent", "expected", "expected_90"),
)


def read_columns(rows: object, threshold: object, pool: object) -> dict[str, Any]:
    """Return the columns of the rows, by the names of ArmTable's fields, and the e-values.

    Args:
        rows: the value of ``arms`` in the document.
        threshold: the threshold of all arms; None where arms have their own.
        pool: the number of cases of all arms; None where arms have their own, or there is no pool.
    """
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise invalid_argument("arms", _OWNER, "be a list of objects", rows)
    for row in rows:
        missing = [key for key in _KEYS if key not in row]
        if missing:
            raise SpecError(
                f"An arm of {_OWNER} lacks {', '.join(map(repr, missing))}.",
                argument=missing[0],
                owner=_OWNER,
                rule="be given",
            )
        refuse_unknown_keys(row, (*_KEYS, *_OPTIONAL_KEYS), f"an arm of {_OWNER}")
        if row["label"] not in CODES:
            raise invalid_choice("label", _OWNER, tuple(CODES), row["label"])
        if row.get("memory") not in (None, *_MEMORY):
            raise invalid_choice("memory", _OWNER, _MEMORY, row["memory"])
    pulls = _make_whole_numbers(rows, "pulls")
    is_live = bool(rows) and not any(key in rows[0] for key in _COUNTED)
    has_memory = any("labelled_pulls" in row or "memory" in row for row in rows)
    has_p_values = bool(rows) and _P_VALUES[0] in rows[0]
    has_money = any("spent" in row for row in rows)
    has_own_pools = pool is None and bool(rows) and "pool" in rows[0]
    return {
        "arms": check_arms([row["arm"] for row in rows], _OWNER) if rows else (),
        "pulls": pulls,
        "labels": np.array([CODES[row["label"]] for row in rows], np.int8),
        **{
            name: _make_floats(rows, name, math.nan)
            for name in ("mean", "lower", "upper", "e_good", "e_bad")
        },
        "needed": _make_floats(rows, "pulls_needed", math.inf),
        "needed_90": _make_floats(rows, "pulls_needed_90", math.inf),
        "thresholds": _make_floats(rows, "threshold", math.nan) if threshold is None else None,
        "pools": _make_whole_numbers(rows, "pool") if has_own_pools else None,
        "labelled_at": _make_whole_numbers(rows, "labelled_at") if is_live else None,
        "labelled_pulls": _make_whole_numbers(rows, "labelled_pulls") if has_memory else None,
        **{
            name: _make_floats(rows, name, math.nan) if has_p_values else None for name in _P_VALUES
        },
        **{
            name: _make_floats(rows, name, math.nan) if has_money else None
            for name in ("cost", "spent")
        },
        "memory": {k: row["memory"] for k, row in enumerate(rows) if row.get("memory")},
        "reasons": {k: str(row["reason"]) for k, row in enumerate(rows) if row.get("reason")},
        "lost": _make_whole_numbers(rows, "lost") if bool(rows) and "lost" in rows[0] else None,
        "waits": {
            k: Waiting.from_dict(row["waits"]) for k, row in enumerate(rows) if row.get("waits")
        },
    }


def _make_floats(
    rows: Sequence[Mapping[str, Any]], name: str, missing: float
) -> NDArray[np.float64]:
    found = []
    for row in rows:
        value = row.get(name)
        number = missing if value is None else as_float(value)
        if number is None:
            raise invalid_argument(name, _OWNER, "be a number or null", value)
        found.append(number)
    return np.array(found, np.float64)


def _make_whole_numbers(rows: Sequence[Mapping[str, Any]], name: str) -> NDArray[np.int64]:
    values = [row.get(name) or 0 for row in rows]
    return np.array([check_count(name, _OWNER, value, least=0) for value in values], np.int64)
