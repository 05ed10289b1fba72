"""Store: experiments by name, in memory, in an SQLite file or in PostgreSQL."""

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
from goodarm.errors import NAME_TAKEN, GoodArmError, SpecError, StoreTampered, invalid_argument
from goodarm.live import (
    ExperimentSettings,
    FlagPolicy,
    RewardTimeout,
    check_flag_rule,
    find_flag_warning,
)
from goodarm.old_names import refuses_old_keywords
from goodarm.problem import Problem
from goodarm.store import journal_files
from goodarm.store.addresses import WAIT_SECONDS, open_recorder
from goodarm.store.committer import Committer
from goodarm.store.experiment import StoredExperiment
from goodarm.store.recorder import ExperimentHead, Recorder
from goodarm.store.tokens import Tokens
from goodarm.wording import EdgeText, PrivateText, phrase

if TYPE_CHECKING:
    from goodarm.store.upgrade import Upgrade

_log = logging.getLogger("goodarm")


class ListedExperiment(NamedTuple):
    """Name of a stored experiment, and the number of entries in its journal.

    Args:
        name: the experiment's name.
        entries: number of entries in its journal.

    >>> store = open_store("memory:")
    >>> exp = store.experiment("banners", Problem(2, threshold=0.5))
    >>> store.experiments()
    [ListedExperiment(name='banners', entries=0)]
    """

    name: str
    entries: int


