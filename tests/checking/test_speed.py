"""A hundred thousand arms within seconds; millions of rewards in little memory."""

import json
import subprocess
import sys
import textwrap
import time

import numpy as np
import polars as pl
import pytest

import goodarm as ga
from helpers import measure_unit_of_work

pytestmark = pytest.mark.speed


def distinct_counts(count):
    rng = np.random.default_rng(0)
    n = rng.integers(10, 8000, 3 * count)
    s = (n * rng.beta(8, 2, 3 * count)).astype(int)
    pairs = np.unique(np.stack([n, s], axis=1), axis=0)
    return rng.permutation(pairs)[:count]


MOST_UNITS = 30
"""It takes 17 to 20. A bare limit of seconds failed with the machine, not with the code."""


@pytest.mark.parametrize("control", ["fwer", "fdr", "per-arm"])
def test_a_hundred_thousand_arms_take_seconds(control, tmp_path):
    counts = distinct_counts(100_000)
    path = tmp_path / "counts.csv"
    rows = (f"arm {k},{n},{s}\n" for k, (n, s) in enumerate(counts.tolist()))
    path.write_text("arm,pulls,successes\n" + "".join(rows), encoding="utf-8")
    ga.check({"a": (9, 4)}, threshold=0.8, delta=0.05)  # start up
    units = []
    while len(units) < 3 and min(units, default=MOST_UNITS) >= MOST_UNITS:
        # The best of three, as far as needed: others may be at work on this machine.
        unit = measure_unit_of_work()
        start = time.process_time()
        table = ga.check(path, threshold=0.8, delta=0.05, control=control)
        repr(table)
        units.append((time.process_time() - start) / unit)
    assert min(units) < MOST_UNITS
    assert len(table) == 100_000
    assert min(len(table.good), len(table.bad), len(table.undecided)) > 10_000


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_two_million_rewards_are_read_in_bounded_memory(kind, tmp_path):
    """All rows at once would take some 300 MB as Python objects."""
    rng = np.random.default_rng(0)
    arms = [f"arm {k}" for k in rng.integers(0, 50, 20_000)]
    rewards = (rng.random(20_000) < 0.6).astype(int).tolist()
    path = tmp_path / f"rewards.{kind}"
    if kind == "csv":
        block = "".join(f"{arm},{reward}\n" for arm, reward in zip(arms, rewards, strict=True))
        with path.open("w", encoding="utf-8") as file:
            file.write("arm,reward\n")
            for _ in range(100):
                file.write(block)
    else:
        frame = pl.DataFrame({"arm": arms * 100, "reward": rewards * 100})
        frame.write_parquet(path, row_group_size=100_000)
    script = f"""
        import json, resource
        import goodarm as ga
        if {kind == "parquet"}:
            import polars
        def peak():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        ga.check({{"a": (9, 4)}}, threshold=0.5, delta=0.05)
        before = peak()
        table = ga.check({str(path)!r}, threshold=0.5, delta=0.05, raw=True)
        print(json.dumps([int(table.pulls.sum()), len(table), peak() - before]))
    """
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    pulls, count, kilobytes = json.loads(result.stdout)
    assert (pulls, count) == (2_000_000, 50)
    assert kilobytes < (30_000 if kind == "csv" else 150_000)
