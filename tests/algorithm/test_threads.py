"""Many arms are judged on several threads: with the numbers of one thread."""

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm import threads

COLUMNS = ("labels", "lower", "upper", "log_good", "log_bad", "needed", "needed_90")


@pytest.mark.parametrize("num_threads", [2, 3, 7])
def test_numbers_do_not_depend_on_threads(num_threads, monkeypatch):
    rng = np.random.default_rng(0)
    pulls = rng.integers(1, 900, 500)
    counts = np.stack([pulls, rng.binomial(pulls, rng.random(500))], axis=1)
    one = ga.check(counts, threshold=0.6, delta=0.05)
    monkeypatch.setattr(threads, "ARMS_PER_THREAD", 20)
    monkeypatch.setattr(threads, "count_cores", lambda: num_threads)
    many = ga.check(counts, threshold=0.6, delta=0.05)
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(one, name), getattr(many, name))


def test_arms_are_divided_and_nothing_else(monkeypatch):
    monkeypatch.setattr(threads, "ARMS_PER_THREAD", 10)
    monkeypatch.setattr(threads, "count_cores", lambda: 4)
    seen = []

    def fill(level, values, weights, found):
        seen.append((len(values), len(weights)))
        found[:] = level * values

    values, found = np.arange(25.0), np.zeros(25)
    threads.fill_in_threads(fill, 25, 2.0, values, np.ones(4), found)
    assert sorted(seen) == [(12, 4), (13, 4)]
    np.testing.assert_array_equal(found, 2.0 * values)


def test_an_error_in_a_thread_is_raised(monkeypatch):
    monkeypatch.setattr(threads, "ARMS_PER_THREAD", 10)
    monkeypatch.setattr(threads, "count_cores", lambda: 2)

    def fill(values):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        threads.fill_in_threads(fill, 20, np.zeros(20))
