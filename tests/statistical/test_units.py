"""Units at every look: averages keep the promise, and what breaks it is seen.

Fixed seeds, and limits that a valid rule exceeds with probability at most one in a million. Each
"arm" of a table here is a run of its own, judged at delta by itself.
"""

import itertools

import numpy as np
import pytest
from scipy.stats import binom

import goodarm as ga

DELTA = 0.2
RUNS = 600


def most_wrong(runs, delta=DELTA):
    """A valid rule exceeds this many wrong runs with probability at most one in a million."""
    return int(binom.isf(1e-6, runs, delta))


def draw(rng, hard, units, repeats, runs=RUNS):
    """Rewards of each run, unit and repeat: a share ``hard`` of units passes rarely, others do."""
    rates = np.where(rng.random((runs, units)) < hard, 0.1, 0.95)
    return (rng.random((runs, units, repeats)) < rates[:, :, None]).astype(int)


def rows_of(rewards):
    """A raw table, case by case."""
    run, unit, _ = (axis.ravel() for axis in np.indices(rewards.shape))
    return {"arm": run, "case": unit, "reward": rewards.ravel()}


def labels_at(rewards, bar, **options):
    return ga.check(
        rows_of(rewards), threshold=bar, delta=DELTA, control="per-arm", raw=True, **options
    ).labels


def ever(rewards, bar, label, **options):
    """Runs that have a label at one of the looks, at complete units."""
    looks = np.unique(np.geomspace(5, rewards.shape[1], 9).astype(int))
    return int(
        np.any([labels_at(rewards[:, :n], bar, **options) == label for n in looks], axis=0).sum()
    )


HARD = 0.2
MEAN = 0.95 - 0.85 * HARD


@pytest.mark.parametrize(("bar", "wrong"), [(MEAN + 0.001, 1), (MEAN, -1)])
def test_averages_of_random_cases_at_every_look(bar, wrong):
    rewards = draw(np.random.default_rng(1), HARD, 100, 5)
    averaged = ever(rewards, bar, wrong, unit="case")
    as_pulls = ever(rewards, bar, wrong, repeats="attempts")  # the wrong variant
    assert 0 < averaged <= most_wrong(RUNS) < as_pulls


def test_averages_find_what_is_good_and_what_is_bad():
    """A rule that never labels would pass the tests of errors."""
    rewards = draw(np.random.default_rng(2), HARD, 120, 5, runs=100)
    assert (labels_at(rewards, MEAN - 0.15, unit="case") == 1).mean() > 0.8
    assert (labels_at(rewards, MEAN + 0.15, unit="case") == -1).mean() > 0.8


def test_more_repeats_need_fewer_cases():
    """What averaging is for: the noise of a single answer goes, that of the cases stays."""
    rewards = draw(np.random.default_rng(3), HARD, 80, 10, runs=300)
    once, tenfold = (
        (labels_at(rewards[:, :, :epochs], MEAN - 0.1, unit="case") == 1).mean()
        for epochs in (1, 10)
    )
    assert tenfold > once


def test_a_retry_until_it_passes_is_no_fixed_number():
    """At most two further tries; declared as fixed, such numbers make nearly everything good."""
    rate, bar = 0.6, 0.61
    rewards = (np.random.default_rng(4).random((RUNS, 120, 3)) < rate).astype(int)
    before = np.cumsum(rewards, axis=2) - rewards
    is_run = before == 0
    run, unit, _ = np.nonzero(is_run)
    retried = {"arm": run, "case": unit, "reward": rewards[is_run]}
    options = {"threshold": bar, "delta": DELTA, "control": "per-arm", "raw": True, "unit": "case"}
    with pytest.raises(ga.errors.SpecError, match="retry until it passes"):
        ga.check(retried, **options)
    declared = ga.check(retried, **options, repeats="fixed")  # the wrong variant
    assert (declared.labels == 1).mean() > 0.9
    assert (labels_at(rewards, bar, unit="case") == 1).sum() <= most_wrong(RUNS)


def test_numbers_fixed_beforehand_may_differ():
    rng = np.random.default_rng(5)
    rewards = draw(rng, HARD, 120, 5)
    is_run = np.arange(5) < rng.integers(1, 6, (RUNS, 120, 1))
    run, unit, _ = np.nonzero(is_run)
    rows = {"arm": run, "case": unit, "reward": rewards[is_run]}
    options = {"delta": DELTA, "control": "per-arm", "raw": True, "unit": "case"}
    found = ga.check(rows, threshold=MEAN + 0.001, **options, repeats="fixed")
    assert 0 < (found.labels == 1).sum() <= most_wrong(RUNS)


CASES, REPEATS = 60, 4


def pool_of(rng, total, runs):
    """Cases with fixed answers, ``total`` of them right, in a random order for each run."""
    answers = np.repeat([1, 0], [total, CASES - total])
    orders = rng.permuted(np.tile(answers, (runs, 1)), axis=1)
    return np.repeat(orders[:, :, None], REPEATS, axis=2)


