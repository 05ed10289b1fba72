"""Store of experiments: journals in memory, in an SQLite file or in PostgreSQL."""

from goodarm.store.addresses import open_recorder
from goodarm.store.batch import NamedPulls
from goodarm.store.chain import SHORT_DIGITS, SHOWN_DIGITS, JournalHead
from goodarm.store.experiment import StoredExperiment
from goodarm.store.journal_replay import Verified
from goodarm.store.recorder import ExperimentHead, JournalRow, Recorder, make_gone_error
from goodarm.store.store import ListedExperiment, Store, open_store
from goodarm.store.tokens import Scope, Token, Tokens

__all__ = [
    "SHORT_DIGITS",
    "SHOWN_DIGITS",
    "ExperimentHead",
    "JournalHead",
    "JournalRow",
    "ListedExperiment",
    "NamedPulls",
    "Recorder",
    "Scope",
    "Store",
    "StoredExperiment",
    "Token",
    "Tokens",
    "Verified",
    "make_gone_error",
    "open_recorder",
    "open_store",
]
