"""Reader of JUnit XML, as a stream: no element is kept in memory, no entity is expanded.

Reruns need care. Surefire and Gradle write each attempt at a test into its test case
(``flakyFailure``, ``rerunFailure``, ...); pytest-rerunfailures and flaky write failed attempts as
empty test cases under the same name, which look as if they had passed.
"""

import codecs
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from xml.parsers import expat

from goodarm.errors import SpecError
from goodarm.logs.attempts import NO_CASES, Attempt, LogNote
from goodarm.logs.junit_case import CaseOutcome, find_case_outcome, get_plain_tag
from goodarm.logs.junit_names import describe_repeats, strip_flakefinder, strip_repeat
from goodarm.logs.junit_suites import Suites
from goodarm.logs.reader import LogOptions, Reader, invalid_file, invalid_log
from goodarm.wording import Arg, ErrorPlace, Text, phrase

_CHUNK_BYTES: Final = 1 << 18
_MAX_TAG_BYTES: Final = 16_000_000
_MAX_DEPTH: Final = 100
_ROOTS: Final = ("testsuites", "testsuite")
_SUITE_FAILURES: Final = frozenset({"failure", "error"})
_BLANK: Final = b" \t\r\n" + codecs.BOM_UTF8
_TEARDOWN: Final = "failed on teardown"
_MAX_UNKNOWN_NAMED: Final = 5
_TEST_PARTS: Final = frozenset({"name", "test", "flakefinder"})
"""Parts that make each test an arm, so that its runs are pulls."""
_GATE_PREFIX: Final = "goodarm_"
"""Prefix of the properties of a gate's test case."""


def read_junit(path: Path, options: LogOptions) -> Iterator[Attempt | LogNote]:
    """Yield the attempts of a report, test case by test case, then notes on it."""
    page = _JUnitParser(path, options.by)
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            page.feed(chunk)
            yield from page.take()
    page.close()
    yield from page.take()
    yield from page.notes()


