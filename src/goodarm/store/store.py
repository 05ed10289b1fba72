"""A store: experiments by name, kept in memory, in a file of SQLite or in PostgreSQL."""

import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from goodarm.algorithm import Algorithm
from goodarm.arguments import check_name
from goodarm.errors import DIFFERENT, GoodArmError, SpecError, StoreTampered, invalid_argument
from goodarm.live import (
    ExperimentSettings,
    Serving,
    Silence,
    check_flag_rule,
    flag_warning,
)
from goodarm.problem import Problem
from goodarm.store import journal_files
from goodarm.store.addresses import WAIT, open_recorder
from goodarm.store.committer import Committer
from goodarm.store.experiment import StoredExperiment
from goodarm.store.recorder import Head, Recorder
from goodarm.store.tokens import Tokens
from goodarm.wording import Only, Private, phrase

if TYPE_CHECKING:
    from goodarm.store.upgrade import Upgrade

_log = logging.getLogger("goodarm")


class Kept(NamedTuple):
    """An experiment of a store: its name, and how many entries its journal has."""

    name: str
    entries: int


class Store:
    """Experiments by name. ``open_store`` opens one; it is a context manager too.

    >>> store = open_store("memory:")
    >>> exp = store.experiment("banners", Problem(["red", "blue"], threshold=0.5, delta=0.05))
    >>> pull = exp.ask(worker="ann", lease=60)
    >>> exp.tell(pull, 1)
    >>> store.experiments()
    [Kept(name='banners', entries=2)]
    """

    def __init__(self, recorder: Recorder, clock: Callable[[], float] = time.time) -> None:
        self._recorder, self._clock = recorder, clock

    def experiment(
        self,
        name: str,
        problem: Problem | None = None,
        algorithm: str | Algorithm | None = None,
        seed: int | None = None,
        silence: Silence | None = None,
        serving: Serving | None = None,
    ) -> StoredExperiment:
        """Create an experiment, or open the one of that name.

        Args:
            name: letters, digits, dots, dashes and underscores, at most 64.
            problem: what is asked; None opens what is there.
            algorithm, seed: as in Identifier.
            silence: what it means if a pull is not told; its reward is waited for unless given.
            serving: which arm a feature flag's clients get once it is done. To create an experiment
                with it takes a ``silence`` that does not wait: visitors may never tell.

        What is there must have been created with the same; the error shows what differs.
        """
        check_name("name", "Store.experiment", name)
        if problem is None:
            head = self._head(name, "Give a problem to create it.")
            return self._open(head, _settings_of(head))
        if not isinstance(problem, Problem):
            raise invalid_argument("problem", "Store.experiment", "be a Problem", problem)
        wanted = ExperimentSettings.of(problem, algorithm, seed, silence, serving)
        if self._recorder.head(name) is None:
            check_flag_rule(silence, serving)
        head = self._recorder.create(name, json.dumps(wanted.to_dict(), allow_nan=False))
        found = _settings_of(head)
        different = _differences(found.to_dict(), wanted.to_dict(), has_seed=seed is not None)
        if different:
            without = Only("python", ", or open it without a problem")
            raise SpecError(
                f"The experiment {name!r} was created with something else: {'; '.join(different)}.",
                argument="name",
                owner="Store.experiment",
                rule="be that of an experiment created with the same",
                value=name,
                remedy=phrase("Take another name{without}.", without=without),
                reason=DIFFERENT,
            )
        return self._open(head, found)

    def _open(self, head: Head, settings: ExperimentSettings) -> StoredExperiment:
        if (warning := flag_warning(settings.silence, settings.serving)) is not None:
            _log.warning("The experiment %r: %s", head.name, warning)
        return StoredExperiment(
            head.name, settings, Committer(self._recorder, head, settings, self._clock)
        )

    @property
    def tokens(self) -> Tokens:
        """Who may do what with which experiments, through a service."""
        return Tokens(self._recorder.tokens, self._clock)

    def experiments(self) -> list[Kept]:
        """All experiments, by name."""
        return [Kept(*each) for each in self._recorder.sizes()]

    def export(self, name: str, path: str | PathLike[str]) -> None:
        """Write an experiment's whole journal into a file, as JSON lines."""
        head = self._head(name, "See 'experiments' for those that are there.")
        with Path(path).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(journal_files.write(self._recorder, head))

    def import_(self, path: str | PathLike[str], name: str | None = None) -> StoredExperiment:
        """Put the journal of a file that ``export`` wrote into this store, and open it.

        Its labels and their evidence are computed again from the rewards before anything is
        written, as ``verify`` does.

        Args:
            path: the file.
            name: another name than it had. An experiment that is there is never changed.

        Raises:
            SpecError: the file is no journal, or another experiment has the name.
            StoreTampered: an entry says something else than its rewards prove. The store is as it
                was.
        """
        with Path(path).open(encoding="utf-8") as file:
            return self.experiment(journal_files.read(self._recorder, file, name))

    def head(self, name: str) -> Head | None:
        """Return what is known of an experiment without reading its journal; None if none."""
        return self._recorder.head(name)

    def heads(self) -> list[Head]:
        """Return what is known of all experiments without reading their journals."""
        return self._recorder.heads()

    def one_reading(self) -> AbstractContextManager[None]:
        """Read all that a block reads in this thread in one transaction."""
        return self._recorder.one_reading()

    def journal_lines(self, head: Head) -> Iterator[str]:
        """Return an experiment's journal as ``export`` writes it, up to the head's last entry."""
        return journal_files.write(self._recorder, head)

    def _head(self, name: str, remedy: str) -> Head:
        head = self._recorder.head(name)
        if head is None:
            raise SpecError(
                f"There is no experiment {name!r} in this store.",
                argument="name",
                owner="Store.experiment",
                rule="be that of an experiment",
                value=name,
                remedy=remedy,
            )
        return head

    def upgrade(self, progress: Callable[[str, int], None] | None = None) -> "Upgrade":
        """Bring the store to the tables of this version, and chain its journals.

        It may be interrupted and made again. Processes of an earlier version that have the store
        open can read on, and are refused when they write. Open the store again afterwards.

        Args:
            progress: called with an experiment's name and the entries that have got hashes.
        """
        from goodarm.store.sql import SqlRecorder
        from goodarm.store.upgrade import upgrade

        if not isinstance(self._recorder, SqlRecorder):
            raise SpecError(
                "A store in memory needs no upgrade: it was made by this version.",
                argument="store",
                owner="Store.upgrade",
                rule="be one that is kept",
            )
        return upgrade(self._recorder, progress)

    @property
    def schema(self) -> int | None:
        """Number of the store's tables; None for one in memory."""
        return getattr(self._recorder, "schema", None)

    def delete(self, name: str) -> bool:
        """Take an experiment and its journal away for good; says whether there was one."""
        return self._recorder.delete(name)

    def close(self) -> None:
        """Let go of files and connections. What was committed stays."""
        self._recorder.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(url: str, *, wait: float = WAIT, must_exist: bool = False) -> Store:
    """The store at an address: ``memory:``, ``sqlite:///file.db`` or ``postgresql+psycopg://...``.

    Args:
        url: where it is. A file is made if it is not there. SQLite needs the extra ``store``,
            PostgreSQL ``postgres``.
        wait: the seconds that one waits for other writers before giving up.
        must_exist: whether a store that is not there is an error, and not made.
    """
    return Store(open_recorder(url, wait=wait, must_exist=must_exist))


def _settings_of(head: Head) -> ExperimentSettings:
    """What an experiment was created with."""
    try:
        return ExperimentSettings.from_dict(json.loads(head.start))
    except GoodArmError:
        raise
    except Exception as error:
        raise StoreTampered(
            phrase(
                "What the experiment {name} was created with is damaged{error}.",
                name=repr(head.name),
                error=Private(f": {type(error).__name__}: {error}", ""),
            ),
            remedy="Take it from a backup.",
        ) from error


def _differences(found: dict[str, Any], wanted: dict[str, Any], has_seed: bool) -> list[str]:
    """What two starts do not have in common, in words; a seed that was not given is none."""
    shown = []
    for part in ("problem", "algorithm", "silence", "serving"):
        names = dict.fromkeys((*found[part], *wanted[part]))
        shown += [
            f"{part} {name} {found[part].get(name)!r}, not {wanted[part].get(name)!r}"
            for name in names
            if found[part].get(name) != wanted[part].get(name)
        ]
    if has_seed and found["seed"] != wanted["seed"]:
        shown.append(f"seed {found['seed']}, not {wanted['seed']}")
    return shown
