"""Where an experiment of a service is: its paths, its document, and whether it is still there."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from goodarm.client.problems import NoExperiment
from goodarm.errors import Gone, SpecError
from goodarm.store import gone

if TYPE_CHECKING:
    from goodarm.client.calls import Answer, Calls

EXPERIMENTS: Final = "/api/v1/experiments"

_Found = TypeVar("_Found")


class Place:
    """One experiment's place at a service."""

    def __init__(self, name: str, calls: "Calls") -> None:
        self.name, self._calls = name, calls
        self.read, self.server = calls.read, calls.server
        self._path = f"{EXPERIMENTS}/{name}"
        self._id: str | None = None
        """tells it from others that had its name"""
        self._seen: tuple[str | None, dict[str, Any]] | None = None
        """the last document and its tag"""

    def create(self, body: Mapping[str, Any]) -> None:
        """Create it, or find it as it was created."""
        self._id = self._calls.post(EXPERIMENTS, body, "Client.experiment").experiment

    def open(self) -> None:
        """Look whether it is there."""
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
        """Take it away for good; whether there was one.

        If the first answer was lost and it is not there any more, it was this client who did it, as
        far as anybody knows.
        """
        try:
            self._calls.delete(self._path)
        except NoExperiment as error:
            return error.tries > 1
        return True

    def document(self) -> dict[str, Any]:
        """All that it says of itself; what is known already is not sent again."""
        seen = self._seen
        answer = self.get("", etag=None if seen is None else seen[0])
        if answer.status == 304 and seen is not None:
            return seen[1]
        if self._id is None:
            self._id = answer.experiment
        found: dict[str, Any] = answer.document
        self._seen = answer.etag, found
        return found

    def part(self, made: Callable[[Mapping[str, Any]], _Found]) -> _Found:
        """Something of its document, as it is now."""
        return self._calls.read(self.document(), made)

    def lasting(self, made: Callable[[Mapping[str, Any]], _Found]) -> _Found:
        """Something of its document that never changes."""
        seen = self._seen
        return self._calls.read(self.document() if seen is None else seen[1], made)

    def get(self, path: str, params: Mapping[str, Any] | None = None, **how: Any) -> "Answer":
        """What is there below its path."""
        with self._there():
            return self._calls.get(self._path + path, params, experiment=self._id, **how)

    def post(
        self,
        path: str,
        body: Mapping[str, Any],
        owner: str,
        key: str | None = None,
        *,
        is_slow: bool = False,
    ) -> "Answer":
        """A change, or what takes a body."""
        with self._there():
            return self._calls.post(
                self._path + path, body, owner, key, experiment=self._id, is_slow=is_slow
            )

    def pages(
        self, path: str, name: str, limit: int, made: Callable[[Any], _Found], **params: Any
    ) -> list[_Found]:
        """All items of a list that comes in pages."""
        with self._there():
            path = self._path + path
            found = list(self._calls.pages(path, name, limit, experiment=self._id, **params))
            return self._calls.read(found, lambda items: [made(each) for each in items])

    @contextmanager
    def _there(self) -> Iterator[None]:
        """What was there when it was opened, and is not any more, was deleted."""
        try:
            yield
        except NoExperiment as error:
            raise gone(self.name) from error
