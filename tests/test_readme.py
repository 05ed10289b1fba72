"""The README is true: its code runs and prints what is shown, its table is the demo's."""

import contextlib
import io
import re
import shlex
from pathlib import Path

from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, flags=re.DOTALL)


def test_code_prints_what_is_shown():
    namespace, printed, checked = {}, "", 0
    for language, text in BLOCKS:
        if language == "python":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(text, namespace)
            printed = output.getvalue()
        elif printed:
            assert text == printed
            printed, checked = "", checked + 1
    assert checked == 2
    assert isinstance(namespace["mine"], ga.Algorithm)


def demo_command():
    """What ``make demo`` calls."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    (line,) = re.findall(r"^demo:.*\n\t\$\(BIN\)/goodarm (.*)$", makefile, flags=re.MULTILINE)
    return shlex.split(line)


def test_the_demo_prints_the_table_that_is_shown():
    result = CliRunner().invoke(app, demo_command())
    assert result.exit_code == 0
    printed = [line.strip() for line in result.stdout.splitlines()]
    (table,) = [text for _, text in BLOCKS if "pulls to" in text]
    for line in table.splitlines():
        assert line.strip() in printed


def test_the_algorithms_are_those_that_exist():
    rows = re.findall(r"^\| `([^`]+)` \|", README, flags=re.MULTILINE)
    assert rows == list(ga.algorithms())


def test_it_is_short_and_shows_the_two_commands():
    prose = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
    assert len(prose.split()) < 700
    for command in ("make demo", "make test"):
        assert command in README


def test_the_words_of_the_vocabulary_are_kept():
    """A bound is never called a threshold, and nothing speaks of how it was made."""
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        text = path.read_text(encoding="utf-8").lower()
        assert "confidence threshold" not in text
        assert "todo" not in text
