"""``goodarm reproduce`` and ``goodarm datasets``, called as a user calls them."""

import json

import jsonschema
import pytest
from typer.testing import CliRunner

from goodarm import datasets
from goodarm.cli import app
from helpers import ROOT

CHO = ["reproduce", "four", "--paper", "cho2025", "--runs", "5"]


def call(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_reproduce_prints_the_table_and_names_the_report(tmp_path):
    result = call(*CHO, "--out", tmp_path, "--jobs", 1)
    assert result.exit_code == 0, result.stderr
    assert "four: 4 arms, threshold 0.5, delta 0.05, 5 runs, seed 0" in result.stdout
    assert "10,729" in result.stdout
    assert "no sd printed" in result.stdout
    assert result.stdout.rstrip().endswith(f"Report: {tmp_path / 'report.html'}")
    assert (tmp_path / "report.html").exists()
    assert list((tmp_path / "runs").iterdir())


def test_reproduce_json_is_json_and_fits_the_schema(tmp_path):
    result = call(
        *CHO, "--out", tmp_path, "--json", "--seed", 3, "--algorithm", "hdoc", "-a", "apt-g"
    )
    document = json.loads(result.stdout)
    schema = json.loads((ROOT / "docs/schemas/reproduction.schema.json").read_text("utf-8"))
    jsonschema.validate(document, schema)
    assert document["seed"] == 3
    assert document["algorithms"] == ["hdoc", "apt-g"]
    assert document == json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "pear"], "must be one of 'synthetic'"),
        (["reproduce", "--paper", "lil"], "--paper must be one of 'lil-hdoc'"),
        ([*CHO, "--algorithm", "nonsense"], "--algorithm must"),
        ([*CHO, "--jobs", "0"], "--jobs must"),
        ([*CHO, "--runs", "0"], "--runs must"),
        (["datasets", "rebuild", "jester"], "No file to rebuild jester from"),
        (
            ["datasets", "rebuild", "jester", "--from", "missing.csv"],
            "There is no file 'missing.csv'.",
        ),
        (["datasets", "rebuild", "nobody", "--from", "x"], "must be one of 'covertype'"),
    ],
)
def test_wrong_use_exits_2_with_the_message_alone(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    result = call(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_datasets_are_listed():
    text = call("datasets").stdout
    document = json.loads(call("datasets", "--json").stdout)
    assert [entry["name"] for entry in document["datasets"]] == datasets.list_names()
    assert document["datasets"][2]["num_good"] == 25
    for name in datasets.list_names():
        assert name in text
        assert datasets.load(name).citation in text


def test_rebuild_says_what_differs_and_exits_1(tmp_path):
    path = tmp_path / "u.data"
    path.write_text("1\t2\t3\t4\n", encoding="ascii")
    result = call("datasets", "rebuild", "movielens", "--from", path)
    assert result.exit_code == 1
    assert "100,000" in result.stdout
    assert "differs" in result.stdout
    document = json.loads(call("datasets", "rebuild", "movielens", "--from", path, "--json").stdout)
    assert document["agrees"] is False


def test_rebuild_takes_several_files(tmp_path):
    row = ",".join(["100", *["1.5"] * 100]) + "\n"
    paths = [tmp_path / f"{k}.csv" for k in range(3)]
    for path in paths:
        path.write_text(row, encoding="ascii")
    for arguments in (["--from", *paths], ["--from", paths[0], "--from", paths[1], paths[2]]):
        result = call("datasets", "rebuild", "jester", *arguments, "--json")
        assert json.loads(result.stdout)["checks"][0]["found"] == "3"