class Store:
    """Experiments by name. ``open_store`` opens one; it is a context manager too.

    Args:
        recorder: the storage.
        clock: returns the time in seconds since 1970.

    >>> store = open_store("memory:")
    >>> exp = store.experiment("banners", Problem(["red", "blue"], threshold=0.5, delta=0.05))
    >>> pull = exp.ask(worker="ann", lease=60)
    >>> exp.tell(pull, 1)
    >>> store.experiments()
    [ListedExperiment(name='banners', entries=2)]
    """

    def __init__(self, recorder: Recorder, clock: Callable[[], float] = time.time) -> None:
        self._recorder, self._clock = recorder, clock

    @refuses_old_keywords("Store.experiment")
    def experiment(
        self,
        name: str,
        problem: Problem | None = None,
        algorithm: str | Algorithm | None = None,
        seed: int | None = None,
        reward_timeout: RewardTimeout | None = None,
        flag_policy: FlagPolicy | None = None,
    ) -> StoredExperiment:
        """Create an experiment, or open the one of that name.

        Args:
            name: letters, digits, dots, dashes and underscores, at most 64.
            problem: what is asked; None opens what is there.
            algorithm: as in Identifier.
            seed: as in Identifier.
            reward_timeout: rule for missing rewards; unless given, they are waited for.
            flag_policy: policy for the clients of a feature flag. A new experiment with it needs
                a ``reward_timeout`` that does not wait: visitors may never tell.

        An existing experiment must have the same settings; the error shows what differs.

        Returns:
            The experiment.

        Raises:
            SpecError: an argument is invalid, there is no such experiment and no problem, or the
                existing one has other settings.
        """
        check_name("name", "Store.experiment", name)
        if problem is None:
            head = self._find_head(name, "Give a problem to create it.")
            return self._open(head, _read_settings(head))
        if not isinstance(problem, Problem):
            raise invalid_argument("problem", "Store.experiment", "be a Problem", problem)
        wanted = ExperimentSettings.of(problem, algorithm, seed, reward_timeout, flag_policy)
        if self._recorder.head(name) is None:
            check_flag_rule(reward_timeout, flag_policy)
        head = self._recorder.create(name, json.dumps(wanted.to_dict(), allow_nan=False))
        found = _read_settings(head)
        different = _find_differences(found.to_dict(), wanted.to_dict(), has_seed=seed is not None)
        if different:
            without = EdgeText("python", ", or open it without a problem")
            raise SpecError(
                f"The experiment {name!r} was created with other settings: {'; '.join(different)}.",
                argument="name",
                owner="Store.experiment",
                rule="be that of an experiment with the same settings",
                value=name,
                remedy=phrase("Choose another name{without}.", without=without),
                reason=NAME_TAKEN,
            )
        return self._open(head, found)

    def _open(self, head: ExperimentHead, settings: ExperimentSettings) -> StoredExperiment:
        if (
            warning := find_flag_warning(settings.reward_timeout, settings.flag_policy)
        ) is not None:
            _log.warning("The experiment %r: %s", head.name, warning)
        return StoredExperiment(
            head.name, settings, Committer(self._recorder, head, settings, self._clock)
        )

    @property
    def tokens(self) -> Tokens:
        """Tokens for access through a service."""
        return Tokens(self._recorder.tokens, self._clock)

    def experiments(self) -> list[ListedExperiment]:
        """Return all experiments, by name."""
        return [ListedExperiment(*each) for each in self._recorder.sizes()]

    def export(self, name: str, path: str | PathLike[str]) -> None:
        """Write an experiment's whole journal into a file, as JSON lines.

        Args:
            name: the experiment's name.
            path: the file to write.

        Raises:
            SpecError: there is no experiment of this name.
        """
        head = self._find_head(name, "Call 'experiments' to list them.")
        with Path(path).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(journal_files.write_journal(self._recorder, head))

    def import_(self, path: str | PathLike[str], name: str | None = None) -> StoredExperiment:
        """Import the journal of a file that ``export`` wrote, and open the experiment.

        Its labels and their evidence are computed again from the rewards before anything is
        written, as ``verify`` does.

        Args:
            path: the file.
            name: another name than it had. An experiment that is there is never changed.

        Returns:
            The imported experiment.

        Raises:
            SpecError: the file is no journal, or another experiment has the name.
            StoreTampered: an entry differs from what its rewards prove. The store is unchanged.
        """
        with Path(path).open(encoding="utf-8") as file:
            return self.experiment(journal_files.read_journal(self._recorder, file, name))

    def head(self, name: str) -> ExperimentHead | None:
        """Return the head of an experiment without reading its journal; None if there is none.

        Args:
            name: the experiment's name.
        """
        return self._recorder.head(name)

    def heads(self) -> list[ExperimentHead]:
        """Return the heads of all experiments without reading their journals."""
        return self._recorder.heads()

    def one_reading(self) -> AbstractContextManager[None]:
        """Make all reads of a block in this thread in one transaction.

        Returns:
            A context manager around the reads.
        """
        return self._recorder.one_reading()

    def journal_lines(self, head: ExperimentHead) -> Iterator[str]:
        """Yield the lines of an experiment's journal as ``export`` writes them, up to the head.

        Args:
            head: the experiment's head, up to which lines are yielded.
        """
        return journal_files.write_journal(self._recorder, head)

    def _find_head(self, name: str, remedy: str) -> ExperimentHead:
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
        """Upgrade the store to the tables of this version, and chain its journals.

        The upgrade may be interrupted and run again. Processes of an earlier version that have the
        store open can still read, but their writes are rejected. Open the store again afterwards.

        Args:
            progress: called with an experiment's name and the entries that have got hashes.

        Returns:
            The schema numbers before and after, and the experiments whose journals got hashes.

        Raises:
            SpecError: the store is in memory.
        """
        from goodarm.store.sql import SqlRecorder
        from goodarm.store.upgrade import upgrade

        if not isinstance(self._recorder, SqlRecorder):
            raise SpecError(
                "A store in memory needs no upgrade.",
                argument="store",
                owner="Store.upgrade",
                rule="be one that is kept",
            )
        return upgrade(self._recorder, progress)

    @property
    def schema(self) -> int | None:
        """Schema number of the store's tables; None for a store in memory."""
        return getattr(self._recorder, "schema", None)

    def delete(self, name: str) -> bool:
        """Delete an experiment and its journal for good; return whether there was one.

        Args:
            name: the experiment's name.
        """
        return self._recorder.delete(name)

    def close(self) -> None:
        """Close files and connections. What was committed stays."""
        self._recorder.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(url: str, *, wait: float = WAIT_SECONDS, must_exist: bool = False) -> Store:
    """Open a store: ``memory:``, ``sqlite:///file.db`` or ``postgresql+psycopg://...``.

    Args:
        url: where it is. A file is made if it is not there. SQLite needs the extra ``store``,
            PostgreSQL ``postgres``.
        wait: timeout for other writers, in seconds.
        must_exist: raise an error for a missing store instead of making it.

    Returns:
        The store; close it, or use it in a ``with`` statement.

    Raises:
        SpecError: the address is invalid, or the store is missing and must exist.
        MissingExtra: the library for this kind of store is not installed.
        StoreError: the store cannot be opened.

    >>> with open_store("memory:") as store:
    ...     exp = store.experiment("banners", Problem(["red", "blue"], threshold=0.5))
    ...     exp.ask()
    Pull(number=1, arm='red')
    """
    return Store(open_recorder(url, wait=wait, must_exist=must_exist))


def _read_settings(head: ExperimentHead) -> ExperimentSettings:
    """Parse the settings that an experiment was created with."""
    try:
        return ExperimentSettings.from_dict(json.loads(head.start))
    except GoodArmError:
        raise
    except Exception as error:
        raise StoreTampered(
            phrase(
                "The settings of the experiment {name} are damaged{error}.",
                name=repr(head.name),
                error=PrivateText(f": {type(error).__name__}: {error}", ""),
            ),
            remedy="Restore it from a backup.",
        ) from error


def _find_differences(found: dict[str, Any], wanted: dict[str, Any], has_seed: bool) -> list[str]:
    """Describe how two starts differ; the seeds count only if one was given."""
    shown = []
    words = {"silence": "reward timeout", "serving": "flag policy"}
    for part in ("problem", "algorithm", *words):
        word = words.get(part, part)
        names = dict.fromkeys((*found[part], *wanted[part]))
        shown += [
            f"{word} {name} {found[part].get(name)!r}, not {wanted[part].get(name)!r}"
            for name in names
            if found[part].get(name) != wanted[part].get(name)
        ]
    if has_seed and found["seed"] != wanted["seed"]:
        shown.append(f"seed {found['seed']}, not {wanted['seed']}")
    return shown
