"""Is my pass rate a sample? 5,000 tests that pass 79 times in 100 are held against a bar of .8.

One judge sees what a runner reports that tries a failed test once more, the other every attempt.
Both look after every ten runs, and what was once proven good stays so.
"""

import matplotlib
import numpy as np

import goodarm as ga

matplotlib.use("agg")
from matplotlib import pyplot as plt

RATE, BAR, TESTS, LOOKS = 0.79, 0.8, 5_000, range(10, 501, 10)
luck = np.random.default_rng(7)
first, second = luck.random((2, TESTS, max(LOOKS))) < RATE


def shares_called_good(outcomes):
    good = np.zeros(TESTS, bool)
    for pulls in LOOKS:
        counts = np.column_stack([np.full(TESTS, pulls), outcomes[:, :pulls].sum(axis=1)])
        good |= ga.check(counts, threshold=BAR, delta=0.05, control="per-arm").labels == 1
        yield good.mean()


figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for judge, seen in {"final outcomes": first | second, "every attempt": first}.items():
    shares = list(shares_called_good(seen))
    print(f"judged by {judge}: {shares[-1]:.1%} called good, and none of them is")
    axes.plot(LOOKS, shares, label=f"judged by {judge}")
axes.axhline(0.05, color="gray", linestyle="--", label="delta, the share allowed")
axes.set(xlabel="runs of each test", ylabel="share of the tests called good")
axes.legend(frameon=False)
figure.savefig("rerun-until-pass.png", dpi=100)
