"""Snapshots of experiments, cached while nothing changes.

With many arms a snapshot takes a while. So a page that is watched gets the last one again for a
multiple of the time that it took; a page that is opened gets a new one.
"""

import json
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import Any, Final, NamedTuple

from goodarm.algorithm import Algorithm
from goodarm.errors import Gone, GoodArmError, StoreError, StoreTampered
from goodarm.live import (
    ArmHistory,
    FlagPolicy,
    NoteAdded,
    PullInProgress,
    RewardTimeout,
    forecast_pulls,
)
from goodarm.problem import Problem
from goodarm.results import ArmTable, Label, Verdict
from goodarm.service.open_experiments import OpenExperiments, VersionedState, read_state
from goodarm.service.pages.wording import explain_refusal
from goodarm.service.problems import Refusal
from goodarm.store import StoredExperiment

_MAX_CACHED: Final = 32
"""Maximum number of cached snapshots, and of experiments with cached labels."""
_MAX_CACHED_ARMS: Final = 300_000
"""Maximum number of arms in all cached snapshots."""
_REUSE_FACTOR: Final = 5.0
"""Watchers get a cached snapshot for this multiple of the time that it took."""
_CHUNK_ROWS: Final = 10_000
_MAX_CACHED_NOTES: Final = 200
"""Maximum number of cached notes of an experiment."""
_NOTE_MARKER: Final = f'"{NoteAdded.kind}"'
"""Text that every row with a note contains, and few others do."""


class PullsLeft(NamedTuple):
    """Pulls still expected: the likely number, and one that suffices in 90 % of cases."""

    likely: int
    most: int
    is_whole: bool
    """whether it covers all arms in play; for some it may be unknown"""


NO_PULLS_LEFT: Final = PullsLeft(0, 0, True)


class ExperimentNote(NamedTuple):
    """A remark by a person, on the experiment or on one of its arms."""

    entry: int
    at: float
    by: str
    text: str
    arm: int | None
    """position of the arm"""


class LabelDecision(NamedTuple):
    """Label that an arm got: when, and with which evidence."""

    entry: int
    at: float
    arm: int
    label: Label
    pulls: int
    log_evidence: float | None


@dataclass(frozen=True)
class ExperimentSnapshot:
    """Snapshot of an experiment."""

    name: str
    version: str
    status: str
    entries: int
    changed_at: float | None
    pulls: int
    table: ArmTable
    problem: Problem
    algorithm: Algorithm
    seed: int
    reward_timeout: RewardTimeout
    flag_policy: FlagPolicy
    out: list[PullInProgress]
    verdict: Verdict
    num_asked: int
    num_given_up: int
    num_added: int
    """arms that joined after the start"""
    decisions: Sequence[LabelDecision] = ()
    """labels in the order in which arms got them"""
    notes: Sequence[ExperimentNote] = ()
    """the latest notes, newest first"""
    head: str = ""
    """hash of the last entry; empty if the journal is unchained"""
    has_journal: bool = False
    """whether labels, notes and hash were read"""

    @classmethod
    def of(cls, exp: StoredExperiment, read: VersionedState) -> "ExperimentSnapshot":
        """Take a snapshot of the experiment's state, without what the journal adds."""
        state, settings = read.state, exp.settings
        return cls(
            name=exp.name,
            version=read.version,
            status=state.status,
            entries=state.last,
            changed_at=state.at if state.last else None,
            pulls=state.ident.pulls,
            table=state.table(),
            problem=state.ident.problem,
            algorithm=settings.algorithm,
            seed=settings.seed,
            reward_timeout=settings.reward_timeout,
            flag_policy=settings.flag_policy,
            out=state.list_in_progress(),
            verdict=state.ident.verdict,
            num_asked=state.num_asked,
            num_given_up=state.num_given_up,
            num_added=state.ident.problem.num_arms - settings.problem.num_arms,
        )

    @property
    def has_ended(self) -> bool:
        """True if nothing is asked any more."""
        return self.status in ("done", "closed")

    @cached_property
    def left(self) -> PullsLeft:
        """Pulls still expected."""
        if self.has_ended:
            return NO_PULLS_LEFT
        likely, is_whole = forecast_pulls(self.table, self.problem, self.pulls)
        most, _ = forecast_pulls(self.table, self.problem, self.pulls, "pulls_needed_90")
        return PullsLeft(likely, max(likely, most), is_whole)


