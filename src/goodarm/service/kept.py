"""The store as the service needs it: experiments that stay open, and reads of one moment.

This is the one file that looks behind the store's own calls: an ETag names the entry that an answer
was made from, so both must come from one look at the state.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from itertools import islice
from threading import Lock
from typing import Any, Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from goodarm.errors import Gone, SpecError
from goodarm.live import ExperimentSettings, ExperimentState, Serving, Status
from goodarm.results import Pull
from goodarm.service.problems import NO_EXPERIMENT, Refusal
from goodarm.store import NamedPulls, Row, Store, StoredExperiment, gone

CREATED: Final = "goodarm:created"
"""The request key under which the journal says who has created an experiment."""
_BULK: Final = '"bulk": true'
MANY_ARMS: Final = 2000
"""More take long enough to be shown one after the other."""
_Found = TypeVar("_Found")


class Look(NamedTuple):
    """An experiment at one moment. The state must not be changed, nor kept."""

    state: ExperimentState
    version: str
    """tells it from all others, and from itself at other moments"""

    @property
    def status(self) -> Status:
        """As `Experiment.status`."""
        return self.state.status


class Kept:
    """A store, and the experiments of it that were used last."""

    def __init__(self, store: Store, most: int) -> None:
        self.store, self._most = store, most
        self._open: OrderedDict[str, StoredExperiment] = OrderedDict()
        self._lock = Lock()
        self._only: str | None = None
        self._opening: WeakValueDictionary[str, Lock] = WeakValueDictionary()
        """held by who opens an experiment and reads it first"""

    def experiment(self, name: str) -> StoredExperiment:
        """The one of that name, opened once."""
        found = self._held(name)
        return self.keep(self._opened(name)) if found is None else found

    def keep(self, exp: StoredExperiment) -> StoredExperiment:
        """Hold an experiment open, in the place of whichever was not used for longest.

        One that is held already stays, so that its threads share commits; but one that was deleted
        gives way to the new one of its name.
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
        """Create an experiment, or find the one that was created with the same.

        The journal of one in which nothing has happened yet begins with who has created it. If the
        process ends before that, it is written when the request is made again.
        """
        serving = None if start.serving == Serving() else start.serving
        exp = self.keep(
            self.store.experiment(
                name, start.problem, start.algorithm, seed, start.silence, serving
            )
        )
        if by is not None and exp.entries == 0:
            exp.signed(by).do("create", CREATED)
        return exp

    def delete(self, name: str) -> bool:
        """Take an experiment away; says whether there was one."""
        was_there = self.store.delete(name)
        with self._lock:
            self._open.pop(name, None)
        return was_there

    def drop(self, exp: StoredExperiment) -> None:
        """Let go of an experiment that was deleted."""
        with self._lock:
            if self._open.get(exp.name) is exp:
                del self._open[exp.name]

    def only(self, head_id: str | None) -> "Kept":
        """The same for who means one experiment, and not another that has taken its name since."""
        if head_id is None:
            return self
        bound = copy(self)
        bound._only = head_id
        return bound

    def use(self, name: str, act: Callable[[StoredExperiment], _Found]) -> _Found:
        """Do something with an experiment. If it was deleted since, that of the same name is it."""
        exp = self._meant(name)
        try:
            return act(exp)
        except Gone:
            self.drop(exp)
        return act(self._meant(name))

    def view(self, name: str, act: Callable[[StoredExperiment], _Found]) -> _Found:
        """Read an experiment in one transaction, also if it must be opened first.

        If it was deleted since, the one of the same name is read.
        """
        exp = self._held(name)
        if exp is None:
            with self._lock:
                opening = self._opening.setdefault(name, Lock())
            with opening:
                exp = self._held(name)
                if exp is None:
                    return self._first_view(name, act)
        try:
            with self.store.one_reading():
                return act(exp)
        except Gone:
            self.drop(exp)
        return self._first_view(name, act)

    def _first_view(self, name: str, act: Callable[[StoredExperiment], _Found]) -> _Found:
        """Open an experiment and read it; others get it afterwards, so that nobody waits for it."""
        with self.store.one_reading():
            exp = self._opened(name)
            found = act(exp)
        self.keep(exp)
        return found

    def _held(self, name: str) -> StoredExperiment | None:
        with self._lock:
            found = self._open.get(name)
            if found is not None:
                self._open.move_to_end(name)
            return found

    def _meant(self, name: str) -> StoredExperiment:
        """The one of that name, if it is the one that is meant."""
        exp = self.experiment(name)
        if self._only is None or exp.id == self._only:
            return exp
        head = self.store.head(name)
        if head is not None and head.id == self._only:
            self.drop(exp)
            return self.experiment(name)
        raise gone(name)

    def look(
        self, name: str, act: Callable[[StoredExperiment, Look], _Found], *, is_long: bool = False
    ) -> _Found:
        """Read an experiment at one moment; for long, if that grows with the arms."""

        def read(exp: StoredExperiment) -> _Found:
            with looking(exp, is_long=is_long) as look:
                return act(exp, look)

        return self.use(name, read)

    def is_large(self, name: str) -> bool:
        """Whether a look at all arms takes long: there are many, or the journal must be read."""
        with self._lock:
            found = self._open.get(name)
        return found is None or found.settings.problem.num_arms > MANY_ARMS

    def has(self, name: str) -> bool:
        """Whether there is an experiment of that name."""
        return self.store.head(name) is not None

    def bulk_names(self) -> list[str]:
        """Experiments that may have opted in to be served with all others.

        By the text of their starts, since opening all of them for this would take long.
        """
        heads = self.store.heads()
        return [head.name for head in heads if _BULK in head.start]

    def lines(self, name: str) -> tuple[str, Iterator[str]]:
        """The whole journal as `Store.export` writes it, and the version that it is."""
        head = self.store.head(name)
        if head is None:
            raise no_experiment(name)
        return f"{head.id}-{head.last}", self.store.journal_lines(head)

    def _opened(self, name: str) -> StoredExperiment:
        try:
            return self.store.experiment(name)
        except SpecError:
            if self.has(name):
                raise
            raise no_experiment(name) from None


