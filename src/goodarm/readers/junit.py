"""JUnit XML, read as a stream: no element is kept, no entity is opened.

Reruns are where such files mislead. Surefire and Gradle write each attempt at a test into its test
case (``flakyFailure``, ``rerunFailure``, ...); pytest-rerunfailures and flaky write failed attempts
as empty test cases, which look passed, under the same name.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from xml.parsers import expat

from goodarm.errors import SpecError, must
from goodarm.readers.attempt import Attempt, Outcome
from goodarm.readers.reader import Options, Reader

_CHUNK: Final = 1 << 18
_LONGEST_TAG: Final = 16_000_000
_DEEPEST: Final = 100
_ROOTS: Final = ("testsuites", "testsuite")
_OWN: Final[dict[str, Outcome]] = {"failure": "fail", "error": "error", "skipped": "skip"}
"""Elements that say how the test case went in the end, the gravest first."""
_OTHERS: Final[dict[str, Outcome]] = {
    "flakyFailure": "fail",
    "flakyError": "error",
    "rerunFailure": "fail",
    "rerunError": "error",
}
"""Elements that are attempts of their own, before the last or after the first."""
_NOT_RUN: Final = frozenset({"notrun", "disabled", "skipped", "suppressed"})
_TEARDOWN: Final = "failed on teardown"
_REPEAT: Final = re.compile(r"(.*)\[(?:(.*)-)?(\d+)-(\d+)\]", re.DOTALL)
_FLAKEFINDER: Final = re.compile(r"(.*)\[(\d+)(?:-(.*))?\]", re.DOTALL)


def read_junit(path: Path, options: Options) -> Iterator[Attempt]:
    """The attempts of a report, test case by test case."""
    page = _Page(path, options.by)
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            page.feed(chunk)
            yield from page.take()
    page.close()
    yield from page.take()


class _Page:
    """A report as far as it has been read."""

    def __init__(self, path: Path, by: Sequence[str]) -> None:
        self._path = path
        self._by = by or ("name",)
        self._attempts: list[Attempt] = []
        self._depth = 0
        self._fed = 0
        self._suites: list[dict[str, str]] = []
        self._case: dict[str, str] | None = None
        self._inside: list[str] = []
        self._case_depth = 0
        self._line = 0
        self._is_teardown = False
        self._last = ("", "")
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def feed(self, chunk: bytes) -> None:
        """Read on; a tag that does not end is given up before it fills the memory."""
        self._fed += len(chunk)
        self._parse(chunk, is_last=False)
        if self._fed - self._parser.CurrentByteIndex > _LONGEST_TAG:
            rule = f"have tags of at most {_LONGEST_TAG:,} bytes"
            raise SpecError(f"The file {str(self._path)!r} must {rule}; got more.")

    def close(self) -> None:
        """Nothing may be missing at the end."""
        if not self._fed:
            raise SpecError(f"The file {str(self._path)!r} must be JUnit XML; it is empty.")
        self._parse(b"", is_last=True)

    def take(self) -> list[Attempt]:
        """The attempts since the last time."""
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
            text = f"The file {str(self._path)!r} must be JUnit XML; {trouble}."
            raise SpecError(text) from error

    def _refuse_doctype(self, *_: object) -> None:
        raise SpecError(
            f"The file {str(self._path)!r} must have no document type; reports have none, and what "
            "it can declare fills the memory of who reads it. Remove the DOCTYPE."
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._case is not None:
            if self._depth == self._case_depth + 1:
                self._inside.append(tag)
                if tag == "error":
                    self._is_teardown = attributes.get("message", "").startswith(_TEARDOWN)
            elif self._depth > _DEEPEST:
                raise self._too_deep()
        elif tag == "testcase":
            self._case = attributes
            self._case_depth = self._depth
            self._line = self._parser.CurrentLineNumber
        elif tag == "testsuite":
            self._suites.append(attributes)
        if self._depth == 1 and tag not in _ROOTS:
            rule = "be JUnit XML, whose outermost element is testsuites or testsuite"
            raise must("root", str(self._path), rule, tag)
        if self._depth > _DEEPEST:
            raise self._too_deep()

    def _too_deep(self) -> SpecError:
        where = f"{str(self._path)!r}, line {self._parser.CurrentLineNumber},"
        return SpecError(f"The elements of {where} must be nested at most {_DEEPEST} deep.")

    def _end(self, tag: str) -> None:
        if self._case is not None:
            if self._depth == self._case_depth:
                self._add(self._case)
                self._case = None
                self._is_teardown = False
                if self._inside:
                    self._inside = []
        elif tag == "testsuite":
            self._suites.pop()
        self._depth -= 1

    def _add(self, case: dict[str, str]) -> None:
        """The attempts of a test case: those that its elements tell of, and its own."""
        name = case.get("name", "")
        classname = case.get("classname", "")
        full = f"{classname}.{name}" if classname else name
        parts = self._parts(case, full)
        outcome: Outcome = "pass"
        if self._inside:
            for tag in self._inside:
                if tag in _OTHERS:
                    self._attempts.append(Attempt(parts, _OTHERS[tag], number=self._line))
            outcome = next((_OWN[tag] for tag in _OWN if tag in self._inside), "pass")
        elif case.get("status") in _NOT_RUN or case.get("result") in _NOT_RUN:
            outcome = "skip"
        if self._is_teardown and self._last == (full, "fail"):
            return  # pytest's second test case for a test that failed and then broke on teardown
        self._last = (full, outcome)
        self._attempts.append(Attempt(parts, outcome, full, "", self._line))

    def _parts(self, case: dict[str, str], full: str) -> dict[str, str]:
        """Only those that are asked for; what the file does not tell is left out."""
        if not full.strip():
            remedy = "Tests are told apart by their names."
            raise must("name", f"{self._path}, line {self._line}", "not be blank", full, remedy)
        found = {part: self._part(part, case, full) for part in self._by}
        return {part: value for part, value in found.items() if value}

    def _part(self, part: str, case: dict[str, str], full: str) -> str:
        if part == "name":
            return full
        if part == "test":
            return without_repeat(full)
        if part == "flakefinder":
            return without_flakefinder(full)
        if part == "class":
            return case.get("classname", "")
        suite = self._suites[-1] if self._suites else {}
        if part == "suite":
            return suite.get("name", "")
        return case.get("file", "") or suite.get("file", "")


def without_repeat(name: str) -> str:
    """A name without what pytest-repeat adds: the number of the repeat, and of how many.

    >>> without_repeat("test_pay[2-3]"), without_repeat("test_search[chrome-2-3]")
    ('test_pay', 'test_search[chrome]')
    """
    found = _REPEAT.fullmatch(name)
    if found is None or not 1 <= int(found[3]) <= int(found[4]):
        return name
    return found[1] if found[2] is None else f"{found[1]}[{found[2]}]"


def without_flakefinder(name: str) -> str:
    """A name without the number that flakefinder adds.

    >>> without_flakefinder("test_pay[0]"), without_flakefinder("test_search[0-chrome]")
    ('test_pay', 'test_search[chrome]')
    """
    found = _FLAKEFINDER.fullmatch(name)
    if found is None:
        return name
    return found[1] if found[3] is None else f"{found[1]}[{found[3]}]"


def _hint(arms: Sequence[str], options: Options) -> str:
    """A remark where repeats are counted as arms of their own."""
    if options.by != ("name",):
        return ""
    bases = {without_repeat(arm) for arm in arms if without_repeat(arm) != arm}
    many = sum(without_repeat(arm) != arm for arm in arms)
    if many <= len(bases):
        return ""
    return (
        f"{many:,} names end like those of pytest-repeat: by='test' (--by test) counts the repeats "
        "of a test as pulls of one arm."
    )


READER: Final = Reader(
    read=read_junit,
    by=("name",),
    parts={
        "name": "class name and name of the test case",
        "test": "the same without the number that pytest-repeat adds",
        "flakefinder": "the same without the number that flakefinder adds",
        "class": "the class name",
        "suite": "the name of the innermost test suite",
        "file": "the source file, where the report tells it",
    },
    options=frozenset(),
    looks_like=lambda name, head: name.endswith(".xml"),
    stamp=b' timestamp="',
    on_repeat=(
        "pytest-rerunfailures and flaky write failed attempts as test cases that look passed."
    ),
    hint=_hint,
)
