"""Golden journals of format 1: later versions read them, and say the same."""

import json
from pathlib import Path

import pytest

import goodarm as ga
from goodarm.errors import ProtocolError
from goodarm.live.events import EVENT_TYPES

JOURNAL = Path(__file__).parent / "journal-1.jsonl"
CHAINED = Path(__file__).parent / "journal-1-chained.jsonl"
"""With hashes, notes and who did it."""
HEAD = "c4477d72a87f262a5ccbaff981e7287295d253914c973956bc225a9c22e41610"

NEWER = {"note"}
"""Kinds that were added to format 1 later."""

REPORTS = [
    # arm, label, pulls, mean, lower and upper bound, pull of the label
    ("red", "undecided", 5, 1.0, 4 / 60, 1.0, None),
    ("green", "bad", 11, 1 / 11, 1 / 60, 28 / 60, 78),
    ("blue", "good", 28, 19 / 26, 30 / 60, 52 / 60, 68),  # two of its pulls were lost
    ("late", "good", 12, 10 / 12, 20 / 40, 38 / 40, 61),
    ("out", "undecided", 3, 1 / 3, 1 / 60, 58 / 60, None),
]


@pytest.fixture
def kept(tmp_path):
    with ga.open_store(f"sqlite:///{tmp_path / 'golden.db'}") as store:
        yield store.import_(JOURNAL)


def test_it_has_every_kind_of_entry():
    entries = [json.loads(line)["entry"] for line in JOURNAL.read_text("utf-8").splitlines()[1:]]
    assert {entry["kind"] for entry in entries} == set(EVENT_TYPES) - NEWER
    assert {entry["format"] for entry in entries} == {1}


def test_it_opens_and_says_what_it_said(kept):
    assert kept.verify() == (113, 115, 3, "")
    assert kept.status == "closed"
    assert kept.verdict == ga.Verdict(
        good=["late", "blue"], bad=["green"], undecided=["red", "out"], pulls=115
    )
    for report, (arm, label, pulls, *numbers, at) in zip(kept.table(), REPORTS, strict=True):
        found = report.arm, report.label, report.pulls, report.labelled_at
        assert found == (arm, label, pulls, at)
        assert [report.mean, report.lower, report.upper] == pytest.approx(numbers)


def test_its_requests_have_the_answers_that_they_had(kept):
    pulls = kept.ask_many(4, "ann", 10, key="first")
    assert [pull.arm for pull in pulls] == ["red", "green", "blue", "red"]
    with pytest.raises(ProtocolError, match="was used for another request"):
        kept.ask_many(5, "ann", 10, key="first")


def test_a_chained_journal_keeps_its_head(tmp_path):
    with ga.open_store(f"sqlite:///{tmp_path / 'golden.db'}") as store:
        exp = store.import_(CHAINED)
        assert exp.head == (27, HEAD)
        assert exp.verify(head=HEAD) == (27, 12, 1, HEAD)
        assert exp.verdict == ga.Verdict(good=["red"], bad=[], undecided=["green"], pulls=12)
        notes = [(each["text"], each["by"]) for each in exp.journal() if each["kind"] == "note"]
        assert notes == [
            ("the green one was broken on Monday", "ann"),
            ("asked by the board", "ann"),
        ]
