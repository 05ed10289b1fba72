"""The first step of a run after which the fast engine differs from the plain one.

``run_both`` makes runs with both engines, and fails with the first run, pull, arm and field that
differ. To look at one run, edit ``main`` and run it with the kernels as plain Python, which a
debugger can enter:

    NUMBA_DISABLE_JIT=1 python -W ignore tests/simulation/first_difference.py
"""

import sys
from typing import NamedTuple

import numpy as np

import goodarm as ga
from goodarm.algorithm import find_algorithm
from goodarm.kernels.simulation.state import Scratch, make_scratch
from goodarm.simulation.engine import FAST, REFERENCE, SimulatedRun, SimulationTask
from goodarm.simulation.instance import fit_instance
from goodarm.simulation.laws import make_laws

RESULTS = ("stop", "pulls", "labels", "tau", "wrong")
"""The arrays of Runs that can differ."""
BY_ARM = ("pulls", "sums", "labels", "words drawn", "successes left", "next success", "wealth")
"""Fields of a run with one entry for each arm."""
MAX_ARMS_SHOWN = 6


class Difference(NamedTuple):
    """The step of an engine after which a field differs from that of the plain run."""

    run: int
    start: int
    """pulls before the step; up to here the engines agree"""
    end: int
    """pulls after it"""
    field: str
    found: np.ndarray
    plain: np.ndarray

    @property
    def arms(self):
        """The arms that differ, where the field has one entry for each arm."""
        if self.field not in BY_ARM:
            return []
        is_same = self.found == self.plain
        return np.flatnonzero(~is_same.reshape(len(is_same), -1).all(axis=1)).tolist()

    def __str__(self):
        head = f"Run {self.run} agrees for {self.start} pulls."
        lines = [f"{head} After {self.end} the {self.field} differ:"]
        for arm in self.arms[:MAX_ARMS_SHOWN]:
            found, plain = self.found[arm].tolist(), self.plain[arm].tolist()
            lines.append(f"  arm {arm}: {found} fast, {plain} plain")
        if len(self.arms) > MAX_ARMS_SHOWN:
            lines.append(f"  and {len(self.arms) - MAX_ARMS_SHOWN} more arms")
        if not self.arms:
            lines += [f"  fast:  {self.found.tolist()}", f"  plain: {self.plain.tolist()}"]
        return "\n".join(lines)


def run_both(means, threshold, delta, algorithm, **keywords):
    """Runs of the fast engine and of the plain one, which are equal, or the first difference."""
    keywords = {"allow_large_delta": True, **keywords}
    fast = ga.simulate(
        means, threshold=threshold, delta=delta, algorithm=algorithm, engine="fast", **keywords
    )
    plain = ga.simulate(
        means, threshold=threshold, delta=delta, algorithm=algorithm, engine="reference", **keywords
    )
    assert (fast.engine, plain.engine) == ("fast", "reference")
    if fast != plain:
        raise AssertionError(explain_runs(fast, plain, algorithm, means))
    return fast, plain


def explain_runs(fast, plain, algorithm, means):
    """The first run that differs, the pulls up to which it does not, the arms and the field."""
    for run in range(len(plain)):
        names = [name for name in RESULTS if is_different(fast, plain, name, run)]
        if names:
            break
    else:
        return "The runs are the same; what they were asked differs."
    problem = fast.problem
    algorithm = find_algorithm(algorithm, "simulate", problem.rewards)
    found = find_first_difference(problem, algorithm, means, fast.seed, run)
    head = f"Run {run} of seed {fast.seed} ends with other {', '.join(names)}."
    if found is None:
        return f"{head} Step by step the engines agree: the difference is outside of them."
    return f"{head}\n{found}"


def is_different(fast, plain, name, run):
    one, two = getattr(fast, name)[run], getattr(plain, name)[run]
    return not np.array_equal(one, two, equal_nan=name == "tau")


def find_first_difference(problem, algorithm, means, seed, run=0, cleared=(), engine=FAST):
    """The first step of an engine after which it differs from the plain one, or None.

    The fields of Scratch named by ``cleared`` are cleared after every step. Where the difference
    then goes away, one of them was wrong when the step began.
    """
    instance = fit_instance(problem, len(means), list(means), "first_difference")
    setup, rule = algorithm.setup(problem), algorithm.rule(problem)
    laws = make_laws(problem, instance, "first_difference")
    task = SimulationTask(rule, setup, instance.means, seed, [run], engine, laws=laws)
    if cleared:
        return _follow(task, run, 0, cleared)
    # Long steps, and then short ones from the last place where nothing differed.
    rough = _follow(task, run, sys.maxsize)
    return _follow(task, run, 0 if rough is None else rough.start) or rough


def _follow(task, run, start, cleared=()):
    """The first difference, in the shortest steps once there are ``start`` pulls."""
    moving, plain = SimulatedRun(task, run), SimulatedRun(task._replace(engine=REFERENCE), run)
    while not moving.is_over:
        before = moving.pulls
        moving.step(1 if before >= start else None)
        while plain.pulls < moving.pulls and not plain.is_over:
            plain.step(moving.pulls - plain.pulls)
        found, expected = fields(moving.state), fields(plain.state)
        for name in found:
            if not np.array_equal(found[name], expected[name], equal_nan=name == "wealth"):
                return Difference(run, before, moving.pulls, name, found[name], expected[name])
        fresh = make_scratch(task.setup, moving.state) if cleared else None
        for name in cleared:
            getattr(moving.scratch, name)[...] = getattr(fresh, name)
    return None


def fields(state):
    """What defines a run, but for the words of the tape, which follow from how many were drawn."""
    return {
        "pulls": state.arms["pulls"].copy(),
        "sums": state.arms["sum"].copy(),
        "labels": state.labels.copy(),
        "words drawn": state.places["drawn"].copy(),
        "successes left": state.places["left"].copy(),
        "next success": state.places["next_success"].copy(),
        "alive": state.alive[: state.progress["alive"][0]].copy(),
        "good arms at": state.tau[~np.isnan(state.tau)],
        "wealth": state.wealth[: len(state.arms)].copy(),
        "progress": state.progress.copy(),
    }


def main():
    """Look at one run; edit this."""
    problem = ga.Problem(4, threshold=0.7, delta=0.3, max_pulls=100)
    algorithm = ga.Algorithm(sampling="moss", identification="hoeffding", warmup=1)
    case = (problem, algorithm, [0.45, 0.45, 0.5, 0.5], 2)
    found = find_first_difference(*case)
    if found is None:
        sys.stdout.write("The engines agree.\n")
        return
    sys.stdout.write(f"{found}\n")
    for name in Scratch._fields:
        if find_first_difference(*case, cleared=[name]) is None:
            sys.stdout.write(f"With {name} cleared at every step they agree.\n")


if __name__ == "__main__":
    np.seterr(over="ignore")
    main()
