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
    pulls_expected,
)
from goodarm.problem import Problem
from goodarm.results import ArmTable, Label, Verdict
from goodarm.service.kept import Kept, Look, looking, rows
from goodarm.service.pages.wording import say_refused
from goodarm.service.problems import Refusal
from goodarm.store import StoredExperiment

_KEPT: Final = 32
"""Maximum number of cached snapshots, and of experiments with cached labels."""
_MOST_ARMS: Final = 300_000
"""Maximum number of arms in all cached snapshots."""
_PATIENCE: Final = 5.0
"""Watchers get a cached snapshot for this multiple of the time that it took."""
_CHUNK: Final = 10_000
_MOST_NOTES: Final = 200
"""Maximum number of cached notes of an experiment."""
_NOTE: Final = f'"{NoteAdded.kind}"'
"""Text that every row with a note contains, and few others do."""


class Left(NamedTuple):
    """Pulls still expected: the likely number, and one that suffices in 90 % of cases."""

    likely: int
    most: int
    is_whole: bool
    """whether it covers all arms in play; for some it may be unknown"""


NONE_LEFT: Final = Left(0, 0, True)


class Note(NamedTuple):
    """A remark by a person, on the experiment or on one of its arms."""

    entry: int
    at: float
    by: str
    text: str
    arm: int | None
    """position of the arm"""


class Fallen(NamedTuple):
    """Label that an arm got: when, and with which evidence."""

    entry: int
    at: float
    arm: int
    label: Label
    pulls: int
    log_evidence: float | None


@dataclass(frozen=True)
class Seen:
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
    fallen: Sequence[Fallen] = ()
    """labels in the order in which arms got them"""
    notes: Sequence[Note] = ()
    """the latest notes, newest first"""
    head: str = ""
    """hash of the last entry; empty if the journal is unchained"""
    has_journal: bool = False
    """whether labels, notes and hash were read"""

    @classmethod
    def of(cls, exp: StoredExperiment, look: Look) -> "Seen":
        """Take a snapshot of the experiment's state, without what the journal adds."""
        state = look.state
        return cls(
            name=exp.name,
            version=look.version,
            status=look.status,
            entries=state.last,
            changed_at=state.at if state.last else None,
            pulls=state.ident.pulls,
            table=state.table(),
            problem=state.ident.problem,
            algorithm=exp.algorithm,
            seed=exp.seed,
            reward_timeout=exp.reward_timeout,
            flag_policy=exp.flag_policy,
            out=state.in_progress(),
            verdict=state.ident.verdict,
            num_asked=state.num_asked,
            num_given_up=state.num_given_up,
            num_added=state.ident.problem.num_arms - exp.settings.problem.num_arms,
        )

    @property
    def counts(self) -> dict[Label, int]:
        """Number of arms by label."""
        return self.table.num_by_label

    @property
    def has_ended(self) -> bool:
        """Whether nothing is asked any more."""
        return self.status in ("done", "closed")

    @cached_property
    def left(self) -> Left:
        """Pulls still expected."""
        if self.has_ended:
            return NONE_LEFT
        likely, is_whole = pulls_expected(self.table, self.problem, self.pulls)
        most, _ = pulls_expected(self.table, self.problem, self.pulls, "pulls_needed_90")
        return Left(likely, max(likely, most), is_whole)


@dataclass(frozen=True)
class Short:
    """Summary of an experiment for the list; ``trouble`` says why it cannot be read."""

    name: str
    status: str
    entries: int
    changed_at: float | None = None
    pulls: int = 0
    good: int = 0
    bad: int = 0
    undecided: int = 0
    left: Left = NONE_LEFT
    trouble: str = ""


class _JournalRead(NamedTuple):
    """Parts of a journal that pages show, read up to an entry."""

    last: int
    labels: list[Fallen]
    notes: list[Note]
    """the latest ones"""
    head: str
    """hash of the last entry"""

    def up_to(self, last: int, head: str) -> "_JournalRead":
        """Return the part up to an entry, whose hash is given."""
        labels = [each for each in self.labels if each.entry <= last]
        notes = [each for each in self.notes if each.entry <= last]
        return _JournalRead(last, labels, notes, head)


_NOTHING_READ: Final = _JournalRead(0, [], [], "")


class _Held(NamedTuple):
    seen: Seen
    at: float
    cost: float


