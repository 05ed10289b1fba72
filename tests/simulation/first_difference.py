"""Where the fast engine first leaves the run of the plain one: the first step to find a bug.

Edit ``main`` and run it with the kernels as plain Python, which a debugger can enter:

    NUMBA_DISABLE_JIT=1 python -W ignore tests/simulation/first_difference.py
"""

import sys
from typing import NamedTuple

import numpy as np

import goodarm as ga
from goodarm.kernels.state import Scratch, new_scratch
from goodarm.simulation.engine import FAST, REFERENCE, Run, Task


class Difference(NamedTuple):
    """The step of the fast engine after which a field differs."""

    start: int
    """pulls before the step; up to here the engines agree"""
    end: int
    """pulls after it"""
    field: str
    fast: list
    plain: list


def first_difference(problem, algorithm, means, seed, run=0, cleared=()):
    """The first step after which the engines differ, or None.

    The fields of Scratch named by ``cleared`` are cleared after every step. Where the difference
    then goes away, one of them was wrong when the step began.
    """
    setup, rule = algorithm.setup(problem), algorithm.rule(problem)
    task = Task(rule, setup, np.array(means, float), seed, [run], FAST)
    fast, plain = Run(task, run), Run(task._replace(engine=REFERENCE), run)
    while not fast.is_over:
        start = fast.pulls
        fast.step(1)
        while plain.pulls < fast.pulls and not plain.is_over:
            plain.step(fast.pulls - plain.pulls)
        found, expected = fields(fast.state), fields(plain.state)
        for name in found:
            if found[name] != expected[name]:
                return Difference(start, fast.pulls, name, found[name], expected[name])
        fresh = new_scratch(setup, fast.state)
        for name in cleared:
            getattr(fast.scratch, name)[...] = getattr(fresh, name)
    return None


def fields(state):
    """What defines a run, but for the words of the tape, which follow from how many were drawn."""
    return {
        "pulls": state.arms["pulls"].tolist(),
        "sums": state.arms["sum"].tolist(),
        "labels": state.labels.tolist(),
        "words drawn": state.places["drawn"].tolist(),
        "successes left": state.places["left"].tolist(),
        "next success": state.places["next_success"].tolist(),
        "alive": state.alive[: state.progress["alive"][0]].tolist(),
        "good arms at": state.tau[~np.isnan(state.tau)].tolist(),
        "wealth": state.wealth.tolist(),
        "progress": state.progress.tolist(),
    }


def main():
    """Look at one run; edit this."""
    problem = ga.Problem(4, threshold=0.7, delta=0.3, max_pulls=100)
    algorithm = ga.Algorithm(sampling="moss", identification="hoeffding", warmup=1)
    case = (problem, algorithm, [0.45, 0.45, 0.5, 0.5], 2)
    found = first_difference(*case)
    if found is None:
        sys.stdout.write("The engines agree.\n")
        return
    sys.stdout.write(
        f"They agree for {found.start} pulls. After {found.end} the {found.field} are\n"
        f"  fast:  {found.fast}\n"
        f"  plain: {found.plain}\n"
    )
    for name in Scratch._fields:
        if first_difference(*case, cleared=[name]) is None:
            sys.stdout.write(f"With {name} cleared at every step they agree.\n")


if __name__ == "__main__":
    np.seterr(over="ignore")
    main()
