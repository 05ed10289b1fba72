"""Sessions: a signed cookie that names a token, and never holds it.

The token is looked up again at every request, so that a session ends with it. Forms carry a key
that is made from the session: what another site sends in a visitor's name does not have it.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Final, NamedTuple

from goodarm.store import Token

COOKIE_NAME: Final = "goodarm_session"
SESSION_SECONDS: Final = 8 * 3600
"""Lifetime of a session; afterwards a visitor logs in again."""
_MAX_COOKIE_CHARS: Final = 200


class Session(NamedTuple):
    """Session of a browser; without a token before the login, or if the store has no tokens."""

    id: str
    token_id: str
    until: int

    @property
    def text(self) -> str:
        """Signed part of the cookie."""
        return f"{self.id}.{self.token_id}.{self.until}"


class Sessions:
    """Sessions of one service, signed with its secret key.

    With a random key, sessions end with the process.
    """

    def __init__(self, key: str = "", clock: Callable[[], float] = time.time):
        self._clock = clock
        self._key = key.encode() or secrets.token_bytes(32)
        self._ended: dict[str, int] = {}
        self._lock = Lock()

    def begin(self, token: Token | None = None) -> Session:
        """Begin a session, which ends with its token."""
        until = self._clock() + SESSION_SECONDS
        if token is not None and token.expires_at is not None:
            until = min(until, token.expires_at)
        return Session(secrets.token_urlsafe(18), "" if token is None else token.id, int(until))

    def cookie(self, session: Session) -> str:
        """Return the signed cookie of a session."""
        return f"{session.text}.{self._sign('session', session.text)}"

    def read(self, cookie: str | None) -> Session | None:
        """Return the session of a cookie; None if it is forged or expired."""
        if cookie is None or len(cookie) > _MAX_COOKIE_CHARS or not cookie.isascii():
            return None
        text, _, sign = cookie.rpartition(".")
        if not hmac.compare_digest(sign, self._sign("session", text)):
            return None
        key, token_id, until = text.split(".")
        session = Session(key, token_id, int(until))
        is_over = session.until <= self._clock() or session.id in self._ended
        return None if is_over else session

    def end(self, session: Session) -> None:
        """End a session, so that copies of its cookie are refused, too."""
        now = self._clock()
        with self._lock:
            self._ended = {key: until for key, until in self._ended.items() if until > now}
            self._ended[session.id] = session.until

    def token(self, session: Session | None, tokens: Iterable[Token]) -> Token | None:
        """Return the token of a session, among those of the store; None if it is not valid."""
        if session is None or not session.token_id or session.id in self._ended:
            return None
        now = self._clock()
        valid = (t for t in tokens if t.is_valid(now) and session.until > now)
        return next((token for token in valid if token.id == session.token_id), None)

    def form_key(self, session: Session) -> str:
        """Return the key that the forms of a session carry."""
        return self._sign("form", session.text)

    def is_form_key(self, session: Session, given: str) -> bool:
        """Return whether a form comes from a page of this session."""
        return given.isascii() and hmac.compare_digest(given, self.form_key(session))

    def _sign(self, purpose: str, text: str) -> str:
        message = f"goodarm {purpose} {text}".encode()
        return hmac.new(self._key, message, hashlib.sha256).hexdigest()
