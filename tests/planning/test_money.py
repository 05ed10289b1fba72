"""Money in plans: each row's pulls at their cost, caps as pulls, and plans from what was spent."""

import json

import numpy as np
import pytest

import goodarm as ga
from goodarm.errors import SpecError

MEANS = {"a": 0.8, "b": 0.3}
OPTIONS = {"threshold": 0.5, "runs": 20, "seed": 1}


def test_one_cost_prices_every_row() -> None:
    free = ga.plan(MEANS, **OPTIONS)
    paid = ga.plan(MEANS, cost=0.02, **OPTIONS)
    for mine, other in zip(paid.forecasts, free.forecasts, strict=True):
        for row, plain in zip((*mine.arms, *mine.taus), (*other.arms, *other.taus), strict=True):
            assert row.mean == plain.mean
            assert row.cost == pytest.approx(plain.mean * 0.02, rel=1e-12)
            assert row.quantile_cost == pytest.approx(plain.quantile * 0.02, rel=1e-12)
            assert plain.cost is None
    assert "cost, 9 of 10 runs" in paid.header
    assert "cost" not in repr(free) + json.dumps(free.to_dict())
    assert "cost" not in free.to_pandas().columns
    assert "quantile_cost" in paid.to_pandas().columns


def test_costs_that_differ_price_arms_and_the_end_by_the_pulls_of_each_run() -> None:
    plan = ga.plan(MEANS, cost={"a": 0.1, "b": 3}, **OPTIONS)
    runs = ga.simulate(MEANS, cost={"a": 0.1, "b": 3}, **OPTIONS)
    (forecast,) = plan.forecasts
    assert runs.cost is not None
    assert forecast.stop.cost == pytest.approx(runs.cost.mean(), rel=1e-12)
    assert forecast.stop.quantile_cost == pytest.approx(np.sort(runs.cost)[17], rel=1e-12)
    assert [row.cost for row in forecast.arms] == pytest.approx(
        [0.1 * forecast.arms[0].mean, 3 * forecast.arms[1].mean]
    )
    assert forecast["tau_1"].cost is None
    assert len(set(map(len, [plan.header, *plan.rows()]))) == 1


def test_an_even_split_and_a_budget_have_costs() -> None:
    even = ga.plan(MEANS, cost=[1, 3], split="even", per_day=100, **OPTIONS).forecasts[0]
    assert even.stop.cost == pytest.approx(2 * even.stop.mean)
    found = ga.plan(MEANS, budget=2000, cost=0.5, **OPTIONS)
    assert found.forecasts[0].stop.cost == pytest.approx(0.5 * found.forecasts[0].stop.mean)
    assert len(set(map(len, [found.header, *found.rows()]))) == 1
    with pytest.raises(SpecError, match="max_cost"):
        ga.plan(MEANS, budget=2000, cost=0.5, max_cost=9, **OPTIONS)


def test_a_cap_of_money_is_one_of_pulls() -> None:
    means = {"a": 0.55, "b": 0.45}
    paid = ga.plan(means, cost=0.02, max_cost=4, **OPTIONS)
    counted = ga.plan(means, max_pulls=200, **OPTIONS)
    assert paid.forecasts[0].stop.mean == counted.forecasts[0].stop.mean
    assert paid.forecasts[0].arms[0].labelled == counted.forecasts[0].arms[0].labelled
    with pytest.raises(SpecError, match="costs of arms differ"):
        ga.plan(means, cost=[1, 2], max_cost=400, **OPTIONS)


def test_a_plan_goes_on_from_what_was_spent() -> None:
    counts = {"a": (40, 30), "b": (40, 16)}
    table = ga.check(counts, threshold=0.5, cost=0.5)
    rest = ga.plan(table, runs=10)
    assert rest.forecasts[0].stop.cost == pytest.approx(0.5 * rest.forecasts[0].stop.mean)
    capped = ga.plan(counts, threshold=0.5, cost=0.5, max_cost=50, runs=10)
    assert capped.problem.max_pulls == 100
    ident = ga.Identifier(ga.Problem(["a", "b"], 0.5, cost=0.5, max_cost=50), seed=0)
    pulls = ident.ask_many(10)
    ident.tell_many(pulls, [pull.number % 2 for pull in pulls], costs=[2] * len(pulls))
    spent = 2 * len(pulls)
    assert ga.plan(ident, runs=10).problem.max_pulls == len(pulls) + (50 - spent) * 2
