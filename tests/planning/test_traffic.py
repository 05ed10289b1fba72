"""Plans for the traffic one has: split evenly, in days, and from counts so far."""

import json
import math

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm import Warmup
from goodarm.planning import simulate_by_gap
from goodarm.simulation import Tape
from helpers import make_naive_case
from naive import even_split
from naive import tape as naive_tape
from naive.algorithms import Arm, label_of

MEANS = {"a": 0.8, "b": 0.62, "c": 0.35}
ASKED = {"threshold": 0.5, "delta": 0.05}
COUNTS = {"a": (60, 41), "b": (40, 22), "c": (30, 10), "d": (200, 30)}


def twin(problem, means, seed, run):
    """One even run: the pulls of each arm up to its label, and all pulls."""
    tapes = [naive_tape.tape(problem, seed, run, k, mean) for k, mean in enumerate(means)]
    case = make_naive_case(problem, ga.algorithms()["e-hdoc"].algorithm)
    own, labels, tau, pulls = even_split.run(case, lambda arm: next(tapes[arm]))
    return [*own, *tau, pulls], labels


@pytest.mark.parametrize("more", [{}, {"until": 1}, {"max_pulls": 200}])
def test_labelled_arms_get_traffic_too_in_an_even_split(more):
    """Equal to a loop over rounds, run by run; before, every plan was adaptive."""
    problem = ga.Problem(list(MEANS), **ASKED, **more)
    found = ga.plan(MEANS, problem=problem, split="even", runs=12, seed=4).forecasts[0]
    runs = [twin(problem, MEANS.values(), 4, run) for run in range(12)]
    numbers = np.array([[values[0], values[1], values[2], values[-1]] for values, _ in runs])
    rows = [*found.arms, found.stop]
    assert [row.mean for row in rows] == pytest.approx(numbers.mean(axis=0))
    assert [row.quantile for row in rows] == np.sort(numbers, axis=0)[10].tolist()
    labelled = np.array([labels for _, labels in runs]) != 0
    assert [row.labelled for row in found.arms] == pytest.approx(labelled.mean(axis=0))


def test_an_even_split_costs_as_many_times_the_slowest_arm_as_there_are_arms():
    """Twice an adaptive plan here: one arm of eight is near the threshold."""
    means = [0.9] * 4 + [0.1] * 3 + [0.58]
    evenly = ga.plan(means, **ASKED, split="even", runs=300)
    adaptive = ga.plan(means, **ASKED, runs=300)
    slowest = adaptive.forecasts[0].arms[-1]
    assert evenly.forecasts[0].stop.mean == pytest.approx(8 * slowest.mean, rel=0.02)
    assert evenly.forecasts[0].stop.mean > 5 * adaptive.forecasts[0].stop.mean
    assert "All arms get the same traffic to the end, labelled ones too" in repr(evenly)
    assert "An arm gets no more pulls once it has its label." in repr(adaptive)
    assert (evenly.to_dict()["split"], adaptive.to_dict()["split"]) == ("even", "adaptive")
    rules = ["e-hdoc", "round-robin+mixture"]
    both = ga.plan(means, **ASKED, split="even", runs=20, algorithm=rules)
    assert both[rules[0]].stop == both[rules[1]].stop  # no arm is chosen


def test_a_budget_of_an_even_split_resolves_its_distance():
    found = ga.plan(num_arms=4, **ASKED, budget=3000, split="even").forecasts[0]
    again = ga.plan(num_arms=4, **ASKED, distance=found.distance, split="even", runs=found.runs)
    assert again.forecasts[0].stop.quantile == found.stop.quantile <= 3000
    adaptive = ga.plan(num_arms=4, **ASKED, budget=3000).forecasts[0]
    assert adaptive.distance < found.distance
    drawn = simulate_by_gap(ga.plan([0.7, 0.35], **ASKED, split="even", runs=30)).curves[0]
    assert list(drawn.mean) == sorted(drawn.mean, reverse=True)


