"""What users' own hooks and other plugins do to a gate, and what a repeat leaves behind."""

import re

import pytest

SOFT = """
import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    asked = vars(item).pop("asked", None)
    if call.when == "call" and asked:
        report.outcome, report.longrepr = asked
"""
"""Makes of a report what the test has asked for."""


def test_a_failure_that_only_its_report_says_is_one(suite):
    suite.pytester.makeconftest(SOFT)
    suite.write(
        test_a="""
        flip = coin(0.5, 1)

        @pytest.mark.goodarm(threshold=0.9)
        def test_a(request):
            request.node.asked = None if flip() else ("failed", "softly")

        @pytest.mark.xfail(strict=True)
        @pytest.mark.goodarm(threshold=0.9)
        def test_strict(request):
            pass
        """
    )
    gates = suite.gates(failed=2)
    assert gates["test_a"]["label"] == "bad"
    assert gates["test_strict"]["label"] == "good"
    suite.run(failed=2).stdout.fnmatch_lines(["bad: *", "softly"])


def test_a_failure_stays_one_whatever_its_report_says(suite):
    suite.pytester.makeconftest(SOFT)
    suite.write(
        test_a="""
        flip = coin(0.5, 1)

        @pytest.mark.goodarm(threshold=0.9)
        def test_a(request):
            request.node.asked = "passed", None
            assert flip(), "tails"
        """
    )
    assert suite.gates(failed=1)["test_a"]["label"] == "bad"
    suite.run(failed=1).stdout.fnmatch_lines(["E*AssertionError: tails", "bad: *"])


def test_a_teardown_that_only_its_report_says_is_broken_is(suite):
    suite.pytester.makeconftest(SOFT.replace('"call"', '"teardown"'))
    suite.write(
        test_a="""
        runs = []

        @pytest.fixture
        def one(request):
            yield
            runs.append(1)
            request.node.asked = ("failed", "a leak") if len(runs) == 3 else None

        @pytest.mark.goodarm(threshold=0.9)
        def test_a(one):
            pass

        @pytest.fixture
        def other(request):
            yield
            request.node.asked = "passed", None
            assert False, "unseen"

        @pytest.mark.goodarm(threshold=0.9)
        def test_other(other):
            pass
        """
    )
    gates = suite.gates(errors=2)
    assert [gate["pulls"] for gate in gates.values()] == [3, 1]


def test_a_skip_that_only_its_report_says_is_one(suite):
    suite.pytester.makeconftest(SOFT)
    suite.write(
        test_a="""
        runs = []

        @pytest.mark.goodarm(threshold=0.9)
        def test_a(request):
            runs.append(1)
            if len(runs) == 4:
                request.node.asked = "skipped", (__file__, 1, "no network")
                raise ConnectionError
        """
    )
    gate = suite.gates(errors=1)["test_a"]
    assert (gate["pulls"], gate["lost"]) == (4, 1)
    suite.run(errors=1).stdout.fnmatch_lines(["The test was skipped in run 4, after 3 that count*"])


def test_fixtures_are_there_until_the_teardown_is_reported(suite):
    suite.pytester.makeconftest(
        """
        def pytest_runtest_makereport(item, call):
            if call.when == "teardown":
                assert item.funcargs.get("one") == 1  # as pytest-benchmark looks for its own
        """
    )
    suite.write(
        test_a="""
        @pytest.fixture
        def one():
            return 1

        @pytest.mark.goodarm(threshold=0.9)
        def test_a(one):
            pass
        """
    )
    assert suite.gates(passed=1)["test_a"]["pulls"] == 53


def test_what_retries_unseen_is_refused(suite):
    suite.pytester.makeconftest(
        """
        import sys

        import pytest


        def pytest_configure(config):
            config.pluginmanager.register(object(), "pytest-retry")
            config.addinivalue_line("markers", "flaky: run it again")
        """
    )
    suite.write(
        test_a="""
        @pytest.mark.flaky
        @pytest.mark.goodarm(threshold=0.9)
        def test_a():
            note("ran")

        @pytest.mark.goodarm(threshold=0.9)
        def test_b():
            pass
        """
    )
    result = suite.run(errors=1, passed=1)
    result.stdout.fnmatch_lines(
        ["test_a.py::test_a is a gate, and pytest-retry would silently repeat *"]
    )
    assert suite.notes == []


