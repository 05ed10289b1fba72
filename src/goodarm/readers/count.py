"""Attempts counted to each arm's pulls and successes; what may not be counted is told apart."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from goodarm.errors import Hint, SpecError, must, must_be_one_of
from goodarm.readers.attempt import OUTCOMES, Attempt, Note, Outcome
from goodarm.readers.reader import Options, Reader

_BETWEEN: Final = " / "
_PULLS, _SUCCESSES = 0, 1


class Count:
    """Each arm's counts, over as many files as are added."""

    def __init__(self, reader: Reader, options: Options) -> None:
        self.reader = reader
        self.options = options
        self.by = options.by
        self.arms: dict[tuple[str, ...], list[int]] = {}
        self.attempts = 0
        self.errors = 0
        self.skipped = 0
        self.duplicates = 0
        self.asides: Counter[str] = Counter()
        self.notes: list[str] = []
        self._identities: set[str] = set()
        self._seen: dict[tuple[tuple[str, ...], str], tuple[Outcome, Path, int]] = {}

    def add(self, path: Path, attempts: Iterable[Attempt | Note]) -> None:
        """Count the attempts of a file; those of a broken one are counted in part."""
        if self.reader.is_run:
            self._seen.clear()
        for attempt in attempts:
            if isinstance(attempt, Note):
                if attempt.text not in self.notes:
                    self.notes.append(attempt.text)
            elif not isinstance(attempt, Attempt):
                raise must("attempts", f"the reader of {path}", "be of class Attempt", attempt)
            elif attempt.identity and attempt.identity in self._identities:
                self.duplicates += 1
            else:
                if attempt.identity and not attempt.aside:
                    self._identities.add(attempt.identity)
                self._one(path, attempt)

    def _one(self, path: Path, attempt: Attempt) -> None:
        outcome = attempt.outcome
        if outcome == "skip":
            self.skipped += 1
            return
        arm = self._arm(path, attempt)
        counts = self.arms.get(arm)
        if counts is None:
            counts = self.arms[arm] = [0, 0]
        if attempt.aside:
            self.asides[attempt.aside] += 1
            return
        if attempt.key and self.options.repeats != "attempts":
            self._look_for_repeat(path, attempt, arm, counts)
        if outcome == "error":
            self.errors += 1
            if self.options.errors == "exclude":
                return
        elif outcome == "pass":
            counts[_SUCCESSES] += 1
        elif outcome != "fail":
            place = f"{path}, {self.reader.unit} {attempt.number}"
            raise must_be_one_of("outcome", place, OUTCOMES, outcome)
        counts[_PULLS] += 1
        self.attempts += 1

    def _arm(self, path: Path, attempt: Attempt) -> tuple[str, ...]:
        """The parts that name the arm."""
        parts = attempt.parts
        if not self.by:
            self.by = tuple(parts)
        try:
            return tuple([parts[name] for name in self.by])
        except KeyError as error:
            (name,) = error.args
        place = f"{path}, {self.reader.unit} {attempt.number}"
        remedy = Hint("Choose among them: by='PART'.", "Choose among them: --by PART.")
        raise must("parts", place, f"hold {name!r}", list(parts), remedy)

    def _look_for_repeat(
        self, path: Path, attempt: Attempt, arm: tuple[str, ...], counts: list[int]
    ) -> None:
        """The same test again: refused, or the earlier attempt is known to have failed."""
        key = (arm, attempt.key)
        before = self._seen.get(key)
        self._seen[key] = (attempt.outcome, path, attempt.number)
        if before is None:
            return
        if self.options.repeats == "reruns":
            if before[0] == "pass":
                counts[_SUCCESSES] -= 1
            return
        raise self._repeat(path, attempt, before)

    def _repeat(self, path: Path, attempt: Attempt, before: tuple[Outcome, Path, int]) -> SpecError:
        unit = self.reader.unit
        there = f"{unit} {before[2]}" if before[1] == path else f"{before[1]}, {unit} {before[2]}"
        text = (
            f"The test {attempt.key!r} of {path}, {unit} {attempt.number} must come once; "
            f"it came at {there} already. {self.reader.on_repeat}"
        ).rstrip()
        ways = "counts each as a run with the outcome it shows", "all but the last as failures"
        return SpecError(
            f"{text} repeats='attempts' {ways[0]}, repeats='reruns' {ways[1]}.",
            f"{text} --repeats attempts {ways[0]}, --repeats reruns {ways[1]}.",
        )

    def names(self) -> list[str]:
        """The arms' names; parts with the sign between parts in them are quoted, to stay apart."""
        return [_BETWEEN.join(map(_quoted, arm)) if len(arm) > 1 else arm[0] for arm in self.arms]


def _quoted(part: str) -> str:
    return repr(part) if _BETWEEN in part or part[:1] in "'\"" else part
