"""Set-ups and teardowns that break, and what wide fixtures do after the verdict."""

import pytest


@pytest.mark.parametrize("when", ["set-up", "teardown"])
@pytest.mark.parametrize("run", [1, 3, 53])
def test_what_breaks_ends_the_gate_as_an_error(suite, when, run):
    """Also in run 53, which would be the last."""
    suite.write(
        test_a=f"""
        runs = []

        @pytest.fixture(scope="module")
        def wide():
            yield
            note("wide")

        @pytest.fixture
        def broken():
            runs.append(1)
            if {when!r} == "set-up" and len(runs) == {run}:
                raise OSError("disk full")
            yield
            if {when!r} == "teardown" and len(runs) == {run}:
                raise OSError("disk full")

        @pytest.mark.goodarm(threshold=0.9)
        def test_a(wide, broken):
            note("call")
        """,
        test_b="def test_b(): pass",
    )
    path = suite.pytester.path / "gates.json"
    result = suite.run(f"--goodarm-report={path}", errors=1, passed=1)
    assert suite.notes == ["call"] * (run - (when == "set-up")) + ["wide"]
    result.stdout.fnmatch_lines(
        [
            "E  *OSError: disk full",
            f"The gate ended with an error in the {when} of run {run}, after {run - 1} runs*",
        ]
    )
    gate = suite.read_gates()["test_a"]
    assert gate["error"] == f"error in the {when} of run {run}"
    assert (gate["label"], gate["passes"], gate["lost"]) == ("undecided", run - 1, 1)


def test_a_teardown_that_breaks_after_the_verdict_is_an_error_beside_it(suite):
    suite.write(
        test_a="""
        runs = []

        @pytest.fixture(scope="module")
        def wide():
            yield
            raise OSError("disk full")

        @pytest.mark.goodarm(threshold=0.5)
        def test_a(wide):
            pass
        """
    )
    gates = suite.gates("--junitxml=report.xml", passed=1, errors=1)
    assert (gates["test_a"]["label"], gates["test_a"]["error"]) == ("good", None)
    xml = (suite.pytester.path / "report.xml").read_text(encoding="utf-8")
    assert xml.count("<testcase") == 1


def test_what_wide_fixtures_print_is_part_of_the_teardown(suite):
    suite.write(
        test_a="""
        import logging, os

        @pytest.fixture(scope="module")
        def wide():
            yield
            print("wide prints", os.environ["PYTEST_CURRENT_TEST"])
            logging.warning("wide logs")
            raise OSError("disk full")

        @pytest.fixture
        def own():
            yield
            print("own prints")

        @pytest.mark.goodarm(threshold=0.5)
        def test_a(wide, own):
            pass
        """
    )
    result = suite.run(passed=1, errors=1)
    result.stdout.fnmatch_lines(
        [
            "*ERROR at teardown of test_a*",
            "*Captured stdout teardown*",
            "own prints",
            "*Captured stdout teardown*",
            "wide prints test_a.py::test_a (teardown)",
            "*Captured log teardown*",
            "*wide logs",
        ]
    )
    assert result.stdout.str().count("wide logs") == 2  # in the source, and once when it ran


@pytest.mark.parametrize("option", ["--capture=no", "-pno:logging"])
def test_wide_fixtures_end_without_capture_too(suite, option):
    suite.write(
        test_a="""
        @pytest.fixture(scope="module")
        def wide():
            yield
            note("wide")

        @pytest.mark.goodarm(threshold=0.5)
        def test_a(wide):
            pass
        """
    )
    suite.run(option, passed=1)
    assert suite.notes == ["wide"]


@pytest.mark.parametrize("run", [1, 3, 9])
def test_junit_counts_a_gate_whose_teardown_breaks_as_one_test(suite, run):
    suite.write(
        test_a=f"""
        runs = []

        @pytest.fixture
        def own():
            yield
            runs.append(1)
            if len(runs) == {run}:
                raise OSError("disk full")

        @pytest.mark.goodarm(threshold=0.5)
        def test_a(own):
            pass

        def test_plain():
            pass
        """
    )
    suite.run("--junitxml=report.xml", passed=1, errors=1)
    xml = (suite.pytester.path / "report.xml").read_text(encoding="utf-8")
    assert 'errors="1" failures="0" skipped="0" tests="2"' in xml
    assert xml.count("<testcase") == 2


def test_both_teardowns_that_break_are_shown(suite):
    suite.write(
        test_a="""
        @pytest.fixture(scope="module")
        def wide():
            yield
            raise OSError("wide is broken")

        @pytest.fixture
        def own():
            yield
            raise OSError("own is broken")

        @pytest.mark.goodarm(threshold=0.9)
        def test_a(wide, own):
            pass
        """
    )
    suite.run(errors=2).stdout.fnmatch_lines(["*own is broken", "*wide is broken"])