def test_marks_and_stash_of_a_repeat_are_gone_in_the_next(suite):
    suite.write(
        test_a="""
        key = pytest.StashKey()

        @pytest.mark.goodarm(threshold=0.9)
        def test_a(request):
            assert request.node.get_closest_marker("xfail") is None
            assert "xfail" not in request.node.keywords
            assert key not in request.node.stash
            request.node.stash[key] = 1
            request.applymarker(pytest.mark.xfail)
            assert "xfail" in request.node.keywords
        """
    )
    assert suite.gates(xpassed=1)["test_a"]["passes"] == 53


def test_a_wrapped_test_is_wrapped_anew(suite):
    suite.pytester.makeconftest(
        """
        def pytest_runtest_call(item):
            inner = item.obj
            assert not hasattr(inner, "is_wrapper")
            def wrapper():
                return inner()
            wrapper.is_wrapper = True
            item.obj = wrapper
        """
    )
    suite.write(
        test_a="""
        @pytest.mark.goodarm(threshold=0.9)
        def test_a():
            pass
        """
    )
    assert suite.gates(passed=1)["test_a"]["passes"] == 53


def test_doctests_keep_their_names(suite):
    suite.pytester.makeconftest(
        """
        def pytest_collection_modifyitems(items):
            for item in items:
                item.add_marker(__import__("pytest").mark.goodarm(threshold=0.9))
        """
    )
    suite.write(
        test_a='''
        value = 3

        def three():
            """Three.

            >>> value
            3
            """
        '''
    )
    gates = suite.gates("--doctest-modules", passed=1)
    assert gates["test_a.three"]["passes"] == 53


def test_a_property_named_like_ours_is_no_gate(suite):
    suite.write(
        test_a="""
        def test_plain(record_property):
            record_property("goodarm_label", "mine")

        @pytest.mark.goodarm(threshold=0.9)
        def test_a(record_property):
            record_property("goodarm_passes", "many")
        """
    )
    assert {name: gate["passes"] for name, gate in suite.gates(passed=2).items()} == {"test_a": 53}


def test_what_was_captured_is_of_the_run_that_is_shown(suite):
    suite.write(
        test_a="""
        runs = []

        @pytest.mark.goodarm(threshold=0.9, max_runs=53)
        def test_a():
            runs.append(1)
            print("in run", len(runs))
            assert len(runs) != 5
        """
    )
    suite.run("--junitxml=report.xml", "-o", "junit_logging=all", failed=1)
    text = (suite.pytester.path / "report.xml").read_text(encoding="utf-8")
    assert re.findall(r"^in run \d+", text, re.MULTILINE) == ["in run 5"]


def test_setup_show_names_the_test_as_pytest_does(suite):
    suite.write(
        test_a="""
        @pytest.fixture
        def one():
            return 1

        @pytest.mark.goodarm(threshold=0.5)
        def test_a(one):
            pass
        """
    )
    lines = suite.run("--setup-show", passed=1).outlines
    assert sum("test_a.py::test_a (fixtures used: " in line for line in lines) == 9


@pytest.mark.companions
def test_the_time_of_a_run_begins_with_the_run(suite):
    suite.pytester.makeconftest(
        """
        import time

        import pytest
        from goodarm.plugins.pytest import gate_run

        patch = pytest.MonkeyPatch()

        def pytest_collection_finish():
            class Slow(gate_run.Gate):
                def __init__(self, problem):
                    time.sleep(0.4)  # as where kernels are compiled first
                    super().__init__(problem)

            patch.setattr(gate_run, "Gate", Slow)


        def pytest_unconfigure():
            patch.undo()
        """
    )
    suite.write(
        test_a="""
        @pytest.mark.goodarm(threshold=0.5)
        @pytest.mark.timeout(0.2, method="signal")
        def test_a():
            pass
        """
    )
    suite.run(passed=1)


def test_the_fault_handler_counts_the_time_of_each_run(suite):
    suite.add_ini("faulthandler_timeout = 60")
    suite.write(
        test_a="""
        import faulthandler

        @pytest.fixture(scope="session", autouse=True)
        def watched():
            with pytest.MonkeyPatch.context() as patch:
                armed = faulthandler.dump_traceback_later
                def arm(*args, **kwargs):
                    note("armed")
                    armed(*args, **kwargs)
                patch.setattr(faulthandler, "dump_traceback_later", arm)
                yield

        @pytest.mark.goodarm(threshold=0.5)
        def test_a():
            pass
        """
    )
    suite.run(passed=1)
    assert len(suite.notes) == 8  # those after the first, whose fixtures watch
