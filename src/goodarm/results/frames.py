"""Conversion of columns to a data frame of pandas or polars."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, Literal

from goodarm.errors import missing_extra
from goodarm.problem import Arm

Backend = Literal["pandas", "polars"]


def make_arm_column(arms: Iterable[Arm]) -> list[Arm]:
    """Return arms' labels as a column of one type: text where they are a mix."""
    column = list(arms)
    return [str(arm) for arm in column] if len({type(arm) for arm in column}) > 1 else column


def to_frame(owner: str, backend: Backend, columns: Mapping[str, Any]) -> Any:
    """Return a frame with these columns; a missing library names the extra that brings it."""
    import narwhals  # only here: most results never become a frame

    try:
        import_module(backend)
    except ImportError:
        raise missing_extra(f"{owner}.to_{backend}", "frames") from None
    return narwhals.from_dict(columns, backend=backend).to_native()
