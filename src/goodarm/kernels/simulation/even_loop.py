"""Even split: every arm's test goes on by itself, because no choice depends on another arm.

Labelled arms get traffic too, but it changes no label: their pulls are counted and not drawn.
"""

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import BERNOULLI, UNDECIDED, CurveRows, Setup
from goodarm.kernels.compilation.jit import kernel
from goodarm.kernels.simulation.jump import pull_best_arm
from goodarm.kernels.simulation.pull import make_pulls
from goodarm.kernels.simulation.state import Scratch, State


@kernel
def advance_evenly(
    setup: Setup,
    curves: CurveRows,
    state: State,
    scratch: Scratch,
    begun: NDArray[np.int64],
    rounds: int,
) -> bool:
    """Pull each undecided arm to its label, or to ``rounds`` pulls more than it had at first.

    Without rivals an arm is the best one, so that 0/1 rewards go from success to success; through
    the warm-up, whose pulls need not be tested, it goes pull by pull.

    Returns:
        Whether the curves reached so far.
    """
    arms, labels = state.arms, state.labels
    skips = setup.rewards == BERNOULLI and not setup.keeps_wealth
    for arm in range(arms.shape[0]):
        end = begun[arm] + rounds
        if setup.has_pool:
            end = min(end, arms[arm]["cases"])
        while labels[arm] == UNDECIDED and arms[arm]["pulls"] < end:
            before = arms[arm]["pulls"]
            if before < setup.warmup:
                make_pulls(setup, curves, state, scratch, arm, min(end, setup.warmup) - before)
            elif not skips:
                make_pulls(setup, curves, state, scratch, arm, end - before)
            else:
                pull_best_arm(setup, curves, state, scratch, 0.0, arm, -1, end - before)
                if labels[arm] == UNDECIDED and arms[arm]["pulls"] < end:
                    make_pulls(setup, curves, state, scratch, arm, 1)
            if arms[arm]["pulls"] == before:
                return False
    return True