class _JUnitParser:
    """Parser state: the part of a report that has been read."""

    def __init__(self, path: Path, by: Sequence[str]) -> None:
        self._path = path
        self._by = by or ("name",)
        self._is_by_test = not _TEST_PARTS.isdisjoint(self._by)
        self._attempts: list[Attempt] = []
        self._depth = 0
        self._fed = 0
        self._suites = Suites(path)
        self._unknown: dict[str, None] = {}
        self._case: dict[str, str] | None = None
        self._inside: list[str] = []
        self._case_depth = 0
        self._number = 0
        self._is_teardown = False
        self._gate: dict[str, str] = {}
        self._last = ("", "")
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def feed(self, chunk: bytes) -> None:
        """Parse the next bytes; raise an error for a tag so long that it would fill the memory."""
        if not self._fed:
            chunk = chunk.lstrip(_BLANK)  # before <?xml, where parsers allow nothing
        self._fed += len(chunk)
        self._parse(chunk, is_last=False)
        if self._fed - self._parser.CurrentByteIndex > _MAX_TAG_BYTES:
            rule = f"have tags of at most {_MAX_TAG_BYTES:,} bytes"
            raise invalid_file(self._path, rule, "got more.")

    def close(self) -> None:
        """Finish parsing; raise an error if the file is empty or cut off."""
        if not self._fed:
            raise invalid_file(self._path, "be JUnit XML", "it is empty.")
        self._parse(b"", is_last=True)

    def take(self) -> list[Attempt]:
        """Return the attempts parsed since the last call."""
        taken, self._attempts = self._attempts, []
        return taken

    def _parse(self, chunk: bytes, *, is_last: bool) -> None:
        try:
            self._parser.Parse(chunk, is_last)
        except (expat.ExpatError, LookupError, ValueError) as error:
            if isinstance(error, SpecError):
                raise
            trouble = str(error)
            if is_last:
                trouble += ": it was cut off, or is still being written"
            raise invalid_file(self._path, "be JUnit XML", f"{trouble}.") from error

    def _refuse_doctype(self, *_: object) -> None:
        found = "reports have none, and what it can declare fills the memory of who reads it."
        raise invalid_file(self._path, "have no document type", found, "Remove the DOCTYPE.")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        tag = get_plain_tag(tag)
        if self._depth > _MAX_DEPTH:
            raise self._make_depth_error()
        if self._case is not None:
            if self._depth == self._case_depth + 1:
                self._inside.append(tag)
                if tag == "error":
                    self._is_teardown = attributes.get("message", "").startswith(_TEARDOWN)
            elif tag == "property" and attributes.get("name", "").startswith(_GATE_PREFIX):
                self._gate[attributes["name"].removeprefix(_GATE_PREFIX)] = attributes.get(
                    "value", ""
                )
        elif tag == "testcase" and self._depth > 1:
            self._case = attributes
            self._case_depth = self._depth
            self._number += 1
        else:
            self._start_outside(tag, attributes)

    def _start_outside(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element that is not a test case nor inside one."""
        if self._depth == 1 and tag not in _ROOTS:
            rule = "be JUnit XML, whose outermost element is testsuites or testsuite"
            raise invalid_log("root", ErrorPlace(str(self._path)), rule, tag)
        if tag in _ROOTS:
            self._suites.open(attributes, self._depth)
        elif tag in _SUITE_FAILURES and self._depth == self._suites.inner.depth + 1:
            self._suites.record_suite_failure(tag, attributes)

    def _place(self) -> ErrorPlace:
        case = f"test case {self._number} (line {self._find_line()})"
        return ErrorPlace(str(self._path), entry=case)

    def _find_line(self) -> int:
        return self._parser.CurrentLineNumber

    def _make_depth_error(self) -> SpecError:
        rule = f"be nested at most {_MAX_DEPTH} deep"
        return SpecError(
            f"The elements of {str(self._path)!r}, line {self._find_line()}, must {rule}.",
            argument="elements",
            owner="read_logs",
            rule=rule,
            place=ErrorPlace(str(self._path), line=self._find_line()),
        )

    def _end(self, _: str) -> None:
        if self._case is not None:
            if self._depth == self._case_depth:
                self._add(self._case)
                self._case = None
                self._is_teardown = False
                self._gate = {}
                if self._inside:
                    self._inside = []
        elif self._depth == self._suites.inner.depth:
            self._suites.close()
        self._depth -= 1

    def _add(self, case: dict[str, str]) -> None:
        """Add the attempts of a test case: those that its elements record, then its own."""
        name = case.get("name", "")
        classname = case.get("classname", "")
        full = f"{classname}.{name}" if classname else name
        verdict = find_case_outcome(case, self._inside)
        if self._gate and verdict.outcome != "skip":
            raise self._make_gate_error(full)
        suite = self._suites.inner
        suite.cases += 1
        suite.failing += verdict.failing
        if verdict.doubtful or verdict.unknown:
            self._look_at_unknown(verdict)
        parts = self._read_parts(case, full)
        for outcome in verdict.others:
            self._attempts.append(Attempt(parts, outcome, number=self._number))
        if self._is_teardown and self._last == (full, "fail"):
            return  # pytest's second test case for a test that failed and then broke on teardown
        self._last = (full, verdict.outcome)
        cases = NO_CASES if self._is_by_test else {"name": full}
        self._attempts.append(
            Attempt(parts, verdict.outcome, full, "", self._number, "", suite.within, cases)
        )

    def _make_gate_error(self, full: str) -> SpecError:
        """Return the error for the test case of a goodarm gate, which is a verdict on many runs."""
        pulls, passes = (self._gate.get(name, "?") for name in ("pulls", "passes"))
        runs = "1 run" if pulls == "1" else f"{pulls} runs"
        line = self._find_line()
        return SpecError(
            f"The test case {full!r} of {self._path}, line {line} must be one run of a "
            f"test; it is the verdict of a goodarm gate on {runs}, of which {passes} passed.",
            argument="testcase",
            owner="read_logs",
            rule="be one run of a test",
            value=full,
            place=ErrorPlace(str(self._path), line=self._find_line()),
            remedy="The gate has judged these runs. To judge them again, check a table with the "
            "columns arm, pulls and successes: goodarm_pulls and goodarm_passes among the "
            "properties of the test case, or pulls and passes in the file of --goodarm-report "
            "gates.json. For a report of the other tests only, run pytest -m 'not goodarm' "
            "--junitxml FILE.",
        )

    def _look_at_unknown(self, verdict: CaseOutcome) -> None:
        """Raise an error for an element that may mean a failure; keep the others for a note."""
        if verdict.doubtful:
            place = self._place()
            rule = "show its outcome as failure, error or skipped"
            remedy = "Replace it by one of these, or remove it if the test passed."
            raise invalid_log("testcase", place, rule, f"<{verdict.doubtful}>", remedy)
        for found in verdict.unknown:
            if len(self._unknown) < _MAX_UNKNOWN_NAMED:
                self._unknown[found] = None

    def notes(self) -> Iterator[LogNote]:
        """Yield notes on the report."""
        yield from self._suites.notes()
        if self._unknown:
            yield LogNote(
                f"{self._path.name}: ignored {', '.join(self._unknown)} in test cases; without "
                "another element, these cases count as passed."
            )

    def _read_parts(self, case: dict[str, str], full: str) -> dict[str, str]:
        """Return the parts that are asked for, without those that the file does not have."""
        if not full.strip():
            remedy = "Give every test a name."
            place = self._place()
            raise invalid_log("name", place, "not be blank", full, remedy)
        found = {part: self._read_part(part, case, full) for part in self._by}
        return {part: value for part, value in found.items() if value}

    def _read_part(self, part: str, case: dict[str, str], full: str) -> str:
        if part == "name":
            return full
        if part == "test":
            return strip_repeat(full)
        if part == "flakefinder":
            return strip_flakefinder(full)
        if part == "class":
            return case.get("classname", "")
        suite = self._suites.inner.attributes
        if part == "suite":
            return suite.get("name", "")
        if part == "host":
            return suite.get("hostname", "")
        return case.get("file", "") or suite.get("file", "")


def _explain_repeat(before: tuple[str, ...], again: tuple[str, ...], options: LogOptions) -> Text:
    """Explain a repeated test by the suites of the two attempts: name, host, number.

    >>> from goodarm.wording import COMMAND_LINE
    >>> words = _explain_repeat(("chrome", "", "1"), ("firefox", "", "2"), LogOptions(by=("name",)))
    >>> COMMAND_LINE.text(words)
    "They are in two suites, 'chrome' and 'firefox'. To make them two arms, use --by suite,name."
    """
    for place, part in enumerate(("suite", "host")):
        if before[place] != again[place]:
            by = ",".join((part, *options.by))
            where = f"{before[place]!r} and {again[place]!r}"
            return phrase(
                "They are in two {parts}, {where}. To make them two arms, {pass} {by}.",
                parts="suites" if part == "suite" else "hosts",
                where=where,
                by=Arg("by", by),
            )
    if before != again:
        return "They are in two suites of the same name, as in a report of several runs."
    return "pytest-rerunfailures and flaky report failed attempts as test cases that look passed."


READER: Final = Reader(
    read=read_junit,
    by=("name",),
    parts={
        "name": "class name and name of the test case",
        "test": "the same without the number that pytest-repeat adds",
        "flakefinder": "the same without the number that flakefinder adds",
        "class": "the class name",
        "suite": "the name of the innermost test suite",
        "host": "the hostname of that suite, where Playwright writes the project",
        "file": "the source file, where the report tells it",
    },
    options=frozenset(),
    looks_like=lambda name, head: name.endswith(".xml"),
    stamp=b' timestamp="',
    on_repeat=_explain_repeat,
    unit="test case",
    hint=describe_repeats,
    cases={"name": ("name",), "test": ("test",), "flakefinder": ("flakefinder",)},
)
