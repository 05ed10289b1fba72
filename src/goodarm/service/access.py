"""Who may do what: tokens, their scopes, and how often they come.

Every route names its scope; one that names none cannot be called. Not ours and ours but bad are
401, good but not allowed is 403. An experiment outside a token's pattern is not there: 404.
"""

import hashlib
import ipaddress
import logging
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import Final, Literal, get_args

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request

from goodarm.errors import StoreError
from goodarm.service.kept import no_experiment
from goodarm.service.pools import Pool
from goodarm.service.problems import FORBIDDEN, RETRY_AFTER, SLOW_DOWN, UNAUTHORIZED, Refusal
from goodarm.service.rate import Rate
from goodarm.service.settings import Settings
from goodarm.store import Scope, Store, Token

Needed = Literal["none"] | Scope
NEEDED: Final = ("none", *get_args(Scope))
MARK: Final = "x-scope"
"""Where a route's scope stands in the OpenAPI document."""

_NOBODY: Final = "nobody"
_MOST_KNOWN: Final = 10_000
"""Tokens that are remembered."""

_LOOKUP_SECONDS: Final = 10.0
"""How long one waits for a token to be looked up."""

_log = logging.getLogger("goodarm.service")


class Caller:
    """Who makes a request: somebody with a token, or anybody where there are no tokens.

    Nobody is who has no token and needs one.
    """

    def __init__(self, token: Token | None = None, *, is_nobody: bool = False) -> None:
        self._token, self._is_nobody = token, is_nobody

    @property
    def name(self) -> str | None:
        """Whose token it is; None where anybody may call."""
        return None if self._token is None else self._token.name

    def may(self, scope: Scope) -> bool:
        """Whether ``scope`` is allowed."""
        return not self._is_nobody if self._token is None else self._token.may(scope)

    def sees(self, experiment: str) -> bool:
        """Whether there is an experiment of that name, for all that the caller may know."""
        return not self._is_nobody if self._token is None else self._token.sees(experiment)

    def check(self, scope: Scope, experiment: str | None) -> None:
        """Refuse what the token does not allow."""
        if experiment is not None and not self.sees(experiment):
            raise no_experiment(experiment)
        if not self.may(scope):
            detail = f"This needs a token with the scope {scope!r}, which this one has not."
            raise Refusal(FORBIDDEN, detail)