class Looks:
    """Snapshots of the experiments of a store."""

    def __init__(self, kept: Kept, give_way: Callable[[int], None] | None = None) -> None:
        self._kept, self._give_way = kept, give_way
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._shorts: dict[str, tuple[str, Short] | None] = {}
        self._journals: OrderedDict[str, _JournalRead] = OrderedDict()
        self._histories: OrderedDict[tuple[str, int], tuple[str, float, float, ArmHistory]]
        self._histories = OrderedDict()
        self._lock = Lock()

    def version(self, name: str) -> str:
        """Return the version of an experiment, which differs at each moment that it changes."""
        return self._kept.look(name, lambda _, look: look.version)

    def seen(self, name: str, *, is_watched: bool = False, has_journal: bool = False) -> Seen:
        """Return a snapshot of an experiment; for watchers, perhaps a slightly older one.

        All of it comes from one moment and one read transaction: the state, and with
        ``has_journal`` the journal up to the same entry.
        """

        def held_by(version: str) -> _Held | None:
            """Return the cached snapshot, if it is current, or recent enough for watchers."""
            held = self._held.get(name)
            if held is None or held.seen.version == version:
                return held
            is_young = time.monotonic() - held.at < _PATIENCE * held.cost
            return held if is_watched and is_young else None

        def look(exp: StoredExperiment) -> _Held:
            with looking(exp, is_long=lambda version: held_by(version) is None) as found:
                held = held_by(found.version)
                if held is None:
                    began = time.monotonic()
                    seen = Seen.of(exp, found)
                    end = time.monotonic()
                    held = _Held(seen, end, end - began)
            if has_journal and not held.seen.has_journal:
                _, labels, notes, head = self._read_journal(exp, held.seen.entries)
                seen = replace(
                    held.seen, fallen=labels, notes=notes[::-1], head=head, has_journal=True
                )
                held = held._replace(seen=seen)
            return held

        held = self._kept.view(name, look)
        self._remember(self._held, name, held)
        with self._lock:
            while len(self._held) > 1 and self._arms_held() > _MOST_ARMS:
                self._held.popitem(last=False)
        return held.seen

    def _arms_held(self) -> int:
        return sum(len(held.seen.table) for held in self._held.values())

    def shorts(self, names: set[str]) -> list[Short]:
        """Return summaries of experiments by name; unchanged ones come from the cache."""
        heads = self._kept.store.heads()
        remembered = {head.name: self._shorts.get(head.name) for head in heads}
        for head in heads:
            version, held = f"{head.id}-{head.last}", remembered[head.name]
            if head.name in names and (held is None or held[0] != version):
                short = self._short(head.name, head.last)
                remembered[head.name] = None if short is None else (version, short)
        self._shorts = remembered
        return [held[1] for name, held in remembered.items() if held and name in names]

    def _short(self, name: str, entries: int) -> Short | None:
        """Return a summary of an experiment; None if it was deleted meanwhile."""
        try:
            seen = self.seen(name)
        except (Refusal, Gone):
            return None
        except GoodArmError as error:
            if isinstance(error, StoreError) and not isinstance(error, StoreTampered):
                raise
            return Short(name, "unreadable", entries, trouble=say_refused(error))
        return Short(
            name=name,
            status=seen.status,
            entries=seen.entries,
            changed_at=seen.changed_at,
            pulls=seen.pulls,
            left=seen.left,
            good=seen.counts["good"],
            bad=seen.counts["bad"],
            undecided=seen.counts["undecided"],
        )

    def _read_journal(self, exp: StoredExperiment, last: int) -> _JournalRead:
        """Return the labels and notes of a journal up to an entry; each entry is read once."""
        held = self._journals.get(exp.id, _NOTHING_READ)
        if held.last > last:  # a later snapshot has read on
            return held.up_to(last, exp.hash_at(last))
        if held.last == last > 0:
            return held
        after, labels, notes = held.last, list(held.labels), list(held.notes)
        head = "" if last else exp.hash_at(0)
        while after < last:
            chunk = rows(exp, after, min(_CHUNK, last - after))
            for row in chunk:
                if '"labels"' in row.text:
                    labels += _labels(row.number, json.loads(row.text))
                elif _NOTE in row.text:
                    notes += _notes(row.number, json.loads(row.text))
            if not chunk:
                break
            after, head = after + len(chunk), chunk[-1].hash
        found = _JournalRead(after, labels, notes[-_MOST_NOTES:], head)
        self._remember(self._journals, exp.id, found)
        return found

    def history(self, name: str, arm: int, version: str) -> ArmHistory:
        """Return how an arm's interval narrowed; cached, since a replay may take long."""
        held = self._histories.get((name, arm))
        now = time.monotonic()
        if held is not None and (held[0] == version or now - held[1] < _PATIENCE * held[2]):
            return held[3]

        def look(exp: StoredExperiment) -> ArmHistory:
            return exp.history([exp.problem.arms[arm]], progress=self._give_way)[0]

        found = self._kept.use(name, look)
        end = time.monotonic()
        self._remember(self._histories, (name, arm), (version, end, end - now, found))
        return found

    def _remember(self, held: "OrderedDict[Any, Any]", key: Any, value: Any) -> None:
        with self._lock:
            held[key] = value
            held.move_to_end(key)
            while len(held) > _KEPT:
                held.popitem(last=False)


def _labels(number: int, entry: dict[str, Any]) -> list[Fallen]:
    return [
        Fallen(
            number,
            entry["at"],
            each["arm"],
            "good" if each["label"] > 0 else "bad",
            each["pulls"],
            each["evidence"],
        )
        for each in entry.get("labels", ())
    ]


def _notes(number: int, entry: dict[str, Any]) -> list[Note]:
    if entry["kind"] != NoteAdded.kind:
        return []
    return [Note(number, entry["at"], entry.get("by") or "", entry["text"], entry.get("arm"))]
