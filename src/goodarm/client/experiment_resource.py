"""HTTP resource of an experiment: its paths, its document, and whether it still exists."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from goodarm.client.problem_documents import NoExperiment
from goodarm.errors import Gone, SpecError
from goodarm.store import make_gone_error

if TYPE_CHECKING:
    from goodarm.client.connection import Answer, ServiceConnection

EXPERIMENTS_PATH: Final = "/api/v1/experiments"

_Found = TypeVar("_Found")


class ExperimentResource:
    """HTTP resource of one experiment at a service."""

    def __init__(self, name: str, connection: "ServiceConnection") -> None:
        self.name, self._connection = name, connection
        self.read, self.server = connection.read, connection.server
        self._path = f"{EXPERIMENTS_PATH}/{name}"
        self._id: str | None = None
        """id that tells the experiment from others that had its name"""
        self._last_document: tuple[str | None, dict[str, Any]] | None = None
        """the last document and its tag"""

    def create(self, body: Mapping[str, Any]) -> None:
        """Create the experiment, or find it with the same settings."""
        self._id = self._connection.post(EXPERIMENTS_PATH, body, "Client.experiment").experiment

    def open(self) -> None:
        """Raise an error if the experiment does not exist."""
        try:
            self.document()
        except Gone as error:
            raise SpecError(
                f"There is no experiment {self.name!r} in this store.",
                argument="name",
                owner="Client.experiment",
                rule="be that of an experiment",
                value=self.name,
                remedy="Give a problem to create it.",
            ) from error

    def delete(self) -> bool:
        """Delete the experiment for good; return whether there was one.

        If a retry finds it missing, this client's first request probably deleted it, so that counts
        as True.
        """
        try:
            self._connection.delete(self._path)
        except NoExperiment as error:
            return error.tries > 1
        return True

    def document(self) -> dict[str, Any]:
        """Fetch the experiment's document, unless the last one is still current."""
        cached = self._last_document
        answer = self.get("", etag=None if cached is None else cached[0])
        if answer.status == 304 and cached is not None:
            return cached[1]
        if self._id is None:
            self._id = answer.experiment
        found: dict[str, Any] = answer.document
        self._last_document = answer.etag, found
        return found

    def read_current(self, made: Callable[[Mapping[str, Any]], _Found]) -> _Found:
        """Read a value from the current document."""
        return self._connection.read(self.document(), made)

    def read_constant(self, made: Callable[[Mapping[str, Any]], _Found]) -> _Found:
        """Read a value that never changes from the last document."""
        cached = self._last_document
        return self._connection.read(self.document() if cached is None else cached[1], made)

    def get(self, path: str, params: Mapping[str, Any] | None = None, **how: Any) -> "Answer":
        """Send a GET request for a path below the experiment's."""
        with self._translate_missing():
            return self._connection.get(self._path + path, params, experiment=self._id, **how)

    def post(
        self,
        path: str,
        body: Mapping[str, Any],
        owner: str,
        key: str | None = None,
        *,
        is_slow: bool = False,
    ) -> "Answer":
        """Send a POST request to a path below the experiment's."""
        with self._translate_missing():
            return self._connection.post(
                self._path + path, body, owner, key, experiment=self._id, is_slow=is_slow
            )

    def pages(
        self, path: str, name: str, limit: int, made: Callable[[Any], _Found], **params: Any
    ) -> list[_Found]:
        """Fetch all items of a list that comes in pages."""
        with self._translate_missing():
            path = self._path + path
            found = list(self._connection.pages(path, name, limit, experiment=self._id, **params))
            return self._connection.read(found, lambda items: [made(each) for each in items])

    @contextmanager
    def _translate_missing(self) -> Iterator[None]:
        """Raise `Gone` if the experiment, which was there when it was opened, is missing."""
        try:
            yield
        except NoExperiment as error:
            raise make_gone_error(self.name) from error
