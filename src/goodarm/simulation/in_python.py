"""One run under a sampling rule in Python: the rule is asked before each pull, the kernels pull."""

from collections.abc import Callable

import numpy as np

from goodarm.algorithm import SamplingRule, View
from goodarm.algorithm.identification.curves import Curves
from goodarm.algorithm.sampling.view import checked_choice
from goodarm.kernels.codes import CURVE, Setup
from goodarm.kernels.fast import pull, warm_up
from goodarm.kernels.run import Run
from goodarm.kernels.tape import Tape

_STEP = 256
"""Choices between two looks at whether to stop."""


def advance_in_python(
    setup: Setup,
    rule: SamplingRule,
    growing: Curves | None,
    tape: Tape,
    state: Run,
    seed: int,
    run: int,
    go_on: Callable[[int], bool],
) -> bool:
    """Make the run to its end; false if ``go_on``, told the pulls so far, said no before."""
    curves, counters, arms = np.zeros(1, CURVE), state.counters, state.arms
    while counters[3] < setup.num_arms and not _is_over(setup, state):
        if not go_on(int(counters[0])):
            return False
        if growing is not None:
            curves = growing.reach(int(arms["pulls"].max()), float(arms["sum"].max()))
        warm_up(setup, curves, tape, state, 1 << 20)
    means = arms["sum"] / np.maximum(arms["pulls"], 1)
    active = state.labels == 0
    view = View(setup, arms["pulls"], means, active, seed, run)
    step = 0
    while not _is_over(setup, state):
        if step % _STEP == 0 and not go_on(int(counters[0])):
            return False
        step += 1
        t = int(counters[0])
        view.move_to(t, t)
        arm = checked_choice(rule.choose(view), view, rule.name)
        own = arms[arm]
        if growing is not None and growing.row(int(own["pulls"]), own["sum"]) + 2 > len(curves):
            curves = growing.reach(int(own["pulls"]), float(own["sum"]))
        active[arm] = pull(setup, curves, tape, state, arm) == 0
        means[arm] = own["sum"] / own["pulls"]
    return True


def _is_over(setup: Setup, state: Run) -> bool:
    t, alive, good, _ = state.counters
    return bool(alive == 0 or good >= setup.until or t >= setup.max_pulls)
