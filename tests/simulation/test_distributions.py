"""Simulations of distributions, of samples, and of pools: what goes in, and what comes back."""

import itertools
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pandas
import polars
import pytest

import goodarm as ga
from goodarm.rewards import Beta, Discrete, Distribution, Uniform
from goodarm.simulation.engine import FAST, REFERENCE
from helpers import run_under_way
from naive import tape as naive_tape

RATINGS = {
    "a": Discrete([1, 2, 3, 4, 5], [0, 1, 2, 4, 3]),
    "b": Beta(mean=2.5, sd=0.6, low=1, high=5),
    "c": Uniform(1, 2),
    "d": 4.2,
}
ASKED = {"threshold": 3, "delta": 0.05, "rewards": "bounded", "low": 1, "high": 5}
BETS = ga.Algorithm(sampling="kl-moss", identification="betting")


def simulate(means=RATINGS, **changes):
    return ga.simulate(means, **{"algorithm": BETS, "runs": 6, "seed": 3, **ASKED, **changes})


def test_lists_mappings_and_problems_are_the_same():
    runs = simulate()
    assert runs.means.tolist() == [each if each == 4.2 else each.mean for each in RATINGS.values()]
    assert (runs.labels == [1, -1, -1, 1]).all()
    assert np.array_equal(simulate(list(RATINGS.values())).stop, runs.stop)
    problem = ga.Problem(["a", "b", "c", "d"], **ASKED)
    mixed = {arm: RATINGS[arm] for arm in "dbca"}
    assert ga.simulate(mixed, problem=problem, algorithm=BETS, runs=6, seed=3) == runs


def test_documents_tell_of_them(tmp_path):
    runs = simulate()
    documents = runs.to_dict()["distributions"]
    assert documents == [getattr(each, "to_dict", lambda: None)() for each in RATINGS.values()]
    runs.save(tmp_path / "runs.npz")
    loaded = ga.Runs.load(tmp_path / "runs.npz")
    assert loaded == runs
    assert loaded.distributions == runs.distributions
    plain = simulate([each.mean for each in list(RATINGS.values())[:3]])
    assert plain.distributions is None
    assert plain.to_dict()["distributions"] is None
    assert simulate({"a": Uniform(2, 5)}) != simulate({"a": Discrete([2, 5])})


def test_kept_runs_are_those_of_the_same_distributions(tmp_path):
    first = simulate(keep=tmp_path)
    assert simulate(keep=tmp_path) == first
    other = {**RATINGS, "a": Discrete([3.9])}  # the same mean
    assert other["a"].mean == pytest.approx(RATINGS["a"].mean)
    assert simulate(other, keep=tmp_path) != first
    assert len(list(tmp_path.glob("*.jsonl"))) == 2


@pytest.mark.slow
def test_processes_make_the_same_runs():
    with ProcessPoolExecutor(1) as executor:
        assert simulate(executor=executor) == simulate()
        samples = {"a": [1, 4, 5], "b": [2, 2.5, 1]}
        found = simulate(None, samples=samples, executor=executor)
        assert found == simulate(None, samples=samples)


def test_ask_and_tell_make_run_0():
    problem, runs = ga.Problem(list(RATINGS), **ASKED), simulate()
    ident, tape = ga.Identifier(problem, BETS, seed=3), ga.simulation.Tape(problem, RATINGS, seed=3)
    while not ident.is_done:
        pull = ident.ask()
        ident.tell(pull, tape.next_reward(pull.arm))
    assert ident.pulls == runs.stop[0]


class Rule(ga.rules.SamplingRule):
    """The arms in turn."""

    name = "in-turn"

    def choose(self, view):
        return int(np.where(view.active, view.pulls, np.inf).argmin())


def test_a_rule_in_python_sees_the_same_rewards():
    found = simulate(algorithm=ga.Algorithm(sampling=Rule(), identification="betting"))
    expected = simulate(algorithm=ga.Algorithm(sampling="round-robin", identification="betting"))
    assert np.array_equal(found.pulls, expected.pulls)


@pytest.mark.parametrize(
    ("means", "asked", "message"),
    [
        (
            {"x": Beta(a=1, b=1), "y": 0.5},
            {},
            "The 'means' of simulate must give arm 'x' a mean, or a Discrete of 0 and 1, for "
            "bernoulli rewards; got Beta(a=1, b=1). For other rewards, pass rewards='bounded' with "
            "low and high.",
        ),
        ([Discrete([0, 2])], {}, "must give arm 0 a mean, or a Discrete of 0 and 1"),
        (
            {"x": Uniform(0, 2)},
            {"rewards": "bounded"},
            "The 'means' of simulate must draw the rewards of arm 'x' from [0, 1], and not 2.0; "
            "got Uniform(0.0, 2.0).",
        ),
        ([Discrete([-1, 1])], {"rewards": "bounded"}, "from [0, 1], and not -1.0"),
        ([Uniform(0, 1e101)], {"rewards": "gaussian", "sigma": 1}, "and not 1e+101"),
        (["x"], {"rewards": "bounded"}, "The 'means' of simulate must be a finite number"),
    ],
)
def test_what_is_refused(means, asked, message):
    with pytest.raises(ga.errors.SpecError) as caught:
        ga.simulate(means, threshold=0.4, delta=0.1, algorithm="hdoc", **asked)
    assert message in str(caught.value)


