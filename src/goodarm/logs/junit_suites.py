"""Suites of a JUnit report: their names, and a check of their totals against their cases."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from goodarm.errors import SpecError
from goodarm.logs.attempts import LogNote
from goodarm.wording import ErrorPlace

_TOTAL_PATTERN: Final = re.compile(r"\s*([0-9]{1,9})\s*")
_MAX_NAME_LENGTH: Final = 80


class Suite:
    """Open suite: its attributes, and the counts of its cases and those of inner suites."""

    __slots__ = ("attributes", "cases", "depth", "failing", "is_noted", "within")

    def __init__(self, attributes: Mapping[str, str], depth: int, number: int) -> None:
        self.attributes = attributes
        self.depth = depth
        self.within = (attributes.get("name", ""), attributes.get("hostname", ""), str(number))
        self.cases = 0
        self.failing = 0
        self.is_noted = False

    def total(self, name: str) -> int | None:
        """Return a total that the suite states; None if there is none."""
        found = _TOTAL_PATTERN.fullmatch(self.attributes.get(name, ""))
        return int(found[1]) if found else None


class _Remark:
    """First of several remarks of one kind, and how many there are."""

    def __init__(self) -> None:
        self._first = ""
        self._many = 0

    def add(self, text: str) -> None:
        self._first = self._first or text
        self._many += 1

    def __bool__(self) -> bool:
        return self._many > 0

    def __str__(self) -> str:
        more = self._many - 1
        return f"{self._first}, and so on {more:,} times more" if more else self._first


class Suites:
    """Open suites, the innermost last, and the remarks on all suites."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._open = [Suite({}, 0, 0)]
        self._many = 0
        self._short = _Remark()
        self._broken = _Remark()

    @property
    def inner(self) -> Suite:
        """Innermost suite; one without attributes if none is open."""
        return self._open[-1]

    def open(self, attributes: Mapping[str, str], depth: int) -> None:
        """Open a suite."""
        self._many += 1
        self._open.append(Suite(attributes, depth, self._many))

    def record_suite_failure(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Record a failure or an error of the suite itself, outside of its test cases."""
        suite = self.inner
        suite.failing += 1
        message = attributes.get("message", "")[:_MAX_NAME_LENGTH]
        self._broken.add(f"{suite.within[0]!r} broke outside of its test cases ({tag} {message!r})")

    def close(self) -> None:
        """Close a suite and compare its totals with its cases."""
        suite = self._open.pop()
        if not suite.is_noted:
            self._compare(suite)
        outer = self.inner
        outer.cases += suite.cases
        outer.failing += suite.failing
        outer.is_noted |= suite.is_noted

    def _compare(self, suite: Suite) -> None:
        tests, failures, errors = map(suite.total, ("tests", "failures", "errors"))
        if failures and not suite.failing and tests is not None and tests <= suite.cases:
            raise self._make_hidden_error(suite, failures)
        bad = (failures or 0) + (errors or 0)
        if (tests or 0) > suite.cases or bad > suite.failing:
            suite.is_noted = True
            stated = "no total of tests" if tests is None else f"{tests:,} tests"
            self._short.add(
                f"{suite.within[0]!r} reports {stated} and {bad:,} failures and errors, but its "
                f"test cases show {suite.cases:,} and {suite.failing:,}"
            )

    def _make_hidden_error(self, suite: Suite, failures: int) -> SpecError:
        return SpecError(
            f"The suite {suite.within[0]!r} of {str(self._path)!r} must show its failures; it "
            f"reports {failures:,}, but none of its {suite.cases:,} test cases shows one.",
            argument="suite",
            owner="read_logs",
            rule="show its failures",
            value=suite.within[0],
            remedy="Read the report as the test runner wrote it, before reruns were merged into "
            "it.",
            place=ErrorPlace(str(self._path)),
        )

    def notes(self) -> Iterator[LogNote]:
        """Yield notes on the report, at most one of each kind."""
        if self._short:
            yield LogNote(
                f"{self._path.name}: the suite {self._short}. Tests are missing, unless the tool "
                "counts something else, as Catch2 counts assertions."
            )
        if self._broken:
            yield LogNote(
                f"{self._path.name}: the suite {self._broken}. Tests that did not run are missing."
            )
