"""Quantities: values with one text, in the order of a run."""

import random

import pytest

import goodarm as ga
from goodarm.results.quantity import STOP, Quantity, read_quantity, tau

IN_ORDER = [tau(1), tau(2), tau(9), tau(10), tau(100), STOP]


def test_equal_quantities_are_one_key():
    assert tau(3) == Quantity(3)
    assert {tau(3): "a"}[tau(3)] == "a"
    assert len({tau(1), tau(1), tau(2), STOP, Quantity(None)}) == 3
    assert tau(1) != "tau_1"


def test_they_sort_in_the_order_of_a_run():
    mixed = random.Random(0).sample(IN_ORDER, len(IN_ORDER))
    assert sorted(mixed) == IN_ORDER
    assert tau(2) < STOP
    assert tau(10**9) <= STOP
    assert not STOP < STOP
    assert STOP <= STOP
    with pytest.raises(TypeError):
        tau(1) < "tau_2"  # noqa: B015


@pytest.mark.parametrize("quantity", IN_ORDER)
def test_text_and_back(quantity):
    assert read_quantity(str(quantity)) == quantity
    assert eval(repr(quantity)) == quantity


def test_the_text():
    assert [str(quantity) for quantity in (tau(1), tau(24), STOP)] == [
        "tau_1",
        "tau_24",
        "tau_stop",
    ]
    assert read_quantity("stop") == STOP
    assert read_quantity("24") == tau(24)


@pytest.mark.parametrize("text", ["", "tau_", "tau_0", "tau_01", "tau_-1", "tau_x", "Tau_1", "1\n"])
def test_other_texts_are_refused(text):
    with pytest.raises(ga.errors.SpecError, match="must be tau_1, tau_2, ... or tau_stop"):
        read_quantity(text)


@pytest.mark.parametrize("count", [0, -1, 1.5, True, None, "1"])
def test_a_count_is_a_whole_number(count):
    with pytest.raises(ga.errors.SpecError, match="'count' of tau must be a whole number"):
        tau(count)


def test_a_summary_is_asked_by_quantity_or_text():
    summary = ga.simulate([0.9, 0.1], threshold=0.5, delta=0.1, algorithm="hdoc", runs=3).table()
    assert [row.quantity for row in summary.rows] == [tau(1), STOP]
    assert summary[STOP] is summary["tau_stop"]
    assert summary[tau(1)].name == "tau_1"
    assert list(summary.to_dict()["rows"][0])[:2] == ["name", "runs"]
    with pytest.raises(KeyError, match="tau_2: no run reached it"):
        summary[tau(2)]
