"""The promises of check, kept at every look; and what breaks them is seen.

Fixed seeds, and limits that a valid rule exceeds with probability at most one in a million.
"""

import math

import numpy as np
import pytest
from scipy.stats import binom

import goodarm as ga
from goodarm.judging.judgment import ProvenArms, run_e_bh

MIXTURE = ga.rules.Mixture()


def prove(log_good, log_bad, is_high, control, delta, planned):
    """As check does; the last test below compares them."""
    if control == "fdr":
        return run_e_bh(log_good, log_bad, is_high, delta, planned)
    level = math.log((1 if control == "per-arm" else planned) / delta)
    return ProvenArms(log_good >= level, log_bad >= level, level, level)


def bound_wrong(runs, delta):
    """A valid rule exceeds this many wrong runs with probability at most one in a million."""
    return int(binom.isf(1e-6, runs, delta))


def bound_mean(runs, delta):
    """By Hoeffding the average of values in [0, 1] with mean at most delta hardly exceeds this."""
    return delta + math.sqrt(math.log(1e6) / (2 * runs))


def make_looks(last):
    """Ever later moments, so many that little is missed between two of them."""
    return np.unique(np.geomspace(1, last, 90).astype(int))


def logs_at(log_evidence, n, sums, bar):
    """The evidence of each arm of each run, computed once for the many that have the same sum."""
    found, places = np.unique(sums, return_inverse=True)
    return log_evidence(n, found, bar)[places.reshape(sums.shape)]


def labels_at(n, sums, bar, control, delta, planned, margin=0.0):
    """Arms that are good and arms that are bad, as check decides; one row for each run."""
    good = logs_at(MIXTURE.log_good, n, sums, bar - margin)
    bad = logs_at(MIXTURE.log_bad, n, sums, bar + margin)
    if control != "fdr":
        proof = prove(good.ravel(), bad.ravel(), sums.ravel() >= bar * n, control, delta, planned)
        return proof.good.reshape(sums.shape), proof.bad.reshape(sums.shape)
    lists = [
        prove(g, b, s >= bar * n, control, delta, planned)
        for g, b, s in zip(good, bad, sums, strict=True)
    ]
    return np.array([p.good for p in lists]), np.array([p.bad for p in lists])


def find_ever_wrong(means, bar, control, variants, runs, last):
    """Runs in which a look at any moment shows a wrong label, for each (delta, number of arms)."""
    rng = np.random.default_rng(0)
    means = np.array(means)
    sums = np.zeros((runs, len(means)))
    wrong, before = np.zeros((len(variants), runs), bool), 0
    for n in make_looks(last):
        sums += rng.binomial(n - before, means, sums.shape)
        before = n
        # Only "good" of an arm below the bar, and "bad" of any other, is wrong.
        good = logs_at(MIXTURE.log_good, n, sums[:, means < bar], bar)
        bad = logs_at(MIXTURE.log_bad, n, sums[:, means >= bar], bar)
        for row, (delta, planned) in enumerate(variants):
            for logs in (good, bad):
                flat = logs.ravel()
                proof = prove(flat, flat, flat > 0, control, delta, planned)
                wrong[row] |= proof.good.reshape(logs.shape).any(axis=1)
    return wrong.sum(axis=1).tolist()


@pytest.mark.parametrize("bar", [0.5, 0.05])
def test_fwer_over_all_arms_and_looks(bar):
    means = [bar, 0.999 * bar, bar, 0.97 * bar, 1.02 * bar]
    (wrong,) = find_ever_wrong(means, bar, "fwer", [(0.2, 5)], 1000, 3000)
    assert 0 < wrong <= bound_wrong(1000, 0.2)


def test_a_forgotten_number_of_arms_is_seen():
    right, forgotten = find_ever_wrong([0.5] * 20, 0.5, "fwer", [(0.1, 20), (0.1, 1)], 300, 2000)
    assert right <= bound_wrong(300, 0.1) < forgotten


