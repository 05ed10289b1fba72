"""The exit code is the verdict's also when the reader of a pipe has gone."""

import os
import subprocess

import pytest

from cli.shell import (
    AT,
    BAD,
    GOOD,
    GOODARM,
    HEAD,
    UNDECIDED,
    make_environment,
    start,
    wait_for_code,
)

pytestmark = pytest.mark.slow

CODES = {GOOD: 0, GOOD + BAD: 1, GOOD + UNDECIDED: 3}


AGAIN = [1, *(pytest.param(time, marks=pytest.mark.large) for time in range(2, 6))]
"""Which process is first differs from time to time: five times, four of them in test-all."""


@pytest.fixture
def checked(tmp_path):
    """Start a check of a table: the process, and the ends of its output and complaints."""
    with open(os.devnull, "rb") as null:

        def begin(rows, *output):
            path = tmp_path / "counts.csv"
            path.write_text(HEAD + rows, encoding="utf-8")
            (reading, out), (complaints, err) = os.pipe(), os.pipe()
            process = start(["check", path, *AT, *output], [null, out, err])
            os.close(out)
            os.close(err)
            return process, open(reading, "rb", buffering=0), open(complaints, "rb")

        yield begin


@pytest.mark.parametrize("time", AGAIN)
@pytest.mark.parametrize("rows", CODES)
@pytest.mark.parametrize("reader", ["head -1", "true"])
def test_a_pipeline(checked, rows, reader, time):
    process, output, complaints = checked(rows)
    with complaints:
        with output:
            reading = subprocess.Popen(reader.split(), stdin=output, stdout=subprocess.DEVNULL)
        assert reading.wait() == 0
        assert complaints.read() == b""
    assert wait_for_code(process) == CODES[rows]


@pytest.mark.parametrize(
    ("rows", "reader"),
    [
        (GOOD + BAD, "head -1"),
        pytest.param(GOOD + UNDECIDED, "true", marks=pytest.mark.large),
        pytest.param(GOOD, "head -1", marks=pytest.mark.large),
    ],
)
def test_a_shell_s_pipeline(tmp_path, rows, reader):
    path = tmp_path / "counts.csv"
    path.write_text(HEAD + rows, encoding="utf-8")
    line = f"'{GOODARM[0]}' -m goodarm check '{path}' {' '.join(AT)} | {reader} >/dev/null"
    done = subprocess.run(
        ["bash", "-c", f"{line}; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        env=make_environment(),
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == CODES[rows]


@pytest.mark.parametrize(
    ("rows", "output", "taken"),
    [
        (GOOD, [], 10),
        (GOOD + BAD, ["--json"], 0),
        (GOOD + UNDECIDED, ["--csv"], 10),
        pytest.param(GOOD, [], 0, marks=pytest.mark.large),
        pytest.param(GOOD + BAD, ["--json"], 10, marks=pytest.mark.large),
        pytest.param(GOOD + UNDECIDED, ["--csv"], 0, marks=pytest.mark.large),
    ],
)
def test_large_outputs(checked, rows, output, taken):
    """Several times what a pipe holds; the reader takes a few bytes, or none."""
    more = "".join(f"{'x' * 40}{k},500,460\n" for k in range(4000))
    process, reading, complaints = checked(rows + more, *output)
    with complaints:
        with reading:
            reading.read(taken)
        assert complaints.read() == b""
    assert wait_for_code(process) == CODES[rows]


def test_help_and_errors_have_their_codes_too():
    for arguments, code in ((["--help"], 0), (["check", "--help"], 0), (["nonsense"], 2)):
        process = subprocess.Popen(
            [*GOODARM, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=make_environment(),
        )
        process.stdout.close()
        process.stderr.close()
        assert process.wait(timeout=300) == code


def test_a_full_disk_is_no_verdict(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text(HEAD + GOOD, encoding="utf-8")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [*GOODARM, "check", str(path), *AT],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=make_environment(),
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "goodarm: [Errno 28] No space left on device\n"


def test_closed_streams(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text(HEAD + BAD, encoding="utf-8")
    line = f"'{GOODARM[0]}' -m goodarm check '{path}' {' '.join(AT)}"
    for closing, code in ((">&-", 1), (">&- 2>&-", 1), ("<&-", 1)):
        done = subprocess.run(
            ["bash", "-c", f"{line} {closing}"], env=make_environment(), check=False
        )
        assert done.returncode == code
    none = f"'{GOODARM[0]}' -m goodarm check - {' '.join(AT)} <&-"
    done = subprocess.run(
        ["bash", "-c", none], env=make_environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "no standard input" in done.stderr
