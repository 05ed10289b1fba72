"""What workers noted outside a store, against what the store holds.

A worker notes what it sends before each call, and what was acknowledged after it, in a file of its
own for each of its lives. Then: acknowledged is within the journal, the journal within what was
sent, nothing is there twice, and the journal verifies.
"""

import json
import os
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import goodarm as ga


def reward_of(number):
    """The reward of a pull, whoever makes it: even chances, so that no label falls."""
    return number * 2654435761 >> 13 & 1


KNOWN = {"good": [1] * 60, "bad": [0] * 60}
"""What is observed at the beginning, by everyone and under one key: it counts once."""
PROBLEM = ga.Problem([*KNOWN, "c", "d", "e", "f"], threshold=0.5, delta=1e-6)


class Note(NamedTuple):
    """What a worker did: ``sent`` a request under its key, or had it ``acknowledged``."""

    what: str
    key: str
    data: object


class Notes:
    """The notes of one worker in one of its lives. A line that was cut by its death is none."""

    def __init__(self, folder, slot, life):
        path = Path(folder) / f"{slot}.{life}"
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(self, what, key, data):
        os.write(self._file, json.dumps([what, key, data]).encode() + b"\n")

    @staticmethod
    def read(folder, slot):
        """All notes of a worker, life after life."""
        lives = sorted(Path(folder).glob(f"{slot}.*"), key=lambda path: int(path.suffix[1:]))
        lines = [line for path in lives for line in path.read_bytes().splitlines(keepends=True)]
        return [Note(*json.loads(line)) for line in lines if line.endswith(b"\n")]


def judge(exp, folder, slots, *, is_finished=True):
    """What is wrong, in words; nothing if all is well.

    If it is finished, workers have made every request again whose answer was lost: then the journal
    holds what was acknowledged, and nothing else.
    """
    try:
        exp.verify()
    except ga.errors.GoodArmError as error:
        return [f"it does not verify: {error}"]
    asked, told = _journal(exp)
    wrong = _twice("asked", asked) + _twice("told", [number for number, _ in told])
    known = sum(map(len, KNOWN.values()))
    if exp.pulls != len(told) + known:
        wrong.append(f"{exp.pulls} rewards count, not {len(told)} that were told and {known}")
    if (exp.verdict.good, exp.verdict.bad) != (["good"], ["bad"]):
        wrong.append(f"the labels are {exp.verdict}")
    noted = Noted(folder, slots)
    wrong += noted.wrong
    wrong += [f"reward {each} is acknowledged and lost" for each in noted.told - set(told)]
    wrong += [f"reward {each} was never sent" for each in set(told) - noted.sent]
    wrong += [f"pull {number} was given and is not asked" for number in noted.given - set(asked)]
    if is_finished:
        wrong += [f"pull {number} is asked and nobody's" for number in set(asked) - noted.given]
        wrong += [f"pull {pull.number} is still out" for pull in exp.waiting]
    return wrong


class Noted:
    """The notes of all workers together: pulls that were given, rewards sent and acknowledged."""

    def __init__(self, folder, slots):
        self.sent, self.told, self.wrong = set(), set(), []
        self._holders = {}
        for slot in slots:
            notes = Notes.read(folder, slot)
            kinds = {note.key: note.data[0] for note in notes if note.what == "sent"}
            for note in notes:
                self._take(slot, note, kinds.get(note.key))

    def _take(self, slot, note, kind):
        if note.what == "wrong":
            self.wrong.append(f"{slot}: {note.data}")
        elif note.what == "sent" and kind == "tell":
            self.sent.update((number, reward_of(number)) for number, _ in note.data[1])
        elif note.what == "acknowledged" and kind == "tell":
            self.told.update((number, reward_of(number)) for number, _ in note.data)
        elif note.what == "acknowledged":
            for number, _ in note.data:
                holder = self._holders.setdefault(number, slot)
                if holder != slot:
                    self.wrong.append(f"pull {number} is {slot}'s and {holder}'s")

    @property
    def given(self):
        return set(self._holders)


def _twice(what, numbers):
    return [f"pull {n} is {what} {k} times" for n, k in Counter(numbers).items() if k > 1]


def _journal(exp):
    """The numbers that were asked, and numbers with rewards that were told."""
    asked, told = [], []
    for entry in exp.journal():
        if entry["kind"] == "asked":
            asked += range(entry["first"], entry["first"] + len(entry.get("arms", ())))
        elif entry["kind"] == "told":
            told += zip(entry["pulls"], entry["rewards"], strict=True)
    return asked, told
