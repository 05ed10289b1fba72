"""Kernels that are interpreted first give the numbers of the compiled ones, to the last bit."""

import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm.identification.mixture import evidence, pool
from goodarm.algorithm.identification.mixture.evidence import fit_prior_polynomials
from goodarm.kernels.codes import CURVE
from goodarm.kernels.compilation import jit
from goodarm.kernels.compilation.jit import MAX_WORK, InterpretingLimits, Kernel, interpret_kernels
from goodarm.kernels.numerics import bet_bounds, beta, mixture, pools

pytestmark = pytest.mark.skipif(
    not isinstance(beta.fill_masses, Kernel), reason="interpreted by NUMBA_DISABLE_JIT"
)


def run_both(kernel, *arguments, outputs=1):
    """What a kernel fills its last arguments with, interpreted and compiled."""
    found = []
    for call in (kernel.py_func, kernel.dispatcher):
        given = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
        if call is kernel.py_func:
            with interpret_kernels():
                call(*given)
        else:
            call(*given)
        found.append([part.tobytes() for part in given[-outputs:]])
    return found


def counts(seed, size=300):
    rng = np.random.default_rng(seed)
    n = np.floor(10.0 ** rng.uniform(0, 7, size))
    hits = np.round(n * rng.beta(0.3, 0.3, size))
    return hits, n - hits, rng


@pytest.mark.parametrize("weights", [(1.0,), (0.5, 4.0, 64.0), (0.001, 1e6)])
def test_evidence_masses_and_bars(weights):
    hits, misses, rng = counts(len(weights))
    bars = rng.beta(0.5, 0.5, len(hits)).clip(1e-6, 1 - 1e-6)
    priors, given = fit_prior_polynomials(weights), np.array(weights)
    one, two = run_both(
        mixture.fill_evidence, hits, misses, bars, 1 - bars, given, priors, np.empty(len(hits))
    )
    assert one == two
    one, two = run_both(
        beta.fill_masses, hits + 0.5, misses + 0.5, bars, 1 - bars, np.empty(len(hits))
    )
    assert one == two
    some = slice(0, 60)
    ends = np.zeros(60), np.zeros(60)
    for level in (1.0, 6.0, 30.0):
        found = run_both(
            mixture.fill_bars, hits[some], misses[some], level, given, priors, *ends, outputs=2
        )
        assert found[0] == found[1]


