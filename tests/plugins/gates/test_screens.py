"""What people see: the whole screen at 80 columns, colours, a live count, and the files."""

import json
import os
import pty
import re
import select
import sys
import time
from xml.etree import ElementTree

import pytest

SUITE = """
    good, bad, near = coin(0.98, 3), coin(0.5, 3), coin(0.9, 3)

    @pytest.mark.goodarm(threshold=0.9)
    def test_good():
        assert good()

    @pytest.mark.goodarm(threshold=0.9)
    def test_bad():
        reply = "yes" if bad() else "no"
        assert reply == "yes"

    @pytest.mark.goodarm(threshold=0.9, max_runs=70)
    def test_near():
        assert near()

    @pytest.mark.goodarm(threshold=0.9)
    def test_broken(broken):
        pass

    def test_plain():
        pass

    @pytest.fixture
    def broken(request):
        runs.append(1)
        if len(runs) == 4:
            raise OSError("disk full")

    runs = []
    """

SCREEN = """\
collected 5 items

test_a.py .FFE.                                                          [100%]

==================================== ERRORS ====================================
________________________ ERROR at setup of test_broken _________________________

request = <SubRequest 'broken' for <Function test_broken>>

    @pytest.fixture
    def broken(request):
        runs.append(1)
        if len(runs) == 4:
>           raise OSError("disk full")
E           OSError: disk full

test_a.py:29: OSError
----------------------------------- goodarm ------------------------------------
The gate ended with an error in the set-up of run 4, after 3 runs.
=================================== FAILURES ===================================
___________________________________ test_bad ___________________________________

    @pytest.mark.goodarm(threshold=0.9)
    def test_bad():
        reply = "yes" if bad() else "no"
>       assert reply == "yes"
E       AssertionError: assert 'no' == 'yes'
E
E         - yes
E         + no

test_a.py:12: AssertionError
----------------------------------- goodarm ------------------------------------
bad: 8 of 15 runs passed; the pass rate is below 0.9 (interval 0.1605 to
0.8873).
__________________________________ test_near ___________________________________

    @pytest.mark.goodarm(threshold=0.9, max_runs=70)
    def test_near():
>       assert near()
E       assert False
E        +  where False = near()

test_a.py:16: AssertionError
----------------------------------- goodarm ------------------------------------
undecided: 60 of 70 runs passed; 0.9 lies within the interval 0.7062 to 0.9557;
a label needs about 230 more (4,760 in 9 of 10 cases).
================================ goodarm gates =================================
label       passed  threshold          interval  needed  gate
good       140/145        0.9  0.9001 to 0.9972       0  test_a.py::test_good
bad           8/15        0.9  0.1605 to 0.8873       0  test_a.py::test_bad
undecided    60/70        0.9  0.7062 to 0.9557     230  test_a.py::test_near
error          3/4        0.9                 -       -  test_a.py::test_broken
The chance that a label is wrong is at most 5 %, for each gate by itself (for
all gates together: --goodarm-control suite).
This is for one run of the suite: each further run has this chance again.
=========================== short test summary info ============================
FAILED test_a.py::test_bad - bad: 8 of 15 runs passed; the pass rate is below...
FAILED test_a.py::test_near - undecided: 60 of 70 runs passed; 0.9 lies withi...
ERROR test_a.py::test_broken - The gate ended with an error in the set-up of ...
= 2 failed, 2 passed, 1 error in TIME =
"""


def screen_of(text):
    """From the tests on, without times and without blanks at the ends of lines."""
    text = text[text.index("collected") :]
    text = re.sub(r"=+ (.*) in [0-9.]+s (\([0-9:]+\) )?=+", r"= \1 in TIME =", text)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


@pytest.mark.companions
def test_the_whole_screen(suite):
    suite.write(test_a=SUITE)
    result = suite.run(passed=2, failed=2, errors=1)
    assert screen_of(result.stdout.str()) == SCREEN


