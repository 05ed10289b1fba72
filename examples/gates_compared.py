"""Does it pass nine times in ten? Five ways to judge a flaky test, all on the same coins.

For each way: the part of 5,000 coins that passed, the part that failed, and the mean runs.
Those that look after every run stop at a proof, or after 300 runs without one.
"""

import numpy as np

import goodarm as ga

BAR, DELTA, MOST, COINS = 0.9, 0.05, 300, 5_000
n = np.arange(1, MOST + 1)


def rerun(runs, most=3):
    passed = runs[:, :most].any(axis=1)
    return passed, ~passed, np.where(passed, runs.argmax(axis=1) + 1, most)


def k_of(k, size, runs):
    passed = runs[:, :size].sum(axis=1) >= k
    return passed, ~passed, size


def first_proof(is_good, is_bad):
    at = np.where((is_good | is_bad).any(axis=1), (is_good | is_bad).argmax(axis=1), MOST - 1)
    return is_good[range(COINS), at], is_bad[range(COINS), at], at + 1


def peek(runs, least=20, z=1.96):  # at a Wilson interval of 95 %
    mean, shrink = runs.cumsum(axis=1) / n, 1 + z * z / n
    middle = (mean + z * z / (2 * n)) / shrink
    half = z / shrink * np.sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))
    return first_proof((middle - half > BAR) & (n >= least), (middle + half < BAR) & (n >= least))


counts = np.array([(pulls, passes) for pulls in n for passes in range(pulls + 1)])
labels = np.zeros((MOST + 1, MOST + 1), int)  # of all counts that can come
labels[counts[:, 0], counts[:, 1]] = ga.check(
    counts, threshold=BAR, delta=DELTA, control="per-arm"
).labels


def gate(runs):
    label = labels[n, runs.cumsum(axis=1)]
    good, bad, pulls = first_proof(label == 1, label == -1)
    for coin in range(3):  # the table is ga.prove, run by run
        result = ga.prove(iter(runs[coin]).__next__, threshold=BAR, delta=DELTA, max_runs=MOST)
        assert (result.label == "good", result.pulls) == (good[coin], pulls[coin])
    return good, bad, pulls


of_10, of_30 = (lambda runs: k_of(9, 10, runs)), (lambda runs: k_of(27, 30, runs))
ways = {"rerun": rerun, "9 of 10": of_10, "27 of 30": of_30, "peek": peek, "goodarm": gate}
print("rate  " + "".join(f"{name:^17}" for name in ways).rstrip())
for rate in (0.5, 0.8, 0.85, 0.89, 0.9, 0.95, 0.97, 1.0):
    runs = np.random.default_rng(0).random((COINS, MOST)) < rate
    shares = [[np.mean(part) for part in way(runs)] for way in ways.values()]
    print(f"{rate:<4}" + "".join("  {:5.0%}{:5.0%}{:5.0f}".format(*share) for share in shares))
