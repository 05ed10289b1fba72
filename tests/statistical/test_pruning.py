"""How often a study prunes a trial that is good enough: at most delta, over all its trials.

Trials stand on the threshold, where they are still good enough and errors are likeliest. For coins
the probability comes exactly from what the pruner makes of all counts; make test-all draws studies.
"""

import math
from bisect import bisect_left
from datetime import datetime

import numpy as np
import optuna
import pytest
from scipy.stats import binom

from goodarm.plugins.optuna import GoodArmPruner

DELTA, STUDIES, TRIALS = 0.3, 25, 50
LOOKS = (6, 14, 40)
LIMIT = int(binom.isf(1e-6, STUDIES, DELTA))
DIRECTIONS = ["maximize", "minimize"]


class FullDelta(GoodArmPruner):
    """Wrong on purpose: every trial may use up the whole of delta."""

    def share(self, number):
        return self._problem.delta


class OtherSide(GoodArmPruner):
    """Wrong on purpose: prunes what is proven to be good enough."""

    def prune(self, study, trial):
        return super().prune(OPPOSITE[study.direction], trial)


STUDY_OF = {
    direction: optuna.create_study(direction=direction) for direction in ("maximize", "minimize")
}
OPPOSITE = {
    STUDY_OF["maximize"].direction: STUDY_OF["minimize"],
    STUDY_OF["minimize"].direction: STUDY_OF["maximize"],
}


def trial_of(number, values):
    """A trial that is running and has reported these values."""
    return optuna.trial.FrozenTrial(
        number=number,
        state=optuna.trial.TrialState.RUNNING,
        value=None,
        datetime_start=datetime(2000, 1, 1),
        datetime_complete=None,
        params={},
        distributions={},
        user_attrs={},
        system_attrs={},
        intermediate_values=dict(enumerate(values)),
        trial_id=number,
    )


def studies_with_an_error(pruner, direction, draw):
    """Studies of which any trial is pruned at any look; none should be."""
    wrong = 0
    for study in range(STUDIES):
        luck = np.random.default_rng([7, study])
        rewards = draw(luck, (TRIALS, LOOKS[-1])).astype(float)
        wrong += any(
            pruner.prune(STUDY_OF[direction], trial_of(number, rewards[number, :look].tolist()))
            for number in range(TRIALS)
            for look in LOOKS
        )
    return wrong


def coins(luck, size):
    return luck.random(size) < 0.6


def scores(luck, size):
    """Few high ones among many that are low: 3 with probability .2, else 0, in a range to 3."""
    return 3.0 * (luck.random(size) < 0.2)


def is_pruned(pruner, direction, number, look, *, is_swapped=False):
    """For all counts of successes at a look: whether the trial is pruned, found by bisection.

    A trial with more successes is pruned no sooner, or no later where less is better, or if the
    pruner swaps the sides. Each count comes in an order of its own.
    """
    luck = np.random.default_rng([number, look])

    def at(successes):
        values = luck.permutation(np.arange(look) < successes).astype(float).tolist()
        return pruner.prune(STUDY_OF[direction], trial_of(number, values))

    counts = range(look + 1)
    if (direction == "maximize") != is_swapped:
        bar = bisect_left(counts, True, key=lambda successes: not at(successes))
        return np.arange(look + 1) < bar
    return np.arange(look + 1) >= bisect_left(counts, True, key=at)


def error_of_trial(pruner, direction, number, *, is_swapped=False):
    """The probability that a trial of coins is pruned at any look."""
    alive, before, pruned = np.ones(1), 0, 0.0
    for look in LOOKS:
        new = look - before
        alive = np.convolve(alive, binom.pmf(np.arange(new + 1), new, 0.6))
        out = is_pruned(pruner, direction, number, look, is_swapped=is_swapped)
        pruned += alive[out].sum()
        alive[out], before = 0.0, look
    return pruned


def error_of_study(pruner, direction, trials, **kind):
    """The probability that any trial is pruned at any look."""
    errors = (error_of_trial(pruner, direction, number, **kind) for number in range(trials))
    return 1.0 - math.prod(1.0 - error for error in errors)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_probability_of_an_error_is_at_most_delta(direction):
    error = error_of_study(GoodArmPruner(0.6, DELTA), direction, 20)
    assert 0 < error <= DELTA
    assert error_of_study(FullDelta(0.6, DELTA), direction, 20) > DELTA


@pytest.mark.parametrize(("direction", "threshold"), [("maximize", 0.4), ("minimize", 0.8)])
def test_to_prune_the_other_side_is_an_error_more_often(direction, threshold):
    """Trials that are better than the threshold are not pruned, unless the sides are swapped."""
    assert error_of_study(GoodArmPruner(threshold, DELTA), direction, 10) <= DELTA
    assert error_of_study(OtherSide(threshold, DELTA), direction, 10, is_swapped=True) > DELTA


def test_more_successes_prune_no_sooner():
    """What the bisection takes for granted, at all counts."""
    for direction, sign in (("maximize", -1), ("minimize", 1)):
        pruner = GoodArmPruner(0.6, DELTA)
        for look in LOOKS:
            tapes = (np.repeat([1.0, 0.0], [s, look - s]).tolist() for s in range(look + 1))
            found = [pruner.prune(STUDY_OF[direction], trial_of(0, tape)) for tape in tapes]
            assert (sign * np.diff(np.array(found, int)) >= 0).all()
            assert found == is_pruned(pruner, direction, 0, look).tolist()


@pytest.mark.large
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_studies_of_coins_keep_to_delta(direction):
    wrong = studies_with_an_error(GoodArmPruner(0.6, DELTA), direction, coins)
    assert wrong <= LIMIT


@pytest.mark.large
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_studies_of_scores_keep_to_delta(direction):
    pruner = GoodArmPruner(0.6, DELTA, rewards="bounded", low=0, high=3)
    assert studies_with_an_error(pruner, direction, scores) <= LIMIT


@pytest.mark.large
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_whole_of_delta_for_every_trial_is_caught(direction):
    assert studies_with_an_error(FullDelta(0.6, DELTA), direction, coins) > LIMIT


@pytest.mark.large
@pytest.mark.parametrize(
    ("direction", "threshold"),
    [("maximize", 0.4), ("minimize", 0.8)],
)
def test_the_other_side_is_caught(direction, threshold):
    """Trials that are better than the threshold are not pruned, unless the sides are swapped."""
    assert studies_with_an_error(GoodArmPruner(threshold, DELTA), direction, coins) <= LIMIT
    assert studies_with_an_error(OtherSide(threshold, DELTA), direction, coins) > LIMIT


@pytest.mark.large
def test_running_means_are_no_rewards():
    """As docs/optuna.md says: 300 trials on the threshold, each of them the first of its study."""
    pruner, looks = GoodArmPruner(0.5, 0.05, rewards="bounded"), (10, 20, 30, 50, 70, 100)
    pruned = {"single": 0, "running": 0}
    for number in range(300):
        single = np.random.default_rng([3, number]).random(100)
        running = single.cumsum() / np.arange(1, 101)
        for name, values in {"single": single, "running": running}.items():
            trials = (trial_of(0, values[:look].tolist()) for look in looks)
            pruned[name] += any(pruner.prune(STUDY_OF["maximize"], trial) for trial in trials)
    limit = binom.isf(1e-6, 300, pruner.share(0))
    assert pruned["single"] <= 9 < limit < pruned["running"]
