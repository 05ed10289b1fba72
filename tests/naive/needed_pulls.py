"""Further pulls until a label, exactly: by the urn of a mean that may be any.

After s successes in n pulls the next reward is a success with probability (s + 1) / (n + 2), and so
on. The pulls until the counts prove a label have a distribution that a dynamic programme gives.
"""

import numpy as np


def chances(is_labelled, n, s, most):
    """The probability of a label within 0, 1, ..., most further pulls.

    ``is_labelled(n, s)`` says of whole numbers of successes whether n pulls prove a label.
    """
    alive = np.array([1.0])  # probability of 0, 1, ... further successes without a label
    labelled = [0.0]
    for t in range(1, most + 1):
        likely = (s + 1 + np.arange(t)) / (n + 1 + t)
        after = np.zeros(t + 1)
        after[1:] = alive * likely
        after[:-1] += alive * (1 - likely)
        done = is_labelled(n + t, s + np.arange(t + 1))
        labelled.append(labelled[-1] + after[done].sum())
        alive = np.where(done, 0.0, after)
    return np.array(labelled)


def edge_sum(excess, n, far):
    """The distance from the bar at which evidence is just enough, by halving; one n at a time."""
    low, high = 0.0, far
    if excess(n, high) < 0:
        return np.inf
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(n, middle) >= 0 else (middle, high)
    return high
