"""The reverse question agrees with the forward one, and so does the picture."""

import math

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm.theory import lower_bound_stop
from goodarm.planning import simulate_by_gap
from goodarm.planning.family import make_family
from goodarm.planning.search import GAP_PRECISION

ASKED = {"threshold": 0.5, "delta": 0.05}


@pytest.mark.parametrize(
    ("budget", "more"),
    [
        (2000, {}),
        (300, {"num_good": 1, "until": 1}),
        (2500, {"quantile": 0.5, "algorithm": "hdoc"}),
        (4000, {"rewards": "gaussian", "sigma": 0.5, "algorithm": "hdoc"}),
        (5500, {"algorithm": "lil-hdoc", "delta": 0.1}),
    ],
)
def test_the_gap_found_is_resolved_and_a_smaller_one_is_not(budget, more):
    """With the same runs to the pull; with runs of its own ten percent are enough to see it."""
    asked = {**ASKED, **more, "num_arms": 4}
    found = ga.plan(**asked, budget=budget)
    (forecast,) = found.forecasts
    assert forecast.stop.quantile <= budget
    again = ga.plan(**asked, distance=forecast.distance, runs=forecast.runs).forecasts[0]
    assert again.stop.quantile == forecast.stop.quantile
    below = ga.plan(
        **asked, distance=forecast.distance / GAP_PRECISION, runs=forecast.runs
    ).forecasts[0]
    assert below.stop.quantile > budget
    near = ga.plan(**asked, distance=0.9 * forecast.distance, runs=400, seed=1).forecasts[0]
    assert near.stop.quantile > budget


def test_means_shrink_and_grow_together():
    means = {"a": 0.8, "b": 0.6, "c": 0.3}
    forecast = ga.plan(means, **ASKED, budget=1500).forecasts[0]
    distances = (np.array(forecast.means) - 0.5) / forecast.distance
    assert distances == pytest.approx([3.0, 1.0, -2.0])
    assert forecast.stop.quantile <= 1500


def test_the_lower_bound_at_its_gap_is_the_budget():
    found = ga.plan(num_arms=4, **ASKED, algorithm=["e-hdoc", "hdoc"], budget=2000)
    gap = found.budget_distance
    means = [0.5 + gap] * 2 + [0.5 - gap] * 2
    assert lower_bound_stop(means, 0.5, 0.05) == pytest.approx(2000)
    assert gap < found["e-hdoc"].distance < found["hdoc"].distance
    for text in (repr(found), found._repr_html_()):
        for shown in ("2,000 pulls", "smallest distance", f"{gap:.4g}", "lower bound"):
            assert shown in text
    gaussian = ga.plan(num_arms=2, **ASKED, rewards="gaussian", sigma=0.1, budget=100, runs=5)
    assert gaussian.budget_distance is None


def test_a_budget_that_no_gap_meets_is_refused():
    message = (
        r"The 'budget' of plan must be larger: at the largest distance, 0.5, e-hdoc needs .*; got 9"
    )
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.plan(num_arms=4, **ASKED, budget=9)
    with pytest.raises(ga.errors.SpecError, match="at the largest distance, 0.3125, hdoc needs"):
        ga.plan([0.9, 0.75], **ASKED, algorithm="hdoc", budget=20)


def test_the_largest_gap_leaves_all_means_in_the_range():
    problem = ga.Problem(3, 0.4, 0.05)
    family = make_family(problem, np.array([0.5, 0.8, 0.3]))
    assert family.most == pytest.approx(0.15)
    assert family.at(family.most) == pytest.approx([0.55, 1.0, 0.25])
    assert make_family(problem, np.array([0.4, 0.4, 0.4])) is None
    ranged = ga.Problem(2, 1.0, 0.05, rewards="bounded", low=-1, high=5)
    assert make_family(ranged, np.array([1.5, 0.5])).most == pytest.approx(2.0)


def test_the_picture_has_the_numbers_of_simulate_and_of_the_plan():
    plan = ga.plan([0.7, 0.35], **ASKED, algorithm=["e-hdoc", "hdoc"])
    drawn = simulate_by_gap(plan)
    assert [curve.algorithm for curve in drawn.curves] == ["e-hdoc", "hdoc"]
    for curve in drawn.curves:
        assert list(curve.gaps) == sorted(curve.gaps)
        assert curve.gaps[0] == pytest.approx(0.075)
        (own,) = np.flatnonzero(curve.gaps == plan[curve.algorithm].distance)
        assert curve.mean[own] == plan[curve.algorithm].stop.mean
        assert curve.quantile[own] == plan[curve.algorithm].stop.quantile
        runs = ga.simulate([0.6, 0.425], **ASKED, algorithm=curve.algorithm, runs=25)
        assert curve.mean[0] == pytest.approx(runs.stop.mean(), rel=0.01)
        assert (curve.quantile >= curve.mean).all()
        between = np.interp(np.log(curve.gaps), np.log(drawn.gaps), np.log(drawn.bound))
        assert (np.exp(between) < curve.mean).all()
    assert drawn.bound[0] == pytest.approx(lower_bound_stop([0.6, 0.425], 0.5, 0.05))


def test_gaps_that_do_not_fit_or_take_too_long_are_left_out(monkeypatch):
    wide = simulate_by_gap(ga.plan([0.9, 0.1], **ASKED, runs=20)).curves[0]
    assert wide.gaps.max() == pytest.approx(0.4)
    assert len(wide.gaps) == 3
    monkeypatch.setattr("goodarm.planning.gaps.MAX_FORECAST_WORK", 0)
    alone = ga.plan([0.6, 0.4], **ASKED, runs=2)
    assert list(simulate_by_gap(alone).curves[0].gaps) == [alone["e-hdoc"].distance]
    same = ga.plan([0.5, 0.5], **ASKED, margin=0.2, runs=2)
    with pytest.raises(ga.errors.SpecError, match="no picture: all its means are on the threshold"):
        simulate_by_gap(same)


def test_pulls_go_with_one_over_the_square_of_the_gap():
    """The line falls by 2 in logs, and by no more than a log-factor beyond."""
    curve = simulate_by_gap(ga.plan(num_arms=4, distance=0.05, **ASKED, algorithm="hdoc")).curves[0]
    slope = np.polyfit(np.log(curve.gaps), np.log(curve.mean), 1)[0]
    most = 2 * (1 + 2 * math.log(4) / math.log(4 / 0.05))
    assert 2 < -slope < most
