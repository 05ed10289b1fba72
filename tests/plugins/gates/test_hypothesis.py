"""Hypothesis tests as gates: every run tries examples of its own, whatever fixes the seed."""

import pytest
from hypothesis import core, settings

pytestmark = pytest.mark.slow


@pytest.fixture
def profile(monkeypatch):
    """Load a profile of Hypothesis' own, as a process has it; it and seeds are put back after.

    Hypothesis keeps both for the whole process, which takes seconds to start.
    """
    monkeypatch.setattr(core, "global_force_seed", core.global_force_seed)
    yield settings.load_profile
    settings.load_profile("goodarm")


COINS = '''
import functools
import hashlib

from hypothesis import HealthCheck, Phase, given, seed, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

BYTES = st.binary(min_size=16, max_size=16)
SMALL = settings(max_examples=2, deadline=None, phases=[Phase.explicit, Phase.generate])


def lands(rate, name, drawn):
    """Flip a coin; on what Hypothesis always tries first, it passes."""
    if any(drawn):
        if name is not None:
            note(f"{name}:{drawn.hex()}")
        assert int.from_bytes(hashlib.sha256(drawn).digest()[:4], "big") / 2**32 < rate
'''

THREE = """
assert settings.default.derandomize  # as Hypothesis has it where CI is set

@pytest.mark.goodarm(threshold=0.95, delta=0.01, max_runs=160)
@pytest.mark.parametrize("rate", [0.7, 0.8, 0.9])
@SMALL
@given(BYTES)
def test_coin(rate, drawn):
    lands(rate, None, drawn)
"""


def write(suite, text):
    (suite.pytester.path / "test_a.py").write_text(f"from made import *\n{COINS}\n{text}")


def test_in_ci_no_coin_is_falsely_good(suite, monkeypatch):
    """Where CI is set, Hypothesis derandomises, in a process of its own.

    What passes always is good here after 147 runs. At a rate of .9 that many passes in a row have
    a probability of 2e-7, so that the fresh seeds of CI do not make this test fail by chance.
    """
    monkeypatch.setenv("CI", "true")
    write(suite, THREE)
    path = suite.pytester.path / "gates.json"
    options = (f"--goodarm-report={path}", "--tb=no", "-p", "no:randomly", *suite.LIGHT)
    suite.pytester.runpytest_subprocess(*options)
    labels = [gate["label"] for gate in suite.read_gates().values()]
    assert len(labels) == 3
    assert "good" not in labels
    assert labels[0] == "bad"


FIXED = """
def looking_like(test):
    @functools.wraps(test)
    def wrapper(*args, **kwargs):
        return test(*args, **kwargs)
    return wrapper


pytestmark = pytest.mark.goodarm(threshold=0.5)

@SMALL
@given(BYTES)
def test_profile(drawn):
    lands(2, "profile", drawn)

@settings(SMALL, derandomize=True)
@given(BYTES)
def test_setting(drawn):
    lands(2, "setting", drawn)

@seed(1234)
@SMALL
@given(BYTES)
def test_seed(drawn):
    lands(2, "seed", drawn)

@looking_like
@SMALL
@given(BYTES)
def test_wrapped(drawn):
    lands(2, "wrapped", drawn)

class TestClass:  # each run has an instance of its own
    @settings(SMALL, suppress_health_check=[HealthCheck.differing_executors])
    @given(BYTES)
    def test_method(self, drawn):
        lands(2, "method", drawn)
"""


@pytest.mark.companions  # the option is Hypothesis' own plugin's
@pytest.mark.parametrize("options", [(), ("--hypothesis-seed=7",)], ids=["fresh", "seeded"])
def test_whatever_fixes_the_seed_runs_differ(suite, profile, monkeypatch, options):
    profile("ci")
    write(suite, FIXED)
    drawn = []
    for _ in range(2):
        (suite.pytester.path / "notes.txt").unlink(missing_ok=True)
        monkeypatch.setattr(core, "global_force_seed", None)
        suite.run(*options, passed=5)
        drawn.append(suite.notes)
    for name in ("profile", "setting", "seed", "wrapped", "method"):
        own = [each for each in drawn[0] if each.startswith(name)]
        assert len(own) >= 9
        assert len(set(own)) == len(own)
    assert (drawn[0] == drawn[1]) is bool(options)


def test_an_example_that_failed_is_not_tried_in_later_runs(suite):
    """In a process of its own: where Hypothesis keeps examples is settled when it is loaded."""
    write(
        suite,
        """
        @pytest.mark.goodarm(threshold=0.2)
        @SMALL
        @given(BYTES)
        def test_gate(drawn):
            lands(0.5, "gate", drawn)
        """.replace("\n        ", "\n"),
    )
    suite.run_apart(passed=1)
    assert not (suite.pytester.path / ".hypothesis" / "examples").exists()


PLAIN = """
flip = coin(0.5, 1)

@pytest.mark.parametrize("x", [2, pytest.param(1, marks=pytest.mark.goodarm(0.5)), 3])
@seed(5)
@SMALL
@given(BYTES)
def test_gate(x, drawn):
    lands(2, x, drawn)
"""


