"""``goodarm check PATHS --from``: other tools' logs, with the options of ``ga.read_logs``."""

import inspect
import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app
from goodarm.cli.check import check_counts

DATA = Path(__file__).parents[1] / "data"
AT = ["--threshold", ".5", "--delta", ".05"]
JUNIT = str(DATA / "junit" / "repeat.xml")


def call(*arguments):
    return CliRunner().invoke(app, ["check", *map(str, arguments), *AT])


def document(*arguments):
    result = call(*arguments, "--json")
    assert result.exit_code in (0, 1, 3), result.stderr
    return json.loads(result.stdout)


OTHER_NAMES = {"counts": "paths", "columns": "column", "format": "log", "sum": "sum_rows"} | {
    "problem": "threshold"  # and the other options that make one
}


@pytest.mark.parametrize("function", [ga.check, ga.read_logs])
def test_every_option_of_python_is_one_of_the_command(function):
    known = set(inspect.signature(check_counts).parameters)
    for name in inspect.signature(function).parameters:
        assert OTHER_NAMES.get(name, name) in known, name


def test_the_same_counts_as_in_python():
    found = document(JUNIT, "--from", "junit", "--by", "test")
    table = ga.check(ga.read_logs(JUNIT, format="junit", by="test"), threshold=0.5, delta=0.05)
    assert found["read_as"] == table.read_as
    assert {arm["arm"]: arm["pulls"] for arm in found["arms"]} == dict(
        zip(table.arms, table.pulls.tolist(), strict=True)
    )
    assert found["exit_code"] == 3
    assert "undecided" in found["exit_reason"]


def test_how_it_was_read_is_said_on_standard_error():
    result = call(JUNIT, "--from", "junit")
    assert result.stderr.startswith("goodarm: read 1 file as junit, with an arm for each name: ")
    assert "read as" not in result.stdout


def test_several_paths_and_globs(tmp_path):
    for name in ("a", "b"):
        shutil.copy(JUNIT, tmp_path / f"{name}.xml")
    both = document(tmp_path / "a.xml", tmp_path / "b.xml", "--from", "junit", "--copies", "count")
    glob = document(tmp_path / "*.xml", "--from", "junit", "--copies", "count")
    once = document(tmp_path / "*.xml", "--from", "junit", "--copies", "once")
    assert both["arms"] == glob["arms"]
    assert [arm["pulls"] for arm in both["arms"]] == [2 * arm["pulls"] for arm in once["arms"]]


ATTEMPTS = ("--repeats", "attempts")


@pytest.mark.parametrize(
    ("arguments", "arms"),
    [
        (["promptfoo/repeat.json", "--from", "promptfoo", "--by", "test"], 3),
        (["inspect/epochs.json", "--from", "inspect", "--by", "model", *ATTEMPTS], 1),
        (
            ["lm_eval/dummy/samples_sums_*.jsonl", "--from", "lm-eval", "--filter", "strict-match"],
            None,
        ),
        (["junit/rerunfailures.xml", "--from", "junit", "--repeats", "reruns"], None),
        (["inspect/errors.json", "--from", "inspect", "--errors", "exclude"], None),
    ],
)
def test_each_format(arguments, arms):
    path, *options = arguments
    found = document(DATA / path, *options)
    assert found["arms"]
    assert arms is None or len(found["arms"]) == arms


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([JUNIT], "looks like a log of junit. To read it, use --from junit."),
        ([JUNIT, JUNIT], "must be one table"),
        (["nowhere.xml"], "To read the logs of another tool, name it: --from junit"),
        (["t.csv", "--by", "test"], "--by must be used with --from only"),
        (["t.csv", "--pass-at", ".5"], "--pass-at must be used with --from only"),
        ([JUNIT, "--from", "juni"], "--from must be one of 'junit'"),
        ([JUNIT, "--from", "junit", "--by", "colour"], "--by must be one of"),
        ([JUNIT, "--from", "junit", "--errors", "no"], "--errors must be one of"),
        ([JUNIT, "--from", "junit", "--filter", "x"], "--filter must be left out for junit"),
        (["nowhere/*.xml", "--from", "junit"], "PATHS"),
        ([DATA / "junit" / "rerunfailures.xml", "--from", "junit"], "--repeats"),
        ([JUNIT, "--from", "junit", "--raw"], "--raw must be left out for logs"),
        ([JUNIT, "--from", "junit", "--rewards", "bounded"], "--rewards must be left out for logs"),
    ],
)
def test_wrong_use_speaks_of_options(arguments, message):
    result = call(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


SAMPLES = "lm_eval/dummy/samples_sums_2026-11-16T22-24-38.556489.jsonl"


@pytest.mark.parametrize(
    ("name", "tool"),
    [
        ("promptfoo/repeat.json", "promptfoo"),
        ("promptfoo/repeat.jsonl", "promptfoo"),
        ("inspect/epochs.json", "inspect"),
        ("inspect/epochs.eval", "inspect"),
        ("junit/pytest.xml", "junit"),
        (SAMPLES, "lm-eval"),
        ("pytest_json/plain.json", "pytest-json"),
        ("lerobot/pi0/eval_info.json", "lerobot"),
        ("phoenix/repeat.json", "phoenix"),
        ("langfuse/items.json", "langfuse"),
        ("langfuse/scores.json", "langfuse"),
    ],
)
def test_a_log_that_is_given_as_a_table_names_its_tool(name, tool):
    result = call(DATA / name)
    assert result.exit_code == 2
    assert f"looks like a log of {tool}. To read it, use --from {tool}." in result.stderr
    assert "--column" not in result.stderr


def test_a_folder_of_logs_names_its_tool():
    result = call(DATA / "inspect")
    assert "--from inspect '" in result.stderr


def test_a_table_that_looks_like_a_log_is_a_table(tmp_path):
    path = tmp_path / "answers.jsonl"
    rows = [{"arm": "a", "doc_id": number, "reward": 1} for number in range(3)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert document(path, "--raw")["arms"][0]["pulls"] == 3
    result = call(path, "--raw", "--rule", "lil", "--margin", "2")
    assert "--from" not in result.stderr


def test_scores_that_are_not_0_or_1_suggest_no_pass_mark(tmp_path):
    path = tmp_path / "grades.jsonl"
    path.write_text('{"arm": "a", "score": 4}\n', encoding="utf-8")
    result = call(path, "--from", "jsonl")
    assert result.exit_code == 2
    assert "choose, before looking, the lowest that passes: --pass-at NUMBER." in result.stderr


def test_the_help_of_logs_lists_no_option_that_logs_refuse():
    text = call("--from", "inspect", "--help").stdout
    assert "--pass-at" in text
    assert "--rewards" not in text
    assert "--trust-sigma" not in text
    assert "--rewards" in call("--help").stdout