def test_a_quiet_run_has_the_table_alone(suite):
    suite.write(test_a=SUITE)
    text = suite.run("-q", passed=2, failed=2, errors=1).stdout.str()
    assert "goodarm gates" in text
    assert "The chance that" not in text


def test_lines_of_ours_keep_to_the_width(suite):
    suite.write(test_a=SUITE)
    lines = suite.run(passed=2, failed=2, errors=1).stdout.lines
    first = next(n for n, line in enumerate(lines) if "goodarm gates" in line)
    assert max(map(len, lines[first:])) <= 80


def test_labels_have_colours_where_there_are_any(suite):
    suite.write(test_a=SUITE)
    text = suite.run("--color=yes", passed=2, failed=2, errors=1).stdout.str()
    assert "\x1b[32mgood     \x1b[0m" in text
    assert "\x1b[31mbad      \x1b[0m" in text
    assert "\x1b[33mundecided\x1b[0m" in text
    plain = suite.run("--color=no", passed=2, failed=2, errors=1).stdout.str()
    assert "\x1b" not in plain


def test_a_name_that_is_too_long_has_a_line_of_its_own(suite):
    suite.write(
        test_a="""
        @pytest.mark.goodarm(threshold=0.5)
        @pytest.mark.parametrize("what", ["short", "a name that says it all"])
        def test_a(what):
            pass
        """
    )
    suite.run(passed=2).stdout.fnmatch_lines(
        [
            "label  passed  threshold     interval  needed  gate",
            "good      9/9        0.5  0.5357 to 1       0  test_a.py::test_a[[]short]",
            "good      9/9        0.5  0.5357 to 1       0",
            "    test_a.py::test_a[[]a name that says it all]",
        ],
        consecutive=True,
    )


def test_all_durations_have_one_line_for_each_phase(suite):
    suite.write(
        test_a="""
        @pytest.mark.goodarm(threshold=0.5)
        def test_a():
            pass
        """
    )
    lines = suite.run("--durations=0", "-vv", passed=1).stdout.lines
    phases = [line.split()[1] for line in lines if line.endswith(" test_a.py::test_a")]
    assert sorted(phase for phase in phases if phase in PHASES) == sorted(PHASES)


PHASES = ("setup", "call", "teardown")


@pytest.mark.slow
def test_a_terminal_shows_a_live_count(suite):
    """As the last screen has it: the count is written over, and gone in the end."""
    suite.write(
        test_a="""
        @pytest.mark.goodarm(threshold=0.9)
        def test_good():
            pass
        """
    )
    text = in_terminal(suite, "-v")
    assert "1/1 of at most 300" in text
    assert "52/52 of at most 300" in text
    shown = [shown_line(line) for line in text.splitlines()]
    (line,) = [line for line in shown if line.startswith("test_a.py::test_good")]
    assert re.fullmatch(r"test_a.py::test_good PASSED +\[100%\]", line)
    assert "of at most" not in in_terminal(suite)


def in_terminal(suite, *options):
    """What pytest writes to a terminal of 80 columns."""
    child, terminal = pty.fork()
    if not child:
        os.chdir(suite.pytester.path)
        os.environ.update(COLUMNS="80", TERM="xterm")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "--color=no",
            "-p",
            "no:randomly",
            *suite.LIGHT,
            *options,
        ]
        os.execv(sys.executable, command)
    chunks, end = [], time.monotonic() + 120
    while time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            try:
                chunks.append(os.read(terminal, 4096))
            except OSError:  # its end
                break
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return b"".join(chunks).decode()


def shown_line(line):
    """The line as it stands in the end, after all backspaces, without signals to the terminal."""
    cells, place = [], 0
    for sign in re.sub(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)", "", line.rstrip("\r")):
        if sign == "\b":
            place -= 1
            continue
        cells[place : place + 1] = [sign]
        place += 1
    return "".join(cells).rstrip()


