"""Is my pass rate a sample? 20,000 tests that pass 79 times in 100 are held against a bar of .8.

Each is run until its label is certain, or 2,000 times. The first judge sees what a runner reports
that tries a failed test once more; the second sees every attempt.
"""

from pathlib import Path

import matplotlib
import numpy as np

import goodarm as ga

matplotlib.use("agg")
from matplotlib import pyplot as plt

RATE, BAR, TESTS, LOOKS = 0.79, 0.8, 20_000, range(100, 2_001, 100)
luck = np.random.default_rng(7)
attempts = luck.random((TESTS, max(LOOKS))) < RATE
again = luck.random((TESTS, max(LOOKS))) < RATE


def share_called_good(outcomes):
    good = np.zeros(TESTS, bool)
    for pulls in LOOKS:  # one look after every hundred runs; a label stays
        counts = np.column_stack([np.full(TESTS, pulls), outcomes[:, :pulls].sum(axis=1)])
        good |= ga.check(counts, BAR, delta=0.05, control="per-arm").labels == 1
        yield good.mean()


shares = {
    "final outcomes of reruns": list(share_called_good(attempts | again)),
    "every attempt": list(share_called_good(attempts)),
}
for judge, share in shares.items():
    print(f"{judge}: {share[-1]:.1%} called good, wrongly")
    plt.plot(LOOKS, share, "o-", label=judge)
plt.axhline(0.05, color="gray", linestyle="--", label="delta")
plt.gca().set(xlabel="runs of each test", ylabel="called good, though the pass rate is .79")
plt.legend(frameon=False)
plt.savefig(Path("rerun-until-pass.png"), dpi=100, bbox_inches="tight")
