"""Upgrade of a store to the tables of this version, with hashes for its journals.

It may be interrupted, and run again: the tables change in one transaction, and then each experiment
in one of its own. Nothing else changes a store that an earlier version has made.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, inspect, select, text, update
from sqlalchemy.schema import CreateTable

from goodarm.errors import SpecError
from goodarm.store.chain import UNCHAINED, hash_row, hash_start
from goodarm.store.faults import Point, reach
from goodarm.store.recorder import JournalRow
from goodarm.store.sql import SqlRecorder
from goodarm.store.tables import (
    SCHEMA_NUMBER,
    experiments,
    find_schema_number,
    journal,
    schema_table,
    starts,
    token_changes,
)
from goodarm.store.turns import PAGE_ROWS

REFUSAL: Final = "store upgraded: restart this process with a later goodarm"
"""Message for a process of an earlier version that has the store open and wants to append."""


class Upgrade(NamedTuple):
    """Result of an upgrade."""

    schema_before: int
    schema: int
    chained: list[str]
    """experiments whose journals got hashes"""


def upgrade(recorder: SqlRecorder, progress: Callable[[str, int], None] | None = None) -> Upgrade:
    """Upgrade a store to the tables of this version, and chain the journals without hashes.

    Args:
        recorder: the store, as it was opened. Open it again afterwards.
        progress: called with an experiment's name and the entries that have got hashes.
    """
    with recorder.writing() as connection:
        recorder.database.wait_for_others(connection)
        before = find_schema_number(connection, recorder.place)
        if before is None:
            raise SpecError(
                f"There is no goodarm store in {recorder.place}.",
                argument="url",
                owner="open_store",
                rule="be that of a store",
            )
        if before < SCHEMA_NUMBER:
            _update_tables(connection)
        reach(Point.UPGRADE_WRITTEN)
    reach(Point.UPGRADE_COMMITTED)
    chained = []
    for name, experiment_id in _find_unchained(recorder):
        with recorder.writing() as connection:
            for done in _add_hashes(connection, experiment_id):
                if progress is not None:
                    progress(name, done)
            reach(Point.CHAIN_WRITTEN)
        reach(Point.CHAIN_COMMITTED)
        chained.append(name)
    return Upgrade(before, SCHEMA_NUMBER, chained)


def _update_tables(connection: Connection) -> None:
    """Change schema 1 to schema 2: columns for hashes, and a table of who changed tokens."""
    for table, kind in ((experiments, "TEXT DEFAULT '' NOT NULL"), (journal, "TEXT")):
        if "hash" not in {each["name"] for each in inspect(connection).get_columns(table.name)}:
            connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN hash {kind}"))
    connection.execute(CreateTable(token_changes, if_not_exists=True))
    if connection.dialect.name == "sqlite":
        connection.execute(
            text(
                f"CREATE TRIGGER IF NOT EXISTS goodarm_journal_upgraded BEFORE INSERT "
                f"ON {journal.name} WHEN NEW.hash IS NULL "
                f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
            )
        )
    else:
        connection.execute(
            text(
                f'ALTER TABLE {journal.name} ADD CONSTRAINT "{REFUSAL}" '
                "CHECK (hash IS NOT NULL) NOT VALID"
            )
        )
    connection.execute(update(schema_table).values(number=SCHEMA_NUMBER))


def _find_unchained(recorder: SqlRecorder) -> list[tuple[str, str]]:
    query = select(experiments.c.name, experiments.c.id).where(experiments.c.hash == UNCHAINED)
    with recorder.reading() as connection:
        return sorted((name, experiment_id) for name, experiment_id in connection.execute(query))


def _add_hashes(connection: Connection, experiment_id: str) -> Iterator[int]:
    """Add hashes to all rows of an experiment, whose writers wait meanwhile."""
    is_it = experiments.c.id == experiment_id
    held = select(experiments.c.last).where(is_it).with_for_update()
    last = connection.execute(held).scalar_one_or_none()
    if last is None:
        return
    start = connection.execute(select(starts.c.start).where(starts.c.id == experiment_id))
    before, after = hash_start(start.scalar_one()), 0
    rows = select(*journal.c["number", "text", "key", "digest"]).where(
        journal.c.id == experiment_id, journal.c.number > bindparam("after")
    )
    change = (
        update(journal)
        .where(journal.c.id == experiment_id, journal.c.number == bindparam("which"))
        .values(hash=bindparam("new_hash"))
    )
    while after < last:
        page = connection.execute(
            rows.order_by(journal.c.number).limit(PAGE_ROWS), {"after": after}
        )
        changes = []
        for row in (JournalRow(*each) for each in page):
            before, after = hash_row(before, row), row.number
            changes.append({"which": row.number, "new_hash": before})
        if not changes:
            break  # rows are missing, which opening the experiment says
        connection.execute(change, changes)
        yield after
    connection.execute(update(experiments).where(is_it).values(hash=before))
