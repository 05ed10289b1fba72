"""The pruner in real studies: what it ends, and whose share is whose."""

import math
import pickle
from itertools import product

import numpy as np
import optuna
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.plugins.optuna import GoodArmPruner
from plugins.studies import make_study, prune_decision

RUNS = 100
MEANS = (0.05, 0.95, 0.15, 0.85, 0.4, 0.6, 0.1, 0.9)


def objective(draw, runs=RUNS):
    """Reports fresh rewards of a mean that is the trial's parameter, until it is pruned."""

    def run(trial):
        mean = trial.suggest_float("mean", 0.0, 1.0)
        luck = np.random.default_rng(trial.number)
        rewards = []
        for step in range(runs):
            rewards.append(draw(luck, mean))
            trial.report(rewards[-1], step)
            if trial.should_prune():
                raise optuna.TrialPruned
        return float(np.mean(rewards))

    return run


def coin(luck, mean):
    return luck.random() < mean


def score(luck, mean):
    """From -2 to 6, of which the mean is a part of this range."""
    return -2 + 8 * luck.beta(5 * mean + 0.01, 5 * (1 - mean) + 0.01)


KINDS = {
    "0/1": (GoodArmPruner(0.5, 0.05), coin),
    "bounded": (GoodArmPruner(2.0, 0.05, rewards="bounded", low=-2, high=6), score),
}


