"""Tests of the remark that another kind fits the rewards."""

import numpy as np
import pytest

import goodarm as ga
from goodarm.judging import RewardProfile

LUCK = np.random.default_rng(7)
GAUSSIAN = {"rewards": "gaussian", "sigma": 1.0, "threshold": 0.5}
BOUNDED = {"rewards": "bounded", "low": 0.0, "high": 5.0, "threshold": 2.5}
COINS = {"a": LUCK.integers(0, 2, 60), "b": LUCK.integers(0, 2, 60)}
RATINGS = {"a": LUCK.integers(1, 6, 90), "b": LUCK.integers(1, 6, 90)}
NORMAL = {"a": LUCK.normal(0.3, 1, 400), "b": LUCK.normal(0.8, 1, 400)}
REVENUE = {"a": LUCK.lognormal(0, 1, 2000)}
UNIFORM = {"a": 5 * LUCK.random(200)}
CLIPPED = {"a": NORMAL["a"], "b": NORMAL["b"].clip(-0.2, 1.8)}


def note(table, question):
    """Return the remark under a table of single rewards."""
    is_gaussian = question.get("rewards") == "gaussian"
    return ga.check(table, raw=True, trust_sigma=is_gaussian, **question).rewards_note


@pytest.mark.parametrize(
    ("rewards", "question", "said"),
    [
        (
            COINS,
            GAUSSIAN,
            "All 120 rewards are 0 or 1. If others cannot come, the kind 'bernoulli'",
        ),
        (COINS, BOUNDED, "All 120 rewards are 0 or 1."),
        (RATINGS, GAUSSIAN, "with low 1 and high 5 for the next experiment; it needs no sigma."),
        (REVENUE, GAUSSIAN, "sigma away from the mean of the others"),
        (CLIPPED, GAUSSIAN, None),  # arm a goes beyond the limits of arm b
        (NORMAL, GAUSSIAN, None),
        (UNIFORM, BOUNDED, None),
        (RATINGS, BOUNDED, None),
        (COINS, {"threshold": 0.5}, None),
        ({"a": [0, 1] * 9}, GAUSSIAN, None),  # too few to say
    ],
)
def test_check_points_out_the_kind_that_fits(rewards, question, said):
    """Rewards of another kind get a remark, fitting ones none."""
    found = note(rewards, question)
    assert (said in found) if said else found == ""


def test_the_remark_changes_nothing_and_is_kept():
    """It stands under the table and in its document, and no number depends on it."""
    table = ga.check(COINS, raw=True, **GAUSSIAN)
    assert table.rewards_note in table.notes
    assert table.rewards_note in repr(table)
    document = table.to_dict()
    assert document["rewards_note"] == table.rewards_note
    assert ga.ArmTable.from_dict(document).rewards_note == table.rewards_note
    assert "rewards_note" not in ga.check(NORMAL, raw=True, **GAUSSIAN).to_dict()


def test_portions_and_counts_of_values_say_the_same():
    """It does not matter in which portions rewards come, or whether equal ones are counted."""
    problem = ga.Problem(["a", "b"], **GAUSSIAN)
    whole, parts, counted = RewardProfile(), RewardProfile(), RewardProfile()
    arms = np.repeat([0, 1], 90)
    values = np.concatenate([RATINGS["a"], RATINGS["b"]]).astype(float)
    whole.add(arms, values, np.ones(180), 2)
    for start, end in ((0, 40), (40, 41), (41, 180)):  # the second arm comes in the last portion
        part = slice(start, end)
        parts.add(arms[part], values[part], np.ones(end - start), 1 + int(arms[part].max()))
    pairs, times = np.unique(np.stack([arms, values]), axis=1, return_counts=True)
    counted.add(pairs[0].astype(int), pairs[1], times.astype(float), 2)
    said = whole.describe(problem, "ab")
    assert "low 1 and high 5" in said
    assert parts.describe(problem, "ab") == counted.describe(problem, "ab") == said


def test_nothing_is_said_where_some_rewards_are_not_seen():
    """An engine that counts in bins hides rewards: the others may be of any kind."""
    profile = RewardProfile()
    profile.add(np.zeros(50, int), np.ones(50), np.ones(50), 1)
    problem = ga.Problem(["a"], **GAUSSIAN)
    assert profile.describe(problem, "a")
    profile.skip_some()
    assert profile.describe(problem, "a") == ""


def test_gaussian_rewards_are_hardly_ever_pointed_out():
    """Of 2,000 tables of 100 Gaussian rewards none gets a remark, nor do rounded ones."""
    luck = np.random.default_rng(1)
    problem = ga.Problem(["a"], **GAUSSIAN)
    for digits in (15, 1):
        for rewards in luck.normal(0, 1, (1000, 100)).round(digits):
            profile = RewardProfile()
            profile.add(np.zeros(100, int), rewards, np.ones(100), 1)
            assert profile.describe(problem, "a") == ""


def test_a_live_experiment_points_it_out():
    """An Identifier sees it in what it was told, lost and open pulls left out."""
    ident = ga.Identifier(ga.Problem(["a", "b"], **GAUSSIAN), seed=1)
    pulls = ident.ask_many(40)
    for number, pull in enumerate(pulls[:30]):
        ident.tell(pull, number % 2)
    ident.forget(pulls[30], loss_is_independent=True)
    assert "All 30 rewards are 0 or 1." in ident.table().rewards_note
    ident.tell(pulls[31], 0.25)
    assert "All" not in ident.table().rewards_note


@pytest.mark.parametrize("reward", [0.5, 3])
def test_a_fraction_under_0_and_1_names_the_kind_that_fits(reward):
    """The error says what to do."""
    ident = ga.Identifier(ga.Problem(["a"], threshold=0.5), seed=1)
    with pytest.raises(ga.errors.SpecError, match="pass rewards='bounded' with low and high"):
        ident.tell(ident.ask(), reward)
