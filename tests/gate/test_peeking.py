"""What docs/gates.md says of those who look at an interval until it is clear, computed exactly."""

import re
from math import sqrt
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "gates.md").read_text(encoding="utf-8")


def wilson(passes, n, z=1.96):
    mean, shrink = passes / n, 1 + z * z / n
    middle = (mean + z * z / (2 * n)) / shrink
    half = z / shrink * sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def let_through(rate, bar, least=20, most=100):
    """The part that is not shown to be bad by the last look, one run after the other."""
    going, passed = {0: 1.0}, 0.0
    for n in range(1, most + 1):
        after = {}
        for passes, share in going.items():
            after[passes + 1] = after.get(passes + 1, 0.0) + share * rate
            after[passes] = after.get(passes, 0.0) + share * (1 - rate)
        going = after
        if n < least:
            continue
        for passes in list(going):
            low, high = wilson(passes, n)
            if low > bar:
                passed += going.pop(passes)
            elif high < bar:
                del going[passes]
    return passed + sum(going.values())


def test_who_stops_peeking_after_100_runs_lets_through_what_the_page_says():
    (percent, rate) = re.search(
        r"whoever stops after 100\s+runs, and lets through what is not shown to be bad by then, "
        r"passes (\d+) % of what has a true rate of (\.\d+)",
        PAGE,
    ).groups()
    assert round(100 * let_through(float(rate), 0.9)) == int(percent)