@pytest.mark.parametrize("split", ["adaptive", "even"])
def test_days_are_pulls_by_the_pulls_of_a_day(split):
    plan = ga.plan(MEANS, **ASKED, split=split, per_day=40, runs=30)
    forecast = plan.forecasts[0]
    for row in forecast.taus:
        assert row.days == pytest.approx(row.mean / 40)
        assert row.quantile_days == pytest.approx(row.quantile / 40)
    share = 3 if split == "even" else 1  # the label falls when all arms have as many pulls
    for row in forecast.arms:
        assert row.days == pytest.approx(share * row.mean / 40)
        assert row.quantile_days == pytest.approx(share * row.quantile / 40)
    document = json.loads(json.dumps(plan.to_dict()))
    assert document["per_day"] == 40
    assert document["forecasts"][0]["taus"][-1]["days"] == forecast.stop.days
    assert list(plan.to_pandas()["days"])[-1] == forecast.stop.days
    for text in (repr(plan), plan._repr_html_()):
        assert "at 40 pulls a day" in text
        assert f"{forecast.stop.days:.1f}" in text
    without = ga.plan(MEANS, **ASKED, split=split, runs=30)
    assert without.forecasts[0].stop.days is None
    assert "days" not in repr(without)


def rest_of(problem, rule_case, rng, counts, means, split):
    """One run from the counts on, pull by pull: the further pulls of each arm, and of all."""
    arms = [Arm(n=n, s=float(s)) for n, s in counts]
    labels = [label_of(rule_case, arm) for arm in arms]
    own, pulls = [0] * len(arms), 0
    while not all(labels) and (problem.max_pulls is None or pulls < problem.max_pulls):
        for k, arm in enumerate(arms):
            if pulls == problem.max_pulls:
                break
            pulls += split == "even" or labels[k] == 0
            if labels[k] == 0:
                arm.n, arm.s, own[k] = arm.n + 1, arm.s + (rng.random() < means[k]), own[k] + 1
                labels[k] = label_of(rule_case, arm)
    return own, pulls, labels


@pytest.mark.parametrize("split", ["adaptive", "even"])
def test_a_table_goes_on_as_a_direct_simulation_from_its_counts_does(split):
    """Without a cap no choice matters for the pulls of an arm: round robin is a fair twin."""
    plan = ga.plan(COUNTS, **ASKED, split=split, runs=1500)
    problem = ga.Problem(list(COUNTS), **ASKED)
    case = make_naive_case(problem, ga.algorithms()["e-hdoc"].algorithm)
    means = [s / n for n, s in COUNTS.values()]
    rng = np.random.default_rng(8)
    made = [rest_of(problem, case, rng, COUNTS.values(), means, split) for _ in range(100)]
    numbers = np.array([[*own, pulls] for own, pulls, _ in made], float)
    forecast = plan.forecasts[0]
    assert forecast.means == pytest.approx(means)
    for row, values in zip([*forecast.arms, forecast.stop], numbers.T, strict=True):
        error = math.hypot(row.error, values.std(ddof=1) / math.sqrt(len(values)))
        assert abs(row.mean - values.mean()) <= 4 * error
    assert forecast.arms[3].mean == 0 == numbers[:, 3].max()  # d is bad already
    fresh = ga.plan(dict(zip(COUNTS, means, strict=True)), **ASKED, split=split, runs=300)
    assert forecast.arms[1].mean < fresh.forecasts[0].arms[1].mean - 20  # the wrong variant
    assert plan.begun.labels == ("undecided", "undecided", "undecided", "bad")
    assert plan.begun.pulls == (60, 40, 30, 200)


