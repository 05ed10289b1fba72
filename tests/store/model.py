"""An experiment in plain words: who holds which pull, what was told, and what keys stand for.

It does not know which arm is chosen, nor when a label falls: it takes that from the answers, and
says whether they may be so.
"""

from dataclasses import dataclass, field

import goodarm as ga


class Refused(Exception):
    """The request must be refused."""


@dataclass
class Held:
    """A pull that was asked: by whom, when, and until when."""

    pull: ga.Pull
    asked_at: float
    worker: str | None
    until: float | None


@dataclass
class Model:
    """What there must be in the store."""

    reward_timeout: ga.RewardTimeout
    arms: list
    planned: int
    has_pool: bool = False
    now: float = 0.0
    asked: int = 0
    out: dict = field(default_factory=dict)
    told: dict = field(default_factory=dict)
    lost: dict = field(default_factory=dict)
    observed: int = 0
    keys: dict = field(default_factory=dict)
    again: list = field(default_factory=list)
    taken_out: set = field(default_factory=set)
    is_paused: bool = False
    is_closed: bool = False

    def begin(self, request, key):
        """What time has brought; then whether a request may be made: its answer if it was."""
        self._pass()
        if key in self.keys:
            before, answer = self.keys[key]
            if before != request:
                raise Refused
            return answer
        if self.is_closed and request != ("close",):
            raise Refused
        return None

    def _pass(self):
        if self.is_closed:
            return
        reward_timeout = self.reward_timeout
        if reward_timeout.seconds is not None:
            for number, held in list(self.out.items()):
                if held.asked_at + reward_timeout.seconds <= self.now:
                    if reward_timeout.default is not None:
                        self._end(number, self.told, reward_timeout.default)
                    else:
                        self._end(number, self.lost, reward_timeout.is_independent)
        for number, held in self.out.items():
            if held.until is not None and held.until <= self.now:
                held.worker = held.until = None
                if self.has_pool:
                    self.again.append(number)
        self.again.sort()

    def _end(self, number, where, what):
        where[number] = what
        del self.out[number]
        if number in self.again:
            self.again.remove(number)

    def held_by(self, worker):
        """The pulls that a worker has in hand."""
        return [h.pull for h in self.out.values() if worker is not None and h.worker == worker]

    @property
    def leases(self):
        """By number: who has it, since when it is asked, and until when."""
        return {n: (held.worker, held.asked_at, held.until) for n, held in self.out.items()}

    def ask(self, count, worker, lease, answer):
        """What was answered: the same pulls again, or new ones that nobody has."""
        held = self.held_by(worker)
        until = None if lease is None else self.now + lease
        if held:
            assert sorted(answer) == sorted(held)
            return
        if self.is_paused:
            raise Refused
        first, self.again = self.again[:count], self.again[count:]
        assert [pull.number for pull in answer[: len(first)]] == first
        assert len(answer) <= count
        for pull in answer[len(first) :]:
            self.asked += 1
            assert pull.number == self.asked
            assert pull.arm in self.arms
            assert pull.arm not in self.taken_out
            self.out[pull.number] = Held(pull, self.now, None, None)
        self._lease(answer, worker, until)

    def _lease(self, pulls, worker, until):
        for pull in pulls:
            held = self.out.pop(pull.number)
            self.out[pull.number] = Held(pull, held.asked_at, worker, until)
        self.out = dict(sorted(self.out.items()))

    def tell(self, rewards):
        """Rewards by numbers: all of them or none."""
        for number, reward in rewards.items():
            if number in self.lost or self.told.get(number, reward) != reward:
                raise Refused
        for number, reward in rewards.items():
            if number in self.out:
                self._end(number, self.told, reward)

    def forget(self, number, is_independent):
        """A pull is given up, in one way only."""
        if number in self.told or self.lost.get(number, is_independent) != is_independent:
            raise Refused
        if number in self.out:
            self._end(number, self.lost, is_independent)

    def add(self, arm):
        """An arm joins, within those that were planned."""
        if arm in self.arms or len(self.arms) == self.planned:
            raise Refused
        self.arms.append(arm)

    def take_out(self, arm):
        """An arm is not asked any more."""
        if arm not in self.arms:
            raise Refused
        self.taken_out.add(arm)

    @property
    def pulls(self):
        """How many rewards count: those that are lost as the worst case do."""
        worst = sum(not is_independent for is_independent in self.lost.values())
        return len(self.told) + worst + self.observed