class Access:
    """The door: every request comes through it before its body is read.

    What the store says of a token is remembered for a moment, so that most requests ask it nothing:
    one that is revoked is refused when that has passed. Of tokens that are not valid, nothing is.
    """

    def __init__(
        self, store: Store, settings: Settings, clock: Callable[[], float] = monotonic
    ) -> None:
        self._tokens = store.tokens
        self._rate = Rate(settings.max_rate, clock)
        self._seconds, self._clock = settings.token_seconds, clock
        self._known: OrderedDict[bytes, tuple[Token, float]] = OrderedDict()
        self._is_closed, self._open_since = False, -math.inf
        self.strangers = Pool(
            "requests without a known token", 2 * settings.max_strangers, _LOOKUP_SECONDS, threads=2
        )
        """looks up who is not known yet, in threads that asks and tells do not need"""

    @property
    def is_closed(self) -> bool:
        """Whether it is known that there are tokens."""
        return self._is_closed

    def needs_token(self, tokens: Sequence[Token] | None = None) -> bool:
        """Return whether there are tokens; one that was revoked still closes the door.

        The store is asked, unless ``tokens`` are those that it has just listed.
        """
        if not self._is_closed:
            self._is_closed = bool(self._tokens.list() if tokens is None else tokens)
        self._open_since = self._clock()
        return self._is_closed

    def has_seen(self, headers: Headers) -> bool:
        """Whether a request comes with a token that was valid once, or needed none then.

        Only what room it takes depends on this: whether it may do anything is asked anew.
        """
        secret = _secret_of(headers)
        if secret is not None and _digest(secret) in self._known:
            return True
        return not self._is_closed and self._open_since > -math.inf

    async def caller(self, request: Request, scope: Needed) -> Caller:
        """Who makes the request, if they may."""
        if scope == "none":
            return Caller()
        token = await self._token(request)
        self.slow_down(token)
        if token is None:
            if await self._is_needed():
                raise _unauthorized(request)
            check_origin(request)
        return self.admit(token, scope, request.path_params.get("name"))

    def admit(self, token: Token | None, scope: Scope, experiment: str | None) -> Caller:
        """Who comes with this token, if they may; with none where none is needed."""
        caller = Caller(token)
        caller.check(scope, experiment)
        return caller

    async def _is_needed(self) -> bool:
        if self._is_closed or self._clock() < self._open_since + self._seconds:
            return self._is_closed
        return await run_in_threadpool(self.needs_token)

    async def _token(self, request: Request) -> Token | None:
        secret = _secret_of(request.headers)
        if secret is None:
            return None
        digest = _digest(secret)
        token, since = self._known.get(digest, (None, -math.inf))
        if self._clock() < since + self._seconds:
            return token
        if digest in self._known:
            return await run_in_threadpool(self._find, secret, digest)
        return await self.strangers.run(partial(self._find, secret, digest))

    def _find(self, secret: str, digest: bytes) -> Token | None:
        """Ask the store, and note the use."""
        token = self._tokens.find(secret)
        if token is None:
            self._known.pop(digest, None)
            return None
        self.note(token)
        self._known[digest] = token, self._clock()
        while len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
        return token

    def note(self, token: Token) -> None:
        """Note that a token was used. A store that cannot be written may still be read."""
        try:
            self._tokens.used(token)
        except StoreError as error:
            _log.warning("The use of a token was not noted: %s", error)

    def slow_down(self, token: Token | None) -> None:
        """Refuse who comes too often."""
        wait = self._rate.wait(_NOBODY if token is None else f"token {token.id}")
        if wait > 0:
            whose = "all who have no token" if token is None else "this token"
            detail = f"That is more requests a second than the service takes for {whose}."
            raise Refusal(SLOW_DOWN, detail, {RETRY_AFTER: str(math.ceil(wait))})


def _secret_of(headers: Headers) -> str | None:
    """Return the token that a request shows; None if it shows none, or several."""
    given = headers.getlist("authorization")
    if len(given) != 1:
        return None
    method, _, secret = given[0].partition(" ")
    return secret.strip() or None if method.lower() == "bearer" else None


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def check_origin(request: Request) -> None:
    """Where no token is needed, refuse what a page of somebody else has a browser send.

    A browser says where a request comes from. A page whose own name was made to lead to this
    machine is known by that name, which the Host header holds.
    """
    headers = request.headers
    site = headers.get("sec-fetch-site", "none")
    host = headers.get("host", "")
    origin = headers.get("origin")
    is_foreign = site not in ("same-origin", "none")
    if origin is not None and origin.partition("://")[2] != host:
        is_foreign = True
    if is_foreign or not is_loopback(hostname(host)):
        detail = (
            "Without tokens the service answers to this machine only, and to no page of another "
            "origin. Create a token by 'goodarm token create'."
        )
        raise Refusal(FORBIDDEN, detail)


def is_loopback(host: str) -> bool:
    """Whether an address is that of this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("")
    (True, True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def hostname(host: str) -> str:
    """A Host header without its port.

    >>> hostname("localhost:8642"), hostname("[::1]:8642"), hostname("::1")
    ('localhost', '::1', '::1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") == 1 else host


def _unauthorized(request: Request) -> Refusal:
    """The same answer for a token that is unknown, expired or revoked: it tells nothing."""
    if "authorization" not in request.headers:
        detail = "This service needs a token: send 'Authorization: Bearer ga_...'."
    else:
        detail = "The token is not valid. It may have expired or been revoked: ask for a new one."
    return Refusal(UNAUTHORIZED, detail)
