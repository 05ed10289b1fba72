"""Page of the journal in words, the newest entry first, by kind and by arm."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from goodarm.live import EVENT_TYPES, VERBS, ArmAdded
from goodarm.problem import Arm, add_money
from goodarm.service.open_experiments import CREATED_KEY, read_state
from goodarm.service.pages.html_responses import escape_lines, render_page
from goodarm.service.pages.request_context import Page, Visit
from goodarm.store import StoredExperiment
from goodarm.views.names import printable, visible
from goodarm.views.numbers import format_money, format_number, plural

_PAGE_ENTRIES: Final = 100
_MAX_SEARCHED_ENTRIES: Final = 20_000
"""Maximum number of entries that one request searches."""
_CHUNK_ENTRIES: Final = 2000
_MAX_NAMED: Final = 4
"""Maximum number of arms, pulls or rewards that a line names."""
LABELS_FILTER: Final = "labels"
"""Choice among the kinds: the entries at which arms got their labels."""
_FIELD: Final = re.compile(r"{(\w+)}")
_OPTIONAL: Final = re.compile(r"\[([^]]*)]")
"""Patterns of an event's fields, and of optional parts, in a sentence of the table of verbs."""


@dataclass(frozen=True)
class JournalLine:
    """Entry in words."""

    number: int
    at: float
    """time of the entry, in seconds since 1970"""
    kind: str
    text: str
    by: str
    labels: list[str]


@dataclass(frozen=True)
class JournalPage:
    """Content of the page: some entries, and the addresses of older and of the newest ones."""

    name: str
    lines: list[JournalLine]
    kind: str
    search: str
    last: int
    oldest_searched: int
    """the oldest entry that was searched"""
    older_url: str | None
    newest_url: str | None


def make_journal_page(visit: Visit) -> JournalPage:
    """Return the entries that the query asks for."""
    kind = visit.get_choice("kind", (*EVENT_TYPES, LABELS_FILTER), "")
    search = visit.get_text("q").strip()
    wanted = search.casefold()

    def read(exp: StoredExperiment) -> JournalPage:
        with read_state(exp) as found:
            last, arms = found.state.last, found.state.ident.problem.arms
            arms_of_pulls = found.state.list_arm_positions()
        begin = min(visit.get_number("before", last + 1), last + 1) - 1
        lines: list[JournalLine] = []
        remaining = begin  # entries 1 to this one have not been searched yet
        while (
            remaining > 0
            and len(lines) < _PAGE_ENTRIES
            and begin - remaining < _MAX_SEARCHED_ENTRIES
        ):
            size = min(_CHUNK_ENTRIES, remaining)
            for row in reversed(list(exp.rows(remaining - size, size))):
                remaining = row.number - 1
                entry = json.loads(row.text)
                if kind and not (
                    LABELS_FILTER in entry if kind == LABELS_FILTER else entry["kind"] == kind
                ):
                    continue
                line = describe_entry(
                    row.number, entry, arms, arms_of_pulls, is_creation=row.key == CREATED_KEY
                )
                if wanted in f"{line.text} {' '.join(line.labels)} {line.by}".casefold():
                    lines.append(line)
                if len(lines) == _PAGE_ENTRIES:
                    break
        older = newest = None
        if remaining:
            older = visit.make_experiment_url("journal", kind=kind, q=search, before=remaining + 1)
        if begin < last:
            newest = visit.make_experiment_url("journal", kind=kind, q=search)
        return JournalPage(exp.name, lines, kind, search, last, remaining + 1, older, newest)

    return visit.experiments.read_in_transaction(visit.name, read)


def describe_entry(
    number: int,
    entry: Mapping[str, Any],
    arms: Sequence[Arm],
    arms_of_pulls: Sequence[int],
    *,
    is_creation: bool = False,
) -> JournalLine:
    """Return an entry in words; ``arms_of_pulls`` has the position of each pull's arm."""

    def name_arm(position: int) -> str:
        return printable(arms[position])

    def name_arm_of_pull(pull: int) -> str:
        return name_arm(int(arms_of_pulls[pull - 1]))

    labels = [
        f"{name_arm(each['arm'])} is {'good' if each['label'] > 0 else 'bad'}, after "
        f"{plural(each['pulls'], 'pull')} of it"
        for each in entry.get(LABELS_FILTER, ())
    ]
    kind = entry["kind"]
    if is_creation:
        text = VERBS["create"].sentence or kind
    elif kind in _DESCRIPTIONS:
        text = _DESCRIPTIONS[kind](entry, name_arm, name_arm_of_pull)
    else:
        text = fill_sentence(entry, name_arm)
    return JournalLine(
        number, entry["at"], entry["kind"], text, visible(entry.get("by") or ""), labels
    )


_Namer = Callable[[int], str]
"""Function that names the arm at a position, or the arm of a pull."""


