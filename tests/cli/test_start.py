"""A command imports only what it uses, and starts quickly."""

import inspect
import json
import re
import subprocess
import sys
import tempfile
from importlib import import_module

import pytest
import typer

import goodarm as ga
from cli.shell import AT, BAD, GOOD, GOODARM, HEAD, UNDECIDED, make_environment, measure_cpu_seconds
from goodarm.algorithm import TABLE_RULES
from goodarm.cli import choices
from goodarm.cli.command_group import COMMANDS
from goodarm.datasets import recipes
from goodarm.papers import PAPERS

HEAVY = ("numba", "scipy", "matplotlib", "distributed", "pandas", "polars")


def list_loaded_modules(*arguments, stdin=""):
    """The modules that a call leaves behind."""
    code = (
        "import sys, json; sys.argv = ['goodarm', *sys.argv[1:]]\n"
        "from goodarm.cli.process_wrapper import run_command_line\n"
        "from goodarm.cli import _start\n"
        "code = run_command_line(_start)\n"
        "print('\\n' + json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=True,
        env=make_environment(),
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_the_table_and_the_docstrings_agree():
    for entry in COMMANDS.values():
        found = getattr(import_module(entry.module), entry.name)
        is_group = isinstance(found, typer.Typer)
        text = found.info.help if is_group else inspect.getdoc(found).splitlines()[0]
        assert entry.help == text
        assert len(entry.help) < 72


def test_every_command_is_in_the_help(invoke):
    text = " ".join(invoke(["--help"]).stdout.split())
    for name, entry in COMMANDS.items():
        assert f"{name} {entry.help}" in text


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], []])
def test_the_front_door_loads_no_command(arguments):
    modules = list_loaded_modules(*arguments)
    assert not modules & {"numpy", "rich", *HEAVY, *(entry.module for entry in COMMANDS.values())}


@pytest.fixture(scope="module")
def loaded_by_help():
    """The modules that the help of each command leaves behind.

    Each is a copy of one process that has come as far as the front door, which loads no command.
    """
    code = (
        "import sys, json, os, goodarm.cli.command_group\n"
        "from goodarm.cli.process_wrapper import run_command_line\n"
        "from goodarm.cli import _start\n"
        "for command in sys.argv[1:]:\n"
        "    if os.fork() == 0:\n"
        "        sys.argv = ['goodarm', command, '--help']\n"
        "        run_command_line(_start)\n"
        "        print('\\n' + json.dumps(sorted(sys.modules)), flush=True)\n"
        "        os._exit(0)\n"
        "    assert os.wait()[1] == 0\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *COMMANDS],
        capture_output=True,
        text=True,
        check=True,
        env=make_environment(),
    )
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('["')]
    return dict(zip(COMMANDS, map(set, found), strict=True))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_loads_nothing_heavy(loaded_by_help, command):
    modules = loaded_by_help[command]
    assert COMMANDS[command].module in modules
    assert not modules & {*HEAVY}
    others = {entry.module for entry in COMMANDS.values()} - {COMMANDS[command].module}
    assert not modules & others


@pytest.mark.parametrize("is_file", [False, True])
def test_a_check_loads_no_other_room(tmp_path, is_file):
    (tmp_path / "counts.csv").write_text(HEAD + GOOD)
    table = str(tmp_path / "counts.csv") if is_file else "-"
    modules = list_loaded_modules("check", table, *AT, stdin=HEAD + GOOD)
    rooms = ("simulation", "planning", "live", "report", "reproduce", "papers", "datasets")
    assert not any(name.startswith("goodarm.logs.") for name in modules)
    assert not modules & {
        "matplotlib",
        "numba",
        "scipy.special",
        "rich.console",
        *(f"goodarm.{r}" for r in rooms),
    }


@pytest.mark.parametrize("command", [*([name] for name in COMMANDS), ["datasets", "rebuild"]])
def test_usage_speaks_of_no_types(invoke, command):
    text = invoke([*command, "--help"]).stdout
    for leak in ("<", "{", "list[", "INTEGER", "FLOAT", "PATH "):
        assert leak not in text


def test_usage_of_check(invoke):
    text = " ".join(invoke(["check", "--help"]).stdout.split())
    assert text.startswith("Usage: root check [OPTIONS] PATHS... Label")
    assert "Arguments: PATHS... One table (CSV, JSON lines" in text
    text = " ".join(invoke(["reproduce", "--help"]).stdout.split())
    assert text.startswith("Usage: root reproduce [OPTIONS] [INSTANCES...] ")
    text = " ".join(invoke(["check"]).stderr.split())
    assert "Missing argument 'PATHS'" in text
    text = " ".join(invoke(["check", "--help"]).stdout.split())
    for part in (
        "--threshold NUMBER",
        "--control [fwer|fdr|per-arm]",
        "--sep TEXT",
        "--plot FILE",
        "--only LABELS Show only rows with these labels",
    ):
        assert part in text


def test_rules_and_papers_are_listed_where_they_are_chosen(invoke):
    text = " ".join(invoke(["check", "--help"]).stdout.split())
    assert f"--rule [{'|'.join(TABLE_RULES)}]" in text
    text = " ".join(invoke(["reproduce", "--help"]).stdout.split())
    assert (
        f"--paper [{'|'.join(PAPERS)}|MODULE:NAME] The paper, or your own as module:NAME." in text
    )


@pytest.mark.parametrize("command", [*COMMANDS, None])
def test_flags_have_no_metavar(invoke, command):
    text = invoke([command, "--help"] if command else ["--help"]).stdout
    assert "bool" not in text
    assert not re.search(r"--[a-z-]+ */ *--no-", text)  # a flag is not also its opposite


def test_the_words_that_shells_offer_are_those_of_the_library():
    from goodarm.checking.check import CONTROLS
    from goodarm.simulation.engine import AUTO, ENGINES

    assert choices.CONTROLS == CONTROLS
    assert set(choices.ENGINES) == {AUTO, *ENGINES}
    assert set(choices.RAW_DATA_SETS) == set(recipes._RECIPES)
    for kind in choices.REWARDS:
        ga.Problem(1, 0.5, 0.1, rewards=kind, sigma=1 if kind == "gaussian" else None)


@pytest.mark.speed
@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_the_front_door_takes_a_third_of_a_second(argument):
    assert measure_cpu_seconds([*GOODARM, argument], 5, 0.35) <= 0.35


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text(HEAD + GOOD + BAD + UNDECIDED, encoding="utf-8")
    return [*GOODARM, "check", str(path), *AT]


def imports_of_numba(command, tries, enough, before):
    """The least CPU time of a command in imports of numba, each beside one, as machines differ."""
    least = float("inf")
    for _ in range(tries):
        once = measure_cpu_seconds([sys.executable, "-c", "import numba"], 1, 0.0)
        least = min(least, measure_cpu_seconds(command, 1, 0.0, before) / once)
        if least <= enough:
            break
    return least


@pytest.mark.speed
def test_a_small_check_takes_a_second_and_a_half(small, tmp_path):
    """Where importing numba takes .43 seconds."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert imports_of_numba(small, 8, 3.5, lambda: cache) <= 3.5


@pytest.mark.speed
def test_the_first_check_takes_no_longer(small, tmp_path):
    """With nothing compiled yet: it was 4 to 4.7 seconds where importing numba takes .43."""

    def empty():
        return {"NUMBA_CACHE_DIR": tempfile.mkdtemp(dir=tmp_path)}

    assert imports_of_numba(small, 6, 3.5, empty) <= 3.5
