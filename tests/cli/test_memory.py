"""``goodarm check`` with --previous, --save, --memory and --looks."""

import json

import pytest
from typer.testing import CliRunner

from goodarm.cli import app

MONDAY = "arm,pulls,successes\nA,500,430\nB,500,410\nC,500,300\n"
TUESDAY = "arm,pulls,successes\nA,900,750\nB,900,735\nC,900,500\n"


@pytest.fixture
def call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def check(text, *options):
        return CliRunner().invoke(app, ["check", "-", "--threshold", ".8", *options], input=text)

    return check


def label_of_a(result):
    return next(line.split()[1] for line in result.stdout.splitlines() if line.split()[:1] == ["A"])


def test_one_command_for_every_day(call):
    first = call(MONDAY, "--memory", "look.json")
    second = call(TUESDAY, "--memory", "look.json")
    third = call(TUESDAY, "--memory", "look.json", "--json")
    assert [label_of_a(first), label_of_a(second)] == ["good", "good"]
    assert label_of_a(call(TUESDAY)) == "undecided"
    assert "A (good at 500 pulls)" in second.stdout
    document = json.loads(third.stdout)
    assert document["arms"][0]["labelled_pulls"] == 500
    assert document["arms"][0]["memory"] == "kept"
    assert document["exit_code"] == third.exit_code == 1


def test_previous_and_save(call, tmp_path):
    missing = call(MONDAY, "--previous", "look.json", "--save", "look.json")
    assert missing.exit_code == 2
    assert "--previous must be a file that exists; got 'look.json'." in missing.stderr
    assert not (tmp_path / "look.json").exists()
    call(MONDAY, "--save", "look.json")
    assert label_of_a(call(TUESDAY, "--previous", "look.json", "--save", "look.json")) == "good"
    assert label_of_a(call(TUESDAY, "--previous", "look.json", "--save", "next.json")) == "good"
    saved = json.loads((tmp_path / "look.json").read_text("utf-8"))
    assert saved == json.loads((tmp_path / "next.json").read_text("utf-8"))
    printed = call(MONDAY, "--json").stdout
    (tmp_path / "printed.json").write_text(printed, encoding="utf-8")
    assert label_of_a(call(TUESDAY, "--previous", "printed.json")) == "good"


def test_what_is_refused_changes_no_file(call, tmp_path):
    call(MONDAY, "--memory", "look.json")
    before = (tmp_path / "look.json").read_bytes()
    changed = call(TUESDAY, "--memory", "look.json", "--delta", ".1")
    assert "--delta was 0.05 and is 0.1." in changed.stderr
    assert "or begin anew with a new file." in changed.stderr
    fewer = call("arm,pulls,successes\nA,400,350\n", "--memory", "look.json")
    assert "A had 500 pulls and has 400" in fewer.stderr
    assert (changed.exit_code, fewer.exit_code) == (2, 2)
    assert (tmp_path / "look.json").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--memory", "a", "--save", "b"], "--save must be left out with --memory"),
        (["--memory", "a", "--previous", "b"], "--previous must be left out with --memory"),
        (["--looks", "once", "--save", "b"], "--save must be left out with --looks once"),
        (["--looks", "once", "--memory", "b"], "--memory must be left out with --looks once"),
        (["--looks", "once", "--previous", "b"], "--previous must be left out with --looks once"),
        (["--looks", "once", "--rule", "lil"], "--rule must be left out with --looks once"),
        (["--looks", "twice"], "--looks must be one of 'any', 'once'"),
        (["--memory", "none/b"], "--memory must be a file that can be written"),
        (["--save", "."], "--save must be a file, not a folder"),
    ],
)
def test_what_does_not_go_together(call, tmp_path, options, message):
    result = call(MONDAY, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_one_look(call):
    result = call(TUESDAY, "--looks", "once")
    assert "p good" in result.stdout
    assert "This is for one look only" in result.stdout
    document = json.loads(call(TUESDAY, "--looks", "once", "--json").stdout)
    assert (document["looks"], document["rule"]) == ("once", "binomial")
    assert {"p_good", "p_bad"} <= document["arms"][0].keys()
    assert document["arms"][0]["e_good"] is None
    assert call(TUESDAY, "--looks", "once", "--csv").stdout.startswith("arm,label,pulls,")
