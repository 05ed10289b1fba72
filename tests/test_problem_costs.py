"""Costs of a Problem: validation, documents, arms that are added, and caps in simulations."""

from typing import Any

import numpy as np
import pytest

import goodarm as ga
from goodarm.errors import SpecError
from goodarm.problem import Problem


@pytest.mark.parametrize("cost", [0.02, [0.1, 0.2], {"b": 0.2, "a": 0.1}])
def test_a_document_with_costs_is_read_again(cost: Any) -> None:
    problem = Problem(["a", "b"], 0.5, cost=cost, max_cost=10)
    document = problem.to_dict()
    assert document["max_cost"] == 10.0
    assert Problem.from_dict(document) == problem
    assert problem != Problem(["a", "b"], 0.5)


def test_a_document_without_costs_has_no_new_keys() -> None:
    assert list(Problem(2, 0.5).to_dict())[-3:] == ["case_order", "gap", "arms_planned"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cost": -0.1}, "amount of money from 0"),
        ({"cost": True}, "amount of money from 0"),
        ({"cost": float("nan")}, "amount of money from 0"),
        ({"cost": "1"}, "amount of money from 0"),
        ({"cost": [0.1]}, "one amount for each of 2 arms"),
        ({"cost": {"a": 0.1}}, "'b' is missing"),
        ({"cost": {"a": 0.1, "b": 1, "c": 1}}, "name arms of the problem only"),
        ({"max_cost": 5}, "come with the cost of a pull"),
        ({"cost": [1, 3], "max_cost": 2.5}, "the dearest arm, 3"),
        ({"cost": 1, "max_cost": 1e13}, "amount of money from 0 to 1,000,000,000,000"),
    ],
)
def test_a_wrong_cost_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        Problem(["a", "b"], 0.5, **options)


def test_an_arm_that_is_added_brings_its_cost() -> None:
    one = Problem(["a"], 0.5, cost=0.1, arms_planned=4)
    assert one.cost_units == (10**8,)
    assert one.with_arm("b").cost == 0.1
    dearer = one.with_arm("b", cost=2)
    assert dearer.cost == (0.1, 2.0)
    assert dearer.cost_units == (10**8, 2 * 10**9)
    with pytest.raises(SpecError, match="be given if each arm has its own"):
        dearer.with_arm("c")
    with pytest.raises(SpecError, match="left out if the problem has no cost"):
        Problem(["a"], 0.5, arms_planned=4).with_arm("b", cost=1)


@pytest.mark.parametrize("engine", ["auto", "fast", "reference"])
def test_one_cost_of_all_arms_makes_money_a_number_of_pulls(engine: Any) -> None:
    means, options = [0.55, 0.45, 0.6], {"threshold": 0.5, "runs": 12, "seed": 3}
    counted = ga.simulate(means, max_pulls=250, engine=engine, **options)
    paid = ga.simulate(means, cost=0.02, max_cost=5.01, engine=engine, **options)
    assert np.array_equal(counted.pulls, paid.pulls)
    assert np.array_equal(counted.labels, paid.labels)
    assert paid.cost is not None
    assert paid.cost.tolist() == (paid.pulls.sum(axis=1) * 2 / 100).tolist()
    assert counted.cost is None


def test_runs_say_what_they_cost_and_refuse_a_cap_that_is_no_number_of_pulls() -> None:
    runs = ga.simulate([0.9, 0.1], threshold=0.5, runs=4, cost=[0.1, 3])
    exact = [(a + 30 * b) / 10 for a, b in runs.pulls.tolist()]
    assert runs.cost is not None
    assert runs.cost.tolist() == exact
    assert "Money of a run" in runs.notes[-1]
    with pytest.raises(SpecError, match="costs of arms differ"):
        ga.simulate([0.9, 0.1], threshold=0.5, runs=4, cost=[0.1, 3], max_cost=50)
