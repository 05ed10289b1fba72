"""The pulls to expect: equal to a direct simulation, above the lower bound, as sure as is said."""

import json
import math
import time
from importlib import import_module

import numpy as np
import pytest
from scipy.stats import chi2

import goodarm as ga
from goodarm.algorithm.theory import lower_bound_good, lower_bound_stop
from goodarm.planning.effort import predict_stop, predict_work
from goodarm.planning.forecast import FIRST_RUNS, MIN_RUNS, PRECISION, Simulator
from goodarm.simulation.run import make_runs
from helpers import NAMED

MEANS = {"a": 0.7, "b": 0.62, "c": 0.35}
ASKED = {"threshold": 0.5, "delta": 0.05}


@pytest.mark.parametrize("quantile", [0.5, 0.9])
def test_it_is_what_simulate_says(quantile):
    """With the same runs, however many the plan chose to make."""
    names = ["e-hdoc", "hdoc"]
    found = ga.plan(MEANS, **ASKED, algorithm=names, seed=5, quantile=quantile)
    for name in names:
        forecast = found[name]
        runs = ga.simulate(MEANS, **ASKED, algorithm=name, runs=forecast.runs, seed=5)
        expected = [*runs.pulls.T, runs.tau[:, 0], runs.tau[:, 1], runs.stop]
        for row, values in zip([*forecast.arms, *forecast.taus], expected, strict=True):
            reached = np.sort(values[~np.isnan(values)])
            assert row.runs == reached.size
            assert row.mean == pytest.approx(reached.mean(), rel=1e-12)
            assert row.error == pytest.approx(reached.std(ddof=1) / math.sqrt(reached.size))
            assert row.quantile == reached[math.ceil(quantile * reached.size) - 1]
            off = math.sqrt(quantile * (1 - quantile) / reached.size)
            low, high = (
                reached[math.ceil(share * reached.size) - 1]
                for share in (quantile - off, quantile + off)
            )
            rough = max(high - row.quantile, row.quantile - low)
            assert 0.7 * rough <= row.quantile_error <= 1.5 * rough + 1  # and exactly elsewhere
        assert forecast.algorithm == runs.algorithm
        assert forecast.distance == pytest.approx(0.12)
    assert [row.name for row in found["hdoc"].arms] == ["a", "b", "c"]
    assert [row.name for row in found["hdoc"].taus] == ["tau_1", "tau_2", "tau_stop"]


def test_the_same_call_gives_the_same_plan_and_another_seed_another():
    first, again = (ga.plan(MEANS, **ASKED) for _ in range(2))
    assert first == again
    assert first["e-hdoc"].stop.mean != ga.plan(MEANS, **ASKED, seed=1)["e-hdoc"].stop.mean
    assert ga.plan(MEANS, **ASKED, seed=None, runs=1).seed > 0


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("means", [[0.7, 0.62, 0.35], [0.9, 0.9, 0.9, 0.1], [0.55, 0.4]])
def test_no_algorithm_goes_below_the_lower_bound(name, means):
    forecast = ga.plan(means, **ASKED, algorithm=name, runs=100).forecasts[0]
    for row in (*forecast.arms, *forecast.taus):
        assert 0 < row.lower_bound < row.mean
    assert forecast.stop.lower_bound == lower_bound_stop(means, 0.5, 0.05)
    assert forecast["tau_1"].lower_bound == lower_bound_good(means, 0.5, 0.05, 1)
    assert forecast.arms[0].lower_bound == lower_bound_stop(means[:1], 0.5, 0.05)


def test_where_theory_has_no_bound_there_is_none():
    for more in (
        {"margin": 0.1},
        {"max_pulls": 100},
        {"rewards": "bounded"},
        {"rewards": "gaussian", "sigma": 0.5, "algorithm": "hdoc"},
    ):
        forecast = ga.plan([0.8, 0.2], **ASKED, **more, runs=3).forecasts[0]
        assert {row.lower_bound for row in (*forecast.arms, *forecast.taus)} == {None}
    first = ga.plan([0.8, 0.7, 0.5], **ASKED, until=1, runs=3).forecasts[0]
    assert first.stop.lower_bound == first["tau_1"].lower_bound
    assert first.arms[0].lower_bound is None


