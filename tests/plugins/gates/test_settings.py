"""Marker, option and ini setting, in that order; what is wrong is said before anything runs."""

import pytest

ALWAYS = """
@pytest.mark.goodarm({})
def test_a():
    note("run")
"""


def run_and_read_settings(suite, mark, *options, ini="", **expected):
    """What the one gate asks for."""
    suite.write(test_a=ALWAYS.format(mark))
    suite.add_ini(ini)
    expected = expected or {"passed": 1}
    (gate,) = suite.gates(*options, **expected).values()
    return {name: gate[name] for name in ("threshold", "delta", "max_pulls", "margin")}


def test_the_defaults(suite):
    found = run_and_read_settings(suite, "threshold=0.5")
    assert found == {"threshold": 0.5, "delta": 0.05, "max_pulls": 300, "margin": 0.0}


def test_the_threshold_needs_no_name(suite):
    assert run_and_read_settings(suite, "0.4")["threshold"] == 0.4


INI = "goodarm_threshold = 0.6\ngoodarm_delta = 0.2\ngoodarm_max_runs = 77\ngoodarm_margin = 0.1\n"
OPTIONS = (
    "--goodarm-threshold=0.7",
    "--goodarm-delta=0.1",
    "--goodarm-max-runs=66",
    "--goodarm-margin=0.05",
)


def test_an_ini_setting_stands_where_nothing_else_does(suite):
    found = run_and_read_settings(suite, "", ini=INI)
    assert found == {"threshold": 0.6, "delta": 0.2, "max_pulls": 77, "margin": 0.1}


def test_an_option_stands_over_the_ini_setting(suite):
    found = run_and_read_settings(suite, "", *OPTIONS, ini=INI)
    assert found == {"threshold": 0.7, "delta": 0.1, "max_pulls": 66, "margin": 0.05}


def test_the_marker_stands_over_all(suite):
    mark = "threshold=0.8, delta=0.3, max_runs=55, margin=0.02"
    found = run_and_read_settings(suite, mark, *OPTIONS, ini=INI)
    assert found == {"threshold": 0.8, "delta": 0.3, "max_pulls": 55, "margin": 0.02}


def test_the_nearest_mark_counts_for_each_argument(suite):
    suite.write(
        test_a="""
        pytestmark = pytest.mark.goodarm(threshold=0.5, delta=0.1)

        @pytest.mark.goodarm(delta=0.2, max_runs=50)
        class TestA:
            @pytest.mark.goodarm(max_runs=40)
            def test_a(self):
                pass

        @pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.goodarm(0.6))])
        def test_b(x):
            pass
        """
    )
    gates = suite.gates(passed=3)
    found = {
        name: (gate["threshold"], gate["delta"], gate["max_pulls"]) for name, gate in gates.items()
    }
    assert found == {
        "test_a": (0.5, 0.2, 40),
        "test_b[1]": (0.5, 0.1, 300),
        "test_b[2]": (0.6, 0.1, 300),
    }


BAD_MARKS = {
    "": "The 'threshold' of @pytest.mark.goodarm must be given, as in goodarm(threshold=0.9)*",
    "threshold=1.3": "*'threshold' of * must be a number strictly between 0 and 1; got 1.3.",
    "threshold=True": "*'threshold' of * must be a number strictly between 0 and 1; got True.",
    "threshold='high'": "*'threshold' of * must be a number; got 'high'.",
    "0.9, 0.05": "*'threshold' of * must be its only argument without a name; got (0.9, 0.05).",
    "0.9, threshold=0.95": "*'threshold' of * must be given once, *; got (0.9, 0.95).",
    "0.9, treshold=0.8": "*'argument' of * must be one of 'threshold', *; got 'treshold'. *'thres*",
    "0.9, max_runs=0": "*'max_runs' of * must be a whole number of at least 1; got 0.",
    "0.9, max_runs=2.5": "*'max_runs' of * must be a whole number of at least 1; got 2.5.",
    "0.9, max_runs=float('inf')": "*'max_runs' of * whole number of at least 1; got inf.",
    "0.9, max_runs=float('nan')": "*'max_runs' of * whole number of at least 1; got nan.",
    "0.9, max_runs=52": "*'max_runs' of * must be at least 53: with fewer runs, *cannot be proven*",
    "0.9, delta=0.95": "*'delta' of * at most 0.5; got 0.95. 95 % confidence is delta 0.05.",
    "0.9, delta=95": "*'delta' of * 0 and 1; got 95. 95 % confidence is delta 0.05.",
    "85": "*'threshold' of * strictly between 0 and 1; got 85. Did you mean 0.85?",
    "0.9, delta=0": "*'delta' of * must be a number strictly between 0 and 1; got 0.",
    "0.9, margin=0.2": "*'margin' of @pytest.mark.goodarm must *",
    "0.9, margin=-0.1": "*'margin' of * must be a number from 0 to 1; got -0.1.",
}


