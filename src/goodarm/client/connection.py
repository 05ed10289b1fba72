"""Requests to a service, repeated until they are answered or patience ends."""

import json
import random
import secrets
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import httpx

from goodarm.client.address import Address
from goodarm.client.documents import dump_body
from goodarm.client.keys import check_key
from goodarm.client.problem_documents import NoExperiment, ServiceProblem, make_error, read_problem
from goodarm.client.retry_policy import compute_pause, parse_retry_after, should_retry
from goodarm.errors import GoodArmError, StoreDown, StoreError
from goodarm.version import __version__

MAX_CONNECT_SECONDS: Final = 10.0
"""Most seconds to connect to a service."""
MIN_SLOW_SECONDS: Final = 600.0
"""Least timeout, in seconds, for requests that replay or write a whole journal."""
_MIN_ATTEMPT_SECONDS: Final = 1.0
"""Least timeout, in seconds, of any attempt, even if patience ends before."""
_MAX_CONNECTIONS: Final = 100
"""Most connections; further threads wait for a free one."""

EXPERIMENT_HEADER: Final = "Goodarm-Experiment"
"""Header that identifies the experiment, in case its name is used again."""

_Found = TypeVar("_Found")


class Answer(NamedTuple):
    """Answer of a service; the document is None without a body.

    ``experiment`` is the experiment's id, if the service sent it: a name may be used again.
    """

    status: int
    document: Any
    etag: str | None
    experiment: str | None


