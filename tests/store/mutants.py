"""Stores with a fault of their own, which the tests must find."""

import time
from contextlib import contextmanager, suppress
from threading import Thread

import pytest

from goodarm.errors import GoodArmError
from goodarm.live import replay
from goodarm.live.events import LeasesExpired
from goodarm.store import memory, sql
from goodarm.store.committer import Committer


def no_compare_and_set(patch):
    """Rows are put behind whatever is there by now, though they were decided on less."""

    @contextmanager
    def turn(self, head):
        journal = self._ids[head.id]
        seen, given = list(journal.rows), memory._MemoryTurn(journal)
        given.read = lambda after: iter(seen[after:])
        given.append = lambda last, rows: setattr(given, "rows", rows)
        yield given
        time.sleep(0.001)
        for row in given.rows:
            journal.rows.append(row._replace(number=len(journal.rows) + 1))
            journal.keys[row.key] = row

    patch.setattr(memory.MemoryRecorder, "turn", turn)


def keys_are_forgotten(patch):
    """Keys are neither written down nor looked up."""
    for kind in (memory._MemoryTurn, sql.SqlTurn):
        right = kind.append

        def append(self, last, rows, right=right):
            right(self, last, [row._replace(key=None) for row in rows])

        patch.setattr(kind, "append", append)


def answer_before_commit(patch):
    """Who tells is thanked at once; the commit comes when it comes."""
    right = Committer.submit

    def submit(self, request):
        if request.verb.name != "tell":
            return right(self, request)

        def commit():
            with suppress(GoodArmError):
                right(self, request)

        Thread(target=commit).start()
        return []

    patch.setattr(Committer, "submit", submit)


def expiry_by_the_readers_clock(patch):
    """Who looks at an experiment ends its leases by its own clock, and writes nothing down."""
    right = Committer._update_writers_state

    def current(self, *arguments):
        state = right(self, *arguments)
        ended = state.find_ended_leases(self._clock())
        if ended:
            last, at = state.last, state.at
            replay(state, LeasesExpired(max(at, self._clock()), ended))
            state.last, state.at = last, at
        return state

    patch.setattr(Committer, "_update_writers_state", current)


MUTANTS = {
    "no compare-and-set": no_compare_and_set,
    "keys are forgotten": keys_are_forgotten,
    "answer before commit": answer_before_commit,
    "expiry by the reader's clock": expiry_by_the_readers_clock,
}


@contextmanager
def applied(name):
    """The mutant of this name within the block; none if None."""
    with pytest.MonkeyPatch.context() as patch:
        if name is not None:
            MUTANTS[name](patch)
        yield
