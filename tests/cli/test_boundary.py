"""``goodarm boundary``: tables, formats, exact chances and replays."""

import json

import pytest
from jsonschema import Draft202012Validator

import goodarm as ga
from goodarm.results import Boundary
from helpers import ROOT

SCHEMA = json.loads((ROOT / "docs/schemas/boundary.schema.json").read_text(encoding="utf-8"))
FEW = ["boundary", "--threshold", ".8", "--max-runs", "40"]


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "runs.txt"
    path.write_text("1\n0\n\nPass\nfail,\nlost\n0\n0\n0\n", encoding="utf-8")
    return path


def test_the_table_and_its_notes(invoke):
    result = invoke([*FEW, "--rates", "0.5,95%"])
    assert result.exit_code == 0
    table = ga.boundary(threshold=0.8, max_runs=40)
    assert table.summary in result.stdout
    at = table.chances([0.5, 0.95])
    for row in at:
        assert f"{100 * row.good:.1f} %" in result.stdout
        assert f"{row.runs:,.1f}" in result.stdout


def test_json_is_the_document(invoke):
    result = invoke([*FEW, "--cap", "soft", "--json"])
    document = json.loads(result.stdout)
    Draft202012Validator(SCHEMA).validate(document)
    table = ga.boundary(threshold=0.8, max_runs=40, cap="soft")
    assert Boundary.from_dict(document) == table


def test_json_with_chances_and_a_verdict(invoke, log):
    result = invoke([*FEW, "--rates", ".9", "--runs", log, "--json"])
    found = json.loads(result.stdout)
    table = Boundary.from_dict(found["boundary"])
    outcomes = [1, 0, 1, 0, None, 0, 0, 0]
    assert found["verdict"] == table.judge(outcomes)._asdict()
    assert found["chances"] == [each._asdict() for each in table.chances(0.9)]


@pytest.mark.parametrize(
    ("option", "method"), [("--csv", "to_csv"), ("--sql", "to_sql"), ("--js", "to_javascript")]
)
def test_other_formats(invoke, option, method):
    result = invoke([*FEW, option])
    assert result.stdout == getattr(ga.boundary(threshold=0.8, max_runs=40), method)()


def test_a_replay(invoke, log, tmp_path):
    picture = tmp_path / "boundary.svg"
    result = invoke([*FEW, "--runs", log, "--plot", picture])
    assert "bad after 7 runs: 2 passed, 4 failed, 1 lost" in " ".join(result.stdout.split())
    assert picture.stat().st_size > 1000


def test_in_a_row_is_shown_in_the_users_terms(invoke):
    result = invoke(["boundary", "--threshold", ".5", "--in-a-row", "5", "--max-runs", "50"])
    assert "5 runs in a row pass with probability at least 0.5" in result.stdout
    assert "For one run, the threshold is 0.8706." in result.stdout


def test_without_a_cap(invoke):
    result = invoke(["boundary", "--threshold", ".9", "--cap", "none"])
    assert "no cap" in result.stdout
    assert "Good takes 53 runs if all pass." in result.stdout


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--cap", "loose"], "--cap must be"),
        (["--max-runs", "100001"], "--max-runs must be at most 100000"),
        (["--max-runs", "100001"], "use --cap none"),
        (["--json", "--csv"], "--csv must be left out with --json"),
        (["--sql", "--rates", ".5"], "--rates must be left out with --sql"),
        (["--rates", "1.5"], "must be from 0 to 1"),
        (["--plot", "picture.gif"], "--plot must end in"),
        (["--runs", "no such file"], "--runs must be a file"),
    ],
)
def test_wrong_options(invoke, options, sentence):
    result = invoke(["boundary", "--threshold", ".9", *options])
    assert result.exit_code == 2
    assert sentence in " ".join(result.stderr.split())


def test_a_log_with_another_word(invoke, tmp_path):
    path = tmp_path / "runs.txt"
    path.write_text("1\nmaybe\n", encoding="utf-8")
    result = invoke([*FEW, "--runs", path])
    assert result.exit_code == 2
    assert "line 2" in result.stderr
