"""Counting of an evaluation's samples, in the order of the plan; nothing here knows Inspect.

A slot is one sample in one epoch. Slots end in an order that depends on their outcomes, so each
enters its gate at its position in the plan, and waits there for those before it. The first outcome
of a slot stays: a slot that broke is lost, and its result when it is tried again is the outcome of
another try, made because of the first.
"""

from collections.abc import Sequence
from typing import Literal

from goodarm.errors import ProtocolError
from goodarm.gate import Gate
from goodarm.problem import Problem
from goodarm.results import GateResult

GateScope = Literal["sample", "task"]
SampleId = str | int


class GateSlots:
    """Slots of one gate, in their order: passed, failed, lost, or not known yet."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._known: dict[int, bool | None] = {}
        self._gate = Gate(problem)

    @property
    def is_labelled(self) -> bool:
        """True if no further slot is needed."""
        return self._gate.label != "undecided"

    def put(self, place: int, passed: bool | None) -> None:
        """Set the outcome of a slot, None for a lost one; the first outcome stays."""
        if place not in self._known:
            self._known[place] = passed
            self._enter(place)

    def withdraw(self, place: int) -> None:
        """Mark a slot as lost, whatever its outcome was; that may undo a label."""
        if self._known.get(place) is None:
            self.put(place, None)
            return
        self._known[place] = None
        self._gate = Gate(self._problem)
        for known in sorted(self._known):
            self._enter(known)

    def _enter(self, place: int) -> None:
        gate = self._gate
        while gate.is_open and gate.pulls + gate.num_in_progress <= place:
            gate.begin()
        if gate.label != "undecided":
            return
        passed = self._known[place]
        if passed is None:
            gate.lose(place + 1)
        else:
            gate.tell(place + 1, passed)

    def result(self) -> GateResult:
        """Return the verdict of the gate."""
        return self._gate.result()


class SampleCount:
    """Count of one evaluation: its slots in the order of the plan, and the gates that they enter.

    Args:
        ids: of the samples, in the order in which Inspect goes through them.
        epochs: how often it does so.
        problems: one for each sample, whose epochs are its pulls; or one whose pool they are.
    """

    def __init__(self, ids: Sequence[SampleId], epochs: int, problems: Sequence[Problem]) -> None:
        self.plan = (tuple(ids), epochs)
        self._at = {str(id_): number for number, id_ in enumerate(ids)}
        self._rows = [GateSlots(problem) for problem in problems]
        self._begun: set[int] = set()
        self._copied = -1
        """Last slot whose outcome was copied from an evaluation that is resumed."""

    def schedule(self, id_: SampleId, epoch: int) -> GateResult | None:
        """Begin a slot; return the verdict that makes it unnecessary, if there is one."""
        slot = self._find_slot(id_, epoch)
        row, place = self._find_row(slot)
        if row.is_labelled:
            return row.result()
        if slot in self._begun or slot < self._copied:
            # It began before and did not end: broken, or in progress when the evaluation stopped.
            row.put(place, None)
        self._begun.add(slot)
        return None

    def is_copy(self, id_: SampleId, epoch: int) -> bool:
        """Return whether an outcome of this slot would be a copy: it never began here."""
        return self._find_slot(id_, epoch) not in self._begun

    def complete(self, id_: SampleId, epoch: int, passed: bool | None) -> None:
        """End a slot; None if it has no outcome."""
        slot = self._find_slot(id_, epoch)
        if slot not in self._begun:
            self._copy(slot)
        row, place = self._find_row(slot)
        row.put(place, passed)

    def lose(self, id_: SampleId, epoch: int) -> None:
        """Mark a slot as lost because it broke, even if it is tried again."""
        row, place = self._find_row(self._find_slot(id_, epoch))
        row.put(place, None)

    def _copy(self, slot: int) -> None:
        """Mark slots before a copied slot as lost if they run again: they had begun before it."""
        for earlier in range(max(self._copied, 0), slot):
            if earlier in self._begun:
                row, place = self._find_row(earlier)
                row.withdraw(place)
        self._copied = max(self._copied, slot)

    def finish(self) -> list[GateResult]:
        """Return the verdicts; slots that have not ended, up to the last that began, are lost."""
        for slot in range(max(self._begun, default=-1) + 1):
            row, place = self._find_row(slot)
            if not row.is_labelled:
                row.put(place, None)
        return [row.result() for row in self._rows]

    def _find_slot(self, id_: SampleId, epoch: int) -> int:
        ids, epochs = self.plan
        at = self._at.get(str(id_))
        if at is None or not 1 <= epoch <= epochs:
            raise ProtocolError(
                f"Sample {id_!r} in epoch {epoch} is not part of the plan.",
                argument="id",
                owner="GoodArm",
                rule="be part of the plan",
                value=id_,
            )
        return (epoch - 1) * len(ids) + at

    def _find_row(self, slot: int) -> tuple[GateSlots, int]:
        if len(self._rows) == 1:
            return self._rows[0], slot
        place, at = divmod(slot, len(self._rows))
        return self._rows[at], place
