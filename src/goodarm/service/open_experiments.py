"""Open experiments of a store, and consistent reads of them.

Only this module reaches behind the store's public calls: an ETag names the entry that an answer was
made from, so both must come from one read of the state.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from threading import Lock
from typing import Any, Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from goodarm.errors import Gone, SpecError
from goodarm.live import ExperimentSettings, ExperimentState, FlagPolicy
from goodarm.results import Pull
from goodarm.service.problems import NO_EXPERIMENT, Refusal
from goodarm.store import NamedPulls, Store, StoredExperiment, make_gone_error

CREATED_KEY: Final = "goodarm:created"
"""Request key of the journal's event that says who created the experiment."""
_BULK_MARKER: Final = '"bulk": true'
MANY_ARMS: Final = 2000
"""With more arms, a read of all of them goes to the pool for long reads."""
_Found = TypeVar("_Found")


class VersionedState(NamedTuple):
    """View of an experiment at one moment. Do not change or keep the state."""

    state: ExperimentState
    version: str
    """unique to this experiment and this moment"""


class OpenExperiments:
    """A store with a cache of its most recently used experiments."""

    def __init__(self, store: Store, most: int) -> None:
        self.store, self._most = store, most
        self._open: OrderedDict[str, StoredExperiment] = OrderedDict()
        self._lock = Lock()
        self._only_id: str | None = None
        self._opening: WeakValueDictionary[str, Lock] = WeakValueDictionary()
        """locks held while an experiment is opened and read for the first time"""

    def experiment(self, name: str) -> StoredExperiment:
        """Return the experiment of that name; open it if it is not open."""
        found = self._find_open(name)
        return self.cache(self._open_experiment(name)) if found is None else found

    def cache(self, exp: StoredExperiment) -> StoredExperiment:
        """Keep an experiment open, and drop the least recently used beyond the limit.

        One that is open already stays, so that its threads share commits; but one that was deleted
        is replaced by the new one of its name.
        """
        with self._lock:
            held = self._open.get(exp.name)
            if held is None or held.id != exp.id:
                held = self._open[exp.name] = exp
            self._open.move_to_end(exp.name)
            while len(self._open) > self._most:
                self._open.popitem(last=False)
            return held

    def create(
        self, name: str, start: ExperimentSettings, seed: int | None, by: str | None
    ) -> StoredExperiment:
        """Create an experiment, or return the existing one with the same settings.

        The journal of an experiment without events begins with who created it. If the process ends
        before that is written, it is written when the request is repeated.
        """
        flag_policy = None if start.flag_policy == FlagPolicy() else start.flag_policy
        exp = self.cache(
            self.store.experiment(
                name, start.problem, start.algorithm, seed, start.reward_timeout, flag_policy
            )
        )
        if by is not None and exp.entries == 0:
            exp.signed(by).do("create", CREATED_KEY)
        return exp

    def delete(self, name: str) -> bool:
        """Delete an experiment; return whether it existed."""
        was_there = self.store.delete(name)
        with self._lock:
            self._open.pop(name, None)
        return was_there

    def drop(self, exp: StoredExperiment) -> None:
        """Drop a deleted experiment from the cache."""
        with self._lock:
            if self._open.get(exp.name) is exp:
                del self._open[exp.name]

    def limited_to(self, head_id: str | None) -> "OpenExperiments":
        """Return a copy that accepts only the experiment with this id, or self if it is None."""
        if head_id is None:
            return self
        bound = copy(self)
        bound._only_id = head_id
        return bound

    def use(self, name: str, act: Callable[[StoredExperiment], _Found]) -> _Found:
        """Do something with an experiment. If it was deleted, use the new one of its name."""
        exp = self._find_requested(name)
        try:
            return act(exp)
        except Gone:
            self.drop(exp)
        return act(self._find_requested(name))

    def read_in_transaction(self, name: str, act: Callable[[StoredExperiment], _Found]) -> _Found:
        """Read an experiment in one transaction, even if it must be opened first.

        If it was deleted, the new one of its name is read.
        """
        exp = self._find_open(name)
        if exp is None:
            with self._lock:
                opening = self._opening.setdefault(name, Lock())
            with opening:
                exp = self._find_open(name)
                if exp is None:
                    return self._open_and_read(name, act)
        try:
            with self.store.one_reading():
                return act(exp)
        except Gone:
            self.drop(exp)
        return self._open_and_read(name, act)

    def _open_and_read(self, name: str, act: Callable[[StoredExperiment], _Found]) -> _Found:
        """Open an experiment, read it, and only then share it, so that nobody waits for it."""
        with self.store.one_reading():
            exp = self._open_experiment(name)
            found = act(exp)
        self.cache(exp)
        return found

    def _find_open(self, name: str) -> StoredExperiment | None:
        with self._lock:
            found = self._open.get(name)
            if found is not None:
                self._open.move_to_end(name)
            return found

    def _find_requested(self, name: str) -> StoredExperiment:
        """Return the experiment of that name; raise Gone if the client means another id."""
        exp = self.experiment(name)
        if self._only_id is None or exp.id == self._only_id:
            return exp
        head = self.store.head(name)
        if head is not None and head.id == self._only_id:
            self.drop(exp)
            return self.experiment(name)
        raise make_gone_error(name)

    def read(
        self,
        name: str,
        act: Callable[[StoredExperiment, VersionedState], _Found],
        *,
        is_long: bool = False,
    ) -> _Found:
        """Read an experiment at one moment; set ``is_long`` if the time grows with the arms."""

        def read(exp: StoredExperiment) -> _Found:
            with read_state(exp, is_long=is_long) as view:
                return act(exp, view)

        return self.use(name, read)

    def is_large(self, name: str) -> bool:
        """Return whether a read of all arms takes long: many arms, or a journal not read yet."""
        with self._lock:
            found = self._open.get(name)
        return found is None or found.settings.problem.num_arms > MANY_ARMS

    def has_experiment(self, name: str) -> bool:
        """Return whether there is an experiment of that name."""
        return self.store.head(name) is not None

    def find_bulk_names(self) -> list[str]:
        """Return the experiments that may have opted in to bulk evaluation.

        They are found by the text of their settings, since opening all of them would take long.
        """
        heads = self.store.heads()
        return [head.name for head in heads if _BULK_MARKER in head.start]

    def read_lines(self, name: str) -> tuple[str, Iterator[str]]:
        """Return the version of a journal, and all its lines as `Store.export` writes them."""
        head = self.store.head(name)
        if head is None:
            raise make_unknown_experiment(name)
        return f"{head.id}-{head.last}", self.store.journal_lines(head)

    def _open_experiment(self, name: str) -> StoredExperiment:
        try:
            return self.store.experiment(name)
        except SpecError:
            if self.has_experiment(name):
                raise
            raise make_unknown_experiment(name) from None


