"""Stored experiment: works as an Identifier does, and survives the process."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any

from goodarm.algorithm import Algorithm
from goodarm.live import (
    DEFAULT_HISTORY_POINTS,
    VERBS,
    ArmHistory,
    Event,
    ExperimentSettings,
    ExperimentState,
    ExperimentVerbs,
    FlagPolicy,
    HistoryRecorder,
    PullInProgress,
    RewardTimeout,
    Status,
    make_grid,
    make_no_pulls_left_error,
    replay,
)
from goodarm.problem import Arm, Problem
from goodarm.results import ArmReport, ArmTable, Pull, Verdict
from goodarm.store.batch import Request
from goodarm.store.chain import JournalHead, hash_start
from goodarm.store.committer import Committer
from goodarm.store.journal_replay import PROGRESS_ENTRIES, Verified, replay_rows, verify
from goodarm.store.recorder import JournalRow


class StoredExperiment(ExperimentVerbs):
    """Problem and algorithm at work, kept in a store.

    Every call returns after its entry is committed. It may be repeated with the same ``key``: the
    answer is then the same, and nothing is counted twice. Threads and processes may share an
    experiment.

    ``ask`` takes the name of a worker, who gets the same pulls again until it has told them, and a
    ``lease`` in seconds, after which the worker may have others. The old pull keeps its place in
    its arm's test, where its reward counts if it comes late. In a pool, where outcomes are fixed,
    the same case is leased again, under its number.

    Args:
        name: its name in the store.
        settings: what it was created with.
        committer: writes its journal.
        by: who changes it, for the journal.

    >>> from goodarm import Problem, open_store
    >>> exp = open_store("memory:").experiment("banners", Problem(["red", "blue"], threshold=0.5))
    >>> pull = exp.ask(worker="ann", lease=60)
    >>> exp.tell(pull, 1)
    >>> exp.pulls, exp.entries
    (1, 2)
    """

    def __init__(
        self,
        name: str,
        settings: ExperimentSettings,
        committer: Committer,
        by: str | None = None,
    ) -> None:
        self._name, self._committer, self._by = name, committer, by
        self.settings = settings
        """settings that it was created with"""

    def signed(self, by: str) -> "StoredExperiment":
        """Return the same experiment; changes made through it are recorded with this name.

        Args:
            by: the name.
        """
        return StoredExperiment(self._name, self.settings, self._committer, by)

    def do(self, verb: str, key: str | None = None, **fields: Any) -> list[Pull]:
        """Do a verb of the table, and return the pulls of an ask; none for the other verbs."""
        return self._committer.submit(Request(VERBS[verb], fields, key, self._by))

    @property
    def id(self) -> str:
        """Unique id of this experiment; a later one with its name has another."""
        return self._committer.head.id

    def reading(
        self, *, is_long: bool | Callable[[ExperimentState], bool] = False
    ) -> AbstractContextManager[ExperimentState]:
        """Return a context with the state of the whole journal; do not change it.

        Other readers wait while it is read. A long read (``is_long`` may be a function of the
        state) gets a copy and blocks nobody.

        Args:
            is_long: whether to work on a copy, so that nobody waits.
        """
        return self._committer.reading(is_long=is_long)

    def rows(self, after: int = 0, most: int | None = None) -> Iterator[JournalRow]:
        """Yield the rows of the journal after an entry, at most ``most``.

        Args:
            after: the number of the entry before the first.
            most: the most rows to yield; all if None.
        """
        return self._committer.rows(after, most)

    def has_key(self, key: str) -> bool:
        """Return whether a request was made under this key.

        Args:
            key: the request's key.
        """
        return self._committer.find(key) is not None

    @property
    def name(self) -> str:
        """Name in the store."""
        return self._name

    @property
    def problem(self) -> Problem:
        """Problem, with the arms that were added."""
        with self._committer.reading() as state:
            return state.ident.problem

    @property
    def algorithm(self) -> Algorithm:
        """Algorithm at work."""
        return self.settings.algorithm

    @property
    def seed(self) -> int:
        """Seed that was given, or drawn."""
        return self.settings.seed

    @property
    def reward_timeout(self) -> RewardTimeout:
        """Rule for missing rewards."""
        return self.settings.reward_timeout

    @property
    def flag_policy(self) -> FlagPolicy:
        """Policy for the clients of a feature flag."""
        return self.settings.flag_policy

    @property
    def arm_when_done(self) -> Arm | None:
        """Arm that ``flag_policy`` chooses by the labels so far; None if there is none."""
        with self._committer.reading() as state:
            return self.settings.flag_policy.arm_when_done(state.ident)

    def ask(
        self, worker: str | None = None, lease: float | None = None, *, key: str | None = None
    ) -> Pull:
        """Return the next pull to make."""
        pulls = self.do("ask", key, count=1, worker=worker, lease=lease)
        if pulls:
            return pulls[0]
        with self._committer.reading() as state:
            raise make_no_pulls_left_error(state)

    def together(self) -> AbstractContextManager[None]:
        """Commit all calls of a block at once; an error in it undoes all of them.

        Answers are provisional until the block ends. Others wait meanwhile, so keep it short: tell
        the rewards of a file in it, but make no pulls.

        Returns:
            A context manager around the calls.

        >>> from goodarm import Problem, open_store
        >>> exp = open_store("memory:").experiment("banners", Problem(3, threshold=0.5, delta=0.05))
        >>> with exp.together():
        ...     while not exp.is_done:
        ...         exp.tell(exp.ask(), 1)
        >>> exp.verdict
        Verdict(good=[0, 1, 2], bad=[], undecided=[], pulls=33)
        """
        return self._committer.together()

    @property
    def status(self) -> Status:
        """Status: running, paused, done or closed."""
        with self._committer.reading() as state:
            return state.status

    @property
    def is_done(self) -> bool:
        """True if all arms are labelled, or it has ended otherwise."""
        return self.status in ("done", "closed")

    @property
    def entries(self) -> int:
        """Number of entries in the journal."""
        with self._committer.reading() as state:
            return state.last

    @property
    def changed_at(self) -> float | None:
        """Time of the last entry, in seconds since 1970; None before the first."""
        with self._committer.reading() as state:
            return state.at if state.last else None

    @property
    def pulls(self) -> int:
        """Number of rewards that came in."""
        with self._committer.reading() as state:
            return state.ident.pulls

    def pull(self, number: int) -> Pull:
        """Return the pull with this number; raise an error if it was not asked.

        Args:
            number: the pull's number.

        Raises:
            ProtocolError: it was not asked.
        """
        with self._committer.reading() as state:
            return state.pull(number)

    @property
    def waiting(self) -> list[Pull]:
        """Pulls that were asked and neither told nor forgotten, oldest first."""
        with self._committer.reading() as state:
            return state.ident.waiting

    @property
    def out(self) -> list[PullInProgress]:
        """Pulls in progress, with their workers, times and leases."""
        with self._committer.reading() as state:
            return state.list_in_progress()

    @property
    def verdict(self) -> Verdict:
        """Labels so far, valid at every moment."""
        with self._committer.reading() as state:
            return state.ident.verdict

    def explain(self, arm: Arm) -> ArmReport:
        """Return one arm's numbers and label.

        Args:
            arm: the arm's label.

        Raises:
            SpecError: no arm has this label.
        """
        with self._committer.reading() as state:
            return state.table([state.ident.problem.position(arm, "explain")])[0]

    def table(self) -> ArmTable:
        """Return every arm's numbers, in arm order."""
        with self._committer.reading() as state:
            return state.table()

    def history(
        self,
        arms: Iterable[Arm] | None = None,
        points: int = DEFAULT_HISTORY_POINTS,
        progress: Callable[[int], None] | None = None,
    ) -> list[ArmHistory]:
        """Return how intervals narrowed: what ``explain`` said at some moments.

        This replays the journal.

        Args:
            arms: labels; all arms if None.
            points: the most moments of each arm, further and further apart as its pulls grow, the
                first and the last of them included.
            progress: called with the entries replayed so far, now and then.

        Raises:
            SpecError: an arm is unknown, or ``points`` is no whole number from 1 on.
        """
        with self._committer.reading() as state:
            grid, last = make_grid(state, arms, points), state.last
        state, recorder = ExperimentState(self.settings), HistoryRecorder(grid)

        def act(state: ExperimentState, event: Event) -> None:
            replay(state, event)
            recorder.record(state, event)
            if progress is not None and state.last % PROGRESS_ENTRIES == 0:
                progress(state.last)

        replay_rows(state, islice(self._committer.rows(), last), self._name, act)
        return recorder.histories(state)

    def journal(self, after: int = 0) -> list[dict[str, Any]]:
        """Return all events after an entry, as JSON documents.

        Args:
            after: the number of the entry before the first.
        """
        return [json.loads(row.text) for row in self._committer.rows(after)]

    @property
    def head(self) -> JournalHead:
        """Number and hash of the journal's last entry. Keep them elsewhere for ``verify``."""
        found = self._committer.find_current_head()
        return JournalHead(found.last, found.hash)

    def hash_at(self, entry: int) -> str:
        """Return the hash of an entry, or of the start for 0; empty if the journal is unchained.

        Args:
            entry: the entry's number; 0 for the start.
        """
        if entry > 0:
            return next(self.rows(entry - 1, 1)).hash
        head = self._committer.head
        return head.hash if head.last == 0 else hash_start(head.start)

    def verify(
        self, progress: Callable[[int], None] | None = None, *, head: str | None = None
    ) -> Verified:
        """Compute all labels and their evidence again; raise an error if the journal differs.

        The hashes of a chained journal are computed again, too.

        Args:
            progress: called with the entries verified so far, now and then.
            head: hash of the last row, or its beginning, that you have kept elsewhere.

        Returns:
            How many entries, rewards and labels were verified, and the last hash.

        Raises:
            StoreTampered: the journal is not what its rewards prove, or not what ``head`` was the
                end of.
        """
        now, snapshot = self._committer.find_current_head(), self._committer.snapshot()

        def read_rows() -> Iterator[JournalRow]:
            return self._committer.rows(0, now.last)

        return verify(
            self.settings,
            read_rows,
            snapshot,
            self._name,
            progress,
            head=now,
            expected=head,
        )

    def __repr__(self) -> str:
        verdict = self.verdict
        return (
            f"StoredExperiment({self._name!r}: {len(verdict.good)} good, {len(verdict.bad)} bad, "
            f"{len(verdict.undecided)} undecided after {verdict.pulls} pulls)"
        )
