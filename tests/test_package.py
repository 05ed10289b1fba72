"""The package as a whole: what it exports, what importing it costs, what its caches do."""

import importlib
import inspect
import json
import os
import shutil
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

import goodarm as ga

ROOT = Path(__file__).parents[1]


def run_python(script, **environment):
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
        env={**os.environ, **environment},
    )
    return json.loads(result.stdout)


def test_all_is_exact_and_every_name_works():
    assert set(ga.__all__) == set(ga._HOME) | set(ga._MODULES) | {"__version__"}
    assert dir(ga) == sorted(ga.__all__)
    for name in ga.__all__:
        assert getattr(ga, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        ga.nonsense  # noqa: B018


def test_no_public_name_is_hidden_by_a_module():
    """Importing a module sets an attribute of the package; it must not take a function's place."""
    modules = {path.stem for path in (ROOT / "src/goodarm").iterdir()}
    assert modules & set(ga.__all__) == set(ga._MODULES)


@pytest.mark.speed
def test_import_is_light():
    script = """
        import json, sys, time
        start = time.process_time()
        import numpy
        numpys = time.process_time() - start
        import goodarm
        from goodarm import Problem, Verdict, algorithms
        algorithms()
        ratio = (time.process_time() - start) / numpys
        rooms = ("numba", "scipy", "matplotlib", "pandas", "distributed")
        heavy = [name for name in rooms if name in sys.modules]
        print(json.dumps([ratio, heavy]))
    """
    results = [run_python(script) for _ in range(3)]
    assert results[0][1] == []
    assert min(ratio for ratio, _ in results) < 2.2  # of what numpy alone takes; it is 1.6


@pytest.fixture
def copied(tmp_path):
    """A copy of the package, and what makes processes use it, with nothing compiled yet."""
    shutil.copytree(ROOT / "src/goodarm", tmp_path / "goodarm")
    return {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}


@pytest.mark.large
def test_kernels_compile_once_and_a_change_compiles_them_again(copied, tmp_path):
    script = """
        import json
        import goodarm as ga
        from goodarm.kernels.simulation.continuous_loop import advance_continuous
        from goodarm.kernels.live.next_pulls import ask_pulls
        from goodarm.kernels.compilation.jit import InterpretingLimits
        InterpretingLimits.until_loaded = InterpretingLimits.until_compiled = 0.0
        ga.simulate([0.9, 0.1], threshold=0.5, algorithm="hdoc", runs=2, engine="fast")
        ga.simulate([0.9, 0.1], threshold=0.5, algorithm="lil-hdoc", runs=2, engine="fast")
        ident = ga.Identifier(ga.Problem(2, 0.5, 0.05), "hdoc")
        ident.tell_many(ident.ask_many(9), [0] * 9)
        stats = [kernel.stats for kernel in (advance_continuous, ask_pulls)]
        hits = [sum(s.cache_hits.values()) for s in stats]
        print(json.dumps([hits, [sum(s.cache_misses.values()) for s in stats]]))
    """
    plain = """
        import json
        import goodarm as ga
        runs = ga.simulate([0.9, 0.1], threshold=0.5, algorithm="hdoc", runs=2, engine="reference")
        print(json.dumps(runs.stop.tolist()))
    """
    assert run_python(script, **copied) == [[0, 0], [1, 1]]
    assert run_python(script, **copied) == [[1, 1], [0, 0]]
    before = run_python(plain, **copied)
    # A callee in another file: numba alone would go on using the cached caller.
    formulas = tmp_path / "goodarm/kernels/numerics/formulas.py"
    text = formulas.read_text(encoding="utf-8")
    formulas.write_text(
        text.replace("math.log(4.0 * num", "math.log(400000.0 * num"), encoding="utf-8"
    )
    assert min(run_python(plain, **copied)) > max(before)


def test_versions_agree():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"version: {ga.__version__}\n" in citation
    assert f"## [{ga.__version__}]" in changelog


def test_the_build_finds_the_version_where_it_is_written():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    home = ROOT / settings["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{ga.__version__}"\n' in home.read_text(encoding="utf-8")


ENTERED_BY_MODULE = {"cli", "kernels", "plugins", "runner", "service", "testing", "views"}
"""Packages without a door; pyproject.toml has the reasons."""


def test_the_layers_have_no_exceptions_and_all_other_packages_have_doors():
    """Ignored at a door are functions that are named as their modules, and nothing else."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    doors = {each["name"].split()[-1] for each in contracts if each["type"] == "protected"}
    packages = {path.parent.name for path in (ROOT / "src" / "goodarm").glob("*/__init__.py")}
    assert doors == packages - ENTERED_BY_MODULE
    for contract in contracts:
        for ignored in contract.get("ignore_imports", ()):
            assert contract["type"] == "protected"
            package, name = ignored.split(" -> ")[1].rsplit(".", 1)
            assert inspect.isfunction(getattr(importlib.import_module(package), name))


def test_a_table_loads_matplotlib_when_it_is_drawn():
    script = """
        import json, sys
        from goodarm.checking import check
        table = check({"a": (9, 8)}, threshold=0.5)
        before = "matplotlib" in sys.modules
        axes = table.plot()
        print(json.dumps([before, type(axes).__name__]))
    """
    assert run_python(script, MPLBACKEND="agg") == [False, "Axes"]


def test_runtime_dependencies_are_the_ones_agreed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {dependency.split(">=")[0] for dependency in project["dependencies"]}
    assert names == {"numpy", "scipy", "numba", "typer", "rich", "narwhals"}