def make_unknown_experiment(name: str) -> Refusal:
    """Return the refusal for an unknown experiment."""
    return Refusal(NO_EXPERIMENT, f"There is no experiment {name!r} in this store.")


@contextmanager
def read_state(
    exp: StoredExperiment, *, is_long: bool | Callable[[str], bool] = False
) -> Iterator[VersionedState]:
    """Read an experiment at this moment.

    With ``is_long``, which may depend on the version, and many arms, the reader gets a copy: other
    readers wait only while it is made, not while it is read.
    """

    def version_of(state: ExperimentState) -> str:
        return f"{exp.id}-{state.last}"

    def needs_copy(state: ExperimentState) -> bool:
        if exp.settings.problem.num_arms <= MANY_ARMS:
            return False
        return is_long(version_of(state)) if callable(is_long) else is_long

    with exp.reading(is_long=needs_copy) as state:
        yield VersionedState(state, version_of(state))


def resolve_pulls(
    exp: StoredExperiment, numbers: Sequence[int], known_fields: Sequence[dict[str, Any]]
) -> list[Pull] | NamedPulls:
    """Return pulls as the client describes them.

    If it leaves out the arm or case, they are looked up when the request is carried out, which
    saves a read.
    """
    usual = {"case": None} if exp.settings.problem.pool is None else {}
    if all("arm" in each and ("case" in each or usual) for each in known_fields):
        pairs = zip(numbers, known_fields, strict=True)
        return [Pull(number, **{**usual, **each}) for number, each in pairs]
    return NamedPulls(numbers, known_fields)
