"""Options that make a Problem, and words that options take: the library's own, listed once."""

import inspect

import pytest

import goodarm as ga
from goodarm.checking.check import CONTROLS
from goodarm.cli import choices
from goodarm.cli.options import QuestionOptions
from goodarm.cli.plan import plan_pulls
from goodarm.cli.simulate import run_simulations
from goodarm.problem.pool import CASE_ORDERS
from goodarm.problem.rewards import REWARD_KINDS
from goodarm.simulation.engine import ENGINES
from goodarm.tables.read_options import REPEATS, SIGNS


def test_a_question_has_the_keywords_of_a_problem():
    asked = {name: p.default for name, p in inspect.signature(QuestionOptions).parameters.items()}
    wanted = {name: p.default for name, p in inspect.signature(ga.Problem).parameters.items()}
    left_out = ("arms", "case_order")  # simulations draw each arm's cases by themselves
    assert asked == {name: default for name, default in wanted.items() if name not in left_out}


@pytest.mark.parametrize("command", [run_simulations, plan_pulls])
def test_commands_have_the_options_of_a_question_in_its_place(command):
    shown = list(inspect.signature(command).parameters)
    assert "asked" not in shown
    assert set(inspect.signature(QuestionOptions).parameters) <= set(shown)
    last = max(map(shown.index, inspect.signature(QuestionOptions).parameters))
    assert last + 1 == shown.index("algorithm")


@pytest.mark.parametrize(
    ("offered", "known"),
    [
        (choices.CONTROLS, CONTROLS),
        (choices.CASE_ORDERS, CASE_ORDERS),
        (choices.REWARDS, REWARD_KINDS),
        (choices.ENGINES, ENGINES),
        (choices.DECIMAL_SIGNS, SIGNS),
        (choices.REPEATS, REPEATS),
    ],
)
def test_words_are_those_of_the_library_in_its_order(offered, known):
    assert offered == known


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--control", "fwr"], "--control must be one of 'fwer', 'fdr', 'per-arm'; got 'fwr'. D"),
        (["--rewards", "gaus"], "--rewards must be one of 'bernoulli', 'bounded', 'gaussian'; g"),
        (["--case-order", "any"], "--case-order must be one of 'same', 'own'; got 'any'."),
        (["--decimal", ";"], "--decimal must be one of '.', ','; got ';'."),
        (["--sort", "x"], "--sort must be one of 'label', 'arm', 'pulls', 'mean', 'needed'"),
    ],
)
def test_a_word_that_check_does_not_know(invoke, arguments, message):
    result = invoke(["check", "-", "--threshold", ".8", "--delta", ".05", *arguments], "")
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "slow"], "--engine must be one of 'auto', 'reference', 'fast'; got 'slow'"),
        (["--rewards", "x"], "--rewards must be one of 'bernoulli', 'bounded', 'gaussian'; got"),
        (["--until", "3"], "--until must be a whole number from 1 to 2; got 3."),
        (["--means", ""], "--means must have at least one arm; got []."),
    ],
)
def test_what_simulate_refuses(invoke, arguments, message):
    most = ["--means", ".9,.1", "--threshold", ".5", "--delta", ".05"]
    result = invoke(["simulate", *most, *arguments])
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--num-arms", "0"], "--num-arms must be a whole number of at least 1; got 0."),
        (["--num-arms", "2", "--until", "3"], "--until must be a whole number from 1 to 2"),
        (
            ["--num-arms", "2", "--budget", "99", "--max-pulls", "9"],
            "--max-pulls must be left out if a --budget is given; got 9.",
        ),
    ],
)
def test_what_plan_refuses(invoke, arguments, message):
    result = invoke(["plan", "--threshold", ".5", "--delta", ".05", *arguments])
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("command", ["simulate", "plan"])
def test_arms_that_come_later_have_their_share(invoke, command):
    asked = [command, "--means", ".9,.1", "--threshold", ".5", "--delta", ".05", "--runs", "5"]
    few, many = (invoke([*asked, *more]).output for more in ([], ["--arms-planned", "1000"]))
    assert few != many
    refused = invoke([*asked, "--arms-planned", "1"])
    assert refused.exit_code == 2
    assert "--arms-planned must be at least the number of arms, 2" in refused.output
