"""Tokens: who may do what with which experiments of a store.

A token is shown once, when it is created. Only its hash is stored: 256 random bits need no salt and
no slow hash, since nobody can guess them.
"""

import fnmatch
import hashlib
import hmac
import math
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, NamedTuple

from goodarm.arguments import as_float
from goodarm.errors import SpecError, invalid_argument, invalid_choice
from goodarm.wording import Function, Text, phrase

Scope = Literal["read", "run", "admin"]
SCOPES: Final = ("read", "run", "admin")
"""Scopes of a token; each includes those before it."""
PREFIX: Final = "ga_"
"""Prefix by which people, and tools that look for leaked secrets, recognize a token."""
USE_INTERVAL_SECONDS: Final = 60.0
"""Least seconds between two updates of a token's last use."""


class Token(NamedTuple):
    """Description of a token; times are in seconds since 1970.

    Args:
        id: its public part.
        name: whose it is.
        scope: ``"read"``, ``"run"`` or ``"admin"``.
        pattern: of the names of experiments that it is for.
        created_at, expires_at, revoked_at, used_at: times; None where there was none.
        created_by, revoked_by: who did it, where that is known.

    >>> from goodarm import open_store
    >>> secret, token = open_store("memory:").tokens.create("ann", "run", pattern="team-*")
    >>> token.has_scope("read"), token.has_scope("admin"), token.can_see("team-7")
    (True, False, True)
    """

    id: str
    name: str
    scope: str
    pattern: str
    """pattern of names of experiments, as in a shell: ``*`` for all, ``team-*`` for some"""
    created_at: float
    expires_at: float | None = None
    revoked_at: float | None = None
    used_at: float | None = None
    created_by: str | None = None
    revoked_by: str | None = None

    def has_scope(self, scope: Scope) -> bool:
        """Return whether the token allows ``scope``.

        Args:
            scope: ``"read"``, ``"run"`` or ``"admin"``.
        """
        return SCOPES.index(scope) <= SCOPES.index(self.scope)

    def can_see(self, experiment: str) -> bool:
        """Return whether the token is for an experiment of this name.

        Args:
            experiment: the experiment's name.
        """
        return fnmatch.fnmatchcase(experiment, self.pattern)

    def is_valid(self, now: float) -> bool:
        """Return whether the token is neither revoked nor expired.

        Args:
            now: the time in seconds since 1970.
        """
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    def to_dict(self) -> dict[str, Any]:
        """Return the token as JSON."""
        return self._asdict()


class TokenRows(ABC):
    """Storage of tokens, beside the journals."""

    @abstractmethod
    def add(self, token: Token, digest: str) -> None:
        """Store a new token under the hash of its secret."""

    @abstractmethod
    def find(self, digest: str) -> tuple[Token, str] | None:
        """Return the token with this hash, and the stored hash."""

    @abstractmethod
    def all(self) -> list[Token]:
        """Return all tokens, by name and time."""

    @abstractmethod
    def revoke(self, token_id: str, at: float, by: str | None) -> bool:
        """Mark a token as revoked; return whether there is one with this id."""

    @abstractmethod
    def use(self, token_id: str, at: float) -> None:
        """Record the last use of a token."""