def test_a_distribution_of_ones_own_is_refused():
    class Mine(Distribution):
        mean, sd, support = 0.5, 0.1, (0.0, 1.0)

    with pytest.raises(
        ga.errors.SpecError, match="must give arm 0 a number, a Beta, a Discrete or a Uni"
    ):
        ga.simulate([Mine()], threshold=0.4, delta=0.1, rewards="bounded")


SEEN = {"a": [4.0, 5.0, 3.0, 5.0, 4.5], "b": [2.0, 1.0, 1.0, 3.5]}


class TestSamples:
    def test_they_are_drawn_with_replacement(self):
        runs = simulate(None, samples=SEEN)
        assert runs.means.tolist() == [4.3, 1.875]
        as_discrete = {arm: Discrete(rewards) for arm, rewards in SEEN.items()}
        assert simulate(as_discrete) == runs
        problem = ga.Problem(["a", "b"], **ASKED)
        tape = ga.simulation.Tape(problem, samples=SEEN, seed=3)
        assert {tape.next_reward("b") for _ in range(60)} == {2, 1, 3.5}

    @pytest.mark.parametrize("form", ["columns", "pandas", "polars", "lazy", "csv", "dialect"])
    def test_any_raw_table_will_do(self, form, tmp_path):
        rows = [(arm, reward) for arm, rewards in SEEN.items() for reward in rewards]
        columns = dict(zip(("arm", "reward"), map(list, zip(*rows, strict=True)), strict=True))
        path = tmp_path / "seen.csv"
        if form == "csv":
            path.write_text("arm,reward\n" + "".join(f"{arm},{x}\n" for arm, x in rows))
        elif form == "dialect":
            lines = "".join(f"{arm};{x}\n".replace(".", ",") for arm, x in rows)
            path.write_text("variant;reward\n" + lines)
        table = {
            "columns": columns,
            "pandas": pandas.DataFrame(columns),
            "polars": polars.DataFrame(columns),
            "lazy": polars.LazyFrame(columns),
        }.get(form, path)
        assert simulate(None, samples=table) == simulate(None, samples=SEEN)

    def test_0_and_1_are_their_mean(self):
        samples = {"a": [1, 1, 0, True], "b": [0, 0, 1, 0, 0]}
        asked = {"threshold": 0.5, "delta": 0.05, "runs": 4}
        found = ga.simulate(samples=samples, **asked)
        assert found == ga.simulate({"a": 0.75, "b": 0.2}, **asked)
        assert found.distributions is None

    def test_a_problem_names_the_arms(self):
        problem = ga.Problem(["b", "a"], **ASKED)
        runs = ga.simulate(samples=SEEN, problem=problem, algorithm=BETS, runs=2)
        assert runs.means.tolist() == [1.875, 4.3]

    def test_gaussian_rewards(self):
        keywords = {"rewards": "gaussian", "sigma": 9, "low": None, "high": None}
        runs = simulate(None, samples={"a": [-9, 30.5]}, algorithm="hdoc", **keywords)
        assert runs.means.tolist() == [10.75]

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"means": None}, "The 'means' of simulate must be given, or samples in their place;"),
            ({"samples": SEEN}, "The 'means' of simulate must be left out if samples are given"),
            ({"means": None, "samples": 3}, "The 'samples' of simulate must be a dict from each"),
            ({"means": None, "samples": {"a": []}}, "must have at least one reward of every arm"),
            ({"means": None, "samples": {"a": [3, 7]}}, "arm 'a', reward 2"),
            ({"means": None, "samples": {"a": [3, "x"]}}, "arm 'a', reward 2"),
            (
                {"means": None, "samples": {"x": [3]}, "problem": ga.Problem(["a"], **ASKED)},
                "The 'samples' of simulate must name the arms of the problem; got ['x']. Arm 'a' "
                "has no rewards.",
            ),
            (
                {"means": None, "samples": SEEN, "problem": ga.Problem(["a"], **ASKED)},
                "The 'samples' of simulate must have rewards of each of 1 arms; got ['a', 'b'].",
            ),
        ],
    )
    def test_what_is_refused(self, changes, message):
        if "problem" in changes:
            changes = {**changes, **dict.fromkeys(ASKED)}
            changes.pop("rewards")
            call = {name: value for name, value in changes.items() if value is not None}
        else:
            call = {"means": RATINGS, **ASKED, **changes}
        with pytest.raises(ga.errors.SpecError) as caught:
            ga.simulate(**call)
        assert message in str(caught.value)

    def test_numbers_that_can_be_read_in_two_ways(self, tmp_path):
        path = tmp_path / "seen.csv"
        path.write_text("arm;reward\na;1.000\nb;2.000\n")
        with pytest.raises(ga.errors.SpecError, match="can be read in two ways"):
            ga.simulate(samples=path, threshold=500, delta=0.1, rewards="bounded", high=9000)


