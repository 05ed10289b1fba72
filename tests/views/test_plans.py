"""Plan.plot: matplotlib's Axes, a line for each quantity."""

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

import goodarm as ga

mpl.use("agg")


@pytest.fixture(scope="module")
def plan():
    return ga.plan(
        [0.3, 0.7, 0.6],
        threshold=0.5,
        delta=0.05,
        runs=20,
        seed=1,
        algorithm=["e-hdoc", "hdoc"],
    )


def test_a_plan_draws_its_quantities(plan):
    axes = plan.plot()
    quantities = [text.get_text() for text in axes.get_yticklabels()]
    assert quantities == ["until all decided", "until 2 good", "until first good"]
    assert axes.get_title(loc="left") == plan.summary
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert names == ["e-hdoc", "hdoc", "lower bound"]
    ends = {tuple(segment[:, 0]) for drawn in axes.collections for segment in drawn.get_segments()}
    stop = plan["hdoc"].stop
    assert (stop.mean, stop.quantile) in ends
    mpl.pyplot.close(axes.figure)


def test_it_draws_into_axes_that_are_there(plan):
    axes = Figure().add_subplot()
    assert plan.plot(axes) is axes
    with pytest.raises(
        ga.errors.SpecError, match="'ax' of Plan.plot must be an Axes of matplotlib"
    ):
        plan.plot("here")


def test_a_budget_is_drawn_too():
    plan = ga.plan(num_arms=2, budget=300, threshold=0.5, delta=0.05, runs=20, seed=1)
    assert plan.plot(Figure().add_subplot()).get_title(loc="left") == plan.summary
