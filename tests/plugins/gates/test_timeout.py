"""Beside pytest-timeout: each run has the whole limit; one that takes longer has failed."""

import pytest


@pytest.mark.companions
def test_a_timeout_is_a_failure_and_each_run_has_its_own_time(suite):
    """Runs of .1 s, seven of them longer than .5 s in all; each has .5 s."""
    suite.write(
        test_a="""
        import time

        runs = []

        @pytest.mark.goodarm(threshold=0.4)
        @pytest.mark.timeout(0.5, method="signal")
        def test_each_has_its_own():
            time.sleep(0.1)

        @pytest.mark.goodarm(threshold=0.6, max_runs=12)
        @pytest.mark.timeout(0.2, method="signal")
        def test_too_long():
            runs.append(1)
            time.sleep(5 if len(runs) == 2 else 0)

        @pytest.mark.goodarm(threshold=0.6, max_runs=12)
        @pytest.mark.timeout(0.2, method="signal", func_only=True)
        def test_function_only():
            runs.append(1)
            time.sleep(5 if len(runs) == 14 else 0)

        @pytest.mark.timeout(5)
        def test_plain():
            pass
        """
    )
    gates = suite.gates("--goodarm-undecided=pass", passed=4)
    assert gates["test_each_has_its_own"]["label"] == "good"
    for name in ("test_too_long", "test_function_only"):
        assert (gates[name]["pulls"], gates[name]["passes"]) == (12, 11)


@pytest.mark.companions
def test_a_timeout_in_a_fixture_is_an_error(suite):
    suite.write(
        test_a="""
        import time

        runs = []

        @pytest.fixture
        def slow():
            runs.append(1)
            time.sleep(5 if len(runs) == 3 else 0)

        @pytest.mark.goodarm(threshold=0.9)
        @pytest.mark.timeout(0.2, method="signal")
        def test_a(slow):
            pass
        """
    )
    result = suite.run(errors=1)
    result.stdout.fnmatch_lines(["*Timeout (>0.2s)*", "*error in the set-up of run 3*"])


CLOCK = """
import pytest
from goodarm.plugins.pytest import pytest_internals

patch = pytest.MonkeyPatch()


class Clock:
    now = 0.0

    def perf_counter(self):
        return self.now


def pytest_collection_finish():
    patch.setattr(pytest_internals, "time", Clock())


def pytest_unconfigure():
    patch.undo()


def pytest_timeout_set_timer(item, settings):
    with open("notes.txt", "a") as file:
        file.write(f"{float(settings.timeout):.1f}of{settings.timeout}\\n")
    return True
"""
"""Time that passes when a test says so, and a note of each timer."""


@pytest.mark.companions
def test_the_limit_is_for_set_up_call_and_teardown_together(suite):
    """As in pytest-timeout; wide fixtures that end after the verdict have a limit of their own."""
    suite.pytester.makeconftest(CLOCK)
    suite.write(
        test_a="""
        from goodarm.plugins.pytest import pytest_internals

        runs = []

        @pytest.fixture
        def own():
            runs.append(1)
            pytest_internals.time.now += 0.2
            yield
            pytest_internals.time.now += 0.2

        @pytest.mark.goodarm(threshold=0.5)
        @pytest.mark.timeout(0.7)
        def test_a(own):
            pytest_internals.time.now += 0.2 if len(runs) == 1 else 0.6
        """
    )
    suite.run(passed=1)
    # pytest-timeout's own comes first; from run 2 on the time is over in the call, and what is
    # left has no limit.
    timers = ["0.7", "0.7", "0.5", "0.3", *["0.7", "0.5"] * 8, "0.7"]
    assert suite.notes == [f"{timer}of0.7" for timer in timers]