class ServiceConnection:
    """HTTP connection to a service, with retries. Threads may share it."""

    def __init__(
        self,
        address: Address,
        token: str | None,
        patience: float,
        timeout: float,
        http: httpx.Client | None,
    ) -> None:
        self.server = address.url
        self._patience, self._timeout = patience, timeout
        self._headers = {"Accept": "application/json", "User-Agent": f"goodarm/{__version__}"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._is_own = http is None
        limits = httpx.Limits(max_connections=_MAX_CONNECTIONS, max_keepalive_connections=None)
        self._http = http or httpx.Client(limits=limits, trust_env=not address.is_loopback)

    def close(self) -> None:
        """Close the connections, unless the user supplied the HTTP client."""
        if self._is_own:
            self._http.close()

    def get(
        self,
        path: str,
        params: Mapping[str, Any] | None = None,
        *,
        etag: str | None = None,
        experiment: str | None = None,
        is_slow: bool = False,
    ) -> Answer:
        """Send a GET request; the status is 304 if the document still has this tag."""
        headers = {} if etag is None else {"If-None-Match": etag}
        headers |= {} if experiment is None else {EXPERIMENT_HEADER: experiment}
        return self._request("GET", path, headers, params=params, is_slow=is_slow)

    def post(
        self,
        path: str,
        body: Mapping[str, Any],
        owner: str,
        key: str | None = None,
        *,
        experiment: str | None = None,
        is_slow: bool = False,
    ) -> Answer:
        """Send a POST request; with a key it counts once, however often it is sent."""
        headers = {"Content-Type": "application/json"}
        headers |= {} if experiment is None else {EXPERIMENT_HEADER: experiment}
        if key is not None:
            headers["Idempotency-Key"] = check_key(key, owner)
        return self._request("POST", path, headers, content=dump_body(body, owner), is_slow=is_slow)

    def delete(self, path: str) -> Answer:
        """Send a DELETE request."""
        return self._request("DELETE", path, {})

    def pages(
        self,
        path: str,
        name: str,
        limit: int,
        after: object = None,
        *,
        experiment: str | None = None,
        **params: object,
    ) -> Iterator[Any]:
        """Yield all items of a list that comes in pages."""
        while True:
            asked = {"limit": limit, **params} | ({} if after is None else {"after": after})
            document = self.get(path, asked, experiment=experiment).document
            found, after = self.read(document, lambda page: (list(page[name]), page["next"]))
            yield from found
            if after is None:
                return

    def read(self, document: Any, made: Callable[[Any], _Found]) -> _Found:
        """Read a value from a document; raise an error that names the server if that fails."""
        try:
            return made(document)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StoreError(
                f"{self.server} answered with something that this version of goodarm cannot read: "
                f"{type(error).__name__}: {error}. Is it a service of goodarm of the same version?"
            ) from error

    def download(self, path: str, target: Path) -> None:
        """Stream a long answer to a file, which appears complete or not at all."""
        part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")

        def fetch(timeout: httpx.Timeout) -> httpx.Response:
            url, headers = self.server + path, {**self._headers, "Accept": "*/*"}
            with self._http.stream("GET", url, headers=headers, timeout=timeout) as response:
                if response.is_success:
                    with part.open("wb") as file:
                        for piece in response.iter_bytes():
                            file.write(piece)
                else:
                    response.read()
                return response

        try:
            self._retry(fetch, is_slow=True)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)

    def _request(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        *,
        is_slow: bool = False,
        **given: Any,
    ) -> Answer:
        def send(timeout: httpx.Timeout) -> httpx.Response:
            sent = {**self._headers, **headers}
            return self._http.request(
                method, self.server + path, headers=sent, timeout=timeout, **given
            )

        response = self._retry(send, is_slow=is_slow)
        document = _parse_document(response)
        if document is None and response.content:
            raise StoreError(f"{self.server} answered with something that is not a JSON object.")
        tags = (response.headers.get(name) for name in ("ETag", EXPERIMENT_HEADER))
        return Answer(response.status_code, document, *tags)

    def _retry(
        self, send: Callable[[httpx.Timeout], httpx.Response], *, is_slow: bool
    ) -> httpx.Response:
        """Repeat a request until there is an answer, a permanent error, or no patience left."""
        began = time.monotonic()
        for attempt in count(1):
            left = self._patience - (time.monotonic() - began)
            cause: Exception | None = None
            retry_after = None
            try:
                response = send(self._make_timeouts(left, is_slow=is_slow))
            except httpx.TransportError as lost:
                problem, cause = self._describe_loss(lost), lost
            except httpx.HTTPError as wrong:
                raise StoreDown(
                    f"{self.server} did not answer: {_describe_error(wrong)}."
                ) from wrong
            else:
                if response.is_success or response.status_code == 304:
                    return response
                problem = read_problem(response.status_code, _parse_document(response))
                if not should_retry(*problem[:2]):
                    error = make_error(problem, self.server)
                    if isinstance(error, NoExperiment):
                        error.tries = attempt
                    raise error
                retry_after = parse_retry_after(response.headers.get("Retry-After"))
            wait = compute_pause(attempt, retry_after, random.random())
            spent = time.monotonic() - began
            if spent + wait > self._patience:
                raise self._make_final_error(problem, attempt, spent) from cause
            time.sleep(wait)
        raise AssertionError  # one counts without end

    def _make_timeouts(self, left: float, *, is_slow: bool) -> httpx.Timeout:
        """Return the timeouts of one attempt."""
        most = min(self._timeout, max(left, _MIN_ATTEMPT_SECONDS))
        read = max(MIN_SLOW_SECONDS, self._timeout) if is_slow else most
        return httpx.Timeout(most, connect=min(MAX_CONNECT_SECONDS, most), read=read)

    def _describe_loss(self, error: httpx.TransportError) -> ServiceProblem:
        """Return the problem for a missing answer; raise an error if a retry cannot help."""
        message = f"It cannot be reached: {_describe_error(error)}."
        if _is_mistrusted(error) or isinstance(error, httpx.LocalProtocolError):
            raise StoreDown(f"{self.server}: {message}") from error
        return ServiceProblem(503, "down", message)

    def _make_final_error(
        self, problem: ServiceProblem, attempts: int, spent: float
    ) -> GoodArmError:
        times = "once" if attempts == 1 else f"{attempts} times"
        tried = f"Tried {times} in {spent:.1f} seconds; 'patience' is {self._patience:g}."
        return make_error(problem, self.server, tried)


def _parse_document(response: httpx.Response) -> Any:
    """Parse the JSON object of an answer; return None if there is none."""
    try:
        document = json.loads(response.content)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def _describe_error(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".rstrip(".: ")


def _is_mistrusted(error: BaseException | None) -> bool:
    """Return whether the server's certificate is not trusted, which no retry changes."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
