"""What the pruner refuses: values that are no rewards, settings that cannot be, a missing host."""

import math
import subprocess
import sys

import numpy as np
import optuna
import pytest

import goodarm as ga
from goodarm.installation import install_command
from goodarm.plugins.optuna import GoodArmPruner
from plugins.studies import prune_decision


@pytest.mark.parametrize("value", [0.5, 0.9999, 2, -1, math.nan, math.inf, -math.inf])
def test_what_is_no_outcome_is_named(value):
    with pytest.raises(ga.errors.SpecError) as refused:
        prune_decision(GoodArmPruner(0.5, 0.05), [1, 0, value, 1], number=2, steps=[0, 5, 7, 9])
    assert str(refused.value) == (
        f"The 'value' of trial 2 at step 7 must be 0 or 1; got {float(value)!r}. Report the "
        "outcome of each run by itself, not a running mean or a learning curve. "
        "If outcomes are scores in a range, pass rewards='bounded'."
    )


@pytest.mark.parametrize("value", [-2.1, 6.0001, math.nan, math.inf])
def test_what_lies_outside_the_range_is_named(value):
    pruner = GoodArmPruner(2.0, 0.05, rewards="bounded", low=-2, high=6)
    with pytest.raises(
        ga.errors.SpecError, match=r"trial 0 at step 1 must be a number from -2.0 to 6.0"
    ):
        prune_decision(pruner, [-2, value, 6])


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-2, 6), (10, 10.5)])
def test_running_means_of_outcomes_are_recognised(low, high):
    outcomes = np.random.default_rng(0).integers(0, 2, 30)
    means = low + (high - low) * outcomes.cumsum() / np.arange(1, 31)
    pruner = GoodArmPruner((low + high) / 2, 0.05, rewards="bounded", low=low, high=high)
    with pytest.raises(ga.errors.SpecError, match="trial 0 must be rewards of single runs"):
        prune_decision(pruner, means.tolist())


@pytest.mark.parametrize(
    "values",
    [[0.0, 1.0] * 8, [0.0] * 16, [1.0] * 16, [0.7] * 16, [0.5, 0.7, 0.6, 0.8] * 4],
    ids=["coin", "no", "yes", "always the same", "scores"],
)
def test_rewards_are_not_taken_for_running_means(values):
    prune_decision(GoodArmPruner(0.5, 0.05, rewards="bounded"), values)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 1.5}, "threshold"),
        ({"threshold": None}, "threshold"),
        ({"delta": 0}, "delta"),
        ({"delta": 1.0}, "delta"),
        ({"margin": -1}, "margin"),
        ({"rewards": "gaussian"}, "The 'rewards' of GoodArmPruner must be one of"),
        ({"rewards": ["bounded"]}, "The 'rewards' of GoodArmPruner must be one of"),
        ({"low": 0.0, "high": 2.0}, "low"),
        ({"rewards": "bounded", "low": 3, "high": 2}, "high"),
    ],
)
def test_bad_settings_are_named(options, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        GoodArmPruner(**{"threshold": 0.5, "delta": 0.05, **options})


@pytest.mark.parametrize("number", [-1, 0.5, True])
def test_a_share_belongs_to_a_trial(number):
    with pytest.raises(ga.errors.SpecError, match="The 'number' of GoodArmPruner.share"):
        GoodArmPruner(0.5, 0.05).share(number)


def test_several_objectives_are_refused_by_optuna():
    study = optuna.create_study(
        directions=["maximize", "minimize"], pruner=GoodArmPruner(0.5, 0.05)
    )
    with pytest.raises(NotImplementedError):
        study.ask().report(1.0, 0)


def test_without_optuna_the_message_names_the_extra():
    script = "import sys; sys.modules['optuna'] = None; import goodarm.plugins.optuna"
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False
    )
    assert ended.stderr.splitlines()[-1] == (
        "goodarm.errors.MissingExtra: goodarm.plugins.optuna needs the 'optuna' extra: "
        f"{install_command('optuna')}."
    )
