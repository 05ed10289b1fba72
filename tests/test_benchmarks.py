"""``make bench``: all parts run, and one table says which goals were met."""

import ast
import importlib.util
import sys

import pytest

from helpers import ROOT

FOLDER = ROOT / "benchmarks"


@pytest.fixture
def bench(tmp_path, monkeypatch):
    """``run.main`` on parts that are written here, with its lines and exit code."""
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "goals", raising=False)
    spec = importlib.util.spec_from_file_location("run_benchmarks", FOLDER / "run.py")
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)

    def measure(capsys, **parts):
        for name, text in parts.items():
            monkeypatch.delitem(sys.modules, name, raising=False)
            (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        code = run.main(list(parts), tmp_path / "results")
        for name in parts:
            sys.modules.pop(name, None)
        return code, capsys.readouterr().out.splitlines()

    yield measure
    sys.modules.pop("goals", None)


def part(value, goal):
    return f"import goals as g\ndef main(): return {value}\ndef goals(found): return [{goal}]\n"


def test_one_table_at_the_end_has_the_goals_of_all_parts(bench, capsys):
    code, lines = bench(
        capsys,
        bench_a=part(3.5, 'g.at_most("seconds", found, 4.0, "s")'),
        bench_b=part(1.95, 'g.at_least("speed-up", found, 2.0, "times")'),
    )
    table = lines[lines.index("Goals") :]
    cells = [line.split("   ") for line in table]
    rows = [[cell.strip() for cell in row if cell.strip()] for row in cells]
    assert ["bench_a: seconds", "at most 4 s", "3.5 s", "met"] in rows
    assert ["bench_b: speed-up", "at least 2 times", "1.95 times", "MISSED"] in rows
    assert "1 of 2 goals met." in table
    assert "Missed: bench_b: speed-up." in table
    assert code == 0


def test_a_part_that_fails_is_a_missed_goal_and_the_others_go_on(bench, capsys, tmp_path):
    code, lines = bench(
        capsys,
        bench_a="def main(): raise ValueError('no database')\n",
        bench_b=part(1, 'g.at_most("seconds", found, 4.0)'),
    )
    assert any("bench_a" in line and "ValueError: no database" in line for line in lines)
    assert "Missed: bench_a." in lines
    assert code == 1
    assert (tmp_path / "results" / "bench_b.json").read_text(encoding="utf-8") == "1\n"
    assert not (tmp_path / "results" / "bench_a.json").exists()


def test_what_could_not_be_measured_is_missed(bench, capsys):
    _, lines = bench(capsys, bench_a=part(None, 'g.at_most("seconds", found, 4.0, "s")'))
    assert any("took too long" in line and "MISSED" in line for line in lines)


def functions(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    taken = {
        name.name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names
    }
    return own | taken


def parts_of_targets():
    """The parts that ``make bench`` and ``make bench-faults`` run."""
    tree = ast.parse((FOLDER / "run.py").read_text(encoding="utf-8"))
    named = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    extra = [line.split("run.py")[1].split() for line in lines if "benchmarks/run.py" in line]
    return [*ast.literal_eval(named["PARTS"]), *(name for words in extra for name in words)]


def test_every_part_exists_and_has_goals():
    parts = parts_of_targets()
    assert {"pulls", "speed_comparison", "store_faults", "service_faults"} <= set(parts)
    for name in parts:
        assert {"main", "goals"} <= functions(FOLDER / f"{name}.py"), name


def test_every_benchmark_is_part_of_a_target():
    whole = {path.stem for path in FOLDER.glob("*.py") if {"main", "goals"} <= functions(path)}
    within = {"hint", "pools"}  # parts of "rewards"
    assert whole - within == set(parts_of_targets())