def test_junit_has_one_case_with_the_counts_as_properties(suite):
    suite.write(test_a=SUITE)
    suite.run("--junitxml=report.xml", passed=2, failed=2, errors=1)
    (tests,) = ElementTree.parse(suite.pytester.path / "report.xml").getroot()
    assert (tests.get("tests"), tests.get("failures"), tests.get("errors")) == ("5", "2", "1")
    cases = {case.get("name"): case for case in tests.iter("testcase")}
    assert len(cases) == 5
    found = {each.get("name"): each.get("value") for each in cases["test_bad"].iter("property")}
    assert found["goodarm_label"] == "bad"
    assert (found["goodarm_passes"], found["goodarm_pulls"]) == ("8", "15")
    assert float(found["goodarm_upper"]) < 0.9
    failure = cases["test_bad"].find("failure")
    assert failure.get("message").startswith("bad: 8 of 15 runs passed")
    assert "assert reply" in failure.text
    assert cases["test_plain"].find("properties") is None


def test_the_report_as_json(suite):
    suite.write(test_a=SUITE)
    path = suite.pytester.path / "gates.json"
    options = (f"--goodarm-report={path}", "--goodarm-control=suite")
    suite.run(*options, passed=2, failed=2, errors=1)
    document = json.loads(path.read_text(encoding="utf-8"))
    assert (document["control"], document["exit_status"]) == ("suite", 1)
    first, *_, last = document["gates"]
    assert (first["arm"], first["label"], first["error"]) == ("test_a.py::test_good", "good", None)
    assert last["error"] == "error in the set-up of run 4"
    assert list(document) == [
        "kind",
        "format",
        "version",
        "control",
        "planned",
        "exit_status",
        "gates",
    ]


def test_the_report_as_a_page_takes_names_as_text(suite):
    suite.write(
        test_a="""
        @pytest.mark.goodarm(threshold=0.5)
        @pytest.mark.parametrize("text", ["<script>alert(1)</script>"])
        def test_a(text):
            pass
        """
    )
    path = suite.pytester.path / "gates.html"
    suite.run(f"--goodarm-report={path}", passed=1)
    page = path.read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "good" in page


def test_the_report_as_a_page_has_gates_that_were_skipped(suite):
    suite.write(
        test_a="""
        @pytest.mark.goodarm(threshold=0.5)
        @pytest.mark.skip(reason="not <here>")
        def test_a():
            pass
        """
    )
    path = suite.pytester.path / "gates.html"
    suite.run(f"--goodarm-report={path}", skipped=1)
    page = path.read_text(encoding="utf-8")
    assert "skipped: not &lt;here&gt;" in page
    assert "0 good, 0 bad, 0 undecided, 0 error, 1 skipped" in page
    assert "unclear" not in page


def test_what_was_captured_is_shown_once_where_no_run_came_out_like_the_gate(suite):
    suite.write(
        test_a="""
        @pytest.fixture
        def own():
            yield
            print("in the teardown")

        @pytest.mark.goodarm(threshold=0.1, max_runs=5)
        def test_a(own):
            print("in the call")
            assert False
        """
    )
    options = ("--junitxml=report.xml", "-o", "junit_logging=all", "--goodarm-undecided=pass")
    suite.run(*options, passed=1)
    text = (suite.pytester.path / "report.xml").read_text(encoding="utf-8")
    assert [text.count(f"in the {when}") for when in ("call", "teardown")] == [1, 1]


def test_a_report_without_gates_is_empty(suite):
    suite.write(test_a="def test_a(): pass")
    assert suite.gates(passed=1) == {}


def test_a_report_that_cannot_be_written_is_said(suite):
    suite.write(test_a=SUITE)
    (suite.pytester.path / "gates.json").mkdir()
    result = suite.run("--goodarm-report=gates.json", passed=2, failed=2, errors=1)
    result.stdout.fnmatch_lines(["*gates.json could not be written: *"])