@pytest.mark.parametrize("split", ["adaptive", "even"])
def test_the_chance_of_each_label_within_a_budget(split):
    """Under round robin from equal counts, which the twin can follow pull by pull, too."""
    budget = 90
    counts = COUNTS if split == "even" else dict.fromkeys("abc", (40, 26))
    algorithm = ga.Algorithm(
        sampling="round-robin",
        identification="mixture",
        warmup=Warmup(1, identify_during_warmup=True),
    )
    plan = ga.plan(counts, **ASKED, budget=budget, split=split, algorithm=algorithm, runs=1500)
    forecast, made_before = plan.forecasts[0], sum(n for n, _ in counts.values())
    assert (plan.budget, plan.problem.max_pulls) == (budget, made_before + budget)
    assert forecast.stop.quantile <= budget
    problem = ga.Problem(list(counts), **ASKED, max_pulls=budget)
    case, rng = make_naive_case(problem, algorithm), np.random.default_rng(8)
    means = [s / n for n, s in counts.values()]
    made = [rest_of(problem, case, rng, counts.values(), means, split)[2] for _ in range(300)]
    shares = (np.array(made) != 0).mean(axis=0)
    for found, share in zip(forecast.arms, shares, strict=True):
        assert abs(found.labelled - share) <= 4 * math.sqrt(0.25 / 300 + 0.25 / 1500)
    assert 0.1 < forecast.arms[0].labelled < 0.9
    assert "Labelled: the chance that an arm has its label by the end" in repr(plan)


def test_a_cap_says_the_chance_of_each_label_too():
    plan = ga.plan(MEANS, **ASKED, max_pulls=150)
    forecast = plan.forecasts[0]
    runs = ga.simulate(MEANS, **ASKED, max_pulls=150, runs=forecast.runs)
    assert [row.labelled for row in forecast.arms] == pytest.approx(
        (runs.labels != 0).mean(axis=0).tolist()
    )
    assert max(0.5 / math.sqrt(forecast.runs), 0.02) == pytest.approx(0.02, rel=0.05)
    assert "labelled" in plan.header
    assert "labelled" not in ga.plan(MEANS, **ASKED, runs=3).header
    assert [row.labelled for row in forecast.taus] == [None] * len(forecast.taus)


def test_every_form_of_the_counts_is_the_same_plan(tmp_path):
    path = tmp_path / "counts.csv"
    rows = [f"{arm},{n},{s}" for arm, (n, s) in COUNTS.items()]
    path.write_text("\n".join(["arm,pulls,successes", *rows]))
    table = ga.check(COUNTS, **ASKED)
    frame = table.to_pandas()[["arm", "pulls", "successes"]]
    expected = ga.plan(COUNTS, **ASKED, runs=5)
    problem = ga.Problem(list(COUNTS), **ASKED)
    tuples = [(arm, n, s) for arm, (n, s) in COUNTS.items()]
    for data in (path, str(path), frame, tuples):
        assert ga.plan(data, **ASKED, runs=5).to_dict() == expected.to_dict()
    assert ga.plan(table, runs=5) == expected
    assert ga.plan(COUNTS, problem=problem, runs=5) == expected
    assert ga.plan(table, runs=5, until=1).problem.until == 1
    again = ga.results.ArmTable.from_dict(json.loads(json.dumps(table.to_dict())))
    assert ga.plan(again, runs=5) == expected


def test_means_to_suppose_take_the_place_of_those_observed():
    some = ga.plan(COUNTS, **ASKED, means={"a": 0.9}, runs=20)
    assert some.forecasts[0].means == pytest.approx((0.9, 22 / 40, 10 / 30, 30 / 200))
    assert some.begun.is_observed == (False, True, True, True)
    assert "The true mean of 3 arms is supposed to be the one observed so far" in repr(some)
    every = ga.plan(COUNTS, **ASKED, means=[0.9, 0.8, 0.1, 0.1], runs=20)
    assert every.forecasts[0].means == (0.9, 0.8, 0.1, 0.1)
    assert "supposed as given" in repr(every)
    new = ga.plan({"a": (60, 41), "b": (0, 0)}, **ASKED, means={"b": 0.3}, runs=20)
    assert new.forecasts[0].means[1] == 0.3


def finish(ident, rewards):
    """Tell the same reward of an arm each time; the pulls of each arm from here to the end."""
    before = {row.arm: row.pulls for row in ident.table()}
    while not ident.is_done:
        pull = ident.ask()
        ident.tell(pull, rewards[pull.arm])
    return [row.pulls - before[row.arm] for row in ident.table()]


