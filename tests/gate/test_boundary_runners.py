"""Runners in other languages find what the library finds, on random paths."""

import json
import random
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

import goodarm as ga
from goodarm.views.boundary_texts import JAVASCRIPT

FOLDER = Path(__file__).parents[2] / "examples/boundary"
QUESTIONS = {
    "failures": {"threshold": 0.9},
    "few": {"threshold": 0.9, "max_runs": 20},
    "margin": {"threshold": 0.9, "margin": 0.05, "max_runs": 200},
    "passes": {"threshold": 0.2, "max_runs": 120},
    "soft": {"threshold": 0.8, "max_runs": 40, "cap": "soft"},
    "soft, passes": {"threshold": 0.3, "max_runs": 40, "cap": "soft"},
    "open": {"threshold": 0.9, "cap": None},
}


@pytest.fixture(scope="module")
def tables():
    return {name: ga.boundary(**question) for name, question in QUESTIONS.items()}


def draw_paths(table):
    """Paths of all kinds, among them the two that only pass or only fail."""
    rng = random.Random(11)
    runs = (table.max_runs or 300) + 60
    rates = [0.0, 1.0, *(table.rate + shift for shift in (-0.15, -0.05, 0.0, 0.03, 0.08))]
    return [
        [None if rng.random() < lost else int(rng.random() < rate) for _ in range(runs)]
        for rate in rates
        for lost in (0.0, 0.05)
    ]


def expect(table, path):
    """What a runner prints: it does not stop early where no label can come any more."""
    passes = failures = 0
    for n, outcome in enumerate(path, 1):
        passes, failures = passes + (outcome == 1), failures + (outcome == 0)
        label = table.label(passes, failures, n - passes - failures)
        if label != "undecided":
            return label, n
    return "undecided", len(path)


def write_runs(path):
    return "".join({1: "1\n", 0: "0\n", None: "lost\n"}[outcome] for outcome in path)


def check_runner(tables, folder, command):
    for table in tables.values():
        document = folder / "boundary.json"
        document.write_text(json.dumps(table.to_dict(), indent=2), encoding="utf-8")
        for path in draw_paths(table):
            run = subprocess.run(
                [*command, str(document)],
                input=write_runs(path),
                capture_output=True,
                text=True,
                check=True,
                timeout=60,
            )
            label, runs = run.stdout.split()
            assert (label, int(runs)) == expect(table, path)


def find_tool(name):
    tool = shutil.which(name) or shutil.which(name, path=str(Path.home() / ".cargo/bin"))
    # A proxy of a tool may lie there without the tool.
    version = "version" if name == "go" else "--version"
    if tool is None or subprocess.run([tool, version], capture_output=True).returncode:
        pytest.skip(f"{name} is not on this machine")
    return tool


def test_runners_are_short():
    names = {path.name for path in FOLDER.iterdir()}
    assert names == {"judge.go", "judge.mjs", "judge.rs", "judge.sql"}
    for name in names:
        assert len((FOLDER / name).read_text(encoding="utf-8").splitlines()) <= 40, name


def test_all_kinds_of_ends_are_drawn(tables):
    for table in tables.values():
        ends = {expect(table, path)[0] for path in draw_paths(table)}
        assert len(ends) >= 2
    soft = tables["soft"]
    assert any(expect(soft, path)[1] > 40 for path in draw_paths(soft))


def test_javascript(tables, tmp_path):
    check_runner(tables, tmp_path, [find_tool("node"), str(FOLDER / "judge.mjs")])


def test_rust(tables, tmp_path):
    binary = tmp_path / "judge"
    command = [find_tool("rustc"), str(FOLDER / "judge.rs"), "-o", str(binary)]
    subprocess.run(command, check=True, timeout=300)
    check_runner(tables, tmp_path, [str(binary)])


def test_go(tables, tmp_path):
    binary = tmp_path / "judge"
    command = [find_tool("go"), "build", "-o", str(binary), str(FOLDER / "judge.go")]
    subprocess.run(command, check=True, timeout=300)
    check_runner(tables, tmp_path, [str(binary)])


def test_the_printed_module_has_the_function_of_the_runner(tables, tmp_path):
    assert JAVASCRIPT in (FOLDER / "judge.mjs").read_text(encoding="utf-8")
    module = tmp_path / "boundary.mjs"
    module.write_text(tables["failures"].to_javascript(), encoding="utf-8")
    script = (
        f"import {{ boundary, judge }} from {json.dumps(str(module))};"
        "console.log(JSON.stringify(judge(boundary, Array(50).fill(1))))"
    )
    command = [find_tool("node"), "--input-type=module", "-e", script]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(run.stdout) == {"label": "good", "runs": 41}


def check_sql(tables, connect):
    query = (FOLDER / "judge.sql").read_text(encoding="utf-8")
    for table in tables.values():
        paths = draw_paths(table)
        database = connect()
        for statement in table.to_sql().split(";\n"):
            if statement.strip():
                database.execute(statement)
        database.execute("CREATE TABLE runs (question BIGINT, run BIGINT, passed BIGINT)")
        rows = [
            f"({number}, {n}, {'NULL' if outcome is None else outcome})"
            for number, path in enumerate(paths)
            for n, outcome in enumerate(path, 1)
        ]
        database.execute(f"INSERT INTO runs VALUES {', '.join(rows)}")
        found = database.execute(query).fetchall()
        assert found == [(number, *expect(table, path)) for number, path in enumerate(paths)]


def test_sqlite(tables):
    check_sql(tables, lambda: sqlite3.connect(":memory:"))


def test_duckdb(tables):
    duckdb = pytest.importorskip("duckdb")
    check_sql(tables, lambda: duckdb.connect(":memory:"))
