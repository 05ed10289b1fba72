"""Reports that pytest-json-report 1.5.0 wrote: reruns overwrite the attempts before them."""

import json

import pytest

import goodarm as ga
from logs.log_files import DATA

ONCE = {
    "login": (1, 1),
    "pay": (1, 0),
    "search[chrome]": (1, 1),
    "search[firefox]": (1, 0),
    "mail": (1, 0),
    "leak": (1, 0),
    "database": (1, 0),
}


def read(name, **options):
    table = ga.read_logs(DATA / f"pytest_json/{name}.json", **options)
    rows = zip(table.arms, table.pulls.tolist(), table.successes.tolist(), strict=True)
    return {arm.removeprefix("test_shop.py::test_"): (pulls, good) for arm, pulls, good in rows}


@pytest.fixture
def edited(tmp_path):
    def write(change):
        text = (DATA / "pytest_json/plain.json").read_text(encoding="utf-8")
        document = json.loads(text)
        change(document)
        path = tmp_path / "report.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    return write


def test_a_run_has_one_attempt_of_each_test():
    table = ga.read_logs(DATA / "pytest_json/plain.json")
    assert table.format == "pytest-json"
    assert read("plain") == ONCE
    assert (table.errors, table.skipped) == (1, 2)  # an expected failure is no attempt, as in JUnit


def test_a_failure_that_breaks_on_teardown_is_a_failure_and_not_an_error():
    assert read("plain", errors="exclude")["leak"] == (1, 0)
    assert read("plain", errors="exclude")["database"] == (0, 0)


def test_runs_are_added_up_and_copies_are_not(tmp_path, edited):
    again = edited(lambda document: document.update(created=1.5))
    assert ga.read_logs([DATA / "pytest_json/plain.json", again]).pulls.tolist() == [2] * 7
    copy = tmp_path / "copy.json"
    copy.write_bytes(again.read_bytes())
    assert ga.read_logs([again, copy]).copies == 1


@pytest.mark.parametrize("name", ["rerunfailures", "flaky"])
def test_overwritten_attempts_are_noticed(name):
    """Read by its outcomes, each report would have passes that came after failures."""
    report = json.loads((DATA / f"pytest_json/{name}.json").read_text(encoding="utf-8"))
    last = {test["nodeid"]: test.get("call", {}).get("outcome") for test in report["tests"]}
    assert last["test_shop.py::test_pay"] == "passed"
    with pytest.raises(ga.errors.SpecError, match=r"test_pay.* was rerun.*repeats='reruns'"):
        read(name)
    with pytest.raises(ga.errors.SpecError, match="was rerun"):
        read(name, repeats="attempts")
    assert read(name, repeats="reruns") == ONCE


def test_the_numbers_of_pytest_repeat_are_taken_off():
    assert read("repeat", by="test")["pay"] == (3, 1)
    assert read("repeat", by="test")["search[firefox]"] == (3, 2)
    table = ga.read_logs(DATA / "pytest_json/repeat.json")
    assert "by='test'" in table.notes[0]
    with pytest.raises(ga.errors.SpecError, match="must be given|be left out"):
        ga.read_logs(DATA / "pytest_json/repeat.json", score="x")


def test_missing_tests_are_noted():
    (note,) = ga.read_logs(DATA / "pytest_json/first.json").notes
    assert "it has 2 of 9 tests" in note
    (note,) = ga.read_logs(DATA / "pytest_json/broken.json").notes
    assert "test_broken.py could not be loaded" in note


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda report: report["tests"][0].update(outcome="maybe"), "'outcome' of .* be one of"),
        (lambda report: report["tests"][0].update(nodeid=" "), "must name the test"),
        (lambda report: report["tests"].append(3), "must name the test"),
        (lambda report: report["tests"].append(report["tests"][1]), "must come only once"),
        (lambda report: report.pop("tests"), "--json-report-summary"),
        (
            lambda report: report["tests"][0].update(user_properties=[{"goodarm_kind": "gate"}]),
            "not the verdict of a gate",
        ),
    ],
)
def test_what_can_be_misread_is_refused(edited, change, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.read_logs(edited(change), format="pytest-json")


def test_a_summary_alone_is_refused_with_the_remedy():
    with pytest.raises(ga.errors.SpecError, match="without --json-report-summary"):
        read("summary")
