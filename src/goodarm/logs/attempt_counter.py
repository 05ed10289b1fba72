"""Counter of each arm's pulls and successes; attempts left out are counted separately."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import SpecError, invalid_argument, invalid_choice
from goodarm.logs.attempts import OUTCOMES, Attempt, LogNote, Outcome
from goodarm.logs.reader import LogOptions, Reader, invalid_log
from goodarm.problem import make_repeats_remedy, make_visible_form
from goodarm.tables import RepeatRange, count_repeats, find_unfinished, make_unequal_repeats_error
from goodarm.wording import Arg, ErrorPlace, join, phrase

_SEPARATOR: Final = " / "
_PULLS, _SUCCESSES = 0, 1
_MAX_NOTES: Final = 20

ArmParts = tuple[str | int, ...]
"""Values of the parts that name an arm."""


class _ArmCases:
    """Cases of an arm, and the first one that was repeated."""

    def __init__(self) -> None:
        self.seen: set[str | int] = set()
        self.repeat: tuple[str | int, Path, int] | None = None


class _LatestAttempt(NamedTuple):
    """Place and outcome of a test's latest attempt."""

    outcome: Outcome
    path: Path
    number: int
    within: tuple[str, ...]


class _CountedAttempt(NamedTuple):
    """Arm, outcome and place of an attempt that has an identity."""

    arm: ArmParts
    outcome: Outcome
    path: Path
    number: int


class _UnitAttempts:
    """Attempts of a unit under one arm: begun, with an outcome that counts, and passed."""

    def __init__(self) -> None:
        self.begun = self.counted = self.passed = 0


class LogAverages(NamedTuple):
    """Averages of each arm's units, and what was averaged."""

    unit: str
    averages: tuple[NDArray[np.float64], ...]
    num_unfinished: int
    repeats: RepeatRange


