"""A simulation begins with the plain loop where the fast one is not compiled: the same runs."""

import numpy as np
import pytest

import goodarm as ga
from goodarm.simulation import engine

MEANS = [0.9, 0.2, 0.55, 0.45]


def runs_of(algorithm, how, **options):
    return ga.simulate(
        MEANS, threshold=0.5, delta=0.05, algorithm=algorithm, runs=4, engine=how, **options
    )


def is_equal(one, two):
    names = ("tau", "stop", "pulls", "labels")
    return all(np.array_equal(getattr(one, n), getattr(two, n), equal_nan=True) for n in names)


@pytest.fixture
def loop(monkeypatch):
    """A plain loop that nobody has used yet, in steps of 40 pulls."""
    loop = engine._PlainLoop()
    monkeypatch.setattr(engine, "_plain_loop", loop)
    monkeypatch.setattr(engine, "_STEP_COST", 16 * 40)
    return loop


@pytest.mark.parametrize("algorithm", ["e-hdoc", "hdoc", "lil-hdoc", "apt-g"])
def test_changing_loops_within_a_run_changes_nothing(algorithm, loop, monkeypatch):
    """The fast loop becomes ready after some steps of the plain one."""
    expected = runs_of(algorithm, "reference")
    used = []
    monkeypatch.setattr(engine, "is_ready", lambda _: len(used) > 3)
    plain, fast = engine.advance, engine.advance_fast
    monkeypatch.setattr(engine, "advance", lambda *a: used.append("plain") or plain(*a))
    monkeypatch.setattr(engine, "advance_fast", lambda *a: used.append("fast") or fast(*a))
    monkeypatch.setattr(loop, "is_needed", lambda setup: len(used) <= 3)
    found = runs_of(algorithm, "auto")
    assert used[:3] == ["plain"] * 3
    assert "fast" in used
    assert is_equal(found, expected)
    assert found.engine == "fast"


def test_who_asks_for_the_fast_engine_gets_it(loop, monkeypatch):
    monkeypatch.setattr(engine, "is_ready", lambda _: False)
    monkeypatch.setattr(loop, "is_needed", lambda setup: pytest.fail("not asked for"))
    assert runs_of("hdoc", "fast").engine == "fast"


def test_after_some_time_one_thread_compiles(loop, monkeypatch):
    """The others go on with the plain loop until the fast one is ready."""
    problem = ga.Problem(4, threshold=0.5, delta=0.05)
    setup = ga.algorithms()["hdoc"].algorithm.setup(problem)
    monkeypatch.setattr(engine, "is_ready", lambda _: False)
    assert loop.is_needed(setup)
    loop._spent = loop.SECONDS
    assert [loop.is_needed(setup) for _ in range(3)] == [False, True, True]
    monkeypatch.setattr(engine, "is_ready", lambda _: True)
    assert not loop.is_needed(setup)
