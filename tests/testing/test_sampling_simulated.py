"""Sampling rules in Python in ``simulate``."""

import pytest

import goodarm as ga
from goodarm.testing import check_sampling_rule

from .test_sampling import ByThread, Hdoc


def test_a_rule_that_differs_between_threads_is_found():
    with pytest.raises(AssertionError, match="must make run 0 of simulate"):
        check_sampling_rule(ByThread())


@pytest.mark.parametrize("asked", [{}, {"until": 1}, {"max_pulls": 300}, {"margin": 0.05}])
def test_hdoc_in_python_makes_the_runs_of_goodarms_own(asked):
    tau = []
    for rule in ("hdoc", Hdoc()):
        algorithm = ga.Algorithm(sampling=rule, identification="hoeffding")
        runs = ga.simulate([0.9, 0.75, 0.3, 0.1], 0.5, 0.05, algorithm, runs=5, **asked)
        tau.append([runs.tau.tolist(), runs.pulls.tolist(), runs.labels.tolist()])
    assert str(tau[0]) == str(tau[1])
