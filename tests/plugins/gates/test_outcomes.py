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
        @pytest.mark.goodarm(threshold=0.9, max_runs=5)
        def test_always():
            pass

        @pytest.mark.goodarm(threshold=0.5, max_runs=2)
        def test_never():
            assert False
        """
    )
    gates = suite.gates(f"--goodarm-undecided={what}", **outcomes)
    assert [(gate["label"], gate["pulls"]) for gate in gates.values()] == [
        ("undecided", 5),
        ("undecided", 2),
    ]


@pytest.mark.parametrize("undecided", ["fail", "pass"])
def test_an_undecided_gate_shows_what_would_be_needed(suite, undecided):
    suite.write(
        test_a="""
        @pytest.mark.goodarm(threshold=0.9, max_runs=20)
        def test_a():
            pass
        """
    )
    outcome = "failed" if undecided == "fail" else "passed"
    result = suite.run(f"--goodarm-undecided={undecided}", **{outcome: 1})
    result.stdout.fnmatch_lines(["undecided   20/20        0.9  0.7569 to 1      81  *"])
    if undecided == "fail":
        result.stdout.fnmatch_lines(["undecided: 20 of 20 runs passed; *", "label takes some 81 *"])


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
    result.stdout.no_fnmatch_line("*goodarm gates*")


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


def test_expected_failures_are_those_of_the_whole_gate(suite):
    suite.write(
        test_a=f"""
        gate = pytest.mark.goodarm(threshold=0.9)
        coins = {{name: {GOOD} for name in "abc"}} | {{name: {BAD} for name in "xyz"}}

        @gate
        @pytest.mark.xfail
        def test_fails():
            assert coins["x"]()

        @gate
        @pytest.mark.xfail
        def test_passes():
            assert coins["a"]()

        @gate
        @pytest.mark.xfail(strict=True)
        def test_strict():
            assert coins["b"]()

        @gate
        @pytest.mark.xfail(raises=KeyError)
        def test_other():
            assert coins["y"]()

        @gate
        @pytest.mark.xfail(run=False)
        def test_not_run():
            note("run")

        @gate
        @pytest.mark.xfail
        def test_always():
            pass

        @gate
        def test_at_once():
            pytest.xfail("known")
        """
    )
    gates = suite.gates(xfailed=3, xpassed=2, failed=2)  # failed: test_strict and test_other
    assert suite.notes == []
    assert {name: gate["label"] for name, gate in gates.items()} == {
        "test_fails": "bad",
        "test_passes": "good",
        "test_strict": "good",
        "test_other": "bad",
        "test_always": "good",
    }


@pytest.mark.parametrize("when", ["set-up", "teardown"])
@pytest.mark.parametrize("run", [1, 3])
def test_what_breaks_ends_the_gate_as_an_error(suite, when, run):
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
    counted = run if when == "teardown" else run - 1
    assert suite.notes == ["call"] * counted + ["wide"]
    result.stdout.fnmatch_lines(
        [
            "E  *OSError: disk full",
            f"The gate ended with an error in the {when} of run {run}, after {run - 1} runs*",
        ]
    )
    gate = suite.read_gates()["test_a"]
    assert gate["error"] == f"error in the {when} of run {run}"
    assert (gate["passes"], gate["lost"]) == (counted, int(when == "set-up"))


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
    gates = suite.gates(passed=1, errors=1)
    assert gates["test_a"]["label"] == "good"


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


def test_ctrl_c_goes_through(suite):
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
    result = suite.pytester.runpytest_subprocess("-p", "no:randomly")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert suite.notes == ["wide"]