@dataclass(frozen=True)
class ExperimentSummary:
    """Summary of an experiment for the list; ``trouble`` says why it cannot be read."""

    name: str
    status: str
    entries: int
    changed_at: float | None = None
    pulls: int = 0
    good: int = 0
    bad: int = 0
    undecided: int = 0
    left: PullsLeft = NO_PULLS_LEFT
    trouble: str = ""


class _JournalPart(NamedTuple):
    """Parts of a journal that pages show, read up to an entry."""

    last: int
    labels: list[LabelDecision]
    notes: list[ExperimentNote]
    """the latest ones"""
    head: str
    """hash of the last entry"""

    def up_to(self, last: int, head: str) -> "_JournalPart":
        """Return the part up to an entry, whose hash is given."""
        labels = [each for each in self.labels if each.entry <= last]
        notes = [each for each in self.notes if each.entry <= last]
        return _JournalPart(last, labels, notes, head)


_EMPTY_PART: Final = _JournalPart(0, [], [], "")


class _CachedSnapshot(NamedTuple):
    snapshot: ExperimentSnapshot
    at: float
    cost: float


class SnapshotCache:
    """Snapshots of the experiments of a store."""

    def __init__(
        self, experiments: OpenExperiments, give_way: Callable[[int], None] | None = None
    ) -> None:
        self._experiments, self._give_way = experiments, give_way
        self._cached: OrderedDict[str, _CachedSnapshot] = OrderedDict()
        self._summaries: dict[str, tuple[str, ExperimentSummary] | None] = {}
        self._journals: OrderedDict[str, _JournalPart] = OrderedDict()
        self._histories: OrderedDict[tuple[str, int], tuple[str, float, float, ArmHistory]]
        self._histories = OrderedDict()
        self._lock = Lock()

    def version(self, name: str) -> str:
        """Return the version of an experiment, which differs at each moment that it changes."""
        return self._experiments.read(name, lambda _, read: read.version)

    def get(
        self, name: str, *, is_watched: bool = False, has_journal: bool = False
    ) -> ExperimentSnapshot:
        """Return a snapshot of an experiment; for watchers, perhaps a slightly older one.

        All of it comes from one moment and one read transaction: the state, and with
        ``has_journal`` the journal up to the same entry.
        """

        def find_cached(version: str) -> _CachedSnapshot | None:
            """Return the cached snapshot, if it is current, or recent enough for watchers."""
            cached = self._cached.get(name)
            if cached is None or cached.snapshot.version == version:
                return cached
            is_young = time.monotonic() - cached.at < _REUSE_FACTOR * cached.cost
            return cached if is_watched and is_young else None

        def read(exp: StoredExperiment) -> _CachedSnapshot:
            with read_state(exp, is_long=lambda version: find_cached(version) is None) as found:
                cached = find_cached(found.version)
                if cached is None:
                    began = time.monotonic()
                    snapshot = ExperimentSnapshot.of(exp, found)
                    end = time.monotonic()
                    cached = _CachedSnapshot(snapshot, end, end - began)
            if has_journal and not cached.snapshot.has_journal:
                _, labels, notes, head = self._read_journal(exp, cached.snapshot.entries)
                snapshot = replace(
                    cached.snapshot,
                    decisions=labels,
                    notes=notes[::-1],
                    head=head,
                    has_journal=True,
                )
                cached = cached._replace(snapshot=snapshot)
            return cached

        cached = self._experiments.read_in_transaction(name, read)
        self._store_cached(self._cached, name, cached)
        with self._lock:
            while len(self._cached) > 1 and self._count_cached_arms() > _MAX_CACHED_ARMS:
                self._cached.popitem(last=False)
        return cached.snapshot

    def _count_cached_arms(self) -> int:
        return sum(len(cached.snapshot.table) for cached in self._cached.values())

    def summaries(self, names: set[str]) -> list[ExperimentSummary]:
        """Return summaries of experiments by name; unchanged ones come from the cache."""
        heads = self._experiments.store.heads()
        remembered = {head.name: self._summaries.get(head.name) for head in heads}
        for head in heads:
            version, cached = f"{head.id}-{head.last}", remembered[head.name]
            if head.name in names and (cached is None or cached[0] != version):
                summary = self._summarize(head.name, head.last)
                remembered[head.name] = None if summary is None else (version, summary)
        self._summaries = remembered
        return [cached[1] for name, cached in remembered.items() if cached and name in names]

    def _summarize(self, name: str, entries: int) -> ExperimentSummary | None:
        """Return a summary of an experiment; None if it was deleted meanwhile."""
        try:
            snapshot = self.get(name)
        except (Refusal, Gone):
            return None
        except GoodArmError as error:
            if isinstance(error, StoreError) and not isinstance(error, StoreTampered):
                raise
            return ExperimentSummary(name, "unreadable", entries, trouble=explain_refusal(error))
        counts = snapshot.table.num_by_label
        return ExperimentSummary(
            name=name,
            status=snapshot.status,
            entries=snapshot.entries,
            changed_at=snapshot.changed_at,
            pulls=snapshot.pulls,
            left=snapshot.left,
            good=counts["good"],
            bad=counts["bad"],
            undecided=counts["undecided"],
        )

    def _read_journal(self, exp: StoredExperiment, last: int) -> _JournalPart:
        """Return the labels and notes of a journal up to an entry; each entry is read once."""
        cached = self._journals.get(exp.id, _EMPTY_PART)
        if cached.last > last:  # a later snapshot has read on
            return cached.up_to(last, exp.hash_at(last))
        if cached.last == last > 0:
            return cached
        after, labels, notes = cached.last, list(cached.labels), list(cached.notes)
        head = "" if last else exp.hash_at(0)
        while after < last:
            chunk = list(exp.rows(after, min(_CHUNK_ROWS, last - after)))
            for row in chunk:
                if '"labels"' in row.text:
                    labels += _read_labels(row.number, json.loads(row.text))
                elif _NOTE_MARKER in row.text:
                    notes += _read_notes(row.number, json.loads(row.text))
            if not chunk:
                break
            after, head = after + len(chunk), chunk[-1].hash
        found = _JournalPart(after, labels, notes[-_MAX_CACHED_NOTES:], head)
        self._store_cached(self._journals, exp.id, found)
        return found

    def history(self, name: str, arm: int, version: str) -> ArmHistory:
        """Return how an arm's interval narrowed; cached, since a replay may take long."""
        cached = self._histories.get((name, arm))
        now = time.monotonic()
        if cached is not None and (
            cached[0] == version or now - cached[1] < _REUSE_FACTOR * cached[2]
        ):
            return cached[3]

        def read(exp: StoredExperiment) -> ArmHistory:
            return exp.history([exp.problem.arms[arm]], progress=self._give_way)[0]

        found = self._experiments.use(name, read)
        end = time.monotonic()
        self._store_cached(self._histories, (name, arm), (version, end, end - now, found))
        return found

    def _store_cached(self, cached: "OrderedDict[Any, Any]", key: Any, value: Any) -> None:
        with self._lock:
            cached[key] = value
            cached.move_to_end(key)
            while len(cached) > _MAX_CACHED:
                cached.popitem(last=False)


def _read_labels(number: int, entry: dict[str, Any]) -> list[LabelDecision]:
    return [
        LabelDecision(
            number,
            entry["at"],
            each["arm"],
            "good" if each["label"] > 0 else "bad",
            each["pulls"],
            each["evidence"],
        )
        for each in entry.get("labels", ())
    ]


def _read_notes(number: int, entry: dict[str, Any]) -> list[ExperimentNote]:
    if entry["kind"] != NoteAdded.kind:
        return []
    return [
        ExperimentNote(number, entry["at"], entry.get("by") or "", entry["text"], entry.get("arm"))
    ]
