"""Columns as a frame of the user's own library."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Literal

from goodarm.errors import missing_extra

Backend = Literal["pandas", "polars"]


def to_frame(owner: str, backend: Backend, columns: Mapping[str, Any]) -> Any:
    """A frame with these columns; a missing library names the extra that brings it."""
    import narwhals  # only here: most results never become a frame

    try:
        import_module(backend)
    except ImportError:
        raise missing_extra(f"{owner}.to_{backend}", "frames") from None
    return narwhals.from_dict(columns, backend=backend).to_native()