def test_a_plain_test_of_the_same_function_keeps_its_own_seed(suite, profile):
    profile("default")
    write(suite, PLAIN)
    suite.run(passed=3)
    before, after = ([each[2:] for each in suite.notes if each[0] == x] for x in "23")
    assert before == after != []


MACHINES = """
class Machine(RuleBasedStateMachine):
    @rule()
    def step(self):
        pass

class Other(Machine):
    pass

Machine.TestCase.settings = settings(Machine.TestCase.settings, max_examples=2, {})
Other.TestCase.settings = settings(Other.TestCase.settings, max_examples=2, {})
TestMachine = pytest.mark.goodarm(0.5)(Machine.TestCase)
TestOther = pytest.mark.goodarm(0.5)(Other.TestCase)
"""
FRESH = "derandomize=False, database=None"


@pytest.mark.companions
def test_state_machines_that_repeat_themselves_are_errors(suite, profile):
    profile("default")
    write(suite, MACHINES.format("derandomize=True", "derandomize=False"))
    result = suite.run(usage=True)
    words = "The 'TestCase.settings' of * must have derandomize=False and database=None for a *"
    result.stderr.fnmatch_lines([f"*TestMachine::runTest: {words}", f"*TestOther::*: {words}"])
    write(suite, MACHINES.format(FRESH, FRESH))
    result = suite.run("--hypothesis-seed=7", usage=True)
    words = "'--hypothesis-seed' of * must be left out for a state machine; got '7'. *"
    result.stderr.fnmatch_lines([f"*TestMachine::runTest: The {words}"])


def test_state_machines_with_fresh_runs_are_gates(suite, profile):
    profile("default")
    write(suite, MACHINES.format(FRESH, FRESH))
    suite.run(passed=2)


HIDDEN = """
def hide(test):
    def wrapper():
        test()
    return wrapper


@SMALL
@given(BYTES)
def noted(drawn):
    lands(2, "called", drawn)


@SMALL
@given(BYTES)
def hidden(drawn):
    lands(2, "hidden", drawn)


pytestmark = pytest.mark.goodarm(threshold=0.5)
test_hidden = hide(hidden)

def test_called():
    noted()
"""
INNER = """
pytestmark = pytest.mark.goodarm(threshold=0.5)

def test_inner():
    assert not settings.default.derandomize

    @settings(max_examples=2, deadline=None)
    @given(BYTES)
    def inner(drawn):
        lands(2, "inner", drawn)
    inner()
"""


@pytest.mark.companions
def test_hypothesis_tests_that_are_hidden_differ_from_run_to_run(suite, profile):
    profile("ci")
    write(suite, HIDDEN + INNER)
    after = "from hypothesis import settings\n\n\ndef test_z():\n    assert settings.default.{}\n"
    (suite.pytester.path / "test_b.py").write_text(after.format("derandomize"))  # as it was
    suite.run(passed=4)
    for name in ("called", "hidden", "inner"):
        own = [each for each in suite.notes if each.startswith(name)]
        assert len(own) >= 9
        assert len(set(own)) == len(own)


@pytest.mark.companions
def test_what_is_defined_in_a_run_needs_a_fresh_seed(suite, profile, monkeypatch):
    profile("ci")
    write(suite, INNER)
    result = suite.run("--hypothesis-seed=7", usage=True)
    words = "'--hypothesis-seed' of * must be left out for a Hypothesis test defined in a run; *"
    result.stderr.fnmatch_lines([f"*test_inner: The {words}"])
    monkeypatch.setattr(core, "global_force_seed", None)
    write(suite, INNER.replace("@settings(max_examples=2, deadline=None)", "@SMALL"))
    result = suite.run(usage=True)
    words = "'settings' of * must have derandomize=False and database=None for a Hypothesis test *"
    result.stderr.fnmatch_lines([f"*test_inner: The {words}"])


METHODS = """
pytestmark = pytest.mark.goodarm(threshold=0.5)

class TestPlain:
    @SMALL
    @given(BYTES)
    def test_method(self, drawn):
        pass

class TestCase(unittest.TestCase):
    @SMALL
    @given(BYTES)
    def test_case(self, drawn):
        pass
"""
FINE = """
pytestmark = pytest.mark.goodarm(threshold=0.5)

class TestFine:
    @settings(SMALL, suppress_health_check=list(HealthCheck))
    @given(BYTES)
    def test_suppressed(self, drawn):
        pass

    @staticmethod
    @SMALL
    @given(BYTES)
    def test_static(drawn):
        pass
"""


@pytest.mark.companions
def test_a_method_that_hypothesis_would_fail_is_an_error_before_the_first_run(suite, profile):
    profile("default")
    write(suite, f"import unittest\n{METHODS}")
    result = suite.run(usage=True)
    words = (
        "The 'settings' of * must suppress HealthCheck.differing_executors for a Hypothesis test "
        "in a class; got '{}'. *@settings(suppress_health_check=*instead of a method."
    )
    result.stderr.fnmatch_lines(
        [f"*::test_method: {words.format('test_method')}", f"*: {words.format('test_case')}"]
    )
    write(suite, FINE)
    suite.run(passed=2)
