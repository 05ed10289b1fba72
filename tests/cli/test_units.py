"""``goodarm check --unit``: the rewards of a case are one pull, from tables and from logs."""

import csv
import io
import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app

DATA = Path(__file__).parents[1] / "data"
CASES, EPOCHS = 200, 10


def call(*arguments):
    return CliRunner().invoke(app, ["check", *map(str, arguments), "--threshold", ".8"])


@pytest.fixture
def answers(tmp_path):
    """200 cases with the same answers in each of ten epochs, as CSV and as JSON lines."""
    rng = random.Random(1)
    right = [rng.random() < 0.84 for _ in range(CASES)]
    rows = [("a", case, int(right[case])) for _ in range(EPOCHS) for case in range(CASES)]
    table, log = tmp_path / "answers.csv", tmp_path / "answers.jsonl"
    lines = [",".join(map(str, row)) for row in (("arm", "question", "reward"), *rows)]
    table.write_text("\n".join(lines), encoding="utf-8")
    keys = ("arm", "question", "reward")
    log.write_text(
        "".join(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in rows),
        encoding="utf-8",
    )
    return {"table": [table, "--raw"], "log": [log, "--from", "jsonl"]}


@pytest.mark.parametrize("form", ["table", "log"])
def test_what_is_refused_names_the_options_that_answer_it(answers, form):
    result = call(*answers[form])
    assert result.exit_code == 2
    assert "Repeats of one case are not independent pulls. Choose what to judge." in result.stderr
    assert "give --unit question: each case has one reward" in result.stderr
    assert "give --unit question and --pool NUMBER" in result.stderr
    assert call(*answers[form], "--repeats", "attempts").exit_code == 0  # the wrong variant: good
    assert call(*answers[form], "--unit", "question").exit_code == 3  # the 200 cases alone
    assert call(*answers[form], "--unit", "question", "--pool", CASES).exit_code == 0


@pytest.mark.parametrize("form", ["table", "log"])
def test_json_and_csv_say_what_a_pull_is(answers, form):
    document = json.loads(call(*answers[form], "--unit", "question", "--json").stdout)
    assert (document["unit"], document["rewards"], document["rule"]) == (
        "question",
        "bounded",
        "betting",
    )
    assert "averaged the 10" in document["read_as"]
    assert document["arms"][0]["pulls"] == CASES
    table = ga.results.ArmTable.from_dict(document)
    assert table.unit == "question"
    (row,) = csv.DictReader(io.StringIO(call(*answers[form], "--unit", "question", "--csv").stdout))
    assert (row["pulls"], float(row["sum"])) == ("200", document["arms"][0]["sum"])


def test_people_are_told_what_a_pull_is_and_which_test_was_used(answers):
    result = call(*answers["table"], "--unit", "question")
    assert "averaged the 10 rewards of each question" in result.stderr
    assert "A pull is one question, with the average of its rewards." in result.stdout
    assert "Test: betting" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--unit", "sample", "--repeats", "attempts"], "--repeats must not be attempts if --unit"),
        (["--repeats", "fixed"], "--repeats must not be fixed unless --unit is given"),
        (["--unit", "epoch"], "--unit must be one of 'model', 'task', 'sample'; got 'epoch'"),
        (["--unit", "model"], "Leave out --unit; or choose larger arms: --by PARTS."),
    ],
)
def test_what_does_not_go_together_is_said_in_options(arguments, words):
    result = call(DATA / "inspect" / "epochs.json", "--from", "inspect", *arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())


def test_unit_needs_raw_rewards(answers):
    result = call(answers["table"][0], "--unit", "question")
    assert result.exit_code == 2
    assert "--unit must be left out unless --raw or --from is given" in result.stderr


def test_numbers_that_differ_are_declared_as_fixed(answers, tmp_path):
    lines = answers["table"][0].read_text(encoding="utf-8").splitlines()
    short = tmp_path / "short.csv"
    short.write_text("\n".join(lines[:-5]), encoding="utf-8")
    result = call(short, "--raw", "--unit", "question")
    assert "use --repeats fixed" in result.stderr
    result = call(short, "--raw", "--unit", "question", "--repeats", "fixed")
    assert result.exit_code == 3
    assert "averaged 9 to 10 rewards of each question" in result.stderr
