"""The probability that a rule ever mislabels an arm, computed rather than sampled.

For 0/1 rewards the number of successes after n pulls is a Markov chain, so the probability that
the path ever enters the region where a label is given comes out of a dynamic programme over counts.
"""

import numpy as np


def crossing_probabilities(width_at, mean, good_bar, bad_bar, pulls):
    """(ever labelled good, ever labelled bad) within ``pulls`` pulls, each label on its own.

    ``width_at(n)`` is the half width of the interval after n pulls. Each label is followed without
    stopping at the other one, which can only raise its probability.
    """
    return (
        _crossing(lambda n, means: means - width_at(n) >= good_bar, mean, pulls),
        _crossing(lambda n, means: means + width_at(n) <= bad_bar, mean, pulls),
    )


def _crossing(is_labelled, mean, pulls):
    alive = np.array([1.0])  # probability of s successes so far without a label
    labelled = 0.0
    for n in range(1, pulls + 1):
        after = np.zeros(n + 1)
        after[:-1] += alive * (1.0 - mean)
        after[1:] += alive * mean
        hit = is_labelled(n, np.arange(n + 1) / n)
        labelled += after[hit].sum()
        after[hit] = 0.0
        alive = after
    return labelled
