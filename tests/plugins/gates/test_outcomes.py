"""What becomes of a gate: by its label, by skips and expected failures, by what breaks."""

import pytest

GOOD, BAD = "coin(0.99, 1)", "coin(0.5, 1)"


def test_a_gate_passes_when_it_is_proven_and_fails_when_the_opposite_is(suite):
    suite.write(
        test_a=f"""
        good, bad = {GOOD}, {BAD}

        @pytest.mark.goodarm(threshold=0.9)
        def test_good():
            assert good()

        @pytest.mark.goodarm(threshold=0.9)
        def test_bad():
            assert bad()

        def test_plain():
            pass
        """
    )
    gates = suite.gates(passed=2, failed=1)
    assert {name: gate["label"] for name, gate in gates.items()} == {
        "test_good": "good",
        "test_bad": "bad",
    }
    assert gates["test_good"]["lower"] >= 0.9 > gates["test_bad"]["upper"]
    assert gates["test_good"]["passes"] > gates["test_bad"]["passes"]


@pytest.mark.parametrize(
    ("what", "outcomes"),
    [("fail", {"failed": 2}), ("pass", {"passed": 2}), ("skip", {"skipped": 2})],
)
def test_undecided_gates_do_as_is_asked(suite, what, outcomes):
    """Whether or not a single repeat came out that way."""
    suite.write(
        test_a="""
        runs = []

        @pytest.mark.goodarm(threshold=0.9, max_runs=53)
        def test_all_but_one():
            runs.append(1)
            assert len(runs) > 1

        @pytest.mark.goodarm(threshold=0.1, max_runs=5)
        def test_never():
            assert False
        """
    )
    gates = suite.gates(f"--goodarm-undecided={what}", **outcomes)
    assert [(gate["label"], gate["pulls"]) for gate in gates.values()] == [
        ("undecided", 53),
        ("undecided", 5),
    ]


@pytest.mark.parametrize("undecided", ["fail", "pass"])
def test_an_undecided_gate_shows_what_would_be_needed(suite, undecided):
    suite.write(
        test_a="""
        runs = []

        @pytest.mark.goodarm(threshold=0.9, max_runs=53)
        def test_a():
            runs.append(1)
            assert len(runs) > 1
        """
    )
    outcome = "failed" if undecided == "fail" else "passed"
    result = suite.run(f"--goodarm-undecided={undecided}", **{outcome: 1})
    result.stdout.fnmatch_lines(["undecided   52/53        0.9  0.8604 to 1      40  *"])
    if undecided == "fail":
        result.stdout.fnmatch_lines(
            ["undecided: 52 of 53 runs passed; *", "label needs about 40 *"]
        )


def test_skips_before_the_first_run_are_skips(suite):
    suite.write(
        test_a="""
        gate = pytest.mark.goodarm(threshold=0.9)

        @pytest.fixture
        def nothing():
            pytest.skip("not here")

        @gate
        @pytest.mark.skip
        def test_mark():
            note("mark")

        @gate
        @pytest.mark.skipif(True, reason="never")
        def test_if():
            note("if")

        @gate
        def test_fixture(nothing):
            note("fixture")

        @gate
        def test_call():
            note("call")
            pytest.skip("no")
        """
    )
    result = suite.run(skipped=4)
    assert suite.notes == ["call"]
    result.stdout.fnmatch_lines(
        [
            "*goodarm gates*",
            "label    passed  threshold  interval  needed  gate",
            "skipped       -          -         -       -  test_a.py::test_mark",
            "skipped       -          -         -       -  test_a.py::test_if",
            "skipped       -          -         -       -  test_a.py::test_fixture",
            "skipped       -          -         -       -  test_a.py::test_call",
        ]
    )
    assert "Each label" not in result.stdout.str()
    gates = suite.gates(skipped=4)
    assert {name: gate["skipped"] for name, gate in gates.items()} == {
        "test_mark": "unconditional skip",
        "test_if": "never",
        "test_fixture": "not here",
        "test_call": "no",
    }
    for gate in gates.values():
        assert (gate["label"], gate["error"], gate["pulls"]) == (None, None, 0)
        assert gate["threshold"] == 0.9


