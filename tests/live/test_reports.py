"""All arms at once are reported as each by itself."""

import numpy as np
import pytest

import goodarm as ga


@pytest.mark.parametrize("identification", ["mixture", "betting", "hoeffding", "kelly"])
@pytest.mark.parametrize("rewards", [{}, {"rewards": "bounded", "low": -1, "high": 3}])
def test_reports_are_those_of_explain(identification, rewards):
    low, high = (0.0, 1.0) if not rewards else (-1.0, 3.0)
    problem = ga.Problem(8, low + 0.5 * (high - low), 0.1, **rewards)
    warmup = ga.rules.Warmup(5, identify_during_warmup=True)
    algorithm = ga.Algorithm(sampling="round-robin", identification=identification, warmup=warmup)
    ident = ga.Identifier(problem, algorithm, seed=1)
    rng = np.random.default_rng(3)
    for k, pull in enumerate(ident.ask_many(33) + ident.ask_many(767)):
        if k % 97 == 4:
            ident.forget(pull)
        else:
            ident.tell(pull, low + (high - low) * float(rng.uniform() < 0.1 * pull.arm))
    reports = ident.table()
    assert list(reports) == [ident.explain(arm) for arm in problem.arms]
    assert {report.label for report in reports} > {"undecided"}


def test_a_lost_pull_costs_pulls():
    """It says nothing about the mean, and stays in the test as its worst case."""
    ident = ga.Identifier(ga.Problem(2, 0.5, 0.01), "e-hdoc", seed=1)
    for arm in (0, 1):
        ident.observe(arm, [1, 1, 1, 0] * 4)
    pull = next(pull for pull in ident.ask_many(20) if pull.arm == 1)
    ident.forget(pull)
    kept, lost = ident.table()
    assert lost.pulls_needed > kept.pulls_needed > 0
    assert lost.pulls_needed_90 > kept.pulls_needed_90 > kept.pulls_needed
