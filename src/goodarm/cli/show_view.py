"""Snapshot of a stored experiment, as lines of text and as JSON."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from goodarm.algorithm import make_algorithm_title
from goodarm.cli import check_view
from goodarm.cli.output import format_table_lines, wrap_text
from goodarm.live import find_flag_warning
from goodarm.views.names import printable
from goodarm.views.numbers import plural
from goodarm.views.problem_text import get_problem_facts, list_settings
from goodarm.views.text import TableLayout
from goodarm.views.times import format_future, format_iso, format_past

if TYPE_CHECKING:
    from goodarm.algorithm import Algorithm
    from goodarm.cli.stores import AnyExperiment
    from goodarm.live import PullInProgress
    from goodarm.problem import Problem
    from goodarm.results import ArmTable
    from goodarm.store import JournalHead

_END_STATUSES: Final = ("done", "closed")
_MAX_PULLS_SHOWN: Final = 12
"""Most pulls in progress that a terminal shows."""


@dataclass(frozen=True)
class ExperimentView:
    """Snapshot of an experiment."""

    name: str
    status: str
    entries: int
    changed_at: float | None
    pulls: int
    table: "ArmTable"
    problem: "Problem"
    algorithm: "Algorithm"
    seed: int
    out: "list[PullInProgress]"
    warning: str | None
    """warning about a feature flag without a rule for missing rewards"""
    head: "JournalHead"

    @classmethod
    def of(cls, exp: "AnyExperiment") -> "ExperimentView":
        """Take a snapshot of the experiment."""
        entries = exp.entries  # first: a later entry then triggers another look
        return cls(
            exp.name,
            exp.status,
            entries,
            exp.changed_at,
            exp.pulls,
            exp.table(),
            exp.problem,  # after the table: it has their arms, whatever was added since
            exp.algorithm,
            exp.seed,
            exp.out,
            find_flag_warning(exp.reward_timeout, exp.flag_policy),
            exp.head,
        )

    @property
    def has_ended(self) -> bool:
        """True if the experiment has ended, so that nothing will change."""
        return self.status in _END_STATUSES

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a JSON document."""
        counts = {f"num_{label}": count for label, count in self.table.num_by_label.items()}
        return {
            "kind": "show",
            "format": 1,
            "name": self.name,
            "status": self.status,
            "entries": self.entries,
            "head": self.head.hash or None,
            "changed_at": format_iso(self.changed_at),
            "pulls": self.pulls,
            **counts,
            "problem": self.problem.to_dict(),
            "algorithm": self.algorithm.to_dict(),
            "seed": self.seed,
            "arms": [row.to_dict() for row in self.table],
            "out": [_pull_document(each) for each in self.out],
            **({} if self.warning is None else {"warning": self.warning}),
        }


def format_lines(
    view: ExperimentView, only: list[str], sort: str, width: int | None, most: int | None
) -> list[str]:
    """Return the experiment, a table of up to ``most`` arms a label, and the pulls in progress."""
    rows, left_out = check_view.format_table(view.table, only, sort, width, most)
    head = [*_format_head(view), view.table.summary]
    lines = [line for text in head for line in wrap_text(text, width)]
    lines += ["", *rows, ""]
    notes = (
        left_out,
        view.table.lost_note,
        *view.table.reason_notes,
        view.table.money_note,
        *_format_warnings(view),
        _format_journal_head(view),
    )
    for note in notes:
        lines += wrap_text(note, width) if note else []
    return lines + _format_pulls(view, width, None if most is None else min(most, _MAX_PULLS_SHOWN))


def _format_head(view: ExperimentView) -> list[str]:
    counts = f"{plural(view.pulls, 'pull')}, {plural(view.entries, 'entry', 'entries')}"
    changed = "" if view.changed_at is None else f", last change {format_past(view.changed_at)}"
    asked = [
        make_algorithm_title(view.algorithm.to_dict()),
        *list_settings(get_problem_facts(view.problem)),
    ]
    return [f"{view.name}: {view.status}, {counts}{changed}", ", ".join(asked)]


def _format_journal_head(view: ExperimentView) -> str:
    """Return the line with the head of the journal, which a user can keep elsewhere."""
    if not view.head.hash:
        return "The journal has no hashes. Add them with: goodarm upgrade"
    from goodarm.store import SHOWN_DIGITS

    return (
        f"Last hash of the journal, at entry {view.head.entry:,}: {view.head.hash[:SHOWN_DIGITS]}"
    )


def _format_warnings(view: ExperimentView) -> list[str]:
    """Return notes with remedies: what holds the experiment up, and a kind of rewards that fits."""
    kind = filter(None, [view.table.rewards_note])
    if view.has_ended:
        return list(kind)
    return [*view.table.waiting_notes(), *([view.warning] if view.warning else []), *kind]


def _format_pulls(view: ExperimentView, width: int | None, most: int | None) -> list[str]:
    if not view.out:
        return []
    shown = view.out if most is None else view.out[:most]
    columns = {
        "pull": [f"{each.pull.number:,}" for each in shown],
        "arm": [printable(each.pull.arm) for each in shown],
        "case": ["-" if each.pull.case is None else f"{each.pull.case:,}" for each in shown],
        "worker": ["-" if each.worker is None else printable(each.worker) for each in shown],
        "asked": [format_past(each.asked_at) for each in shown],
        "lease ends": [format_future(each.until) for each in shown],
    }
    known = {name: cells for name, cells in columns.items() if set(cells) != {"-"}}
    header, rows = list(known), list(zip(*known.values(), strict=True))
    count = len(view.out)
    title = f"{plural(count, 'pull')} in progress:"
    if len(shown) < count:
        title = f"{count:,} pulls in progress, the oldest {len(shown)} (--all shows them all):"
    table = format_table_lines(header, rows, width, TableLayout(left=len(header), keys=2))
    return [*wrap_text(title, width), "", *table, ""]


def _pull_document(out: "PullInProgress") -> dict[str, Any]:
    return {
        **out.pull._asdict(),
        "worker": out.worker,
        "asked_at": format_iso(out.asked_at),
        "until": format_iso(out.until),
    }
