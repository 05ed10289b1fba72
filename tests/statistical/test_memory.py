"""Labels that are kept between looks: exact error rates, beside variants that break them."""

import math

import numpy as np
import pytest
from scipy.stats import binom

import goodarm as ga
from goodarm.judging.judgment import find_e_bh_level

MIXTURE = ga.rules.Mixture()
GOODS = {f"sure {k}": (400, 400) for k in range(9)}


def crossing(level, pulls, bar, looks):
    """The probability that log E of an arm on the bar reaches the level at one of these looks.

    Also the probabilities of each sum after the last pull, for arms that have not reached it.
    """
    chances, crossed = np.array([1.0]), 0.0
    for n in range(1, pulls + 1):
        chances = np.append(chances, 0.0) * (1 - bar) + np.append(0.0, chances) * bar
        if n in looks:
            reaches = MIXTURE.log_good(n, np.arange(n + 1.0), bar) >= level
            crossed += chances[reaches].sum()
            chances[reaches] = 0.0
    return crossed, chances


@pytest.mark.parametrize("bar", [0.5, 0.9])
@pytest.mark.parametrize("num_arms", [1, 5])
def test_a_kept_label_is_wrong_with_probability_at_most_delta(bar, num_arms):
    """A label that stays is that of any look, so this is the chance of a wrong one at any look."""
    delta, looks = 0.1, range(1, 301)
    kept, _ = crossing(math.log(num_arms / delta), 300, bar, looks)
    assert 0 < kept <= delta / num_arms
    one_by_one = sum(binom.sf(binom.isf(delta / num_arms, n, bar), n, bar) for n in (100, 200, 300))
    assert kept < one_by_one  # the tail of a single look, taken again at each


def test_fdr_of_running_maxima_is_too_large_and_of_stopped_e_values_is_not():
    """30 arms on the bar are pulled; then as many sure arms as help the best of them onto the list.

    With k - 1 sure arms listed an arm joins at K / (k delta). e-BH on the largest E so far lets one
    choose k after the fact: the part that is wrong is at least 1/k, with k the least that does. The
    E that counts in truth is that of the moment, or that of an arm listed alone: then each wrong
    arm adds at most 1/k to the part.
    """
    nulls, sure, delta, pulls, bar = 30, 10, 0.05, 1000, 0.5
    levels = [math.log((nulls + sure) / (k * delta)) for k in range(1, sure + 2)]
    looks = range(1, pulls + 1)
    reach = np.array([crossing(level, pulls, bar, looks)[0] for level in levels])
    best = np.diff(1 - (1 - reach) ** nulls, prepend=0.0)
    wrong = (best / np.arange(1, sure + 2)).sum()
    alone, last = crossing(levels[0], pulls, bar, looks)
    logs = MIXTURE.log_good(pulls, np.arange(pulls + 1.0), bar)
    k = np.searchsorted(-np.array(levels), -logs, side="left") + 1
    right = nulls * (alone + (last / k)[k <= sure + 1].sum())
    assert 0.01 < right <= delta * nulls / (nulls + sure) < delta < wrong
    assert (right, wrong) == pytest.approx((0.020589, 0.058149), abs=1e-5)


def test_check_lists_no_arm_for_an_e_value_that_it_had_before():
    """One arm was near the list, and fell; then nine sure arms come."""
    asked = {"threshold": 0.5, "delta": 0.1, "control": "fdr", "arms_planned": 10}
    first = ga.check({"null": (40, 29)}, **asked)
    second = ga.check({"null": (80, 45)}, **asked, previous=first)
    third = ga.check({"null": (80, 45), **GOODS}, **asked, previous=second)
    assert first.undecided == second.undecided == third.undecided == ["null"]
    assert third.good == list(GOODS)
    # With its largest e-value, that of the first look, it would be on the list.
    largest = np.append(third.log_good[1:], first.log_good[0])
    assert first.log_good[0] >= find_e_bh_level(largest, 0.1, 10)


@pytest.mark.parametrize("control", ["fwer", "per-arm", "fdr"])
def test_labels_of_many_looks(control):
    """With memory a label is the first that any look gave; lists only grow and contain them all."""
    rng = np.random.default_rng(1)
    asked = {"threshold": 0.6, "delta": 0.2, "control": control, "arms_planned": 8}
    changed = 0
    for _ in range(20):
        rates = rng.choice([0.5, 0.58, 0.62, 0.7, 0.8], 8)
        n, s, first, before = np.zeros(8, int), np.zeros(8, int), np.zeros(8, int), None
        for _ in range(8):
            more = rng.integers(0, 60, 8)
            n, s = n + more, s + rng.binomial(more, rates)
            counts = dict(zip("abcdefgh", zip(n.tolist(), s.tolist(), strict=True), strict=True))
            plain = ga.check(counts, **asked)
            table = ga.check(counts, **asked, previous=before)
            first = np.where(first == 0, plain.labels, first)
            changed += (table.labels != plain.labels).any()
            if control == "fdr":
                assert (table.labels[first != 0] == first[first != 0]).all()
                if before is not None:
                    assert (
                        table.labels[before.labels != 0] == before.labels[before.labels != 0]
                    ).all()
            else:
                assert table.labels.tolist() == first.tolist()
            is_good, is_bad = table.lower >= 0.6, table.upper <= 0.6
            assert is_good[table.labels == 1].all()
            assert is_bad[table.labels == -1].all()
            assert (table.lower <= table.upper)[n > 0].all()
            before = ga.results.ArmTable.from_dict(table.to_dict())
            assert before == table
    assert changed
