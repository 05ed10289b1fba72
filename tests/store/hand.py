"""A worker that asks and tells, notes both outside the store, and may be killed at any moment."""

import random

import goodarm as ga
from store.judge import KNOWN, Notes, reward_of


class Hand:
    """One life of a worker. The next one reads its notes and goes on where it fell."""

    def __init__(self, exp, folder, slot, life):
        self._exp, self._slot = exp, slot
        self._before = Notes.read(folder, slot)
        self._notes = Notes(folder, slot, life)
        self._luck = random.Random(f"{slot} {life}")
        self._count, self._life = 0, life

    def request(self, what, data, key=None):
        """Makes a request, with notes before and after it; what was acknowledged."""
        if key is None:
            self._count += 1
            key = f"{self._slot}.{self._life}.{self._count}"
        self._notes.note("sent", key, [what, data])
        is_keyed = what == "ask" or self._luck.random() < 0.5  # to tell again does no harm
        answer = self._make(what, data, key if is_keyed else None)
        if self._luck.random() < 0.1:  # as if the answer had been lost
            again = self._make(what, data, key if is_keyed else None)
            if again != answer:
                self._notes.note("wrong", key, f"{answer} and then {again}")
        if is_keyed and self._luck.random() < 0.04:
            self._try_another(key)
        self._notes.note("acknowledged", key, answer)
        return answer

    def _make(self, what, data, key):
        if what == "ask":
            count, worker = data
            return [(pull.number, pull.arm) for pull in self._exp.ask_many(count, worker, key=key)]
        pulls = [ga.Pull(number, arm) for number, arm in data]
        rewards = [reward_of(number) for number, _ in data]
        self._exp.tell_many(pulls, rewards, key=key)
        return [list(each) for each in data]

    def _try_another(self, key):
        """Another request under a key that was used must be refused."""
        try:
            self._exp.ask_many(17, "somebody else", key=key)
        except ga.errors.ProtocolError:
            return
        self._notes.note("wrong", key, "two requests have the same key")

    def recover(self):
        """Makes the request again whose answer was lost, and tells what is still in hand."""
        for arm, rewards in KNOWN.items():
            self._exp.observe(arm, rewards, key=f"known {arm}")
        answers = {note.key: note.data for note in self._before if note.what == "acknowledged"}
        sent = {note.key: note.data for note in self._before if note.what == "sent"}
        held, told = {}, set()
        for key, (what, data) in sent.items():
            answer = answers[key] if key in answers else self.request(what, data, key)
            if what == "ask":
                held.update(answer)
            else:
                told.update(number for number, _ in answer)
        left = [[number, arm] for number, arm in held.items() if number not in told]
        if left:
            self.request("tell", left)

    def work(self, rewards, most):
        """Asks and tells until ``rewards`` pulls are asked."""
        last = 0
        while last < rewards:
            worker = self._luck.choice([None, self._slot])
            pulls = self.request("ask", [self._luck.randint(1, most), worker])
            last = pulls[-1][0]
            while pulls:
                part = self._luck.randint(1, len(pulls))
                self.request("tell", pulls[:part])
                pulls = pulls[part:]
