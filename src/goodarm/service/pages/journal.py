"""Page of the journal in words, the newest entry first, by kind and by arm."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from goodarm.live import EVENT_TYPES, VERBS, ArmAdded
from goodarm.problem import Arm
from goodarm.service.kept import CREATED, looking, rows
from goodarm.service.pages.rendering import page, visible_lines
from goodarm.service.pages.visit import Page, Visit
from goodarm.store import StoredExperiment
from goodarm.views.names import printable, visible
from goodarm.views.numbers import format_number, plural

_SIZE: Final = 100
_MOST_READ: Final = 20_000
"""Maximum number of entries that one request searches."""
_CHUNK: Final = 2000
_MOST_NAMED: Final = 4
"""Maximum number of arms, pulls or rewards that a line names."""
LABELS: Final = "labels"
"""Choice among the kinds: the entries at which arms got their labels."""
_FIELD: Final = re.compile(r"{(\w+)}")
_OPTIONAL: Final = re.compile(r"\[([^]]*)]")
"""Patterns of an event's fields, and of optional parts, in a sentence of the table of verbs."""


@dataclass(frozen=True)
class Line:
    """Entry in words."""

    number: int
    at: float
    kind: str
    text: str
    by: str
    labels: list[str]


@dataclass(frozen=True)
class JournalPage:
    """Content of the page: some entries, and the address of older ones."""

    name: str
    lines: list[Line]
    kind: str
    search: str
    last: int
    looked: int
    """the oldest entry that was searched"""
    older: str | None
    newest: str | None


def journal_of(visit: Visit) -> JournalPage:
    """Return the entries that the query asks for."""
    kind = visit.chosen("kind", (*EVENT_TYPES, LABELS), "")
    search = visit.text("q").strip()
    wanted = search.casefold()

    def look(exp: StoredExperiment) -> JournalPage:
        with looking(exp) as found:
            last, arms = found.state.last, found.state.ident.problem.arms
            asked = found.state.arm_positions()
        begin = min(visit.number("before", last + 1), last + 1) - 1
        lines: list[Line] = []
        at = begin
        while at > 0 and len(lines) < _SIZE and begin - at < _MOST_READ:
            size = min(_CHUNK, at)
            for row in reversed(rows(exp, at - size, size)):
                at = row.number - 1
                entry = json.loads(row.text)
                if kind and not (LABELS in entry if kind == LABELS else entry["kind"] == kind):
                    continue
                line = line_of(row.number, entry, arms, asked, is_creation=row.key == CREATED)
                if wanted in f"{line.text} {' '.join(line.labels)} {line.by}".casefold():
                    lines.append(line)
                if len(lines) == _SIZE:
                    break
        older = visit.at("journal", kind=kind, q=search, before=at + 1) if at else None
        newest = visit.at("journal", kind=kind, q=search) if begin < last else None
        return JournalPage(exp.name, lines, kind, search, last, at + 1, older, newest)

    return visit.kept.view(visit.name, look)


def line_of(
    number: int,
    entry: Mapping[str, Any],
    arms: Sequence[Arm],
    asked: Any,
    *,
    is_creation: bool = False,
) -> Line:
    """Return an entry in words."""

    def arm(position: int) -> str:
        return printable(arms[position])

    def of(pull: int) -> str:
        return arm(int(asked[pull - 1]))

    labels = [
        f"{arm(each['arm'])} is {'good' if each['label'] > 0 else 'bad'}, proven by "
        f"{plural(each['pulls'], 'pull')} of it"
        for each in entry.get(LABELS, ())
    ]
    kind = entry["kind"]
    if is_creation:
        text = VERBS["create"].sentence or kind
    elif kind in _WORDS:
        text = _WORDS[kind](entry, arm, of)
    else:
        text = sentence_of(entry, arm)
    return Line(number, entry["at"], entry["kind"], text, visible(entry.get("by") or ""), labels)


_Name = Callable[[int], str]


