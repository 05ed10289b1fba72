"""Where experiments are kept: journals in memory, in a file of SQLite or in PostgreSQL."""

from goodarm.store.opening import open_recorder
from goodarm.store.recorder import Head, Recorder, Row

__all__ = ["Head", "Recorder", "Row", "open_recorder"]