@pytest.mark.parametrize(
    ("kind", "rewards"),
    [
        ({}, {"a": 1, "b": 0, "c": 1}),
        ({"rewards": "bounded"}, {"a": 0.75, "b": 0.25, "c": 0.875}),
        ({"rewards": "bounded", "low": -1, "high": 3}, {"a": 0.75, "b": 0.25, "c": 2.0}),
    ],
)
def test_an_experiment_goes_on_exactly_where_it_is(kind, rewards):
    """Its own counts and wealth: with rewards that do not vary, the plan is the future itself."""
    ident = ga.Identifier(ga.Problem(list(rewards), **ASKED, **kind), seed=1)
    for _ in range(11):
        pull = ident.ask()
        ident.tell(pull, rewards[pull.arm])
    means = rewards if not kind else {a: ga.rewards.Discrete([r]) for a, r in rewards.items()}
    plan = ga.plan(ident, means=means, runs=3)
    evenly = ga.plan(ident, means=means, runs=3, split="even")
    before = tuple(row.pulls for row in ident.table())
    further = finish(ident, rewards)
    assert [row.mean for row in plan.forecasts[0].arms] == further
    assert plan.forecasts[0].stop.mean == sum(further)
    assert [row.mean for row in evenly.forecasts[0].arms] == further
    assert evenly.forecasts[0].stop.mean == 3 * max(further)
    assert plan.begun.pulls == evenly.begun.pulls == before


def test_a_stored_experiment_is_planned_as_the_one_in_memory():
    problem = ga.Problem(list(MEANS), **ASKED)
    tape, ident = Tape(problem, MEANS, 3), ga.Identifier(problem, seed=5)
    stored = ga.open_store("memory:").experiment("pages", problem, seed=5)
    for _ in range(40):
        pull = ident.ask()
        reward = tape.next_reward(pull.arm)
        ident.tell(pull, reward)
        stored.tell(stored.ask(), reward)
    expected = ga.plan(ident, runs=30, per_day=5)
    assert ga.plan(stored, runs=30, per_day=5) == expected
    assert ga.plan(ident.table(), runs=30, per_day=5).forecasts == expected.forecasts


def test_cases_of_a_pool_are_drawn_from_those_that_are_left():
    """A case is drawn once: the rest of the pool holds what is left of the supposed share."""
    counts = {"a": (150, 125), "b": (60, 33)}
    plan = ga.plan(counts, threshold=0.8, pool=200, runs=400)
    forecast = plan.forecasts[0]
    assert forecast.means == (167 / 200, 110 / 200)
    assert forecast.arms[0].quantile <= 50
    problem = ga.Problem(["a", "b"], 0.8, 0.05, pool=200)
    case, rng = (
        make_naive_case(problem, ga.algorithms()["e-hdoc"].algorithm),
        np.random.default_rng(2),
    )
    found = []
    for _ in range(30):
        arm, rest = Arm(n=150, s=125.0, cases=200), rng.permutation([1] * 42 + [0] * 8)
        while not label_of(case, arm):
            arm.n, arm.s = arm.n + 1, arm.s + rest[arm.n - 150]
        found.append(arm.n - 150)
    error = math.hypot(forecast.arms[0].error, np.std(found, ddof=1) / math.sqrt(30))
    assert abs(forecast.arms[0].mean - np.mean(found)) <= 4 * error
    even_plan = ga.plan(counts, threshold=0.8, pool=200, runs=400, split="even")
    assert even_plan.forecasts[0].arms == forecast.arms