class TestPools:
    @pytest.mark.parametrize("sampling", ["hdoc", "kl-moss", "apt-g"])
    def test_both_engines_draw_the_same_cases(self, sampling):
        algorithm = ga.Algorithm(sampling=sampling, identification="mixture")
        means = [0.6, 0.02, 0.5, 1.0, 0.0]
        problem = ga.Problem(5, 0.4, 0.1, pool=[500, 600, 700, 500, 600], max_pulls=500)
        ends = []
        for engine in (FAST, REFERENCE):
            run = run_under_way(problem, algorithm, means, 4, engine)
            while not run.is_over:
                run.step(20)
            ends.append(
                (run.state.arms[["pulls", "sum"]].tolist(), run.state.places["left"].tolist())
            )
        assert ends[0] == ends[1]
        for arm, (pulls, total) in enumerate(ends[0][0]):
            cases = naive_tape.tape(problem, 4, 0, arm, means[arm])
            assert total == sum(itertools.islice(cases, pulls))

    def test_a_label_is_judged_by_the_share_of_cases(self):
        """.07 of 100 is a little less than 7 of them: the arm is good all the same."""
        problem = ga.Problem(1, 0.07, 0.1, pool=100, max_pulls=20)
        runs = ga.simulate([0.07], problem=problem, runs=1)
        assert runs.means.tolist() == [0.07]
        assert not problem.is_wrong(0.07, 1, 100)

    @pytest.mark.parametrize(
        ("means", "asked", "message"),
        [
            (
                {"x": 0.123},
                {"pool": 200},
                "The 'means' of Tape must be a share of the 200 cases of arm 'x'; got 0.123. The "
                "nearest are 0.12 and 0.125.",
            ),
            (
                {"x": 0.5},
                {"pool": 200, "rewards": "bounded"},
                "The 'means' of Tape must give arm 'x' a Discrete: the scores of its pool, each "
                "with its share; got 0.5. A mean alone does not say what the scores of the cases "
                "are.",
            ),
            ({"x": Uniform(0, 1)}, {"pool": 9, "rewards": "bounded"}, "must give arm 'x' a Discre"),
            (
                {"x": Discrete([0, 1, 0.5])},
                {"pool": 10, "rewards": "bounded"},
                "must have weights that are shares of the 10 cases of arm 'x'; 0.0 would be that "
                "of 3.33333; got Discrete([0.0, 0.5, 1.0]). Give the number of cases as weights, "
                "10 in all.",
            ),
        ],
    )
    def test_what_is_refused(self, means, asked, message):
        with pytest.raises(ga.errors.SpecError) as caught:
            ga.simulation.Tape(ga.Problem(list(means), 0.4, 0.1, **asked), means, seed=0)
        assert message in str(caught.value)

    @pytest.mark.parametrize("rewards", ["bernoulli", "bounded"])
    def test_a_sample_is_the_pool_itself(self, rewards):
        problem = ga.Problem(["a", "b"], 0.4, 0.1, rewards=rewards, pool={"b": 3, "a": 4})
        samples = {"b": [1, 0, 1], "a": [0, 0, 1, 0]}
        tape = ga.simulation.Tape(problem, samples=samples, seed=0)
        for arm, cases in samples.items():
            assert sorted(tape.next_reward(arm) for _ in cases) == sorted(cases)
        with pytest.raises(
            ga.errors.SpecError, match="must hold the 4 rewards of the pool of arm 'a', ea"
        ):
            ga.simulation.Tape(problem, samples={**samples, "a": [0, 0, 1]}, seed=0)

    def test_pools_of_scores_that_are_too_large(self):
        problem = ga.Problem(201, 0.4, 0.1, rewards="bounded", pool=10**5)
        with pytest.raises(ga.errors.SpecError, match="must have at most 20,000,000 cases in all"):
            ga.simulation.Tape(problem, [Discrete([0, 1])] * 201, seed=0)
