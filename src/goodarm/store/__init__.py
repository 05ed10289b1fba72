"""Store of experiments: journals in memory, in an SQLite file or in PostgreSQL."""

from goodarm.store.addresses import open_recorder
from goodarm.store.batch import NamedPulls
from goodarm.store.chain import SHORT, SHOWN_DIGITS, JournalHead
from goodarm.store.experiment import StoredExperiment
from goodarm.store.journal_replay import Verified
from goodarm.store.recorder import Head, Recorder, Row, gone
from goodarm.store.store import Kept, Store, open_store
from goodarm.store.tokens import Scope, Token, Tokens

__all__ = [
    "SHORT",
    "SHOWN_DIGITS",
    "Head",
    "JournalHead",
    "Kept",
    "NamedPulls",
    "Recorder",
    "Row",
    "Scope",
    "Store",
    "StoredExperiment",
    "Token",
    "Tokens",
    "Verified",
    "gone",
    "open_recorder",
    "open_store",
]