@pytest.mark.parametrize("mark", BAD_MARKS)
def test_a_bad_mark_is_an_error_at_collection(suite, mark):
    suite.write(test_a=ALWAYS.format(mark))
    result = suite.run(usage=True)
    text = result.stderr if result.stderr.str() else result.stdout
    text.fnmatch_lines([f"ERROR: test_a.py::test_a: {BAD_MARKS[mark]}"])
    assert suite.notes == []


def test_all_bad_marks_are_said_at_once(suite):
    suite.write(
        test_a="""
        @pytest.mark.goodarm(2)
        def test_a():
            pass

        @pytest.mark.goodarm(3)
        def test_b():
            pass
        """
    )
    suite.run(usage=True).stderr.fnmatch_lines(["*test_a: *got 2. *", "*test_b: *got 3. *"])


BAD_OPTIONS = {
    "--goodarm-threshold=high": "The '--goodarm-threshold' of * must be a number; got 'high'.",
    "--goodarm-delta=5": "The '--goodarm-delta' of * strictly between 0 and 1; got '5'. Did you*",
    "--goodarm-max-runs=0": "The '--goodarm-max-runs' of * whole number of at least 1; got '0'.",
    "--goodarm-control=all": "The '--goodarm-control' of * 'per-test', 'suite'; got 'all'.",
    "--goodarm-undecided=pas": "*'--goodarm-undecided' * got 'pas'. Did you mean 'pass'?",
    "--goodarm-planned=3": "--goodarm-planned needs --goodarm-control suite*",
    "--goodarm-report=gates.txt": "*'--goodarm-report' of * must end in .json or .html; got *",
    "--goodarm-report=no/gates.json": "*'--goodarm-report' of * must be in a folder that exists*",
}


@pytest.mark.parametrize("option", BAD_OPTIONS)
def test_a_bad_option_ends_the_run_at_once(suite, option):
    suite.write(test_a=ALWAYS.format("0.9"))
    suite.run(option, usage=True).stderr.fnmatch_lines([f"ERROR: {BAD_OPTIONS[option]}"])
    assert suite.notes == []


def test_a_bad_ini_setting_ends_the_run_at_once(suite):
    suite.add_ini("goodarm_delta = often")
    result = suite.run(usage=True)
    result.stderr.fnmatch_lines(["ERROR: The 'goodarm_delta' of * must be a number; got 'often'."])


def test_numbers_may_be_numbers_in_toml(suite):
    table = "tool.pytest" if pytest.version_tuple >= (9,) else "tool.pytest.ini_options"
    (suite.pytester.path / "tox.ini").unlink()
    suite.pytester.makepyprojecttoml(f"[{table}]\ngoodarm_threshold = 0.5\ngoodarm_max_runs = 9")
    suite.write(
        test_a="""
        @pytest.mark.goodarm
        def test_a():
            pass
    """
    )
    gate = suite.gates("-p", "no:asyncio", passed=1)["test_a"]
    assert (gate["threshold"], gate["max_pulls"]) == (0.5, 9)
    suite.pytester.makepyprojecttoml(f"[{table}]\ngoodarm_max_runs = 0")
    suite.run("-p", "no:asyncio", usage=True).stderr.fnmatch_lines(
        ["ERROR: The 'goodarm_max_runs' of * got *0*"]
    )


