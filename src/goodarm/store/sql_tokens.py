"""Tokens in a database, beside the journals."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any, Final

from sqlalchemy import Connection, insert, select, update

from goodarm.store.tables import token_changes, tokens
from goodarm.store.tokens import Token, TokenRows, sort_tokens

_CHANGES: Final = ("created_by", "revoked_by")
"""Fields of a token that are stored in a table of their own, which schema 1 does not have."""
_FIELDS: Final = [name for name in Token._fields if name not in _CHANGES]
_COLUMNS: Final = [tokens.c[name] for name in _FIELDS]

Connect = Callable[[], AbstractContextManager[Connection]]


class SqlTokens(TokenRows):
    """Tokens in the database of a recorder."""

    def __init__(self, reading: Connect, writing: Connect, *, has_changes: bool) -> None:
        self._reading, self._writing, self._has_changes = reading, writing, has_changes

    def add(self, token: Token, digest: str) -> None:
        """Implement `TokenRows.add`."""
        values = {name: getattr(token, name) for name in _FIELDS}
        with self._writing() as connection:
            connection.execute(insert(tokens), {**values, "digest": digest})
            self._note(connection, token.id, "created_by", token.created_by)

    def _note(self, connection: Connection, token_id: str, change: str, by: str | None) -> None:
        if self._has_changes and by is not None:
            row = {"id": token_id, "change": change, "by": by}
            connection.execute(insert(token_changes), row)

    def find(self, digest: str) -> tuple[Token, str] | None:
        """Implement `TokenRows.find`."""
        query = select(*_COLUMNS, tokens.c.digest).where(tokens.c.digest == digest)
        with self._reading() as connection:
            found = connection.execute(query).one_or_none()
        return None if found is None else (Token(*found[:-1]), found[-1])

    def all(self) -> list[Token]:
        """Implement `TokenRows.all`."""
        changes: Iterable[Any] = ()
        with self._reading() as connection:
            found = {row.id: Token(*row) for row in connection.execute(select(*_COLUMNS))}
            if self._has_changes:
                changes = connection.execute(select(*token_changes.c["id", "change", "by"])).all()
        for token_id, change, by in changes:
            if token_id in found:
                found[token_id] = found[token_id]._replace(**{change: by})
        return sort_tokens(found.values())

    def revoke(self, token_id: str, at: float, by: str | None) -> bool:
        """Implement `TokenRows.revoke`."""
        there = select(tokens.c.id).where(tokens.c.id == token_id)
        with self._writing() as connection:
            if connection.execute(there).one_or_none() is None:
                return False
            is_it = tokens.c.id == token_id, tokens.c.revoked_at.is_(None)
            ended = connection.execute(update(tokens).where(*is_it).values(revoked_at=at))
            if ended.rowcount:
                self._note(connection, token_id, "revoked_by", by)
            return True

    def use(self, token_id: str, at: float) -> None:
        """Implement `TokenRows.use`."""
        with self._writing() as connection:
            connection.execute(update(tokens).where(tokens.c.id == token_id).values(used_at=at))