def test_per_arm_and_a_delta_that_is_doubled():
    right, doubled = find_ever_wrong([0.5], 0.5, "per-arm", [(0.2, 1), (0.4, 1)], 10_000, 20_000)
    assert right <= bound_wrong(10_000, 0.2) < doubled


NULLS, TRUE = 15, 5
FDR_MEANS = np.array([0.4999] * NULLS + [0.65] * TRUE)


def rewards_between(rng, runs, count, is_shared):
    """Sums of ``count`` rewards of each arm.

    Shared: one uniform number a pull decides all arms of a run. Their rewards are then as dependent
    as can be, and each, given everything before, still has its own mean.
    """
    if not is_shared:
        return rng.binomial(count, FDR_MEANS, (runs, len(FDR_MEANS))).astype(float)
    low = rng.binomial(count, FDR_MEANS[0], (runs, 1))
    between = (FDR_MEANS[-1] - FDR_MEANS[0]) / (1 - FDR_MEANS[0])
    high = low + rng.binomial(count - low, between)
    return np.where(FDR_MEANS < 0.5, low, high).astype(float)


def mean_false_part(delta, planned, is_shared, runs=1500):
    """The mean part of false discoveries, where one stops as soon as there is one.

    Stopping is up to the reader of the lists, so it may be as unkind as this.
    """
    rng = np.random.default_rng(7)
    sums = np.zeros((runs, len(FDR_MEANS)))
    part, going, before = np.zeros(runs), np.ones(runs, bool), 0
    for n in np.unique(np.geomspace(4, 400, 10).astype(int)):
        sums += rewards_between(rng, runs, n - before, is_shared)
        before = n
        open_runs = np.flatnonzero(going)
        if not len(open_runs):
            break
        good, _ = labels_at(n, sums[open_runs], 0.5, "fdr", delta, planned)
        false = good[:, :NULLS].sum(axis=1)
        part[open_runs] = false / np.maximum(good.sum(axis=1), 1)
        going[open_runs[false > 0]] = False
    return part.mean()


@pytest.mark.parametrize("is_shared", [False, True])
def test_fdr_at_the_worst_moment(is_shared):
    limit = bound_mean(1500, 0.2)
    assert 0 < mean_false_part(0.2, NULLS + TRUE, is_shared) <= limit


@pytest.mark.parametrize("is_shared", [False, True])
def test_e_bh_without_its_number_of_arms_is_seen(is_shared):
    assert mean_false_part(0.2, 1, is_shared) > bound_mean(1500, 0.2)


def test_fwer_with_a_margin():
    """Within the margin both labels are true; beyond it, one is wrong."""
    rng = np.random.default_rng(3)
    means = np.array([0.5, 0.409, 0.591, 0.395, 0.605])
    sums, wrong, before = np.zeros((1000, 5)), np.zeros(1000, bool), 0
    for n in make_looks(2000):
        sums += rng.binomial(n - before, means, sums.shape)
        before = n
        good, bad = labels_at(n, sums, 0.5, "fwer", 0.2, 5, margin=0.1)
        wrong |= (good & (means < 0.4)).any(axis=1) | (bad & (means >= 0.6)).any(axis=1)
    assert (good | bad).mean() > 0.8
    assert 0 < wrong.sum() <= bound_wrong(1000, 0.2)


def test_check_decides_as_these_tests_do():
    rng = np.random.default_rng(11)
    for control in ("fwer", "fdr", "per-arm"):
        sums = rng.binomial(300, np.linspace(0.3, 0.7, 40)).astype(float)
        table = ga.check(
            np.stack([np.full(40, 300), sums], 1), threshold=0.5, delta=0.2, control=control
        )
        good, bad = labels_at(300, sums[None, :], 0.5, control, 0.2, 40)
        assert (table.labels == good[0].astype(int) - bad[0]).all()
        assert good.any()
        assert bad.any()