def fill_sentence(entry: Mapping[str, Any], name_arm: _Namer) -> str:
    """Fill in the sentence of an entry from the table of verbs; texts of users stay as they are.

    >>> fill_sentence({"kind": "note", "text": "{arm} [new]", "arm": 1}, lambda k: f"arm {k}")
    'On arm 1: {arm} [new]'
    >>> fill_sentence({"kind": "note", "text": "all well"}, str)
    'all well'
    """
    kind = entry["kind"]
    words = next((verb.sentence for verb in VERBS.values() if verb.event.kind == kind), None)

    def format_field(name: str) -> str:
        if name == "arm":
            return printable(entry[name]) if kind == ArmAdded.kind else name_arm(entry[name])
        return escape_lines(str(entry[name]))

    def has_all_fields(part: str) -> bool:
        return all(name in entry for name in _FIELD.findall(part))

    whole = _OPTIONAL.sub(
        lambda m: m[1] if has_all_fields(m[1]) else "", words or kind.replace("_", " ")
    )
    return _FIELD.sub(lambda m: format_field(m[1]), whole)


def _describe_asked(entry: Mapping[str, Any], name_arm: _Namer, name_arm_of_pull: _Namer) -> str:
    first, arms = entry["first"], entry.get("arms", ())
    parts = []
    if arms:
        numbers = f"{first:,}" if len(arms) == 1 else f"{first:,} to {first + len(arms) - 1:,}"
        word = "Pull" if len(arms) == 1 else "Pulls"
        names = _join_first([name_arm(k) for k in dict.fromkeys(arms)])
        parts.append(f"{word} {numbers} of {names}")
    if again := entry.get("again"):
        word = "pull" if len(again) == 1 else "pulls"
        parts.append(
            f"{word if parts else word.capitalize()} {_join_first([f'{n:,}' for n in again])} again"
        )
    worker = entry.get("worker")
    text = " and ".join(parts) or "No pulls"
    return text + (f", for {printable(worker)}" if worker else "")


def _describe_told(entry: Mapping[str, Any], name_arm: _Namer, name_arm_of_pull: _Namer) -> str:
    rewards_by_arm: dict[str, list[float]] = {}
    for pull, reward in zip(entry["pulls"], entry["rewards"], strict=True):
        rewards_by_arm.setdefault(name_arm_of_pull(pull), []).append(float(reward))
    pulls = entry["pulls"]
    one = f"Reward of pull {pulls[0]:,}"
    which = one if len(pulls) == 1 else f"Rewards of {len(pulls):,} pulls"
    why = ", after the timeout" if entry.get("is_silence") else ""
    shown = _join_first(
        [f"{arm} {_count_rewards(each)}" for arm, each in rewards_by_arm.items()], "; "
    )
    paid = [cost for cost in entry.get("costs") or () if cost is not None]
    money = f", cost {format_money(add_money(paid))}" if paid else ""
    return f"{which}: {shown}{why}{money}"


def _count_rewards(rewards: Sequence[float]) -> str:
    """Format rewards, each once with the number of times it came.

    >>> _count_rewards([1.0, 0.0, 1.0, 1.0]), _count_rewards([0.25])
    ('1 (3 times), 0', '0.25')
    """
    counts = Counter(map(format_number, rewards))
    return _join_first([f"{text} ({n:,} times)" if n > 1 else text for text, n in counts.items()])


def _describe_forgotten(
    entry: Mapping[str, Any], name_arm: _Namer, name_arm_of_pull: _Namer
) -> str:
    pulls = _join_first([f"pull {n:,} of {name_arm_of_pull(n)}" for n in entry["pulls"]])
    how = "counted as never made" if entry.get("is_independent") else "counted as the worst case"
    return f"{pulls} given up, {how}" + (", after the timeout" if entry.get("is_silence") else "")


def _describe_observed(entry: Mapping[str, Any], name_arm: _Namer, name_arm_of_pull: _Namer) -> str:
    rewards = entry["rewards"]
    shown = _count_rewards([float(reward) for reward in rewards])
    return f"{plural(len(rewards), 'reward')} of {name_arm(entry['arm'])} without a pull: {shown}"


def _describe_expired(entry: Mapping[str, Any], name_arm: _Namer, name_arm_of_pull: _Namer) -> str:
    pulls = _join_first([f"pull {n:,} of {name_arm_of_pull(n)}" for n in entry["pulls"]])
    return f"The lease of {pulls} ended"


_DESCRIPTIONS: Final[Mapping[str, Callable[[Mapping[str, Any], _Namer, _Namer], str]]] = {
    "asked": _describe_asked,
    "told": _describe_told,
    "forgotten": _describe_forgotten,
    "observed": _describe_observed,
    "expired": _describe_expired,
    "noted": lambda entry, name_arm, name_arm_of_pull: "A request that changed nothing",
}


def _join_first(names: Sequence[str], between: str = ", ") -> str:
    more = len(names) - _MAX_NAMED
    shown = between.join(names[:_MAX_NAMED])
    return f"{shown} and {more:,} more" if more > 0 else shown


def show_journal(visit: Visit) -> Response:
    """Show the page."""
    kinds = [*EVENT_TYPES, LABELS_FILTER]
    return render_page(visit, "journal.html", shown=make_journal_page(visit), kinds=kinds)


PAGES: Final = (
    Page("GET", "/experiments/{name:experiment}/journal", "read", show_journal, "downloads"),
)
