"""What a shell is offered, by the protocol that the installed script uses."""

import os
import subprocess
import sys

import pytest

import goodarm as ga
from cli.shell import GOODARM, make_environment, measure_cpu_seconds, run
from goodarm.cli.choices import make_list_completer
from goodarm.cli.command_group import COMMANDS


def make_completion_request(line):
    words = line.split(" ")
    return {
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_GOODARM_COMPLETE": "complete_bash",
    }


def complete(line):
    result = run([], **make_completion_request(line))
    assert result.stderr == ""
    return result.stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("goodarm ", list(COMMANDS)),
        ("goodarm si", ["simulate"]),
        ("goodarm check --control ", ["fwer", "fdr", "per-arm"]),
        ("goodarm check --control f", ["fwer", "fdr"]),
        ("goodarm check --rewards b", ["bernoulli", "bounded"]),
        ("goodarm check --only ", ["good", "bad", "undecided"]),
        ("goodarm check --sort ", ["label", "arm", "pulls", "mean", "needed", "table"]),
        ("goodarm check --fail-on ", ["bad", "undecided", "none"]),
        ("goodarm check --fail-on bad,", ["bad,undecided"]),
        ("goodarm check --fail-on none,", []),
        ("goodarm check --fa", ["--fail-on"]),
        ("goodarm simulate --algorithm l", ["lucb-g", "lil-hdoc"]),
        ("goodarm plan -a ", list(ga.algorithms())),
        ("goodarm simulate --engine f", ["fast"]),
        ("goodarm simulate --rewards g", ["gaussian"]),
        ("goodarm reproduce --paper c", ["cho2025"]),
        ("goodarm check --rule ho", ["hoeffding"]),
        ("goodarm reproduce --algorithm ap", ["apt-g", "apgai"]),
        ("goodarm datasets ", ["rebuild"]),
        ("goodarm datasets rebuild j", ["jester"]),
    ],
)
def test_offers(line, expected):
    assert complete(line) == expected


def test_options_before_a_command():
    found = complete("goodarm --")
    wanted = {"--debug", "--version", "--install-completion", "--show-completion", "--help"}
    assert set(found) == wanted


def test_nothing_follows_an_exclusive_word():
    offer = make_list_completer(["a", "b"], ["none"])
    assert offer("") == ["a", "b", "none"]
    assert offer("b,") == ["b,a"]
    assert offer("none,") == []


@pytest.mark.parametrize("line", ["goodarm ", "goodarm check --control "])
def test_a_shell_does_not_wait(line):
    assert measure_cpu_seconds(GOODARM, 5, 0.5, lambda: make_completion_request(line)) <= 0.5


def test_the_script_and_its_installation(tmp_path):
    """Typer asks which shell called; here it is a bash of our own."""
    line = f"'{sys.executable}' -m goodarm --show-completion; '{sys.executable}' -m goodarm "
    done = subprocess.run(
        ["bash", "-c", f"{line} --install-completion; true"],
        capture_output=True,
        text=True,
        env={**make_environment(), "HOME": str(tmp_path), "SHELL": "/bin/bash"},
        check=True,
    )
    assert "_GOODARM_COMPLETE=complete_bash" in done.stdout
    assert "completion installed in" in done.stdout
    assert os.listdir(tmp_path / ".bash_completions") == ["goodarm.sh"]
