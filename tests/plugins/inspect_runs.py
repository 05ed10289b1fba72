"""Inspect in small: a queue, slots at work, ends in any order, further tries at the queue's end."""

from collections import deque
from dataclasses import dataclass, field

import goodarm as ga
from goodarm.plugins.inspect.sample_counts import SampleCount


def make_count(ids, epochs, per, kind=SampleCount, threshold=0.8, delta=0.05):
    """A count as GoodArm makes it."""
    if per == "task":
        problems = [ga.Problem(["task"], threshold, delta, pool=len(ids))]
    else:
        share = delta / len(ids)
        problems = [ga.Problem([id_], threshold, share, max_pulls=epochs) for id_ in ids]
    return kind(ids, epochs, problems), problems


@dataclass
class SimulatedEvaluation:
    """An evaluation: what each try of a slot comes to is given; who ends next is chosen.

    ``choose(slots, outcomes)`` is the place, among the slots at work, of the one that ends next.
    ``has_hooks`` says whether broken tries are told when they break; they always are by and by.
    ``ends`` is the number of ends after which the evaluation is stopped.
    """

    count: SampleCount
    slots: list
    tries: dict
    choose: object
    at_once: int = 10
    has_hooks: bool = True
    ends: float = float("inf")
    copies: dict = field(default_factory=dict)
    done: dict = field(default_factory=dict)
    broken: set = field(default_factory=set)
    at_work: list = field(default_factory=list)
    stopped: list = field(default_factory=list)

    def go(self):
        """Until all have ended, or so many have."""
        queue = deque((slot, 0) for slot in self.slots)
        while (queue or self.at_work) and self.ends > 0:
            while queue and len(self.at_work) < self.at_once:
                self._begin(*queue.popleft())
            if self.at_work:
                self.ends -= 1
                again = self._end()
                if again is not None:
                    queue.append(again)

    def _begin(self, slot, number):
        if slot in self.copies:
            self.count.complete(*slot, self.copies[slot])
        elif self.count.schedule(*slot) is None:
            self.at_work.append((slot, number))
        else:
            self.stopped.append(slot)

    def _end(self):
        outcomes = [self.tries[slot][number] for slot, number in self.at_work]
        slot, number = self.at_work.pop(self.choose(self.at_work, outcomes))
        outcome = self.tries[slot][number]
        if outcome != "error":
            self.done[slot] = outcome == "pass"
            if slot in self.broken and self.has_hooks:
                self.count.lose(*slot)  # Inspect shows the errors of the resumed evaluation
            self.count.complete(*slot, self.done[slot])
            return None
        if self.has_hooks:
            self.count.lose(*slot)
        if number + 1 < len(self.tries[slot]):
            return slot, number + 1
        self.broken.add(slot)
        return None


def list_slots(ids, epochs):
    """All slots in Inspect's order: epoch after epoch."""
    return [(id_, epoch) for epoch in range(1, epochs + 1) for id_ in ids]


def slots_by_gate(slots, per, ids):
    """The slots of each gate, in their order."""
    if per == "task":
        return [slots]
    return [[slot for slot in slots if slot[0] == id_] for id_ in ids]


class InOrderOfEnds(SampleCount):
    """Wrong on purpose: outcomes enter in the order in which samples end."""

    def complete(self, id_, epoch, passed):
        row, _ = self._find_row(self._find_slot(id_, epoch))
        row.put(len(row._known), passed)


class LastTryCounts(SampleCount):
    """Wrong on purpose: a sample that broke has the outcome of the try that did not."""

    def schedule(self, id_, epoch):
        self._begun.discard(self._find_slot(id_, epoch))
        return super().schedule(id_, epoch)

    def lose(self, id_, epoch):
        pass
