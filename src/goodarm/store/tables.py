"""Tables of the database, and the schema number that says which goodarm made them."""

from collections.abc import Callable
from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    insert,
    inspect,
    select,
)

from goodarm.errors import StoreTampered, StoreTooNew
from goodarm.installation import upgrade_command
from goodarm.store.faults import Point, reach
from goodarm.wording import PrivateText, phrase

SCHEMA_NUMBER: Final = 2
"""Number of the schema that is made here. A store with a higher number is rejected.

Schema 1 has no hashes, and does not say who created or revoked a token. Such a store is opened and
used as it is; ``goodarm upgrade`` changes it.
"""

METADATA: Final = MetaData()

schema_table: Final = Table(
    "goodarm_schema", METADATA, Column("number", Integer, primary_key=True, autoincrement=False)
)

experiments: Final = Table(
    "goodarm_experiments",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("id", Text, nullable=False, unique=True),  # another one if the name is used again
    Column("last", BigInteger, nullable=False),  # number of the last row of the journal
    Column("hash", Text, nullable=False, server_default=""),  # hash of that row
)

# Apart from the row that every append changes: SQLite writes a changed row anew as a whole, and the
# start of an experiment with many arms takes megabytes.
starts: Final = Table(
    "goodarm_starts",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("start", Text, nullable=False),  # the document that the experiment began with
)

# No foreign key: a journal grows only in a transaction that has changed its experiment's row, which
# is a stronger tie, and costs nothing for each row.
journal: Final = Table(
    "goodarm_journal",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),  # the event as JSON
    Column("key", Text),  # chosen by the client: a request that is sent again is not done again
    Column("digest", Text),  # of the request, which a later one with this key must equal
    Column("hash", Text),  # of this row and the hash of the row before: a chain
    sqlite_with_rowid=False,
)
Index(
    "goodarm_journal_keys",
    journal.c.id,
    journal.c.key,
    unique=True,
    sqlite_where=journal.c.key.is_not(None),
    postgresql_where=journal.c.key.is_not(None),
)

snapshots: Final = Table(
    "goodarm_snapshots",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),  # of the last row that it contains
    Column("checksum", Text, nullable=False),  # of data, number and experiment, against damage
    Column("data", LargeBinary, nullable=False),
)

tokens: Final = Table(
    "goodarm_tokens",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("digest", Text, nullable=False, unique=True),  # of the secret, which is not stored
    Column("name", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("pattern", Text, nullable=False),  # names of the experiments that it may see
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double),
    Column("revoked_at", Double),
    Column("used_at", Double),
)

token_changes: Final = Table(
    "goodarm_token_changes",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("change", Text, primary_key=True),
    Column("by", Text, nullable=False),
)


def find_schema_number(connection: Connection, place: str) -> int | None:
    """Return the schema number; None without tables. Raise an error for a later schema."""
    if not inspect(connection).has_table(schema_table.name):
        return None
    numbers = connection.execute(select(schema_table.c.number)).scalars().all()
    if len(numbers) != 1 or numbers[0] < 1:
        raise StoreTampered(
            phrase(
                "The store{place} is damaged: its table {table} must hold one number, which is at "
                "least 1; it holds {numbers}.",
                place=PrivateText(f" {place}", ""),
                table=schema_table.name,
                numbers=", ".join(map(str, numbers)) or "none",
            ),
            remedy="Restore it from a backup.",
        )
    if numbers[0] > SCHEMA_NUMBER:
        raise StoreTooNew(
            phrase(
                "The store{place} has tables of schema {number}. This version of goodarm supports "
                "at most {known}.",
                place=PrivateText(f" {place}", ""),
                number=str(numbers[0]),
                known=str(SCHEMA_NUMBER),
            ),
            remedy=f"Install a later version: {upgrade_command()}.",
        )
    return int(numbers[0])


def make_tables(
    connection: Connection, place: str, wait_for_others: Callable[[Connection], None]
) -> None:
    """Make the tables, unless another process was first. Call it in a transaction that writes."""
    wait_for_others(connection)
    if find_schema_number(connection, place) is None:
        METADATA.create_all(connection)
        reach(Point.TABLES_MADE)
        connection.execute(insert(schema_table).values(number=SCHEMA_NUMBER))
        reach(Point.TABLES_NUMBERED)
