"""Reward tapes from numpy's own Philox, one reward at a time."""

import math

import numpy as np


def words(seed, run, arm, block):
    """The four words of a block: counter (block, arm, 0, 0); numpy steps its counter first."""
    counter = (block + (arm << 64) - 1) % (1 << 256)
    generator = np.random.Philox(key=np.array([seed, run], np.uint64), counter=counter)
    return [int(word) for word in generator.random_raw(4)]


def uniforms(seed, run, arm):
    """The arm's uniform numbers in (0, 1], without end."""
    block = 0
    while True:
        for word in words(seed, run, arm, block):
            yield ((word >> 11) + 1) / 2**53
        block += 1


def bernoulli(seed, run, arm, mean):
    draws = uniforms(seed, run, arm)
    while True:
        if mean == 0:
            failures = math.inf
        elif mean == 1:
            failures = 0
        else:
            failures = math.floor(min(math.log(next(draws)) / math.log1p(-mean), 1e18))
        while failures > 0:
            yield 0.0
            failures -= 1
        yield 1.0


def bounded(seed, run, arm, mean, low, high):
    reach = min(mean - low, high - mean)
    for u in uniforms(seed, run, arm):
        yield min(max(mean + reach * (2 * u - 1), low), high)


def gaussian(seed, run, arm, mean, sigma):
    draws = uniforms(seed, run, arm)
    while True:
        radius = math.sqrt(-2 * math.log(next(draws)))
        angle = 2 * math.pi * next(draws)
        yield mean + sigma * radius * math.cos(angle)
        yield mean + sigma * radius * math.sin(angle)


def tape(problem, seed, run, position, mean):
    """The rewards of the arm at this position, without end."""
    if problem.rewards == "bernoulli":
        return bernoulli(seed, run, position, mean)
    if problem.rewards == "bounded":
        return bounded(seed, run, position, mean, problem.low, problem.high)
    return gaussian(seed, run, position, mean, problem.sigma)