class AttemptCounter:
    """Counts of each arm, over all files added."""

    def __init__(self, reader: Reader, options: LogOptions) -> None:
        self.reader = reader
        self.options = options
        self.by = options.by
        self.arms: dict[ArmParts, list[int]] = {}
        self.attempts = 0
        self.errors = 0
        self.skipped = 0
        self.duplicates = 0
        self.asides: Counter[str] = Counter()
        self._notes: dict[str, None] = {}
        self._looks: dict[tuple[str, ...], ArmParts] = {}
        self._identities: dict[str, _CountedAttempt] = {}
        self._seen: dict[tuple[ArmParts, str], _LatestAttempt] = {}
        self._cases: dict[tuple[ArmParts, str], _ArmCases] = {}
        self._units: dict[tuple[ArmParts, tuple[str, ...]], _UnitAttempts] = {}

    def add(self, path: Path, attempts: Iterable[Attempt | LogNote]) -> None:
        """Count the attempts of a file; if reading it fails, those before the error are counted."""
        if self.reader.is_run:
            self._seen.clear()
        for attempt in attempts:
            if isinstance(attempt, LogNote):
                self._notes[attempt.text] = None
            elif not isinstance(attempt, Attempt):
                raise invalid_argument(
                    "attempts", f"the reader of {path}", "be of class Attempt", attempt
                )
            elif self._is_known(path, attempt):
                self.duplicates += 1
            else:
                self._count_one(path, attempt)

    def _is_known(self, path: Path, attempt: Attempt) -> bool:
        """Return whether an attempt was counted; raise an error if it is not the same any more.

        Which of two outcomes counts must not depend on the order of the files.
        """
        if not attempt.identity:
            return False
        known = self._identities.get(attempt.identity)
        if attempt.aside:
            return known is not None
        arm = self._get_arm_parts(path, attempt)
        if known is None:
            found = _CountedAttempt(arm, attempt.outcome, path, attempt.number)
            self._identities[attempt.identity] = found
            return False
        if known[:2] != (arm, attempt.outcome):
            raise self._make_change_error(path, attempt, arm, known)
        return True

    def _make_change_error(
        self, path: Path, attempt: Attempt, arm: ArmParts, known: _CountedAttempt
    ) -> SpecError:
        """Return the error for an attempt that has another outcome, or arm, in another place."""
        unit = self.reader.unit
        place = ErrorPlace(str(path), unit, attempt.number)
        before = ErrorPlace(str(known.path), unit, known.number)
        here, there, rule = _join_parts(arm), _join_parts(known.arm), "belong to one arm"
        remedy = "It was copied. Leave out the file, or the rows, with the copy."
        if known.arm == arm:
            here, there, rule = attempt.outcome, known.outcome, "have one outcome"
            remedy = (
                "It was scored again, or edited. Read only one of the files: the newest, or the "
                "one that you choose before looking at the results."
            )
        return SpecError(
            f"The attempt {attempt.identity!r} of {place} must {rule}; it is {here!r} there, and "
            f"{there!r} in {before}.",
            argument="attempt",
            owner="read_logs",
            rule=rule,
            value=attempt.identity,
            remedy=remedy,
            place=place,
        )

    def _count_one(self, path: Path, attempt: Attempt) -> None:
        outcome = attempt.outcome
        if outcome == "skip":
            self.skipped += 1
            return
        arm = self._get_arm_parts(path, attempt)
        counts = self.arms.get(arm)
        if counts is None:
            if self.reader.is_typed:
                self._look_for_likeness(path, attempt, arm)
            counts = self.arms[arm] = [0, 0]
        if attempt.aside:
            self.asides[attempt.aside] += 1
            return
        if attempt.key and self.options.repeats not in ("attempts", "fixed"):
            self._look_for_repeat(path, attempt, arm, counts)
        if self.options.unit:
            self._enter_unit(path, attempt, arm)
        if outcome == "error":
            self.errors += 1
            if self.options.errors == "exclude":
                return
        elif outcome == "pass":
            counts[_SUCCESSES] += 1
        elif outcome != "fail":
            place = ErrorPlace(str(path), self.reader.unit, attempt.number)
            raise invalid_choice("outcome", "read_logs", OUTCOMES, outcome, place=place)
        counts[_PULLS] += 1
        self.attempts += 1
        if attempt.cases and self.options.repeats == "refuse" and not self.options.unit:
            self._enter_cases(path, attempt, arm)

    def _enter_cases(self, path: Path, attempt: Attempt, arm: ArmParts) -> None:
        for part, case in attempt.cases.items():
            if part in self.by:
                continue
            known = self._cases.setdefault((arm, part), _ArmCases())
            if case in known.seen and known.repeat is None:
                known.repeat = (case, path, attempt.number)
            known.seen.add(case)

    def _enter_unit(self, path: Path, attempt: Attempt, arm: ArmParts) -> None:
        """Count an attempt for its unit; units stay in the order begun."""
        names = self._get_parts(path, attempt, self.options.unit, "unit")
        unit = self._units.setdefault((arm, tuple(map(make_visible_form, names))), _UnitAttempts())
        unit.begun += 1
        if attempt.outcome != "error" or self.options.errors == "fail":
            unit.counted += 1
            unit.passed += attempt.outcome == "pass"

    def average(self) -> LogAverages:
        """Average the attempts of each unit; raise an error if their numbers differ.

        Attempts that broke and are left out have nothing to do with the outcome, as the user says:
        so equal numbers of attempts with them, or without them, are enough.
        """
        places = {arm: place for place, arm in enumerate(self.arms)}
        arms = np.array([places[arm] for arm, _ in self._units], np.int64)
        begun, counted, passed = (
            np.array([getattr(unit, name) for unit in self._units.values()], np.int64)
            for name in ("begun", "counted", "passed")
        )
        name = " and ".join(part for part in self.options.unit if part not in self.by)
        is_unfinished, has_outcome = np.zeros(len(arms), bool), counted > 0
        is_equal = any(len(set(numbers)) < 2 for numbers in (begun, counted[has_outcome]))
        if self.options.repeats != "fixed" and not is_equal:
            unfinished = find_unfinished(arms, begun)
            if unfinished is None:
                place = ErrorPlace(f"the {self.reader.unit}s of the logs")
                ends = int(begun.min()), int(begun.max())
                raise make_unequal_repeats_error(name, "read_logs", ends, place, "attempt")
            is_unfinished = unfinished
        is_kept = ~is_unfinished & has_outcome
        averages = passed[is_kept] / counted[is_kept]
        repeats = count_repeats(counted[is_kept], int(is_unfinished.sum()))
        parts = [averages[arms[is_kept] == place] for place in range(len(self.arms))]
        return LogAverages(name, tuple(parts), repeats.num_unfinished, repeats)

    def refuse_repeats(self) -> None:
        """Raise an error for an arm that has several cases, and one of them more than once.

        For an arm with a single case, repeats of that case are its pulls.
        """
        for (arm, part), known in self._cases.items():
            if known.repeat is None or len(known.seen) < 2:
                continue
            case, path, number = known.repeat
            by = ",".join((*self.by, part))
            place = ErrorPlace(str(path), self.reader.unit, number)
            rule = f"come only once for arm {' / '.join(map(str, arm))!r}"
            raise SpecError(
                f"The {part} {case!r} of {place} must {rule}, which has {len(known.seen):,} of "
                "them; it came earlier, too.",
                argument=part,
                owner="read_logs",
                rule=rule,
                value=case,
                remedy=make_repeats_remedy(Arg("by", by), part),
                place=place,
            )

    def _get_arm_parts(self, path: Path, attempt: Attempt) -> ArmParts:
        """Return the values of the parts that name the arm."""
        if not self.by:
            self.by = tuple(attempt.parts)
        return self._get_parts(path, attempt, self.by, "by")

    def _get_parts(
        self, path: Path, attempt: Attempt, names: tuple[str, ...], argument: str
    ) -> ArmParts:
        """Return the values of some parts of an attempt."""
        parts = attempt.parts
        try:
            return tuple([parts[name] for name in names])
        except KeyError as error:
            (name,) = error.args
        place = ErrorPlace(str(path), self.reader.unit, attempt.number)
        remedy = phrase("Choose from them: {part}.", part=Arg(argument, "PART"))
        raise invalid_log("parts", place, f"include {name!r}", list(parts), remedy)

    def _look_for_likeness(self, path: Path, attempt: Attempt, arm: ArmParts) -> None:
        """Raise an error if a new arm looks like another: ``1`` and ``"1"``, or a blank more."""
        other = self._looks.setdefault(tuple(map(make_visible_form, arm)), arm)
        if other == arm:
            return
        place = ErrorPlace(str(path), self.reader.unit, attempt.number)
        name, part, known = next(
            found for found in zip(self.by, arm, other, strict=True) if found[1] != found[2]
        )
        remedy = "They look alike. Spell them the same if they are one arm, differently if not."
        raise invalid_log(name, place, f"differ visibly from {known!r}", part, remedy)

    def _look_for_repeat(
        self, path: Path, attempt: Attempt, arm: ArmParts, counts: list[int]
    ) -> None:
        """Raise an error for a repeated test; if it is a rerun, count the earlier one as failed."""
        key = (arm, attempt.key)
        before = self._seen.get(key)
        self._seen[key] = _LatestAttempt(attempt.outcome, path, attempt.number, attempt.within)
        if before is None:
            return
        if self.options.repeats == "reruns":
            if before.outcome == "pass":
                counts[_SUCCESSES] -= 1
            return
        raise self._repeat(path, attempt, before)

    def _repeat(self, path: Path, attempt: Attempt, before: _LatestAttempt) -> SpecError:
        unit = self.reader.unit
        there = f"{unit} {before.number}"
        if before.path != path:
            there = f"{before.path}, {there}"
        place = ErrorPlace(str(path), unit, attempt.number)
        told = self.reader.on_repeat
        meaning = told(before.within, attempt.within, self.options) if callable(told) else told
        ways = phrase(
            "To count each with the outcome it shows, {pass} {attempts}. To count all but the last "
            "as failures, {pass} {reruns}.",
            attempts=Arg("repeats", "attempts"),
            reruns=Arg("repeats", "reruns"),
        )
        return SpecError(
            f"The test {attempt.key!r} of {place} must come only once; it came in {there}, too.",
            argument="test",
            owner="read_logs",
            rule="come only once",
            value=attempt.key,
            remedy=join(meaning, ways),
            place=place,
        )

    @property
    def notes(self) -> list[str]:
        """Remarks of the reader, each once; at most ``_MAX_NOTES`` of them."""
        notes = list(self._notes)
        if len(notes) <= _MAX_NOTES:
            return notes
        return [*notes[:_MAX_NOTES], f"{len(notes) - _MAX_NOTES:,} more notes are not shown."]

    def names(self) -> list[str]:
        """Return the arms' names; quote parts that contain the separator, to keep names apart."""
        return [_join_parts(arm) for arm in self.arms]


def _join_parts(arm: ArmParts) -> str:
    return _SEPARATOR.join(map(_quote_part, arm)) if len(arm) > 1 else str(*arm)


def _quote_part(part: str | int) -> str:
    text = str(part)
    return repr(text) if _SEPARATOR in text or text[:1] in "'\"" else text
