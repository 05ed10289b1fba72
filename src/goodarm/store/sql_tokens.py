"""Tokens in a database, beside the journals."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from sqlalchemy import Connection, insert, select, update

from goodarm.store.tables import tokens
from goodarm.store.tokens import Token, TokenRows, in_order

_COLUMNS = [tokens.c[name] for name in Token._fields]

Connect = Callable[[], AbstractContextManager[Connection]]


class SqlTokens(TokenRows):
    """Tokens by the connections of a recorder."""

    def __init__(self, reading: Connect, writing: Connect) -> None:
        self._reading, self._writing = reading, writing

    def add(self, token: Token, digest: str) -> None:
        """As `TokenRows.add`."""
        with self._writing() as connection:
            connection.execute(insert(tokens), {**token._asdict(), "digest": digest})

    def find(self, digest: str) -> tuple[Token, str] | None:
        """As `TokenRows.find`."""
        query = select(*_COLUMNS, tokens.c.digest).where(tokens.c.digest == digest)
        with self._reading() as connection:
            found = connection.execute(query).one_or_none()
        return None if found is None else (Token(*found[:-1]), found[-1])

    def all(self) -> list[Token]:
        """As `TokenRows.all`."""
        with self._reading() as connection:
            return in_order(Token(*row) for row in connection.execute(select(*_COLUMNS)))

    def revoke(self, token_id: str, at: float) -> bool:
        """As `TokenRows.revoke`."""
        there = select(tokens.c.id).where(tokens.c.id == token_id)
        with self._writing() as connection:
            if connection.execute(there).one_or_none() is None:
                return False
            is_it = tokens.c.id == token_id, tokens.c.revoked_at.is_(None)
            connection.execute(update(tokens).where(*is_it).values(revoked_at=at))
            return True

    def use(self, token_id: str, at: float) -> None:
        """As `TokenRows.use`."""
        with self._writing() as connection:
            connection.execute(update(tokens).where(tokens.c.id == token_id).values(used_at=at))
