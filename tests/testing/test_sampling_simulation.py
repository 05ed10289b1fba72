"""Sampling rules in Python in ``simulate``."""

import threading
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import goodarm as ga
from goodarm.testing import check_sampling_rule

from .test_sampling import Greedy, Hdoc, Thompson

RIGHT = [Hdoc(), pytest.param(Thompson(), marks=pytest.mark.large), Greedy(0.2)]


@pytest.mark.parametrize("rule", RIGHT, ids=lambda rule: rule.name)
def test_the_right_ones_pass(rule):
    check_report(check_sampling_rule(rule), rule)


def check_report(report, rule):
    """The report of a rule that passed."""
    assert report.rule == rule.name
    assert "the choice follows from the view alone" in str(report)
    assert "Passing is no proof for views that were not tried." in str(report)
    assert report.most_pulls is None


def test_other_workers_can_be_given():
    rule = Thompson()
    with ProcessPoolExecutor(1) as pool:
        check_report(check_sampling_rule(rule, executor=pool), rule)


class ByThread(ga.rules.SamplingRule):
    """Wrong: another choice in another thread."""

    name = "by-thread"

    def choose(self, view):
        active = np.flatnonzero(view.active)
        is_main = threading.current_thread() is threading.main_thread()
        return int(active[0 if is_main else -1])


def test_a_rule_that_differs_between_threads_is_found():
    with pytest.raises(AssertionError, match="must make run 0 of simulate"):
        check_sampling_rule(ByThread())


@pytest.mark.parametrize("asked", [{}, {"until": 1}, {"max_pulls": 300}, {"margin": 0.05}])
def test_hdoc_in_python_makes_the_runs_of_goodarms_own(asked):
    tau = []
    for rule in ("hdoc", Hdoc()):
        algorithm = ga.Algorithm(sampling=rule, identification="hoeffding")
        runs = ga.simulate(
            [0.9, 0.75, 0.3, 0.1], threshold=0.5, delta=0.05, algorithm=algorithm, runs=5, **asked
        )
        tau.append([runs.tau.tolist(), runs.pulls.tolist(), runs.labels.tolist()])
    assert str(tau[0]) == str(tau[1])
