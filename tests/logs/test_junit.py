"""JUnit XML as pytest and its plugins write it, and as Surefire does."""

import pytest

import goodarm as ga
from goodarm.wording import COMMAND_LINE
from logs.log_files import DATA, counts_by_test, make_case, make_report, read_counts

RERUN = {
    "test_login": (1, 1),
    "test_pay": (3, 1),
    "test_search[chrome]": (1, 1),
    "test_search[firefox]": (2, 1),
    "test_mail": (6, 0),
    "test_leak": (6, 0),
    "test_database": (6, 0),
}
"""What shop.py does when every test has up to six attempts."""
REPEATED = {
    "test_login": (3, 3),
    "test_pay": (3, 1),
    "test_search[chrome]": (3, 3),
    "test_search[firefox]": (3, 2),
    "test_mail": (3, 0),
    "test_leak": (3, 0),
    "test_database": (3, 0),
}


@pytest.fixture
def report(tmp_path):
    def write(text, name="report.xml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_one_run_of_pytest_is_one_pull_of_each_test():
    table = ga.read_logs(DATA / "junit/pytest.xml")
    assert set(counts_by_test(table)) == set(RERUN)
    assert set(table.pulls) == {1}
    assert [arm for arm, good in zip(table.arms, table.successes, strict=True) if good] == [
        "test_shop.test_login",
        "test_shop.test_search[chrome]",
    ]
    assert (table.attempts, table.errors, table.skipped) == (7, 1, 2)


def test_a_test_that_fails_and_breaks_on_teardown_is_one_attempt():
    """pytest writes two test cases for it: a failure, and an error on teardown."""
    assert read_counts("junit/pytest.xml")["test_leak"] == (1, 0)


def test_a_teardown_error_after_a_pass_is_no_second_part_of_it(report):
    inner = '<error message="failed on teardown with x"/>'
    path = report(make_report(make_case("a", "<failure/>"), make_case("b"), make_case("a", inner)))
    with pytest.raises(ga.errors.SpecError, match=r"'t\.a'.* must come only once"):
        ga.read_logs(path)


def test_two_failures_of_one_name_are_two_attempts(report):
    path = report(make_report(make_case("a", "<failure/>"), make_case("a", "<failure/>")))
    with pytest.raises(ga.errors.SpecError, match="must come only once"):
        ga.read_logs(path)
    assert counts_by_test(ga.read_logs(path, repeats="attempts")) == {"t.a": (2, 0)}


@pytest.mark.parametrize("name", ["rerunfailures", "flaky"])
def test_reruns_that_look_passed_are_refused(name):
    with pytest.raises(ga.errors.SpecError) as refused:
        ga.read_logs(DATA / f"junit/{name}.xml")
    assert "The test 'test_shop.test_pay'" in str(refused.value)
    assert "report failed attempts as test cases that look passed" in str(refused.value)
    assert "repeats='reruns'" in str(refused.value)
    assert "--repeats reruns" in COMMAND_LINE.sentence(refused.value)


@pytest.mark.parametrize("name", ["rerunfailures", "flaky"])
def test_as_reruns_every_attempt_but_the_last_is_a_failure(name):
    assert read_counts(f"junit/{name}.xml", repeats="reruns") == RERUN


def test_taken_as_attempts_six_failures_would_read_as_five_passes():
    assert read_counts("junit/rerunfailures.xml", repeats="attempts")["test_mail"] == (6, 5)


@pytest.mark.parametrize(("name", "by"), [("repeat", "test"), ("flakefinder", "flakefinder")])
def test_repeats_with_numbers_in_their_names_are_pulls_of_one_arm(name, by):
    assert read_counts(f"junit/{name}.xml", by=by) == REPEATED


def test_repeats_left_apart_are_pointed_out():
    table = ga.read_logs(DATA / "junit/repeat.xml")
    assert len(table.arms) == 21
    assert any("by='test'" in note for note in table.notes)
    assert not ga.read_logs(DATA / "junit/pytest.xml").notes


def test_parameters_that_only_look_like_repeats_stay_apart(report):
    path = report(
        make_report(
            make_case("a[3-1]"), make_case("a[0-2]"), make_case("a[5]"), make_case("a[x-2-2]")
        )
    )
    assert set(counts_by_test(ga.read_logs(path, by="test"))) == {
        "t.a[3-1]",
        "t.a[0-2]",
        "t.a[5]",
        "t.a[x]",
    }


def test_surefire_reruns_are_attempts_of_their_own(report):
    """Written by hand after Surefire's schema: flaky passes in the end, broken never does."""
    flaky = make_case("flaky", "<flakyFailure/><flakyError/><flakyFailure/>")
    broken = make_case("broken", "<failure/><rerunFailure/><rerunError/>")
    table = ga.read_logs(report(make_report(flaky, broken)))
    assert counts_by_test(table) == {"t.flaky": (4, 1), "t.broken": (3, 0)}
    assert table.errors == 2
    assert counts_by_test(ga.read_logs(report(make_report(flaky, broken)), errors="exclude")) == {
        "t.flaky": (3, 1),
        "t.broken": (2, 0),
    }


def test_errors_are_failures_or_left_out_and_their_arms_stay():
    assert read_counts("junit/pytest.xml")["test_database"] == (1, 0)
    table = ga.read_logs(DATA / "junit/pytest.xml", errors="exclude")
    assert counts_by_test(table)["test_database"] == (0, 0)
    assert "left out 1 error" in table.read_as
    assert "nothing to do with" in table.notes[0]


def test_tests_that_were_not_run_are_no_attempts(report):
    inner = (
        make_case("a", status="notrun"),
        make_case("b", result="suppressed"),
        make_case("c", "<skipped/>"),
    )
    table = ga.read_logs(report(make_report(*inner, make_case("d"))))
    assert counts_by_test(table) == {"t.d": (1, 1)}
    assert table.skipped == 3


def test_arms_by_suite_class_and_file(report):
    inner = (
        '<testsuite name="outer"><testsuite name="chrome" file="a.py">',
        make_case("x"),
        '</testsuite><testsuite name="firefox">',
        make_case("x", "<failure/>", file="b.py"),
        "</testsuite></testsuite>",
    )
    path = report("".join(inner))
    with pytest.raises(ga.errors.SpecError, match="must come only once"):
        ga.read_logs(path)
    assert counts_by_test(ga.read_logs(path, by="suite")) == {"chrome": (1, 1), "firefox": (1, 0)}
    assert counts_by_test(ga.read_logs(path, by=["suite", "name"])) == {
        "chrome / t.x": (1, 1),
        "firefox / t.x": (1, 0),
    }
    assert counts_by_test(ga.read_logs(path, by="file")) == {"a.py": (1, 1), "b.py": (1, 0)}
    assert counts_by_test(ga.read_logs(path, by="class", repeats="attempts")) == {"t": (2, 1)}


def test_a_part_that_the_file_does_not_tell_is_an_error():
    with pytest.raises(ga.errors.SpecError, match=r"must include 'file'.*by='PART'"):
        ga.read_logs(DATA / "junit/pytest.xml", by="file")


def test_every_file_is_a_run_of_its_own(tmp_path):
    text = (DATA / "junit/pytest.xml").read_text(encoding="utf-8")
    for number in range(3):
        path = tmp_path / f"{number}.xml"
        path.write_text(text.replace("2026-11-16", f"2026-11-1{number}"), encoding="utf-8")
    table = ga.read_logs(str(tmp_path / "*.xml"))
    assert set(table.pulls) == {3}
    assert len(table.files) == 3
    assert ga.check(table, threshold=0.5, delta=0.05).undecided == list(table.arms)
