"""Boundary of a gate: its test as numbers, which any language can run."""

from typing import Any, Final, Literal

import numpy as np

from goodarm.algorithm import (
    LINE_SCALE,
    MAX_CAP,
    MAX_RUNS,
    CappedCurve,
    calibrate,
    fit_lines,
)
from goodarm.arguments import (
    check_count,
    check_delta,
    check_flag,
    parse_number,
    refuse_large_delta,
)
from goodarm.errors import invalid_argument
from goodarm.gate.proof import check_rates
from goodarm.results import Boundary, BoundaryLines, BoundarySide
from goodarm.wording import Arg, EdgeText, phrase

MAX_IN_A_ROW: Final = 1000
_DIGITS: Final = 9
"""Digits of levels and errors, so that all platforms write the same document."""
_DEFAULT_RUNS: Final = 300


def boundary(
    *,
    threshold: float = 0.9,
    delta: float = 0.05,
    arms: int = 1,
    max_runs: int | None = None,
    margin: float = 0.0,
    cap: Literal["hard", "soft"] | None = "hard",
    in_a_row: int = 1,
    allow_large_delta: bool = False,
) -> Boundary:
    """Compute the numbers at which a pass rate is proven good or bad, before the first run.

    Args:
        threshold: the pass rate that is wanted.
        delta: the probability allowed for any wrong label, over all arms.
        arms: how many questions share delta.
        max_runs: the most runs of each, fixed before the first; 300 if not given. Leave it out
            without a cap.
        margin: good then promises a rate of at least threshold - margin, bad one below
            threshold + margin.
        cap: ``"hard"`` ends each question at max_runs. ``"soft"`` may go on after it, and takes a
            few percent more runs. None is the test without a cap, as straight lines up to 1,000,000
            runs.
        in_a_row: ask whether so many runs in a row pass with a probability of at least the
            threshold; each of them counts as a run of its own.
        allow_large_delta: take a delta above 0.5 for what it is, and not for a confidence.

    Returns:
        The boundary. Why it is valid: ``goodarm.algorithm.identification.mixture.capped_curves``.

    Raises:
        SpecError: an argument is invalid, or ``max_runs`` is above 100,000.

    >>> table = boundary(threshold=0.9, max_runs=300)
    >>> table.runs_if_all_pass, table.label(passes=90, failures=9)
    (41, 'undecided')
    >>> print(table.summary)
    Boundary: pass rate of at least 0.9, delta 0.05, hard cap of 300 runs
    """
    owner = "boundary"
    check_rates(owner, threshold, delta, max_runs, margin)
    rate, slack = (float(parse_number(each)) for each in (threshold, margin))  # type: ignore[arg-type]
    error = check_delta(owner, delta)
    if not check_flag("allow_large_delta", owner, allow_large_delta):
        insist = phrase(
            "If you mean it, {pass} {allow}, too.", allow=Arg("allow_large_delta", True)
        )
        refuse_large_delta(owner, error, insist)
    arms = check_count("arms", owner, arms)
    in_a_row = check_count("in_a_row", owner, in_a_row, most=MAX_IN_A_ROW)
    if cap not in ("hard", "soft", None):
        raise invalid_argument("cap", owner, "be 'hard', 'soft' or None", cap)
    if cap is None and max_runs is not None:
        raise invalid_argument("max_runs", owner, "be left out without a cap", max_runs)
    most = None if cap is None else max_runs or _DEFAULT_RUNS
    if most is not None and most > MAX_CAP:
        none = EdgeText("command line", "use --cap none", "pass cap=None")
        remedy = phrase("With so many runs a cap gains little: {none}.", none=none)
        raise invalid_argument("max_runs", owner, f"be at most {MAX_CAP}", max_runs, remedy)
    bars = [(rate + side * slack) ** (1.0 / in_a_row) for side in (-1.0, 1.0)]
    good = bars[0], 1.0 - bars[0]
    bad = 1.0 - bars[1], bars[1]
    alpha = error / arms
    is_failures = rate ** (1.0 / in_a_row) >= 0.5  # the rarer outcome is counted
    asked: dict[str, Any] = {
        "threshold": rate,
        "delta": error,
        "arms": arms,
        "max_runs": most,
        "margin": slack,
        "cap": cap,
        "in_a_row": in_a_row,
        "rate": rate ** (1.0 / in_a_row),
        "counts": "failures" if is_failures else "passes",
    }
    if most is None:
        level = 1.0 / alpha
        lines = BoundaryLines(
            0, MAX_RUNS, LINE_SCALE, fit_lines(*good, level), fit_lines(*bad, level)
        )
        sides = [
            BoundarySide(bar, round(level, _DIGITS), None, round(level, _DIGITS)) for bar in bars
        ]
        return Boundary(**asked, first=(), second=(), good=sides[0], bad=sides[1], lines=lines)
    curves = [calibrate(*pair, most, alpha, is_soft=cap == "soft") for pair in (good, bad)]
    first, second = curves if is_failures else curves[::-1]
    return Boundary(
        **asked,
        first=_find_first_runs(first),
        second=_find_last_runs(second),
        good=_make_side(bars[0], curves[0]),
        bad=_make_side(bars[1], curves[1]),
        lines=_make_later_lines(most, good, bad, curves) if cap == "soft" else None,
    )


def _make_later_lines(
    cap: int, good: tuple[float, float], bad: tuple[float, float], curves: list[CappedCurve]
) -> BoundaryLines:
    """Return the lines after a soft cap."""
    found = [
        fit_lines(*pair, curve.later_level, cap)
        for pair, curve in zip((good, bad), curves, strict=True)
        if curve.later_level is not None
    ]
    return BoundaryLines(cap, MAX_RUNS, LINE_SCALE, found[0], found[1])


def _make_side(bar: float, curve: CappedCurve) -> BoundarySide:
    later = None if curve.later_level is None else round(curve.later_level, _DIGITS)
    return BoundarySide(bar, round(curve.level, _DIGITS), round(curve.error, _DIGITS), later)


def _find_first_runs(curve: CappedCurve) -> tuple[int, ...]:
    """Return, by misses, the first run at which the rest are enough hits."""
    runs = np.arange(len(curve.least))
    misses = runs - curve.least
    return tuple(np.searchsorted(misses, np.arange(misses[-1] + 1)).tolist())


def _find_last_runs(curve: CappedCurve) -> tuple[int, ...]:
    """Return, by hits, the last run at which they are enough; 0 if there is none."""
    cap = len(curve.least) - 1
    if curve.least[cap] > cap:
        return ()
    hits = np.arange(curve.least[cap] + 1)
    last = np.searchsorted(curve.least, hits, side="right") - 1
    return tuple(np.where(last >= hits, last, 0).tolist())
