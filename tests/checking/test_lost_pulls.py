"""Tables of live experiments that lost rewards: ``check`` counts each as the worst case."""

import io

import numpy as np
import pytest

import goodarm as ga
from goodarm.errors import SpecError
from goodarm.results import ArmTable

NAMES = ("labels", "lower", "upper", "log_good", "log_bad", "mean", "needed")


def run_experiment(problem, reward, lost_share, pulls=60, algorithm=None):
    ident = ga.Identifier(problem, algorithm=algorithm, seed=1)
    rng = np.random.default_rng(0)
    for pull in ident.ask_many(pulls):
        if rng.random() < lost_share:
            ident.forget(pull)
        else:
            ident.tell(pull, reward(rng))
    return ident.table()


def test_lost_pulls_are_no_successes():
    """Of 12 pulls of a fair coin the failures timed out: nothing is proven."""
    ident = ga.Identifier(ga.Problem(["a"], threshold=0.5), seed=1)
    for number, pull in enumerate(ident.ask_many(12)):
        ident.forget(pull) if number % 2 else ident.tell(pull, 1)
    table = ident.table()
    assert table["a"].lost == 6
    assert table.undecided == ["a"]
    as_successes = ga.check({"a": (12, 12)}, threshold=0.5)
    assert as_successes.good == ["a"]  # as the table was read before it had the column lost
    for again in (
        ga.check(io.StringIO(table.to_csv()), threshold=0.5),
        ga.check(table.columns(), threshold=0.5),
        ga.check(table.to_pandas(), threshold=0.5),
        ga.check(table.to_polars().lazy(), threshold=0.5),
        ga.check(table.to_polars().to_arrow().to_reader(), threshold=0.5),
        ga.check([row.to_dict() for row in table], threshold=0.5),
    ):
        assert again.undecided == ["a"]
        assert again["a"].lost == 6
        assert "6 pulls lost, counted as the worst case for each label: 6 of a." in repr(again)


@pytest.mark.parametrize("kind", ["bernoulli", "bounded"])
@pytest.mark.parametrize("mean", [0.1, 0.5, 0.98])
def test_an_exported_table_is_judged_as_the_experiment_was(kind, mean):
    scale = {"rewards": "bounded", "low": -2, "high": 6} if kind == "bounded" else {}
    low, high = (-2, 6) if scale else (0, 1)
    problem = ga.Problem(["a"], low + 0.5 * (high - low), **scale)
    algorithm = ga.Algorithm(sampling="hdoc", identification="mixture")
    table = run_experiment(
        problem, lambda rng: high if rng.random() < mean else low, 0.2, algorithm=algorithm
    )
    again = ga.check(io.StringIO(table.to_csv()), problem=problem)
    assert table.lost[0] > 0
    assert np.array_equal(again.lost, table.lost)
    for name in NAMES:
        np.testing.assert_allclose(getattr(again, name), getattr(table, name), rtol=1e-9)
    assert ArmTable.from_dict(again.to_dict()) == again
    assert ArmTable.from_dict(table.to_dict()) == table


def test_a_clean_table_is_read_again():
    ident = ga.Identifier(ga.Problem(["a"], threshold=0.5))
    ident.observe("a", [1] * 30)
    again = ga.check(io.StringIO(ident.table().to_csv()), threshold=0.5)
    assert again.good == ["a"]
    assert again["a"].mean == 1.0
    assert not again.lost_note


def test_the_table_of_an_older_version_is_refused():
    old = "arm,pulls,mean,label,labelled_at\na,12,1.0,undecided,\n"
    with pytest.raises(SpecError, match="'lost'.*Export the experiment again"):
        ga.check(io.StringIO(old), threshold=0.5)


def test_lost_means_that_only_in_goodarms_own_table_or_if_you_say_so():
    games = {"arm": ["a"], "pulls": [30], "successes": [28], "lost": [2]}  # won and lost
    assert ga.check(games, threshold=0.5).lost is None
    said = ga.check(games, threshold=0.5, columns={"lost": "lost"})
    assert said["a"].lost == 2
    assert said["a"].mean == 1.0


@pytest.mark.parametrize("lost", [-1, 3, 0.5, "many"])
def test_impossible_numbers_of_lost_pulls_are_refused(lost):
    counts = {"arm": ["a"], "pulls": [30], "successes": [28], "gone": [lost]}
    with pytest.raises(SpecError, match="gone"):
        ga.check(counts, threshold=0.5, columns={"lost": "gone"})


def test_a_lost_gaussian_reward_has_no_worst_case():
    counts = {"arm": ["a"], "pulls": [30], "sum": [28.0], "lost": [1]}
    with pytest.raises(SpecError, match="no worst case"):
        ga.check(counts, threshold=0.5, rewards="gaussian", sigma=1, columns={"lost": "lost"})