def test_pools():
    for size, least in ((5, 1), (40, 20), (90, 89)):
        logs, priors = np.empty(size + 1), np.empty(size + 1)
        one, two = run_both(pools.fill_factorials, logs)
        assert one == two
        one, two = run_both(pools.fill_prior, least, np.array([1.0, 16.0]), priors)
        assert one == two
        pools.fill_factorials(logs)
        pools.fill_prior(least, np.array([1.0, 16.0]), priors)
        for kernel in (pools.fill_good_rows, pools.fill_bad_rows):
            one, two = run_both(kernel, least, priors, logs, 4.0, np.zeros(size + 1, CURVE))
            assert one == two
        n = np.arange(1, size)
        one, two = run_both(pools.fill_evidence, n, n // 2, least, priors, logs, np.empty(len(n)))
        assert one == two


def test_bounds_of_bets():
    rng = np.random.default_rng(3)
    values = rng.random(40)
    starts = np.array([0, 10, 40])
    parts, shares = np.array([0.1, 0.5, 0.9]), np.log(np.full(3, 1 / 3))
    times, lost = np.ones(40), np.array([0.0, 3.0])
    one, two = run_both(
        bet_bounds.fill_bars, starts, values, times, lost, parts, shares, 2.0, np.zeros(2)
    )
    assert one == two
    sizes = np.array([20, 60])
    one, two = run_both(
        bet_bounds.fill_pool_bars, starts, values, sizes, parts, shares, 2.0, np.zeros(2)
    )
    assert one == two


PROBLEMS = [
    ({"rewards": "bernoulli"}, "e-hdoc"),
    ({"rewards": "bernoulli"}, "lil-hdoc"),
    ({"rewards": "bernoulli", "pool": 30}, "e-hdoc"),
    ({"rewards": "bounded", "low": 0, "high": 1}, "e-hdoc"),
    ({"rewards": "bounded", "low": 0, "high": 1, "pool": 30}, "apt-g+betting"),
    ({"rewards": "gaussian", "sigma": 1.0}, "hdoc"),
]


def run_story(options, algorithm):
    """Ask, tell, forget and observe, with some pulls out; each step's answer, and the end."""
    rng = random.Random(5)
    problem = ga.Problem(4, threshold=0.5, delta=0.1, **options)
    ident = ga.Identifier(problem, algorithm, seed=7)
    seen, out = [], []
    for step in range(40):
        if ident.is_done:
            break
        pulls = ident.ask_many(1 + step % 5)
        seen += [(pull.number, pull.arm, pull.case) for pull in pulls]
        out += pulls
        rng.shuffle(out)
        while len(out) > 2:
            pull = out.pop()
            if ident.is_done:
                break
            if rng.random() < 0.05:
                ident.forget(pull, loss_is_independent=algorithm == "hdoc")
            else:
                ident.tell(pull, float(rng.random() < 0.2 + 0.2 * pull.arm))
        if "pool" not in options and step % 7 == 0 and not ident.is_done:
            ident.observe(step % 4, [1, 0])
    return seen, json.dumps(ident.to_dict())


@pytest.fixture
def in_python(monkeypatch):
    """Call a function with all kernels that may be interpreted interpreted."""

    def call(function, *arguments):
        with monkeypatch.context() as patch:
            patch.setattr(InterpretingLimits, "until_compiled", 1e9)
            patch.setattr(Kernel, "is_ready", lambda self: False)
            for name, module in list(sys.modules.items()):
                if name.startswith("goodarm.kernels."):
                    for found in vars(module).values():
                        if isinstance(found, Kernel):
                            patch.setattr(found, "_is_settled", False)
            for cached in (
                evidence.fit_prior_polynomials,
                pool._make_priors,
                pool._compute_log_factorials,
                pool._make_rows,
            ):
                cached.cache_clear()
            spent = InterpretingLimits.spent
            found = function(*arguments)
            assert InterpretingLimits.spent > spent
        return found

    return call


@pytest.mark.parametrize(("options", "algorithm"), PROBLEMS)
def test_ask_and_tell(options, algorithm, in_python):
    assert in_python(run_story, options, algorithm) == run_story(options, algorithm)


COUNTS = {f"arm {k}": (3 + 17 * k, 2 + 9 * k + k % 5) for k in range(12)}
VALUES = {"arm": ["a"] * 9 + ["b"] * 12, "reward": [0.9, 0.5, 0.6] * 7}
TABLES = [
    (COUNTS, {}),
    (COUNTS, {"control": "fdr", "margin": 0.02}),
    (COUNTS, {"rule": "hoeffding"}),
    (COUNTS, {"pool": 300}),
    (VALUES, {"raw": True, "rewards": "bounded", "low": 0, "high": 1}),
    (VALUES, {"raw": True, "rewards": "bounded", "low": 0, "high": 1, "pool": 40}),
]


def judge_table(table, options):
    return json.dumps(ga.check(table, threshold=0.55, delta=0.05, **options).to_dict())


@pytest.mark.parametrize(("table", "options"), TABLES)
def test_tables(table, options, in_python):
    assert in_python(judge_table, table, options) == judge_table(table, options)


def test_when_it_is_compiled(monkeypatch):
    """Small calls are interpreted until they have taken some time, large ones never."""
    for name, value in (("until_loaded", 1.0), ("until_compiled", 5.0), ("spent", 0.0)):
        monkeypatch.setattr(InterpretingLimits, name, value)
    monkeypatch.setattr(Kernel, "is_ready", lambda self: pytest.fail("it would load numba"))
    made = Kernel(lambda work: work, lambda work: work)
    with monkeypatch.context() as patch:
        patch.delitem(sys.modules, "numba")
        assert not made._is_worth_compiling((MAX_WORK,))
    monkeypatch.setattr(Kernel, "is_ready", lambda self: False)
    assert not made._is_worth_compiling((MAX_WORK,))
    monkeypatch.setattr(InterpretingLimits, "spent", 4.9)
    assert not made._is_worth_compiling((1,))
    monkeypatch.setattr(Kernel, "is_ready", lambda self: True)
    assert made._is_worth_compiling((1,))  # in the cache
    monkeypatch.setattr(Kernel, "is_ready", lambda self: False)
    monkeypatch.setattr(InterpretingLimits, "spent", 5.0)
    assert Kernel(lambda work: work, lambda work: work)._is_worth_compiling((1,))
    monkeypatch.setattr(InterpretingLimits, "spent", 0.0)
    assert Kernel(lambda work: work, lambda work: work)._is_worth_compiling((MAX_WORK + 1,))
    assert Kernel(lambda work: work)._is_worth_compiling((1,))


def test_another_process_that_compiles_is_waited_for(monkeypatch):
    for name, value in (("until_loaded", 0.0), ("until_compiled", 0.0)):
        monkeypatch.setattr(InterpretingLimits, name, value)
    answers = iter([False, False, True])
    monkeypatch.setattr(Kernel, "is_ready", lambda self: next(answers))
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        with jit.background.leave_compiling_to(process):
            made = Kernel(lambda work: work, lambda work: work)
            assert not made._is_worth_compiling((1,))  # a small call is interpreted meanwhile
            assert made._is_worth_compiling((MAX_WORK + 1,))
            assert next(answers, None) is None
    finally:
        process.kill()
        process.wait()
    assert not jit.background.is_compiling()


def test_what_python_refuses_is_compiled_from_the_start(monkeypatch):
    """The log of 0 is an error in Python and minus infinity in compiled code."""
    monkeypatch.setattr(InterpretingLimits, "until_compiled", 1e9)
    monkeypatch.setattr(Kernel, "is_ready", lambda self: False)
    seen = []

    def refused(found, pair):
        found[0] = pair[1][0] = 7.0
        raise ValueError("math domain error")

    made = Kernel(refused, lambda *_: 1)
    made.dispatcher = lambda found, pair: seen.append((found.tolist(), pair[1].tolist()))
    made(np.zeros(1), (3, np.ones(1)))
    assert seen == [([0.0], [1.0])]


def test_a_call_that_is_interrupted_changes_nothing(monkeypatch):
    monkeypatch.setattr(InterpretingLimits, "until_compiled", 1e9)
    monkeypatch.setattr(Kernel, "is_ready", lambda self: False)

    def interrupted(found):
        found[0] = 7.0
        raise KeyboardInterrupt

    found = np.zeros(1)
    with pytest.raises(KeyboardInterrupt):
        Kernel(interrupted, len)(found)
    assert found.tolist() == [0.0]


def test_numbers_are_python_s_own(monkeypatch):
    monkeypatch.setattr(InterpretingLimits, "until_compiled", 1e9)
    monkeypatch.setattr(Kernel, "is_ready", lambda self: False)
    made = Kernel(lambda: (np.int64(3), np.bool_(True)), lambda: 1)
    found = made()
    assert found == (3, True)
    assert [type(each) for each in found] == [int, bool]


LOADED = """
import sys
import goodarm as ga
ga.check({"a": (100, 90), "b": (50, 20)}, threshold=0.5, delta=0.05)
print("numba" in sys.modules)
"""


def test_a_small_table_loads_no_numba(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", LOADED],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
    )
    assert (done.stdout, done.stderr) == ("False\n", "")
    assert list(tmp_path.iterdir()) == []