@pytest.mark.parametrize("name", ["e-hdoc", "hdoc", "cho2025"])
def test_half_the_gap_costs_four_times_the_pulls(name):
    """Between 4 and 4 log-factors, within 4 standard errors of the measured ratio.

    Pulls are log(A K n^c / delta) / gap^2 up to a constant; c is at most 2, so half the gap adds at
    most 2 log 4 to a log of at least log(K / delta), that is 60 % here.
    """
    wide, near = (
        ga.plan(num_arms=5, distance=gap, **ASKED, algorithm=name).forecasts[0].stop
        for gap in (0.1, 0.05)
    )
    ratio = near.mean / wide.mean
    error = ratio * math.hypot(near.error / near.mean, wide.error / wide.mean)
    most = 4 * (1 + 2 * math.log(4) / math.log(5 / 0.05))
    assert 4 - 4 * error < ratio < most + 4 * error


@pytest.mark.slow
def test_it_is_as_sure_as_it_says():
    """Means of 20 seeds spread by their standard errors: the sum of squares is chi-square.

    The errors of quantiles are rougher, and their squares are within a factor of three on average.
    """
    stops = [ga.plan(MEANS, **ASKED, algorithm="hdoc", seed=s)["hdoc"].stop for s in range(20)]
    assert all(stop.error <= PRECISION * stop.mean for stop in stops)
    assert all(stop.quantile_error <= PRECISION * stop.quantile for stop in stops)
    long = ga.simulate(MEANS, **ASKED, algorithm="hdoc", runs=8000, seed=99).stop
    total = sum(((stop.mean - long.mean()) / stop.error) ** 2 for stop in stops)
    assert chi2.ppf(1e-5, 20) < total < chi2.ppf(1 - 1e-5, 20)
    within = np.quantile(long, 0.9)
    squares = [((stop.quantile - within) / stop.quantile_error) ** 2 for stop in stops]
    assert 1 / 3 < np.mean(squares) < 3


