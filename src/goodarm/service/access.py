"""Access control: tokens, scopes and rate limits.

Every route names its scope; one that names none cannot be called. A missing, unknown or invalid
token is answered with 401, a valid one without the scope with 403, and an experiment outside the
token's pattern with 404, as if it did not exist.
"""

import hashlib
import ipaddress
import logging
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import Final, Literal

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request

from goodarm.errors import StoreError
from goodarm.service.open_experiments import make_unknown_experiment
from goodarm.service.problems import FORBIDDEN, RETRY_AFTER, SLOW_DOWN, UNAUTHORIZED, Refusal
from goodarm.service.rate_limit import RateLimit
from goodarm.service.settings import Settings
from goodarm.service.thread_pools import Pool
from goodarm.store import Scope, Store, Token

RouteScope = Literal["none"] | Scope
SCOPE_KEY: Final = "x-scope"
"""Key of a route's scope in the OpenAPI document."""

_NOBODY: Final = "nobody"
_MAX_CACHED_TOKENS: Final = 10_000
"""Maximum number of tokens that are cached."""

_LOOKUP_SECONDS: Final = 10.0
"""Timeout for the lookup of a token."""

_log = logging.getLogger("goodarm.service")


class RequestCaller:
    """Caller of a request: the holder of a token, or anybody if the store has no tokens.

    With ``is_nobody``, a caller who needs a token and has none.
    """

    def __init__(self, token: Token | None = None, *, is_nobody: bool = False) -> None:
        self._token, self._is_nobody = token, is_nobody

    @property
    def name(self) -> str | None:
        """Name of the token; None if no token is needed."""
        return None if self._token is None else self._token.name

    def has_scope(self, scope: Scope) -> bool:
        """Return whether the caller has the scope."""
        return not self._is_nobody if self._token is None else self._token.has_scope(scope)

    def can_see(self, experiment: str) -> bool:
        """Return whether the caller may know that the experiment exists."""
        return not self._is_nobody if self._token is None else self._token.can_see(experiment)

    def check(self, scope: Scope, experiment: str | None) -> None:
        """Raise a refusal unless the token allows the scope and the experiment."""
        if experiment is not None and not self.can_see(experiment):
            raise make_unknown_experiment(experiment)
        if not self.has_scope(scope):
            detail = f"This needs a token with the scope {scope!r}. Ask for one."
            raise Refusal(FORBIDDEN, detail)