def test_averaged_cases_of_a_pool_at_every_look():
    """47 of 60 cases are right, and 48 would be enough."""
    rewards, bar = pool_of(np.random.default_rng(6), 47, 300), 0.8
    averaged = ever(rewards, bar, 1, unit="case", pool=CASES)
    assert 0 < averaged <= most_wrong(300)
    last = ga.check(rows_of(rewards), threshold=bar, delta=DELTA, raw=True, unit="case", pool=CASES)
    assert (last.labels == -1).all()  # all cases are known


def test_single_runs_in_the_order_of_cases_are_no_pool():
    """The wrong variant: 240 runs, the repeats of a case one after the other."""
    rewards, bar = pool_of(np.random.default_rng(6), 47, 300), 0.8
    as_pulls = ever(rewards, bar, 1, repeats="attempts", pool=CASES * REPEATS)
    assert as_pulls > most_wrong(300)


def test_scattered_averages_of_a_pool_at_every_look():
    rng = np.random.default_rng(7)
    rates = rng.choice([0.3, 0.9, 1.0], CASES)
    rewards = (rng.random((CASES, REPEATS)) < rates[:, None]).astype(int)
    share = rewards.mean()
    runs = np.stack([rewards[rng.permutation(CASES)] for _ in range(300)])
    assert 0 < ever(runs, share + 0.002, 1, unit="case", pool=CASES) <= most_wrong(300)
    assert 0 < ever(runs, share, -1, unit="case", pool=CASES) <= most_wrong(300)


BAR = 0.5


def evidence(*units, **options):
    """E-values for good of one arm whose units have these rewards."""
    rows = {
        "arm": ["a"] * sum(map(len, units)),
        "case": [k for k, unit in enumerate(units) for _ in unit],
        "reward": [reward for unit in units for reward in unit],
    }
    return ga.check(rows, threshold=BAR, delta=DELTA, raw=True, unit="case", **options)["a"].e_good


def expected(stops, **options):
    """Expectation at the bar, two units of two rewards, if ``stops`` says where to look early.

    Exact: all sixteen outcomes of fair coins.
    """
    values = []
    for first, second in itertools.product(itertools.product((0, 1), repeat=2), repeat=2):
        seen = second[:1] if stops(second[0]) else second
        values.append(evidence(first, seen, **options))
    return np.mean(values)


def test_an_unfinished_unit_that_is_averaged_has_too_much_evidence():
    """Whoever stops a unit at its first success has averages above its mean."""
    assert expected(lambda reward: False) == pytest.approx(1.0)
    assert expected(lambda reward: reward == 1, repeats="fixed") > 1.01  # the wrong variant
    assert expected(lambda reward: True) == pytest.approx(1.0)


def test_e_values_at_a_look_into_an_unfinished_unit_are_those_of_no_stopping_time():
    """Why e-BH refuses it: stop where the first reward is bad, and go on where it is good."""
    assert expected(lambda reward: reward == 0) > 1.01


def ever_reached(level, num_units, *, with_unfinished):
    """The probability that the evidence ever reaches a level, by a walk over counts of averages.

    A unit has two rewards, fair coins, and the look after the first may be the one that counts.
    """
    averages, chances = (0.0, 0.5, 1.0), (0.25, 0.5, 0.25)
    alive, reached = {(0, 0, 0): 1.0}, 0.0

    def is_reached(states):
        table = ga.check(
            {f"{state}": dict(zip(averages, state, strict=True)) for state in states},
            threshold=BAR,
            values=True,
            rewards="bounded",
        )
        return table.e_good >= level

    for _ in range(num_units):
        after = {}
        for state, chance in alive.items():
            for k, share in enumerate(chances):
                grown = tuple(count + (k == place) for place, count in enumerate(state))
                after[grown] = after.get(grown, 0.0) + chance * share
        if with_unfinished:  # half of the units have a first success, and a look then is a label
            states = list(alive)
            early = is_reached([(*state[:2], state[2] + 1) for state in states])
            for state, is_early in zip(states, early, strict=True):
                if is_early:
                    chance = alive[state]
                    reached += chance / 2
                    for k, share in enumerate((0.0, 0.25, 0.25)):
                        grown = tuple(count + (k == place) for place, count in enumerate(state))
                        after[grown] -= chance * share
        crossed = is_reached(after)
        alive = {}
        for (state, chance), is_crossed in zip(after.items(), crossed, strict=True):
            if is_crossed:
                reached += chance
            else:
                alive[state] = chance
    return reached


@pytest.mark.parametrize("level", [2.0, 5.0])
def test_looks_at_complete_units_keep_the_level_exactly(level):
    complete = ever_reached(level, 16, with_unfinished=False)
    peeking = ever_reached(level, 16, with_unfinished=True)
    assert complete <= 1 / level
    assert complete < peeking