def sentence_of(entry: Mapping[str, Any], arm: _Name) -> str:
    """Fill in the sentence of an entry from the table of verbs; texts of users stay as they are.

    >>> sentence_of({"kind": "note", "text": "{arm} [new]", "arm": 1}, lambda k: f"arm {k}")
    'On arm 1: {arm} [new]'
    >>> sentence_of({"kind": "note", "text": "all well"}, str)
    'all well'
    """
    kind = entry["kind"]
    words = next((verb.sentence for verb in VERBS.values() if verb.event.kind == kind), None)

    def value(name: str) -> str:
        if name == "arm":
            return printable(entry[name]) if kind == ArmAdded.kind else arm(entry[name])
        return visible_lines(str(entry[name]))

    def is_full(part: str) -> bool:
        return all(name in entry for name in _FIELD.findall(part))

    whole = _OPTIONAL.sub(lambda m: m[1] if is_full(m[1]) else "", words or kind.replace("_", " "))
    return _FIELD.sub(lambda m: value(m[1]), whole)


def _asked(entry: Mapping[str, Any], arm: _Name, of: _Name) -> str:
    first, arms = entry["first"], entry.get("arms", ())
    parts = []
    if arms:
        numbers = f"{first:,}" if len(arms) == 1 else f"{first:,} to {first + len(arms) - 1:,}"
        word = "Pull" if len(arms) == 1 else "Pulls"
        parts.append(f"{word} {numbers} of {_some([arm(k) for k in dict.fromkeys(arms)])}")
    if entry.get("again"):
        parts.append(f"pull {_some([f'{n:,}' for n in entry['again']])} again")
    worker = entry.get("worker")
    return " and ".join(parts) + (f", for {printable(worker)}" if worker else "")


def _told(entry: Mapping[str, Any], arm: _Name, of: _Name) -> str:
    told: dict[str, list[float]] = {}
    for pull, reward in zip(entry["pulls"], entry["rewards"], strict=True):
        told.setdefault(of(pull), []).append(float(reward))
    pulls = entry["pulls"]
    one = f"Reward of pull {pulls[0]:,}"
    which = one if len(pulls) == 1 else f"Rewards of {len(pulls):,} pulls"
    why = ", by silence" if entry.get("is_silence") else ""
    return f"{which}: {_some([f'{arm} {_often(each)}' for arm, each in told.items()], '; ')}{why}"


def _often(rewards: Sequence[float]) -> str:
    """Format rewards, each once with the number of times it came.

    >>> _often([1.0, 0.0, 1.0, 1.0]), _often([0.25])
    ('1 (3 times), 0', '0.25')
    """
    counts = Counter(map(format_number, rewards))
    return _some([f"{text} ({n:,} times)" if n > 1 else text for text, n in counts.items()])


def _forgotten(entry: Mapping[str, Any], arm: _Name, of: _Name) -> str:
    pulls = _some([f"pull {n:,} of {of(n)}" for n in entry["pulls"]])
    how = "as never made" if entry.get("is_independent") else "as the worst case"
    return f"{pulls} given up, {how}" + (", by silence" if entry.get("is_silence") else "")


def _observed(entry: Mapping[str, Any], arm: _Name, of: _Name) -> str:
    rewards = entry["rewards"]
    shown = _often([float(reward) for reward in rewards])
    return f"{plural(len(rewards), 'reward')} of {arm(entry['arm'])} that nobody had asked: {shown}"


_WORDS: Final[Mapping[str, Callable[[Mapping[str, Any], _Name, _Name], str]]] = {
    "asked": _asked,
    "told": _told,
    "forgotten": _forgotten,
    "observed": _observed,
    "expired": lambda e, arm, of: (
        f"The lease of {_some([f'pull {n:,} of {of(n)}' for n in e['pulls']])} ended"
    ),
    "noted": lambda e, arm, of: "A request that changed nothing",
}


def _some(names: Sequence[str], between: str = ", ") -> str:
    more = len(names) - _MOST_NAMED
    shown = between.join(names[:_MOST_NAMED])
    return f"{shown} and {more:,} more" if more > 0 else shown


def show_journal(visit: Visit) -> Response:
    """Show the page."""
    kinds = [*EVENT_TYPES, LABELS]
    return page(visit, "journal.html", shown=journal_of(visit), kinds=kinds)


PAGES: Final = (
    Page("GET", "/experiments/{name:experiment}/journal", "read", show_journal, "downloads"),
)