def test_gaussian_rewards_go_on_after_an_odd_number_of_them():
    rows = {"arm": ["a", "b"], "pulls": [11, 20], "sum": [7.0, 4.0]}
    asked = {"threshold": 0.5, "rewards": "gaussian", "sigma": 0.4}
    plan = ga.plan(rows, **asked, runs=800)
    early = ga.plan({"arm": ["a", "b"], "pulls": [10, 20], "sum": [7.0 * 10 / 11, 4.0]}, **asked,
                    runs=800)  # fmt: skip
    one, other = plan.forecasts[0].arms[0], early.forecasts[0].arms[0]
    assert abs(one.mean - other.mean) <= 4 * math.hypot(one.error, other.error) + 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"means": [0.9], "per_day": 0}, "The 'per_day' of plan must be a number above 0; got 0"),
        ({"means": [0.9], "per_day": -1}, "The 'per_day' of plan must be a number above 0"),
        ({"means": [0.9], "per_day": "x"}, "The 'per_day' of plan must be a finite number"),
        ({"means": [0.9], "per_day": math.inf}, "The 'per_day' of plan must be a finite number"),
        ({"means": [0.9], "split": "odd"}, "The 'split' of plan must be one of 'adaptive', 'even'"),
        ({"means": [0.9], "split": None}, "The 'split' of plan must be one of"),
        ({"means": [0.9, 0.5], "split": "even"}, "would never end"),
        ({"table": COUNTS, "num_arms": 3}, "'num_arms' of plan must be left out if table"),
        ({"table": COUNTS, "samples": {"a": [1]}}, "'samples' of plan must be left out beside"),
        ({"table": COUNTS, "means": {"z": 0.4}}, "must be one of"),
        ({"table": COUNTS, "means": [0.4]}, "must have one mean for each of 4 arms"),
        ({"table": COUNTS, "means": {"a": 1.4}}, "rewards' range"),
        ({"table": {"a": (40, 20)}}, "arm 'a' has its mean so far on the threshold 0.5"),
        ({"table": {"a": (0, 0), "b": (9, 3)}}, "say which mean arm 'a' might have"),
        ({"table": {"a": (500, 400)}}, "Nothing is left to plan: all arms have labels"),
        ({"table": COUNTS, "algorithm": "hdoc"}, "label arms by the test that has judged them"),
        ({"table": COUNTS, "max_pulls": 100}, "330 pulls are made, and max_pulls is 100"),
        ({"table": COUNTS, "budget": 0}, "The 'budget' of plan must be a whole number"),
        ({"table": {"a": (4, 9)}}, "a"),
        ({"table": [0.9], "means": [0.9]}, "The 'means' of plan must be given once"),
    ],
)
def test_bad_input_has_its_message(arguments, message):
    with pytest.raises(ga.errors.SpecError) as caught:
        ga.plan(**{**ASKED, **arguments})
    assert message in str(caught.value)


def test_tables_that_a_plan_cannot_go_on_from():
    fdr = ga.check(COUNTS, **ASKED, control="fdr")
    with pytest.raises(ga.errors.SpecError, match="'control' of plan must be fwer"):
        ga.plan(fdr)
    once = ga.check(COUNTS, **ASKED, looks="once")
    with pytest.raises(ga.errors.SpecError, match="A test for one look cannot go on"):
        ga.plan(once)
    own = ga.check(COUNTS, threshold={arm: 0.5 + k / 10 for k, arm in enumerate(COUNTS)})
    with pytest.raises(ga.errors.SpecError, match="'threshold' of plan must be the same"):
        ga.plan(own)
    raw = {"arm": ["a"] * 5, "reward": [0.2, 0.4, 0.9, 0.1, 0.7]}
    bets = ga.check(raw, threshold=0.5, rewards="bounded", raw=True)
    with pytest.raises(ga.errors.SpecError, match="bets depend on every reward"):
        ga.plan(bets)
    with pytest.raises(ga.errors.SpecError, match="'threshold' of plan must be left out for a tab"):
        ga.plan(ga.check(COUNTS, **ASKED), threshold=0.5)
    ident = ga.Identifier(ga.Problem(list(COUNTS), **ASKED))
    with pytest.raises(ga.errors.SpecError, match="must be left out for an experiment"):
        ga.plan(ident, delta=0.1)
    ident.take_out("b")
    with pytest.raises(ga.errors.SpecError, match="have no arm that was taken out, as arm 'b'"):
        ga.plan(ident, means=[0.9] * 4)
    with pytest.raises(ga.errors.SpecError, match="no picture: it goes on from counts"):
        simulate_by_gap(ga.plan(COUNTS, **ASKED, runs=3))
