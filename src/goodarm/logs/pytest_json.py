"""Reader of the reports of pytest-json-report.

Such a report keeps one entry for each test, so that a rerun overwrites the attempt before it. What
remains, in reports of pytest-json-report 1.5.0: the outcome ``rerun`` with pytest-rerunfailures,
and with flaky stages out of order, since ``call`` is written after the first ``teardown``. How
often a test was run is lost.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from goodarm.errors import SpecError
from goodarm.logs.attempts import NO_CASES, Attempt, LogNote, Outcome
from goodarm.logs.json_text import load_object
from goodarm.logs.junit_names import describe_repeats, strip_flakefinder, strip_repeat
from goodarm.logs.reader import LogOptions, Reader, invalid_log
from goodarm.views.numbers import plural
from goodarm.wording import Arg, ErrorPlace, phrase

_STAGES: Final = ("setup", "call", "teardown")
_OUTCOMES: Final[dict[str, Outcome]] = {
    "passed": "pass",
    "failed": "fail",
    "error": "error",
    "skipped": "skip",
    "xfailed": "skip",
    "xpassed": "pass",
}
"""Outcomes of tests; as in JUnit XML, an expected failure is no attempt."""
_RERUN: Final = "rerun"
_TEST_PARTS: Final = frozenset({"name", "test", "flakefinder"})
_GATE_PROPERTY: Final = "goodarm_kind"
_REMEDY: Final = "Run pytest with --json-report, and without --json-report-summary."


def read_pytest_json(path: Path, options: LogOptions) -> Iterator[Attempt | LogNote]:
    """Yield the tests of a report, then notes on tests that are missing."""
    omit = "Make it smaller: --json-report-omit collectors log traceback streams."
    report = load_object(path, "a report of pytest-json-report", omit)
    tests = report.get("tests")
    if not isinstance(tests, list):
        raise invalid_log("tests", ErrorPlace(str(path)), "be a list of tests", tests, _REMEDY)
    is_by_test = not _TEST_PARTS.isdisjoint(options.by)
    for number, test in enumerate(tests, start=1):
        place = ErrorPlace(str(path), "test", number)
        name = test.get("nodeid") if isinstance(test, dict) else None
        if not isinstance(name, str) or not name.strip():
            raise invalid_log("nodeid", place, "name the test", name)
        outcome = _find_outcome(test, options, place)
        cases = NO_CASES if is_by_test else {"name": name}
        yield Attempt(_make_parts(name), outcome, name, number=number, cases=cases)
    yield from _note_missing_tests(path, report, len(tests))


def _make_parts(name: str) -> dict[str, str]:
    return {
        "name": name,
        "test": strip_repeat(name),
        "flakefinder": strip_flakefinder(name),
        "file": name.partition("::")[0],
    }


def _find_outcome(test: dict[str, Any], options: LogOptions, place: ErrorPlace) -> Outcome:
    """Return the outcome of the only attempt at a test, or of the first if it was rerun."""
    if _is_gate(test):
        remedy = "The gate has judged its runs. For a report of the others: pytest -m 'not goodarm'"
        raise invalid_log(
            "test",
            place,
            "be one run of a test, not the verdict of a gate",
            test["nodeid"],
            f"{remedy}.",
        )
    outcome = test.get("outcome")
    if _is_rerun(test):
        if options.repeats != "reruns":
            raise _make_rerun_error(test, place)
        return "fail"
    if outcome not in _OUTCOMES:
        rule = f"be one of {', '.join((*_OUTCOMES, _RERUN))}"
        raise invalid_log("outcome", place, rule, outcome)
    call = test.get("call")
    if outcome == "error" and isinstance(call, dict) and call.get("outcome") == "failed":
        return "fail"  # it failed, and then broke on teardown
    return _OUTCOMES[outcome]


def _is_rerun(test: dict[str, Any]) -> bool:
    """Return whether earlier attempts at a test were overwritten."""
    stages = [_STAGES.index(stage) for stage in test if stage in _STAGES]
    return test.get("outcome") == _RERUN or stages != sorted(stages)


def _is_gate(test: dict[str, Any]) -> bool:
    """Return whether a test is a gate of goodarm, which stands for many runs."""
    properties = test.get("user_properties")
    return isinstance(properties, list) and any(
        isinstance(each, dict) and _GATE_PROPERTY in each for each in properties
    )


def _make_rerun_error(test: dict[str, Any], place: ErrorPlace) -> SpecError:
    rule = "be run once in a report"
    name = test["nodeid"]
    return SpecError(
        f"The test {name!r} of {place} must {rule}; it was rerun, and the report has only the last "
        f"attempt, as {test.get('outcome')!r}.",
        argument="test",
        owner="read_logs",
        rule=rule,
        value=name,
        remedy=phrase(
            "To count the first attempt of each test, which failed where a test was rerun because "
            "it had failed, {pass} {reruns}. To count every attempt, read JUnit XML: pytest "
            "--junitxml FILE.xml.",
            reruns=Arg("repeats", "reruns"),
        ),
        place=place,
    )


def _note_missing_tests(path: Path, report: dict[str, Any], found: int) -> Iterator[LogNote]:
    """Yield notes on files that could not be collected, and tests that did not run."""
    collectors = report.get("collectors")
    broken = [
        str(each.get("nodeid"))
        for each in (collectors if isinstance(collectors, list) else ())
        if isinstance(each, dict) and each.get("outcome") == "failed"
    ]
    if broken:
        yield LogNote(
            f"{path.name}: {', '.join(broken)} could not be loaded: tests may be missing."
        )
    summary = report.get("summary")
    counts = summary if isinstance(summary, dict) else {}
    collected, deselected = (counts.get(key, 0) for key in ("collected", "deselected"))
    if isinstance(collected, int) and isinstance(deselected, int):
        selected = collected - deselected
        if found < selected:
            tests = plural(selected, "test")
            yield LogNote(f"{path.name}: the run ended early: it has {found} of {tests}.")


def _looks_like(name: str, head: bytes) -> bool:
    return name.endswith(".json") and b'"exitcode"' in head and b'"created"' in head


READER: Final = Reader(
    read=read_pytest_json,
    by=("name",),
    parts={
        "name": "the test's node id",
        "test": "the same without the number that pytest-repeat adds",
        "flakefinder": "the same without the number that flakefinder adds",
        "file": "the file of the test",
    },
    options=frozenset(),
    looks_like=_looks_like,
    stamp=b'"created"',
    on_repeat="A report has each test once.",
    unit="test",
    hint=describe_repeats,
    cases={"name": ("name",), "test": ("test",), "flakefinder": ("flakefinder",)},
)
