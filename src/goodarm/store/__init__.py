"""Where experiments are kept: journals in memory, in a file of SQLite or in PostgreSQL."""

from goodarm.store.experiment import Experiment
from goodarm.store.opening import open_recorder
from goodarm.store.recorder import Head, Recorder, Row
from goodarm.store.store import Kept, Store, open_store

__all__ = ["Experiment", "Head", "Kept", "Recorder", "Row", "Store", "open_recorder", "open_store"]