class Access:
    """Access check that every request passes before its body is read.

    Valid tokens are cached for ``token_seconds``, so that most requests need no read of the store:
    a revoked token is refused after that time. Invalid tokens are not cached.
    """

    def __init__(
        self, store: Store, settings: Settings, clock: Callable[[], float] = monotonic
    ) -> None:
        self._tokens = store.tokens
        self._rate = RateLimit(settings.max_rate, clock)
        self._seconds, self._clock = settings.token_seconds, clock
        self._known: OrderedDict[bytes, tuple[Token, float]] = OrderedDict()
        self._is_closed, self._open_since = False, -math.inf
        self.strangers = Pool(
            "requests without a known token", 2 * settings.max_strangers, _LOOKUP_SECONDS, threads=2
        )
        """threads that look up unknown tokens, apart from those of asks and tells"""

    @property
    def is_closed(self) -> bool:
        """True if the store is known to have tokens."""
        return self._is_closed

    def needs_token(self, tokens: Sequence[Token] | None = None) -> bool:
        """Return whether the store has tokens, including revoked ones, so that calls need one.

        Reads the store, unless ``tokens`` are those that it has just listed.
        """
        if not self._is_closed:
            self._is_closed = bool(self._tokens.list() if tokens is None else tokens)
        self._open_since = self._clock()
        return self._is_closed

    def is_known_caller(self, headers: Headers) -> bool:
        """Return whether the request's token was valid before, or none was needed.

        This decides only which limits the request counts against; permissions are checked anew.
        """
        secret = _find_secret(headers)
        if secret is not None and _make_digest(secret) in self._known:
            return True
        return not self._is_closed and self._open_since > -math.inf

    async def authenticate(self, request: Request, scope: RouteScope) -> RequestCaller:
        """Authenticate a request, and return its caller if the scope and experiment are allowed."""
        if scope == "none":
            return RequestCaller()
        token = await self._token(request)
        self.check_rate(token)
        if token is None:
            if await self._is_needed():
                raise _make_unauthorized(request)
            check_origin(request)
        caller = RequestCaller(token)
        caller.check(scope, request.path_params.get("name"))
        return caller

    async def _is_needed(self) -> bool:
        if self._is_closed or self._clock() < self._open_since + self._seconds:
            return self._is_closed
        return await run_in_threadpool(self.needs_token)

    async def _token(self, request: Request) -> Token | None:
        secret = _find_secret(request.headers)
        if secret is None:
            return None
        digest = _make_digest(secret)
        token, since = self._known.get(digest, (None, -math.inf))
        if self._clock() < since + self._seconds:
            return token
        if digest in self._known:
            return await run_in_threadpool(self._find, secret, digest)
        return await self.strangers.run(partial(self._find, secret, digest))

    def _find(self, secret: str, digest: bytes) -> Token | None:
        """Look up a token in the store, record its use, and cache it."""
        token = self._tokens.find(secret)
        if token is None:
            self._known.pop(digest, None)
            return None
        self.record_use(token)
        self._known[digest] = token, self._clock()
        while len(self._known) > _MAX_CACHED_TOKENS:
            self._known.popitem(last=False)
        return token

    def record_use(self, token: Token) -> None:
        """Record that a token was used; log errors only, since a read-only store can be read."""
        try:
            self._tokens.record_use(token)
        except StoreError as error:
            _log.warning("Cannot record the use of a token: %s", error)

    def check_rate(self, token: Token | None) -> None:
        """Refuse a caller who exceeds the rate limit."""
        wait = self._rate.wait(_NOBODY if token is None else f"token {token.id}")
        if wait > 0:
            whose = "callers without a token" if token is None else "this token"
            detail = f"Too many requests a second from {whose}. Wait, then try again."
            raise Refusal(SLOW_DOWN, detail, {RETRY_AFTER: str(math.ceil(wait))})


def _find_secret(headers: Headers) -> str | None:
    """Return the token in the request's headers; None if there is none, or several."""
    given = headers.getlist("authorization")
    if len(given) != 1:
        return None
    method, _, secret = given[0].partition(" ")
    return secret.strip() or None if method.lower() == "bearer" else None


def _make_digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def check_origin(request: Request) -> None:
    """Refuse requests that a browser sends for another site; used where no token is needed.

    Browsers send the origin of a request. The Host header reveals a foreign page whose own domain
    name was pointed at this machine (DNS rebinding).
    """
    headers = request.headers
    site = headers.get("sec-fetch-site", "none")
    host = headers.get("host", "")
    origin = headers.get("origin")
    is_foreign = site not in ("same-origin", "none")
    if origin is not None and origin.partition("://")[2] != host:
        is_foreign = True
    if is_foreign or not is_loopback(get_hostname(host)):
        detail = (
            "Without tokens, the service only answers requests of this machine, and none of other "
            "sites. To allow others, create a token with 'goodarm token create'."
        )
        raise Refusal(FORBIDDEN, detail)


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("")
    (True, True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def get_hostname(host: str) -> str:
    """Remove the port from a Host header.

    >>> get_hostname("localhost:8642"), get_hostname("[::1]:8642"), get_hostname("::1")
    ('localhost', '::1', '::1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") == 1 else host


def _make_unauthorized(request: Request) -> Refusal:
    """Return the refusal for a missing or an invalid token; it does not say why one is invalid."""
    if "authorization" not in request.headers:
        detail = "This service needs a token: send 'Authorization: Bearer ga_...'."
    else:
        detail = "The token is not valid. It may have expired or been revoked. Ask for a new one."
    return Refusal(UNAUTHORIZED, detail)
