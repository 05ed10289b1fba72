"""A tournament of arms: which has the largest key, and which the second, ties to the lowest.

``keys`` has a number for each arm and, up to a power of two, minus infinity. In ``tree`` the leaf
of an arm is at len(keys) + arm, and each node above holds the winner of the two below it; the root
is at 1. A changed key costs the way from its leaf to the root, or less.
"""

import math

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.compilation.jit import inlined, kernel, merged

Keys = NDArray[np.float64]
Tree = NDArray[np.int64]


def new_keys(num_arms: int) -> Keys:
    """No arm has a key yet."""
    size = 2
    while size < num_arms:
        size *= 2
    return np.full(size, -math.inf)


def new_tree(keys: Keys) -> Tree:
    """Over these keys, before they were compared."""
    return np.zeros(2 * len(keys), np.int64)


@inlined
def winner(keys: Keys, left: int, right: int) -> int:
    """The arm with the larger key, the left of two equals: it is the lower arm."""
    return left if keys[left] >= keys[right] else right


@kernel
def build(keys: Keys, tree: Tree) -> None:
    """Compare all keys."""
    size = keys.shape[0]
    for arm in range(size):
        tree[size + arm] = arm
    for node in range(size - 1, 0, -1):
        tree[node] = winner(keys, tree[2 * node], tree[2 * node + 1])


@inlined
def replay(keys: Keys, tree: Tree, arm: int) -> None:
    """Compare again after the arm's key has changed."""
    node = (keys.shape[0] + arm) >> 1
    while node > 0:
        won = winner(keys, tree[2 * node], tree[2 * node + 1])
        if tree[node] == won and won != arm:
            break
        tree[node] = won
        node >>= 1


@merged
def second(keys: Keys, tree: Tree) -> int:
    """The arm with the largest key but for the winner: the best of those who lost to it."""
    node, found = keys.shape[0] + tree[1], -1
    while node > 1:
        rival = tree[node ^ 1]
        if found < 0 or keys[rival] > keys[found] or (keys[rival] == keys[found] and rival < found):
            found = rival
        node >>= 1
    return found
