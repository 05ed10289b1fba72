"""Tournament tree of arms: finds the largest and the second largest key, ties to the lowest arm.

``keys`` has a number for each arm, padded with minus infinity to a power of two. In ``tree`` the
leaf of an arm is at len(keys) + arm, and each node above holds the winner of the two below it; the
root is at 1. A changed key costs at most the path from its leaf to the root.
"""

import math

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.compilation.jit import inlined, kernel, merged

Keys = NDArray[np.float64]
Tree = NDArray[np.int64]


def make_keys(num_arms: int) -> Keys:
    """Make the keys of arms none of which has one yet."""
    size = 2
    while size < num_arms:
        size *= 2
    return np.full(size, -math.inf)


def make_tree(keys: Keys) -> Tree:
    """Make a tree for these keys, which are not compared yet."""
    return np.zeros(2 * len(keys), np.int64)


@inlined
def choose_winner(keys: Keys, left: int, right: int) -> int:
    """Return the arm with the larger key; on a tie the left one, which is the lower arm."""
    return left if keys[left] >= keys[right] else right


@kernel
def build_tree(keys: Keys, tree: Tree) -> None:
    """Build the tree by comparing all keys."""
    size = keys.shape[0]
    for arm in range(size):
        tree[size + arm] = arm
    for node in range(size - 1, 0, -1):
        tree[node] = choose_winner(keys, tree[2 * node], tree[2 * node + 1])


@inlined
def update_tree(keys: Keys, tree: Tree, arm: int) -> None:
    """Update the tree after the arm's key has changed."""
    node = (keys.shape[0] + arm) >> 1
    while node > 0:
        won = choose_winner(keys, tree[2 * node], tree[2 * node + 1])
        if tree[node] == won and won != arm:
            break
        tree[node] = won
        node >>= 1


@merged
def find_second_arm(keys: Keys, tree: Tree) -> int:
    """Return the arm with the second largest key: the best of those that lost to the winner."""
    node, found = keys.shape[0] + tree[1], -1
    while node > 1:
        rival = tree[node ^ 1]
        if found < 0 or keys[rival] > keys[found] or (keys[rival] == keys[found] and rival < found):
            found = rival
        node >>= 1
    return found