@pytest.mark.parametrize("precision", [0.01, 0.02, 0.1])
def test_as_many_runs_are_made_as_the_precision_takes(precision):
    """And a third of them would not do, but for the runs that show how much they differ."""
    found = ga.plan(num_arms=2, distance=0.2, **ASKED, precision=precision)
    (forecast,) = found.forecasts
    assert found.precision == precision
    assert forecast.precision <= precision
    assert forecast.precision == max(
        forecast.stop.error / forecast.stop.mean,
        forecast.stop.quantile_error / forecast.stop.quantile,
    )
    fewer = ga.plan(num_arms=2, distance=0.2, **ASKED, runs=forecast.runs // 3).forecasts[0]
    assert fewer.precision > precision or forecast.runs == FIRST_RUNS
    assert "wanted" not in repr(found)


def test_many_arms_need_few_runs():
    """Their sum differs little from run to run; one arm's pulls differ a lot."""
    one, many = (ga.plan(num_arms=arms, distance=0.3, **ASKED).forecasts[0] for arms in (1, 200))
    assert many.runs == FIRST_RUNS
    assert one.runs > 10 * FIRST_RUNS
    assert max(one.stop.error / one.stop.mean, many.precision) <= PRECISION


def test_runs_that_end_alike_are_no_reason_to_stop():
    """After 40 of them, one run in 14 may end elsewhere; after 149, one in 50."""
    same = ga.plan([0.9], **ASKED, max_pulls=3).forecasts[0]
    assert same.precision == 0.0
    assert same.runs == math.ceil(math.log(0.05) / math.log(1 - PRECISION)) == 149


def test_where_runs_take_too_long_the_plan_says_what_it_came_to(monkeypatch):
    problem = ga.Problem(1, 0.5, 0.05)
    module = import_module("goodarm.planning.planner")
    work = predict_work(problem, ga.algorithms()["e-hdoc"].algorithm, np.array([0.7]))
    for runs, least in ((FIRST_RUNS + 5, FIRST_RUNS), (1, MIN_RUNS)):
        monkeypatch.setattr(module, "MAX_FORECAST_WORK", runs * work)
        found = ga.plan([0.7], **ASKED)
        assert least <= found.forecasts[0].runs < 2 * FIRST_RUNS
        reached = found.forecasts[0].precision
        assert reached is None or reached > PRECISION
        assert (reached is None) == (found.forecasts[0].runs < 18)  # 0.9^17 > 16 % > 0.9^18
        assert found.precision == PRECISION
        assert "; you asked for 2 %." in repr(found)


def test_runs_go_on_where_they_were():
    """Runs made in two goes are those made in one, and both are told of once."""
    told = []
    simulator = Simulator(
        ga.Problem(2, 0.5, 0.05), 3, 0.9, None, lambda *said: told.append(said), 0.5
    )
    chosen, means = ga.algorithms()["e-hdoc"].algorithm, np.array([0.7, 0.3])
    first = simulator.run(chosen, means, 4, part=(0.0, 0.5))
    both = simulator.run(chosen, means, 10, after=first, part=(0.5, 1.0))
    assert both == ga.simulate([0.7, 0.3], threshold=0.5, delta=0.05, runs=10, seed=3)
    assert told[-1] == ("e-hdoc", 1.0, both.stop.sum())


def test_a_number_of_arms_and_a_gap_stand_for_means():
    half = ga.plan(num_arms=5, distance=0.2, **ASKED, runs=2).forecasts[0]
    assert half.means == pytest.approx((0.7, 0.7, 0.7, 0.3, 0.3))
    assert half.distance == pytest.approx(0.2)
    one = ga.plan(num_arms=3, distance=0.2, num_good=1, **ASKED, runs=2).forecasts[0]
    assert one.means == pytest.approx((0.7, 0.3, 0.3))
    same = ga.plan(list(one.means), **ASKED, runs=2).forecasts[0]
    assert same.arms == one.arms
    assert ga.plan(num_arms=3, distance=0.5, **ASKED, runs=2).forecasts[0].means == (1.0, 1.0, 0.0)
    edge = ga.plan(num_arms=1, distance=0.2, threshold=0.8, delta=0.05, runs=2).forecasts[0]
    assert edge.means == (1.0,)  # though 1 - 0.8 is a little less than 0.2


def test_the_problem_is_the_one_asked():
    rest = {"margin": 0.5, "rewards": "bounded", "low": 0, "high": 5, "until": 1, "max_pulls": 500}
    found = ga.plan({"x": 3, "y": 1}, threshold=2, delta=0.1, **rest, runs=2)
    assert found.problem == ga.Problem(["x", "y"], 2, 0.1, **rest)
    assert found.forecasts[0].stop.quantile <= 500


def test_many_good_arms_are_told_of_from_first_to_last():
    taus = ga.plan(num_arms=40, distance=0.4, num_good=30, **ASKED, runs=2).forecasts[0].taus
    names = [row.name for row in taus]
    assert names[0] == "tau_1"
    assert names[-2:] == ["tau_30", "tau_stop"]
    assert len(names) <= 13
    means = [row.mean for row in taus]
    assert means == sorted(means)


def test_what_not_all_runs_reach_is_said():
    found = ga.plan([0.7, 0.6, 0.45], **ASKED, algorithm="hdoc", runs=50, max_pulls=900)
    row = found["hdoc"]["tau_2"]
    assert 0 < row.runs < 50
    assert f"({row.runs} of 50 runs)" in repr(found)
    with pytest.raises(KeyError, match="tau_3"):
        found["hdoc"]["tau_3"]
    with pytest.raises(KeyError, match="apt-g"):
        found["apt-g"]


@pytest.mark.parametrize("name", NAMED)
def test_the_prediction_of_a_run_is_near(name):
    """It decides what is refused, so it must be right to a factor of two."""
    chosen = ga.algorithms()[name].algorithm
    for means, threshold in (([0.55] * 3 + [0.45] * 2, 0.5), ([0.03, 0.01], 0.02)):
        problem = ga.Problem(len(means), threshold, 0.05)
        stop = ga.simulate(
            means, threshold=threshold, delta=0.05, algorithm=name, runs=20
        ).stop.mean()
        assert 0.5 < predict_stop(problem, chosen, np.array(means)) / stop < 2.0


def test_what_would_take_too_long_is_refused_unless_runs_are_given(monkeypatch):
    with pytest.raises(
        ga.errors.SpecError, match=r"would take too long: hdoc .* Give a larger distance"
    ):
        ga.plan(num_arms=3, distance=1e-4, **ASKED, algorithm="hdoc")
    assert (
        ga.plan(num_arms=3, distance=1e-4, **ASKED, max_pulls=1000).forecasts[0].stop.mean == 1000
    )
    monkeypatch.setattr("goodarm.planning.effort.MAX_RUN_WORK", 10)
    with pytest.raises(ga.errors.SpecError, match="would take too long"):
        ga.plan(MEANS, **ASKED)
    assert ga.plan(MEANS, **ASKED, runs=3).forecasts[0].runs == 3
    with pytest.raises(ga.errors.SpecError, match="would take too long"):
        ga.plan(num_arms=3, **ASKED, budget=10**10)


def test_documents_and_tables():
    found = ga.plan(MEANS, **ASKED, algorithm=["e-hdoc", "hdoc"], runs=20)
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (document["kind"], document["format"]) == ("plan", 1)
    assert [row["name"] for row in document["forecasts"][0]["arms"]] == ["a", "b", "c"]
    assert document["forecasts"][1]["algorithm"]["name"] == "hdoc"
    assert document["problem"] == found.problem.to_dict()
    assert document["precision"] is None
    assert document["forecasts"][1]["precision"] == found["hdoc"].precision
    stop = found["hdoc"].stop
    assert document["forecasts"][1]["taus"][-1]["quantile_error"] == stop.quantile_error
    errors = (
        f"Standard error until all decided: mean {stop.error:,.0f} (",
        f"9 of 10 runs {stop.quantile_error:,.0f} (",
    )
    rows = "arm b", "until first good", "until 2 good", "until all decided"
    for text in (repr(found), found._repr_html_()):
        for shown in ("e-hdoc", *rows, f"{stop.mean:,.0f}", *errors):
            assert shown in text
    for frame in (found.to_pandas(), found.to_polars()):
        assert len(frame) == 2 * (3 + 3)
        assert list(frame["quantity"])[3:6] == ["tau_1", "tau_2", "tau_stop"]
        assert list(frame["arm"])[:3] == ["a", "b", "c"]
        assert list(frame["mean"])[-1] == stop.mean


@pytest.mark.speed
def test_a_typical_call_answers_within_five_seconds():
    """The kernels are compiled by then; the curves of the test, its own delta, are not."""
    ga.plan([0.9, 0.1], **ASKED, runs=2)
    start = time.perf_counter()
    ga.plan(num_arms=5, distance=0.05, threshold=0.5, delta=0.049)
    assert time.perf_counter() - start < 5.0


@pytest.mark.parametrize(
    "more", [{"distance": 0.1, "runs": 5}, {"distance": 0.1}, {"budget": 2_000}]
)
def test_progress_moves_while_no_run_is_finished(more, monkeypatch):
    """Workers tell of pulls made in runs under way: the part done follows them."""
    told = []

    def slow(problem, algorithm, means, seed, runs, *, progress, first, **rest):
        made = make_runs(
            problem, algorithm, means, seed, runs, progress=progress, first=first, **rest
        )
        start = len(told)
        for quarter in (1, 2, 3):
            progress(0, runs - first, quarter * int(made.stop.sum()) // 4)
        moving.append([part for _, part, _ in told[start:]])
        progress(runs - first, runs - first, int(made.stop.sum()))
        return made

    moving = []
    monkeypatch.setattr("goodarm.planning.forecast.make_runs", slow)
    ga.plan(num_arms=4, **ASKED, **more, progress=lambda *said: told.append(said))
    assert moving
    for parts in moving:
        assert 0 < parts[0] < parts[1] < parts[2] < 1
    assert told[-1][1] == 1.0


def test_progress_is_told():
    told = []
    ga.plan(MEANS, **ASKED, algorithm=["e-hdoc", "hdoc"], progress=lambda *said: told.append(said))
    names, parts, pulls = zip(*told, strict=True)
    assert dict.fromkeys(names) == dict.fromkeys(["e-hdoc", "hdoc"])
    assert list(parts) == sorted(parts)
    assert parts[-1] == 1.0
    assert 0 <= min(pulls) < max(pulls)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {},
            "The 'means' of plan must be given, or num_arms and a distance in their place, or "
            "samples; got None.",
        ),
        ({"means": []}, "The 'means' of plan must have at least one arm"),
        ({"means": [0.2, 1.3]}, r"The 'means' of plan must lie in \[0, 1\]"),
        ({"means": [0.2], "num_arms": 2}, "The 'num_arms' of plan must be left out if means"),
        ({"means": [0.2], "gap": 0.5}, "The 'gap' of plan must be below 0.5"),
        ({"means": [0.2], "num_good": 1}, "The 'num_good' of plan must be left out if means"),
        ({"num_arms": 0, "distance": 0.1}, "The 'num_arms' of plan must be a whole number"),
        (
            {"num_arms": 2},
            "The 'distance' of plan must be given with num_arms, unless a budget asks",
        ),
        ({"num_arms": 2, "distance": "x"}, "The 'distance' of plan must be a finite number"),
        ({"num_arms": 2, "distance": 0}, "The 'distance' of plan must be above 0 and at most 0.5"),
        (
            {"num_arms": 2, "distance": 0.6},
            "The 'distance' of plan must be above 0 and at most 0.5",
        ),
        ({"num_arms": 2, "distance": 0.1, "num_good": 3}, "The 'num_good' of plan must be a whole"),
        (
            {"num_arms": 2, "distance": 0.1, "budget": 9},
            "The 'distance' of plan must be left out if a",
        ),
        ({"num_arms": 2, "budget": 0}, "The 'budget' of plan must be a whole number"),
        ({"num_arms": 2, "budget": 9, "max_pulls": 9}, "The 'max_pulls' of plan must be left out"),
        ({"means": [0.5], "budget": 9, "margin": 0.1}, "must hold one that is not on the thresh"),
        ({"means": [0.5, 0.9]}, "would never end: arm 0 has its mean on the threshold"),
        ({"means": [0.5, 0.9], "budget": 99}, "would never end"),
        ({"means": [0.9], "delta": 2}, "The 'delta' of plan must be"),
        ({"means": [0.9], "quantile": 1}, "The 'quantile' of plan must be a number strictly"),
        ({"means": [0.9], "runs": 0}, "The 'runs' of plan must be a whole number of at least 1"),
        ({"means": [0.9], "precision": 0}, "The 'precision' of plan must be a number strictly"),
        ({"means": [0.9], "seed": -1}, "The 'seed' of plan must be a whole number"),
        ({"means": [0.9], "algorithm": "hdok"}, "Did you mean 'hdoc'?"),
        ({"means": [0.9], "algorithm": []}, "The 'algorithm' of plan must name at least one"),
        ({"means": [0.9], "algorithm": 3}, "The 'algorithm' of plan must be a list of algorithms"),
        ({"means": [0.9], "algorithm": ["hdoc"] * 2}, "must name every algorithm once"),
        ({"means": [0.9], "executor": 3}, "The 'executor' of plan must be a concurrent.futures"),
        ({"means": [0.9], "progress": 3}, "The 'progress' of plan must be a function or None"),
    ],
)
def test_every_bad_argument_has_its_message(arguments, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.plan(**{**ASKED, **arguments})


SCORES = {"threshold": 3.2, "delta": 0.05, "rewards": "bounded", "low": 0, "high": 5, "runs": 10}


def test_the_spread_that_is_supposed_is_said():
    plan = ga.plan([3.8, 2.5], **SCORES)
    note = "The rewards of an arm are supposed to be uniform, on the widest range around its mean"
    assert note in repr(plan)
    assert "within 0 to 5. If they are spread wider" in repr(plan)
    mixed = ga.plan([3.8, ga.rewards.Uniform(1, 4)], **SCORES)
    assert "The rewards of an arm with a mean alone are supposed" in repr(mixed)
    whole = ga.plan(samples={"a": [0, 5, 5, 5], "b": [0, 0, 5]}, **SCORES)
    assert "are supposed to be uniform" not in repr(whole)
    normal = ga.plan([1, -1], threshold=0, rewards="gaussian", sigma=2, runs=10)
    assert "are supposed to be normal, with sigma 2." in repr(normal)
    assert "of an arm are supposed" not in repr(ga.plan([0.9, 0.1], threshold=0.5, runs=10))


def test_wider_rewards_need_more_pulls_as_the_note_says():
    ends = {"a": [0, 5, 5, 5], "b": [0, 0, 0, 5]}
    alone = ga.plan({"a": 3.75, "b": 1.25}, **{**SCORES, "runs": 200}, algorithm="e-hdoc")
    wide = ga.plan(samples=ends, **{**SCORES, "runs": 200}, algorithm="e-hdoc")
    assert wide["e-hdoc"].stop.mean > 1.1 * alone["e-hdoc"].stop.mean


def test_a_notebook_shows_notes_below_the_table():
    plan = ga.plan([0.9, 0.1], threshold=0.5, runs=10)
    html = plan._repr_html_()
    caption, _, rest = html.partition("</caption>")
    assert caption.endswith(">" + plan.summary)
    table, _, notes = rest.partition("</table>")
    for note in plan.notes:
        text = note.replace("'", "&#x27;")
        assert text in notes
        assert text not in table
