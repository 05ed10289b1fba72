"""Money of gates: what runs cost, a cap that is a number of runs, and results that say it."""

import json
import random

import pytest

import goodarm as ga
from goodarm.errors import SpecError
from goodarm.results import GateResult


def prove(passes, **options):
    outcomes = iter(passes)
    return ga.prove(lambda: next(outcomes), threshold=0.9, **options)


@pytest.mark.parametrize("jobs", [1, 3])
def test_no_run_begins_that_the_money_does_not_pay_for(jobs):
    luck = random.Random(5)
    outcomes = [luck.random() < 0.9 for _ in range(400)]
    capped = prove(outcomes, max_runs=None, cost=0.3, max_cost=30.2, jobs=jobs)
    counted = prove(outcomes, max_runs=100)
    assert capped.max_runs == 100
    assert capped.label == counted.label
    assert capped.pulls == counted.pulls
    assert capped.spent is not None
    assert 0.3 * capped.pulls <= capped.spent + 1e-9 <= 30.2


def test_the_fewer_of_runs_and_money_counts():
    assert prove([True] * 99, max_runs=80, cost=1, max_cost=1000).max_runs == 80
    assert prove([True] * 99, max_runs=80, cost=1, max_cost=70).max_runs == 70
    assert prove([True] * 99, max_runs=80, cost=0, max_cost=70).max_runs == 80


def test_money_that_cannot_prove_anything_is_refused_before_the_first_run():
    with pytest.raises(
        SpecError, match=r"'max_cost' of prove must pay for at least 53 runs, 10\.60"
    ):
        ga.prove(lambda: pytest.fail("it ran"), threshold=0.9, cost=0.2, max_cost=5)
    with pytest.raises(SpecError, match="come with the cost"):
        ga.prove(lambda: True, threshold=0.9, max_cost=5)


def test_the_answer_says_its_price_and_is_read_again():
    found = prove([True] * 60, cost=0.02, max_cost=5)
    assert (found.label, found.pulls, found.spent) == ("good", 53, 1.06)
    assert found.sentence.endswith("(interval 0.9007 to 1); spent 1.06.")
    document = json.loads(json.dumps(found.to_dict()))
    assert (document["cost"], document["spent"], document["max_cost"]) == (0.02, 1.06, 5.0)
    again = GateResult.from_dict(document)
    assert again.to_dict() == document
    assert again.table() == found.table()


def test_an_answer_to_go_on_from_has_spent_its_part():
    luck = random.Random(7)
    outcomes = [luck.random() < 0.9 for _ in range(400)]
    first = prove(outcomes, max_runs=60, cost=0.5)
    assert first.label == "undecided"
    rest = ga.prove(
        iter(outcomes[60:]).__next__, threshold=0.9, cost=0.5, max_cost=60, so_far=first
    )
    assert rest.max_runs == 120
    assert rest.pulls > 60
    assert rest.spent == 0.5 * rest.pulls


def test_without_costs_nothing_is_new():
    found = prove([True] * 60)
    assert found.spent is None
    text = json.dumps(found.to_dict()) + found.sentence
    assert not any(word in text for word in ("cost", "spent"))