def no_experiment(name: str) -> Refusal:
    """The refusal for a name that nobody has."""
    return Refusal(NO_EXPERIMENT, f"There is no experiment {name!r} in this store.")


@contextmanager
def looking(
    exp: StoredExperiment, *, is_long: bool | Callable[[str], bool] = False
) -> Iterator[Look]:
    """Look at an experiment at this moment.

    What takes long with many arms says so, by the version if it depends on that, and looks at a
    copy: other readers wait while it is made, and not while it is looked at.
    """

    def version_of(state: ExperimentState) -> str:
        return f"{exp.id}-{state.last}"

    def needs_copy(state: ExperimentState) -> bool:
        if exp.settings.problem.num_arms <= MANY_ARMS:
            return False
        return is_long(version_of(state)) if callable(is_long) else is_long

    with exp.reading(is_long=needs_copy) as state:
        yield Look(state, version_of(state))


def rows(exp: StoredExperiment, after: int, most: int) -> list[Row]:
    """At most ``most`` rows of the journal that follow the entry ``after``."""
    return list(islice(exp.rows(after, most), most))


def asked_pulls(
    exp: StoredExperiment, numbers: Sequence[int], believed: Sequence[dict[str, Any]]
) -> list[Pull] | NamedPulls:
    """Return pulls as the client believes they were asked.

    What it leaves out is looked up when the request is done, which saves a read.
    """
    usual = {"case": None} if exp.settings.problem.pool is None else {}
    if all("arm" in each and ("case" in each or usual) for each in believed):
        pairs = zip(numbers, believed, strict=True)
        return [Pull(number, **{**usual, **each}) for number, each in pairs]
    return NamedPulls(numbers, believed)
