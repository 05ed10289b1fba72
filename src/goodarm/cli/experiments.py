"""``goodarm experiments``: list of the experiments in a store."""

from typing import TYPE_CHECKING, Any

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json, print_table, say
from goodarm.cli.process_wrapper import EXIT_WRONG_USE
from goodarm.cli.stores import TokenFile, Url, open_store_or_service
from goodarm.views.text import TableLayout
from goodarm.views.times import format_iso, format_past
from goodarm.wording import COMMAND_LINE

if TYPE_CHECKING:
    from goodarm.cli.stores import AnyStore

_HEADER = ("name", "status", "good", "bad", "undecided", "pulls", "entries", "last change")
_KEYS = ("name", "status", "good", "bad", "undecided", "pulls", "entries", "changed_at")
_UNREADABLE = "unreadable"


def list_experiments(url: Url, token_file: TokenFile = None, as_json: AsJson = False) -> None:
    """List the experiments of a store or a service.

    Exit code: 0, or 2 if an experiment cannot be read; 'goodarm verify' says why.
    """
    with open_store_or_service(url, token_file) as store:
        listed = _list_states(store)
    if as_json:
        entries = [{**each, "changed_at": format_iso(each["changed_at"])} for each in listed]
        print_json({"kind": "experiments", "format": 1, "experiments": entries})
    elif listed:
        print_table("", _HEADER, [_format_cells(each) for each in listed], TableLayout(left=2))
    else:
        say(
            "The store has no experiments. Create one with goodarm run, or in Python with "
            "store.experiment(name, problem)."
        )
    if any(each["status"] == _UNREADABLE for each in listed):
        raise typer.Exit(EXIT_WRONG_USE)


def _list_states(store: "AnyStore") -> list[dict[str, Any]]:
    from goodarm.cli.progress import show_entry_progress
    from goodarm.client import Client
    from goodarm.errors import ProtocolError, SpecError, StoreTampered

    if isinstance(store, Client):
        return [{name: each[name] for name in _KEYS} for each in store.summaries()]
    listed = store.experiments()
    states, done = [], 0
    with show_entry_progress(sum(each.entries for each in listed)) as update:
        for each in listed:
            update(each.name, done)
            done += each.entries
            try:
                states.append(_read_state(store, each.name))
            except (SpecError, ProtocolError, StoreTampered) as error:
                say(f"goodarm: {each.name}: {COMMAND_LINE.sentence(error)}", err=True)
                states.append(_describe_unreadable(each.name, each.entries))
    return states


def _read_state(store: "AnyStore", name: str) -> dict[str, Any]:
    exp = store.experiment(name)
    verdict = exp.verdict
    return {
        "name": name,
        "status": exp.status,
        "good": len(verdict.good),
        "bad": len(verdict.bad),
        "undecided": len(verdict.undecided),
        "pulls": verdict.pulls,
        "entries": exp.entries,
        "changed_at": exp.changed_at,
    }


def _describe_unreadable(name: str, entries: int) -> dict[str, Any]:
    nothing = dict.fromkeys(("good", "bad", "undecided", "pulls"))
    return {
        "name": name,
        "status": _UNREADABLE,
        **nothing,
        "entries": entries,
        "changed_at": None,
    }


def _format_cells(state: dict[str, Any]) -> list[str]:
    counts = [state[each] for each in ("good", "bad", "undecided", "pulls", "entries")]
    shown = ["-" if count is None else f"{count:,}" for count in counts]
    return [state["name"], state["status"], *shown, format_past(state["changed_at"])]