@pytest.mark.parametrize("where", ["fixture", "call", "xfail"])
def test_a_skip_after_the_first_run_is_an_error(suite, where):
    suite.write(
        test_a=f"""
        runs = []

        @pytest.fixture
        def now():
            runs.append(1)
            if {where!r} == "fixture" and len(runs) == 4:
                pytest.skip("enough")

        @pytest.mark.goodarm(threshold=0.9)
        def test_a(now):
            if {where!r} == "call" and len(runs) == 4:
                pytest.skip("enough")
            if {where!r} == "xfail" and len(runs) == 4:
                pytest.xfail("enough")
        """
    )
    result = suite.run(errors=1)
    result.stdout.fnmatch_lines(
        [
            "*ERROR at setup of test_a*",
            "The test was skipped in run 4, after 3 that count: *enough*",
            "*goodarm gates*",
            "error     3/4 *::test_a",
        ]
    )


def test_a_failure_shows_the_last_failing_run_and_the_verdict(suite):
    suite.write(
        test_a="""
        runs = []

        @pytest.mark.goodarm(threshold=0.9)
        def test_a():
            runs.append(1)
            print(f"this is run {len(runs)}")
            assert len(runs) % 2
        """
    )
    result = suite.run(failed=1)
    text = result.stdout.str()
    assert text.count("assert len(runs) % 2") == 1
    assert text.count("this is run 1") == 1
    result.stdout.fnmatch_lines(
        [
            "*test_a.py:*: AssertionError",
            "*- goodarm -*",
            "bad: 7 of 14 runs passed; the pass rate is below 0.9 (interval 0.1234 to",
            "*Captured stdout call*",
            "this is run 14",
            "FAILED test_a.py::test_a - bad: 7 of 14 runs passed*",
        ]
    )


def test_ctrl_c_goes_through_and_the_gate_is_listed(suite):
    suite.write(
        test_a="""
        runs = []

        @pytest.fixture(scope="module")
        def wide():
            yield
            note("wide")

        @pytest.mark.goodarm(threshold=0.9)
        def test_a(wide):
            runs.append(1)
            if len(runs) == 3:
                raise KeyboardInterrupt
        """
    )
    options = ("-p", "no:randomly", "--goodarm-report=gates.json", *suite.LIGHT)
    result = suite.pytester.runpytest_subprocess(*options)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert suite.notes == ["wide"]
    result.stdout.fnmatch_lines(
        [
            "*goodarm gates*",
            "error       -        0.9  interrupted       -  test_a.py::test_a",
        ]
    )
    gate = suite.read_gates()["test_a"]
    assert (gate["label"], gate["error"]) == (None, "interrupted")


@pytest.mark.parametrize("value", ["False", "True", "0", "'text'"])
def test_a_returned_value_is_no_outcome(suite, value):
    """pytest does not look at it, so that even ``return False`` would pass."""
    suite.write(
        test_a=f"""
        import unittest

        @pytest.mark.goodarm(threshold=0.8)
        def test_it():
            return {value}

        class TestClass:
            @pytest.mark.goodarm(threshold=0.8)
            def test_method(self, tmp_path):
                return {value}
        """
    )
    result = suite.run("-W", "ignore", errors=2)
    result.stdout.fnmatch_lines(
        [f"*The test returned {value} in run 1, which pytest does not look at*", "*Write assert*"]
    )


def test_a_unittest_that_returns_something_has_no_outcome(suite):
    suite.write(
        test_a="""
        import unittest

        class TestCase(unittest.TestCase):
            @pytest.mark.goodarm(threshold=0.8)
            def test_case(self):
                return False

            @pytest.mark.goodarm(threshold=0.8)
            def test_good(self):
                self.assertTrue(True)
        """
    )
    suite.run("-W", "ignore", errors=1, passed=1)


def test_an_async_test_without_a_plugin_is_no_failure(suite):
    suite.write(
        test_a="""
        @pytest.mark.goodarm(threshold=0.8)
        async def test_it():
            pass
        """
    )
    result = suite.run("-p", "no:anyio", "-p", "no:asyncio", "-W", "ignore", errors=1)
    result.stdout.fnmatch_lines(["*it is async, and pytest needs a plugin for that.*"])
