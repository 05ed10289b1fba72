"""Reward tapes from numpy's own Philox, one reward at a time."""

import bisect
import itertools
import math

import numpy as np

from goodarm.rewards import Beta, Discrete, Uniform


def words(seed, run, arm, block):
    """The four words of a block: counter (block, arm, 0, 0); numpy steps its counter first."""
    counter = (block + (arm << 64) - 1) % (1 << 256)
    generator = np.random.Philox(key=np.array([seed, run], np.uint64), counter=counter)
    return [int(word) for word in generator.random_raw(4)]


def all_words(seed, run, arm):
    """The arm's words, without end."""
    for block in itertools.count():
        yield from words(seed, run, arm, block)


def to_uniform(word):
    """A number in (0, 1]."""
    return ((word >> 11) + 1) / 2**53


def uniforms(seed, run, arm):
    """The arm's uniform numbers in (0, 1], without end."""
    return map(to_uniform, all_words(seed, run, arm))


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


def uniform(seed, run, arm, low, high):
    for u in uniforms(seed, run, arm):
        yield min(max(low + (high - low) * u, low), high)


def discrete(seed, run, arm, values, weights):
    """The first value whose cumulative share reaches a uniform number."""
    totals = list(itertools.accumulate(weights))
    shares = [total / totals[-1] for total in totals[:-1]] + [1.0]
    for u in uniforms(seed, run, arm):
        yield values[bisect.bisect_left(shares, u)]


def beta(seed, run, arm, a, b, low, high):
    """Cheng (1978), Algorithm BA; each reward begins with a new block of four words."""
    alpha = a + b
    scale = max(1 / a, 1 / b) if min(a, b) <= 1 else math.sqrt((alpha - 2) / (2 * a * b - alpha))
    gamma = a + 1 / scale
    blocks = itertools.count()

    def pairs():
        while True:
            w = words(seed, run, arm, next(blocks))
            yield to_uniform(w[0]), to_uniform(w[1])
            yield to_uniform(w[2]), to_uniform(w[3])

    while True:
        for u, other in pairs():
            if u == 1:
                continue
            v = scale * math.log(u / (1 - u))
            if v > 0:
                fall = alpha * (v + math.log1p(b / alpha * math.expm1(-v)))
            else:
                fall = alpha * math.log1p(a / alpha * math.expm1(v))
            if abs(v) < 500 and alpha < 1e4:  # as the paper has it
                w = a * math.exp(v)
                assert math.isclose(
                    alpha * math.log(alpha / (b + w)), -fall, rel_tol=1e-9, abs_tol=1e-9
                )
            if gamma * v - fall - math.log(4) >= math.log(u * u * other):
                break
        odds = math.exp(-abs(v))
        p, q = a / alpha, b / alpha
        x = p / (p + q * odds) if v > 0 else p * odds / (p * odds + q)
        yield min(max(low + (high - low) * x, low), high)


def pool(seed, run, arm, size, successes):
    """0/1 without replacement: case k succeeds with probability (S - s) / (N - k + 1)."""
    draws = all_words(seed, run, arm)
    for left in range(size, 0, -1):
        is_success = successes > 0 and next(draws) * left >> 64 < successes
        successes -= is_success
        yield float(is_success)


def listed(seed, run, arm, scores):
    """All scores, shuffled: the k-th is any of those that are left."""
    order, draws = sorted(scores), all_words(seed, run, arm)
    for k in range(len(order) - 1):
        j = k + (next(draws) * (len(order) - k) >> 64)
        order[k], order[j] = order[j], order[k]
    yield from order


def in_pool(problem, seed, run, position, mean):
    """The cases of the arm at this position: each once."""
    size = problem.pools[position]
    if problem.rewards == "bernoulli":
        share = getattr(mean, "mean", mean)
        return pool(seed, run, position, size, round(share * size))
    parts = zip(mean.values, mean.weights, strict=True)
    total = sum(mean.weights)
    scores = [value for value, weight in parts for _ in range(round(weight / total * size))]
    return listed(seed, run, position, scores)


def tape(problem, seed, run, position, mean):
    """The rewards of the arm at this position, without end; the mean may be a distribution."""
    if problem.pools is not None:
        return in_pool(problem, seed, run, position, mean)
    if problem.rewards != "bernoulli":
        if isinstance(mean, Uniform):
            return uniform(seed, run, position, mean.low, mean.high)
        if isinstance(mean, Discrete):
            return discrete(seed, run, position, mean.values, mean.weights)
        if isinstance(mean, Beta):
            return beta(seed, run, position, mean.a, mean.b, mean.low, mean.high)
    mean = getattr(mean, "mean", mean)
    if problem.rewards == "bernoulli":
        return bernoulli(seed, run, position, mean)
    if problem.rewards == "bounded":
        return bounded(seed, run, position, mean, problem.low, problem.high)
    return gaussian(seed, run, position, mean, problem.sigma)
