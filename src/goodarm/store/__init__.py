"""Where experiments are kept: journals in memory, in a file of SQLite or in PostgreSQL."""

from goodarm.store.addresses import open_recorder
from goodarm.store.experiment import StoredExperiment
from goodarm.store.recorder import Head, Recorder, Row
from goodarm.store.store import Kept, Store, open_store

__all__ = [
    "Head",
    "Kept",
    "Recorder",
    "Row",
    "Store",
    "StoredExperiment",
    "open_recorder",
    "open_store",
]
