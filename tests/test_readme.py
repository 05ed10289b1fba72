"""The README and the docs are true: their code runs and prints what is shown."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted(str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md"))


def blocks_of(text):
    """(language, content) of every fenced block."""
    return re.findall(r"^```(\S*)[^\n]*\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


BLOCKS = blocks_of(README)


def check_samples(text):
    """Run the Python blocks in order; each that prints is followed by what it prints."""
    namespace, printed, checked = {}, "", 0
    for language, content in blocks_of(text):
        if language == "python":
            assert not printed, "what a block prints is not shown"
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(content, namespace)
            printed = output.getvalue()
        elif printed:
            assert content == printed
            printed, checked = "", checked + 1
    assert not printed
    return namespace, checked


def test_code_prints_what_is_shown():
    namespace, checked = check_samples(README)
    assert checked == 3
    assert isinstance(namespace["mine"], ga.Algorithm)


@pytest.mark.parametrize("page", PAGES)
def test_the_docs_print_what_is_shown(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_samples((ROOT / "docs" / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", [*PAGES, "../README.md"])
def test_the_commands_of_the_docs_print_what_is_shown(page, tmp_path, monkeypatch):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    if "sqlite:///" in "".join(content for name, content in blocks_of(text) if name == "console"):
        monkeypatch.chdir(tmp_path)
        check_samples(text)  # its code makes the store
    for language, content in blocks_of(text):
        if language == "console":
            command, *shown = content.splitlines()
            result = CliRunner().invoke(app, shlex.split(command.removeprefix("$ goodarm ")))
            printed = [without_hashes(line.rstrip()) for line in result.stdout.splitlines()]
            expected = [without_hashes(line) for line in shown if line]
            assert [line for line in printed if line] == expected


def without_hashes(line):
    """Return a line with zeros for the digits of hashes: a journal's hash covers its times."""
    return re.sub(r"\b([0-9a-f]{12}|[0-9a-f]{32})\b", lambda match: "0" * len(match[0]), line)


def demo_command():
    """What ``make demo`` calls."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    (line,) = re.findall(r"^demo:.*\n\t\$\(BIN\)/goodarm (.*)$", makefile, flags=re.MULTILINE)
    return shlex.split(line)


@pytest.mark.slow
def test_the_demo_prints_the_table_that_is_shown_and_names_the_report(tmp_path):
    result = CliRunner().invoke(app, [*demo_command(), "--out", str(tmp_path)])
    assert result.exit_code == 0
    printed = [line.strip() for line in result.stdout.splitlines()]
    (table,) = [text for _, text in BLOCKS if "pulls to" in text]
    for line in table.splitlines():
        assert line.strip() in printed
    assert printed[-1] == f"Report: {tmp_path / 'report.html'}"


def test_the_algorithms_are_those_that_exist():
    page = (ROOT / "docs" / "algorithms.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[`([^`]+)`\]\(algorithms/\1\.md\) \|", page, flags=re.MULTILINE)
    assert rows == list(ga.algorithms())


def test_the_comparison_is_that_of_the_docs():
    """The README's table repeats rows of docs/comparison, which ``reproduce`` wrote."""
    columns = ("lower bound", "e-hdoc", "cho2025", "lil-hdoc")
    found = re.findall(r"^\| ([a-z]+) \| (.*) \|$", README, flags=re.MULTILINE)
    rows = [row for row in found if row[0] != "instance"]
    assert {"synthetic", "ratings", "scores", "gaussian", "cases"} == {row[0] for row in rows}
    for instance, cells in rows:
        page = (ROOT / "docs" / "comparison" / f"{instance}.md").read_text(encoding="utf-8")
        table = [line.strip("| ").split(" | ") for line in page.splitlines() if "|" in line]
        (found,) = [row for row in table if row[0] == "tau_stop"]
        shown = dict(zip(table[0], found, strict=True))
        expected = [shown.get(column, "-") for column in columns]
        assert cells.replace("*", "").split(" | ") == expected


def test_it_is_short_and_shows_the_two_commands():
    assert len(README.split()) < 700
    for command in ("make demo", "make test"):
        assert command in README


def test_the_words_of_the_vocabulary_are_kept():
    """A bound is never called a threshold, and nothing speaks of how it was made."""
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        text = path.read_text(encoding="utf-8").lower()
        assert "confidence threshold" not in text
        assert "todo" not in text