class Tokens:
    """Tokens of a store.

    Args:
        rows: the storage.
        clock: returns the time in seconds since 1970.

    >>> from goodarm import open_store
    >>> tokens = open_store("memory:").tokens
    >>> secret, token = tokens.create("worker", "run", pattern="team-*")
    >>> tokens.find(secret) == token
    True
    """

    def __init__(self, rows: TokenRows, clock: Callable[[], float] = time.time) -> None:
        self._rows, self._clock = rows, clock

    def create(
        self,
        name: str,
        scope: str,
        *,
        pattern: str = "*",
        days: float | None = None,
        by: str | None = None,
    ) -> tuple[str, Token]:
        """Create a token; return its secret, which is stored nowhere, and its description.

        Args:
            name: whose it is, for people; valid tokens have different names.
            scope: ``"read"``, ``"run"`` (ask, tell, forget, observe) or ``"admin"`` (create,
                delete, add arms, pause, close); each includes those before it.
            pattern: of the names of experiments that it is for, such as ``team-*``.
            days: after which it expires; never if None.
            by: the person or token that creates it.

        Raises:
            SpecError: an argument is invalid.
        """
        owner = "token"
        if not isinstance(name, str) or not 1 <= len(name) <= 100 or not name.isprintable():
            raise invalid_argument("name", owner, "be 1 to 100 printable characters", name)
        if scope not in SCOPES:
            raise invalid_choice("scope", owner, SCOPES, scope)
        if not isinstance(pattern, str) or not 1 <= len(pattern) <= 100 or not pattern.isascii():
            raise invalid_argument(
                "pattern", owner, "be 1 to 100 letters of ASCII, such as 'team-*'", pattern
            )
        now, ends = self._clock(), None
        if days is not None:
            number = as_float(days)
            if number is None or not 0 < number < math.inf:
                raise invalid_argument("days", owner, "be a number above 0", days)
            ends = now + 86400 * number
        if any(token.name == name and token.is_valid(now) for token in self._rows.all()):
            remedy = "Revoke that one first, or choose another name."
            raise invalid_argument("name", owner, "not be that of a valid token", name, remedy)
        secret = PREFIX + secrets.token_urlsafe(32)
        token = Token(secrets.token_hex(4), name, scope, pattern, now, ends, created_by=by)
        self._rows.add(token, _hash_secret(secret))
        return secret, token

    def find(self, secret: str) -> Token | None:
        """Return the valid token with this secret; None if there is none.

        Args:
            secret: the whole token, as its user sends it.
        """
        if not isinstance(secret, str) or not secret.startswith(PREFIX) or not secret.isascii():
            return None
        digest = _hash_secret(secret)
        found = self._rows.find(digest)
        if found is None:
            return None
        token, kept_digest = found
        is_it = hmac.compare_digest(digest, kept_digest)
        return token if is_it and token.is_valid(self._clock()) else None

    def record_use(self, token: Token) -> None:
        """Record that a token was used, at most once a minute.

        Args:
            token: the token that was used.
        """
        now = self._clock()
        if token.used_at is None or now - token.used_at >= USE_INTERVAL_SECONDS:
            self._rows.use(token.id, now)

    def list(self) -> list[Token]:
        """Return all tokens, revoked and expired ones too."""
        return self._rows.all()

    def revoke(self, token_id: str, *, by: str | None = None) -> None:
        """Revoke a token and record who did it; a revoked one stays as it is.

        Args:
            token_id: the token's public part, as the list shows it.
            by: the person or token that revokes it.

        Raises:
            SpecError: there is no such token.
        """
        if not self._rows.revoke(token_id, self._clock(), by):
            ids = [token.id for token in self._rows.all() if token.name == token_id]
            remedy: Text = phrase("Call '{list}' to see all tokens.", list=Function("tokens.list"))
            if ids:
                remedy = f"Give the ID of the token of that name: {' or '.join(ids)}."
            raise SpecError(
                f"There is no token {token_id!r}.",
                argument="token_id",
                owner="Tokens.revoke",
                rule="be that of a token",
                value=token_id,
                remedy=remedy,
            )


class MemoryTokens(TokenRows):
    """Tokens in memory."""

    def __init__(self) -> None:
        self._tokens: dict[str, Token] = {}

    def add(self, token: Token, digest: str) -> None:
        """Implement `TokenRows.add`."""
        self._tokens[digest] = token

    def find(self, digest: str) -> tuple[Token, str] | None:
        """Implement `TokenRows.find`."""
        token = self._tokens.get(digest)
        return None if token is None else (token, digest)

    def all(self) -> "list[Token]":
        """Implement `TokenRows.all`."""
        return sort_tokens(self._tokens.values())

    def revoke(self, token_id: str, at: float, by: str | None) -> bool:
        """Implement `TokenRows.revoke`."""
        return self._change_token(
            token_id, lambda token: token._replace(revoked_at=at, revoked_by=by)
        )

    def use(self, token_id: str, at: float) -> None:
        """Implement `TokenRows.use`."""
        self._change_token(token_id, lambda token: token._replace(used_at=at))

    def _change_token(self, token_id: str, change: Callable[[Token], Token]) -> bool:
        for digest, token in list(self._tokens.items()):
            if token.id == token_id:
                self._tokens[digest] = token if token.revoked_at else change(token)
                return True
        return False


def sort_tokens(tokens: Iterable[Token]) -> list[Token]:
    """Sort tokens by name, and then by time."""
    return sorted(tokens, key=lambda token: (token.name, token.created_at, token.id))


def _hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
