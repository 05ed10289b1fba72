"""Snapshots: the state after some entries of a journal, so that opening need not read them.

They are caches: one that is missing, damaged or of another version costs time and nothing else.
"""

import io
import json
from typing import Any, Final

import numpy as np

from goodarm.live import ExperimentSettings, ExperimentState, make_columns, restore_state

MIN_SNAPSHOT_ENTRIES: Final = 500
"""Least entries since the last snapshot for a new one: fewer are read quickly."""
SNAPSHOT_GROWTH: Final = 10
"""A new snapshot is due when the journal has grown by one part in this number, a tenth."""

_REST_KEY: Final = "rest"


def is_due(before: int, last: int) -> bool:
    """Return whether a journal of ``last`` entries has outgrown a snapshot of the first ``before``.

    >>> is_due(0, 499), is_due(0, 500), is_due(100_000, 109_999), is_due(100_000, 110_000)
    (False, True, False, True)
    """
    return last - before >= max(MIN_SNAPSHOT_ENTRIES, before // SNAPSHOT_GROWTH)


def serialize_state(state: ExperimentState) -> bytes:
    """Serialize a state: arrays in numpy's own format, and JSON."""
    arrays, document = make_columns(state)
    text = json.dumps(document, allow_nan=False).encode()
    file = io.BytesIO()
    savez: Any = np.savez  # whose types know options that its older versions take for arrays
    savez(file, **arrays, **{_REST_KEY: np.frombuffer(text, np.uint8)})
    return file.getvalue()


def restore_packed_state(settings: ExperimentSettings, data: bytes) -> ExperimentState | None:
    """Restore a state; return None if another version of goodarm has written it."""
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        rest = json.loads(file[_REST_KEY].tobytes())
        return restore_state(
            settings, {name: file[name] for name in file.files if name != _REST_KEY}, rest
        )
