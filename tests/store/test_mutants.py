"""The tests of stores find what they are for: each mutant fails the test that should catch it."""

import pytest

import goodarm as ga
from goodarm.store import Store
from goodarm.store.memory import MemoryRecorder
from goodarm.testing import Clock, StoreContract
from store.mutants import MUTANTS, applied

CAUGHT_BY = {
    "no compare-and-set": ["test_each_reward_is_there_once_and_no_pull_is_given_twice"],
    "keys are forgotten": [
        "test_a_key_makes_any_request_safe_to_repeat",
        "test_another_request_under_the_same_key_is_refused",
        "test_the_same_request_made_at_once_counts_once",
    ],
    "answer before commit": ["test_the_same_reward_is_acknowledged_and_another_refused"],
    "expiry by the reader's clock": ["test_looking_ends_no_lease"],
}
CASES = [(name, test) for name, tests in CAUGHT_BY.items() for test in tests]


def run(test):
    recorder, clock = MemoryRecorder(), Clock()
    values = {"open_store": lambda: Store(recorder, clock), "pass_time": clock.move}
    method = getattr(StoreContract(), test)
    names = method.__func__.__code__.co_varnames[1 : method.__func__.__code__.co_argcount]
    method(**{name: values[name] for name in names})


@pytest.mark.parametrize(("name", "test"), CASES)
def test_the_contract_catches_it(name, test):
    run(test)
    with (
        applied(name),
        pytest.raises((AssertionError, ga.errors.GoodArmError, pytest.fail.Exception)),
    ):
        run(test)


def test_every_mutant_is_caught():
    assert set(CAUGHT_BY) == set(MUTANTS)
