"""Welch's test from printed numbers, and Holm's correction."""

import numpy as np
import pytest
from scipy.stats import ttest_ind

from goodarm.reproduce.agreement import (
    MeasuredNumber,
    PublishedNumber,
    compute_welch_p_value,
    correct_by_holm,
)


def test_without_rounding_it_is_welchs_test():
    generator = np.random.default_rng(0)
    a, b = generator.normal(10, 1, 12), generator.normal(11, 2, 25)
    expected = ttest_ind(a, b, equal_var=False).pvalue
    ours = MeasuredNumber(a.mean(), a.std(ddof=1), 12)
    assert compute_welch_p_value(
        ours, PublishedNumber(b.mean(), b.std(ddof=1), 25, 0.0)
    ) == pytest.approx(expected)


def test_rounding_is_allowed_for():
    ours = MeasuredNumber(10.4, 0.001, 100)
    assert compute_welch_p_value(ours, PublishedNumber(10.0, 0.0, 100, 0.5)) == 1.0
    assert compute_welch_p_value(ours, PublishedNumber(10.0, 0.0, 100, 0.05)) < 1e-6
    assert (
        compute_welch_p_value(MeasuredNumber(1.0, 0.0, 5), PublishedNumber(1.0, 0.0, 5, 0.0)) == 1.0
    )
    assert (
        compute_welch_p_value(MeasuredNumber(1.0, 0.0, 5), PublishedNumber(2.0, 0.0, 5, 0.0)) == 0.0
    )


def test_holm():
    assert correct_by_holm([]) == []
    assert correct_by_holm([0.2]) == [0.2]
    assert correct_by_holm([0.01, 0.02, 0.5]) == [0.03, 0.04, 0.5]
    assert correct_by_holm([0.9, 0.8]) == [1.0, 1.0]
    assert max(correct_by_holm([0.001, 0.4, 0.0001, 0.7])) <= 1.0