TWO = """
@pytest.mark.goodarm(0.5)
def test_a():
    pass

@pytest.mark.goodarm(0.5, delta=0.1)
def test_b():
    pass

def test_plain():
    pass
"""


@pytest.mark.parametrize(
    ("options", "shares"),
    [
        ((), 1),
        (("--goodarm-control=per-test",), 1),
        (("--goodarm-control=suite",), 2),
        (("--goodarm-control=suite", "--goodarm-planned=40"), 40),
    ],
)
def test_under_suite_delta_is_shared(suite, options, shares):
    suite.write(test_a=TWO)
    gates = suite.gates(*options, passed=3)
    assert gates["test_a"]["delta"] == 0.05 / shares
    assert gates["test_b"]["delta"] == 0.1 / shares


def test_planned_makes_verdicts_the_same_whatever_is_selected(suite):
    suite.write(test_a=TWO)
    options = ("--goodarm-control=suite", "--goodarm-planned=40")
    every = suite.gates(*options, passed=3)
    one = suite.gates(*options, "-k", "test_a and not plain and not test_b", passed=1, deselected=2)
    assert one["test_a"] == every["test_a"]


def test_under_suite_the_largest_delta_is_promised(suite):
    suite.write(
        test_a="""
        @pytest.mark.goodarm(0.5, delta=0.2)
        def test_a():
            pass

        @pytest.mark.goodarm(0.5, delta=0.1)
        def test_b():
            pass
        """
    )
    for options, delta, passed in ((), 0.2, 2), (("-k", "test_b"), 0.1, 1):
        expected = {"passed": passed, **({"deselected": 1} if options else {})}
        result = suite.run("--goodarm-control=suite", *options, **expected)
        result.stdout.fnmatch_lines(
            [f"The chance that any label of * is wrong is at most {100 * float(delta):g} %."]
        )


def test_planned_must_be_enough(suite):
    suite.write(test_a=TWO)
    result = suite.run("--goodarm-control=suite", "--goodarm-planned=1", usage=True)
    result.stderr.fnmatch_lines(["ERROR: The '--goodarm-planned' of * at least *, 2; got 1."])
    assert result.stderr.str().count("--goodarm-planned") == 1


@pytest.mark.slow
def test_planned_must_be_enough_with_workers_too(suite):
    suite.write(test_a=TWO)
    options = ("--goodarm-control=suite", "--goodarm-planned=1", "-n1")
    result = suite.run_apart(*options, errors=2, passed=1)
    result.stdout.fnmatch_lines(["*'--goodarm-planned' of * must be at least *, 2; got 1."])
    result.stdout.no_fnmatch_line("*goodarm gates*")


def test_the_marker_is_known_to_strict_markers_and_to_help(suite):
    suite.write(test_a=ALWAYS.format("0.5"))
    suite.run("--strict-markers", passed=1)
    result = suite.pytester.runpytest_inprocess("--markers")
    result.stdout.fnmatch_lines(["@pytest.mark.goodarm(threshold, delta=0.05, max_runs=300, *"])
    result = suite.pytester.runpytest_inprocess("--help")
    result.stdout.fnmatch_lines(["*--goodarm-threshold=*", "*--goodarm-report=*"])


def test_a_run_without_gates_loads_nothing_heavy(suite):
    suite.write(
        test_a="""
        import sys

        def test_a():
            for name in ("numpy", "numba", "scipy", "goodarm.gate", "goodarm.results"):
                assert name not in sys.modules
        """
    )
    result = suite.run_apart("-p", "no:hypothesispytest", passed=1)
    result.stdout.no_fnmatch_line("*goodarm gates*")


def test_the_mark_of_a_parameter_is_nearer_than_that_of_the_test(suite):
    suite.write(
        test_a="""
        own = pytest.mark.goodarm(threshold=0.5, max_runs=50)

        @pytest.mark.goodarm(threshold=0.9)
        @pytest.mark.parametrize("p", [pytest.param(1, marks=own), 2])
        def test_it(p):
            pass
        """
    )
    gates = suite.gates(passed=2)
    assert [gate["threshold"] for gate in gates.values()] == [0.5, 0.9]