ALL = list(product(KINDS, ["maximize", "minimize"], [1, 2]))
PAIRS = [ALL[k] for k in (0, 3, 5, 6)]
"""Every kind with both directions, alone and side by side: any two values are there together."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "direction", "jobs"),
    [each if each in PAIRS else pytest.param(*each, marks=pytest.mark.large) for each in ALL],
)
def test_a_study_ends_trials_on_the_wrong_side_and_no_others(kind, direction, jobs):
    pruner, draw = KINDS[kind]
    study = make_study(pruner, direction)
    for mean in MEANS:
        study.enqueue_trial({"mean": mean})
    study.optimize(objective(draw), n_trials=len(MEANS), n_jobs=jobs)
    pruned = study.get_trials(states=[optuna.trial.TrialState.PRUNED])
    kept = study.get_trials(states=[optuna.trial.TrialState.COMPLETE])
    assert len(pruned) + len(kept) == len(MEANS)
    sign = 1 if direction == "maximize" else -1
    over = {trial.params["mean"]: sign * (trial.params["mean"] - 0.5) for trial in pruned}
    assert all(by < 0 for by in over.values())
    assert set(over) >= {mean for mean in MEANS if sign * (mean - 0.5) < -0.3}
    assert all(len(trial.intermediate_values) < RUNS for trial in pruned)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from([0.0, 1.0, 1.0]), min_size=1, max_size=40),
    st.sampled_from([0.3, 0.5, 0.7, 0.9]),
    st.sampled_from([0.0, 0.08]),
    st.integers(0, 3),
)
def test_it_is_check_at_its_share(values, threshold, margin, number):
    pruner = GoodArmPruner(threshold, 0.2, margin=margin)
    asked = {"threshold": threshold, "delta": pruner.share(number), "margin": margin}
    table = ga.check({"trial": values}, **asked, raw=True)
    assert prune_decision(pruner, values, number=number) == (table.bad == ["trial"])


@settings(max_examples=60)
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=30),
    st.sampled_from([0.5, 1.0, 2.0, 3.5]),
    st.sampled_from([0.0, 0.25]),
    st.booleans(),
)
def test_minimising_is_its_mirror_image(values, threshold, margin, is_coin):
    """A mean that is exactly the threshold included, where a margin may prove both."""
    options = {"delta": 0.3, "margin": margin}
    if is_coin:
        values, threshold, options["margin"] = [v % 2 for v in values], threshold / 4, margin / 4
        below = GoodArmPruner(1 - threshold, **options)
    else:
        options |= {"rewards": "bounded", "low": 0, "high": 4}
        below = GoodArmPruner(4 - threshold, **options)
    most = 1 if is_coin else 4
    mirrored = [most - value for value in values]
    assert prune_decision(GoodArmPruner(threshold, **options), values) == prune_decision(
        below, mirrored, "minimize"
    )


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_a_mean_on_the_threshold_is_good_enough(direction):
    values = [0.0, 1.0] * 200
    assert not prune_decision(GoodArmPruner(0.5, 0.05, margin=0.3), values, direction)


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.3, 0.5])
def test_the_shares_of_all_trials_add_up_to_delta(delta):
    pruner = GoodArmPruner(0.5, delta)
    shares = [pruner.share(number) for number in range(20_000)]
    assert shares == sorted(shares, reverse=True)
    assert shares[2] == pytest.approx(delta * 6 / math.pi**2 / 9)
    total, rest = math.fsum(shares), delta * 6 / math.pi**2 / 20_000
    assert total < delta < total + rest


def test_later_trials_need_more():
    """Seven failures end the first trial; the hundredth has a share of a ten-thousandth of that."""
    pruner = GoodArmPruner(0.5, 0.05)
    most = [
        next(n for n in range(1, 60) if prune_decision(pruner, [0.0] * n, number=number))
        for number in (0, 9, 99)
    ]
    assert most == sorted(set(most))


def test_numbers_go_on_in_a_study_that_is_resumed(tmp_path):
    """And trials that failed or were queued have theirs."""
    asked = []

    class Watched(GoodArmPruner):
        def share(self, number):
            asked.append(number)
            return super().share(number)

    def fails(trial):
        trial.report(1, 0)
        trial.should_prune()
        if trial.number == 1:
            raise OSError
        return 1.0

    storage = f"sqlite:///{tmp_path / 'studies.db'}"
    study = make_study(Watched(0.5, 0.05), storage=storage, study_name="a")
    study.enqueue_trial({"mean": 0.5})
    study.optimize(fails, n_trials=3, catch=OSError)
    again = optuna.load_study(study_name="a", storage=storage, pruner=Watched(0.5, 0.05))
    again.optimize(fails, n_trials=2)
    assert asked == [0, 1, 2, 3, 4]


def test_values_kept_in_a_database_are_the_same_rewards(tmp_path):
    pruner = GoodArmPruner(0.6, 0.05, rewards="bounded")
    values = np.random.default_rng(3).uniform(0, 0.6, 40).tolist()
    kept = make_study(pruner, storage=f"sqlite:///{tmp_path / 'studies.db'}").ask()
    for step, value in enumerate(values):
        kept.report(value, step)
        assert kept.should_prune() == prune_decision(pruner, values[: step + 1])
    assert kept.should_prune()


def test_the_order_of_steps_and_gaps_between_them_change_nothing():
    pruner = GoodArmPruner(0.5, 0.05)
    values = [1.0, 0.0, 0.0, 0.0] + [0.0] * 12
    expected = prune_decision(pruner, values)
    assert expected
    assert prune_decision(pruner, values, steps=range(0, 160, 10)) == expected
    assert prune_decision(pruner, values, steps=range(16, 0, -1)) == expected


def test_what_is_reported_twice_at_a_step_counts_once():
    trial = make_study(GoodArmPruner(0.5, 0.05)).ask()
    trial.report(0.0, 0)
    for _ in range(50):
        with pytest.warns(UserWarning, match="already reported"):
            trial.report(0.0, 0)
    assert not trial.should_prune()


def test_a_trial_without_values_goes_on():
    assert not prune_decision(GoodArmPruner(0.5, 0.05), [])


def test_it_can_be_shown_copied_and_wrapped():
    pruner = GoodArmPruner(0.5, 0.05, margin=0.1)
    assert repr(pruner) == "GoodArmPruner(threshold=0.5, delta=0.05, margin=0.1)"
    assert repr(pickle.loads(pickle.dumps(pruner))) == repr(pruner)
    assert prune_decision(pickle.loads(pickle.dumps(pruner)), [0.0] * 20)
