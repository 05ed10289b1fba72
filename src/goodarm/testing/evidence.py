"""Checks of evidence from counts, at all counts up to a number of pulls.

A table has the logs of the evidence, by pulls n and by the sum s in steps of 1 / parts: one part
for 0/1 rewards, several for fractions.
"""

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import CountsRule, IdentificationRule, Tally, make_setup
from goodarm.problem import Problem
from goodarm.testing.report import ROUNDING, expect, report_failure

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

BARS: Final = (
    *(0.001, 0.004, 0.01, 0.05, 0.1, 0.3, 0.4),
    *(0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999),
)
MAX_POWER_OF_TEN: Final = 12
"""Largest power of ten that pulls are tried at."""

NO_NAN: Final = "no nan, and no infinite evidence, up to 1e12 pulls"
MONOTONE: Final = "evidence is monotone in s, n and the bar"
ONE_STEP: Final = "E(0, 0) <= 1, no reward of the null is expected to raise it"
CONVEX: Final = "convex in a fractional last reward"


class EvidenceSide(NamedTuple):
    """Evidence for one label; ``sign`` is 1 if it rises in s, else -1."""

    rule: str
    label: str
    sign: int
    function: Callable[[Any, Any, Any], Any]

    def logs(self, n: Floats, s: Floats, bar: float) -> Floats:
        """Return the logs of the evidence; the rule's code may warn, but must give numbers."""
        with (
            report_failure(f"{self} cannot be computed for arrays at bar {bar:g}"),
            np.errstate(all="ignore"),
        ):
            found = np.asarray(self.function(n, s, bar), float)
        expect(
            found.shape == n.shape,
            f"{self} must have an entry for each n and s: {n.shape} became {found.shape}.",
        )
        for what, is_so in (("nan", np.isnan(found)), ("infinite", found == math.inf)):
            if is_so.any():
                at = np.argmax(is_so)
                expect(
                    False, f"{self} is {what} at bar {bar:g}, n = {n[at]:.15g}, s = {s[at]:.15g}."
                )
        return found

    def null_means(self, bar: float) -> tuple[float, float]:
        """Return the two ends of the means at which the label is wrong."""
        return (bar, 0.0) if self.sign > 0 else (bar, 1.0)

    def __str__(self) -> str:
        return f"The {self.rule} rule's evidence for {self.label}"


def make_sides(rule: IdentificationRule) -> tuple[EvidenceSide, EvidenceSide]:
    """Return both labels: the functions of a rule on counts, or another rule's evidence."""
    if isinstance(rule, CountsRule):
        return (
            EvidenceSide(rule.name, "good", 1, rule.log_good),
            EvidenceSide(rule.name, "bad", -1, rule.log_bad),
        )

    def both(n: Floats, s: Floats, bar: float) -> tuple[Floats, Floats]:
        setup = make_setup(Problem(2, bar, 0.05), rule)
        found = rule.evidence(setup, Tally(n, s, np.zeros(n.shape)))
        if found is None:
            raise AssertionError(f"The {rule.name} rule has_e_values, so it must have evidence.")
        return found

    return (
        EvidenceSide(rule.name, "good", 1, lambda n, s, bar: both(n, s, bar)[0]),
        EvidenceSide(rule.name, "bad", -1, lambda n, s, bar: both(n, s, bar)[1]),
    )


class EvidenceTable(NamedTuple):
    """Logs of one side's evidence at one bar, at [n, parts * s]."""

    side: EvidenceSide
    bar: float
    parts: int
    logs: Floats
    is_count: Bools
    """Entries where s is at most n."""

    def at(self, n: int, j: int) -> str:
        """Describe these counts in words."""
        return f"at bar {self.bar:g}, n = {n}, s = {j / self.parts:g}"


def make_table(side: EvidenceSide, bar: float, most_pulls: int, parts: int = 1) -> EvidenceTable:
    """Compute the evidence at all counts up to ``most_pulls`` pulls."""
    n, j = np.ogrid[: most_pulls + 1, : parts * most_pulls + 1]
    is_count = j <= parts * n
    logs = np.full(is_count.shape, -math.inf)
    at_n, at_j = np.nonzero(is_count)
    logs[is_count] = side.logs(at_n.astype(float), at_j / parts, bar)
    return EvidenceTable(side, bar, parts, logs, is_count)


def check_monotone(table: EvidenceTable, below: EvidenceTable | None) -> None:
    """Check that evidence is monotone in s, in n while s stays, and in the bar.

    ``below`` is the table of the previous bar.
    """
    logs, is_count, sign = table.logs, table.is_count, table.side.sign
    rises, falls = ("rise", "fall") if sign > 0 else ("fall", "rise")
    for j_or_n, less, more, valid, way in (
        ("s", logs[:, :-1], logs[:, 1:], is_count[:, 1:], rises),
        ("n", logs[1:], logs[:-1], is_count[:-1], falls),
    ):
        first, second = (less, more) if sign > 0 else (more, less)
        _compare(table, first, second, valid, f"must {way} in {j_or_n}")
    if below is not None:
        first, second = (logs, below.logs) if sign > 0 else (below.logs, logs)
        valid = is_count.copy()
        valid[0] = False  # before the first reward the bar does not matter
        _compare(table, first, second, valid, f"must {falls} in the bar (from {below.bar:g})")


def check_start(table: EvidenceTable) -> None:
    """Check that E(0, 0) is at most 1."""
    start = table.logs[0, 0]
    expect(
        start <= ROUNDING,
        f"{table.side} must be at most 1 before the first reward, E(0, 0) <= 1; "
        f"{table.at(0, 0)} it is {math.exp(min(start, 700.0)):.10g}.",
    )


def find_first_rise(table: EvidenceTable) -> str | None:
    """Describe where the expected evidence rises in one step under the null; None if nowhere.

    Only the two ends of the null's means are tried: in between it is a mixture of these.
    """
    parts, before, valid = table.parts, table.logs[:-1], table.is_count[:-1]
    hit = table.logs[1:, parts:]
    before, valid, miss = (
        before[:, : hit.shape[1]],
        valid[:, : hit.shape[1]],
        table.logs[1:, : hit.shape[1]],
    )
    for p in table.side.null_means(table.bar):
        with np.errstate(divide="ignore"):
            expected = np.logaddexp(np.log(p) + hit, np.log1p(-p) + miss)
        is_over = valid & (expected > before + ROUNDING)
        if is_over.any():
            n, j = np.argwhere(is_over)[0]
            return (
                f"{table.side} must not be expected to rise under its null; {table.at(n, j)} its "
                f"log is {before[n, j]:.10g}, and the next reward of mean {p:g} brings the log of "
                f"its expectation to {expected[n, j]:.10g}."
            )
    return None


def check_convex(table: EvidenceTable) -> None:
    """Check that a fractional last reward x is worth no more than 1 with probability x."""
    parts = table.parts
    end = table.logs.shape[1] - parts
    none, whole = table.logs[1:, :end], table.logs[1:, parts:]
    for k in range(1, parts):
        x = k / parts
        chord = np.logaddexp(math.log1p(-x) + none, math.log(x) + whole)
        with_part = table.logs[1:, k : k + end]
        is_over = table.is_count[:-1, :end] & (with_part > chord + ROUNDING)
        if is_over.any():
            n, j = np.argwhere(is_over)[0]
            expect(
                False,
                f"{table.side} must be convex in a fractional last reward, or the rule is for 0/1 "
                f"rewards only (takes_fractions = False); {table.at(n, j)} the next reward {x:g} "
                f"makes its log {with_part[n, j]:.10g}, and the average of 0 and 1 "
                f"{chord[n, j]:.10g}.",
            )


def check_far_out(side: EvidenceSide) -> None:
    """Check the evidence at up to 1e12 pulls, where sums are few, all, or around the bar."""
    for bar in BARS:
        for n in (3.0**k * 10.0**power for power in range(MAX_POWER_OF_TEN + 1) for k in (0, 1)):
            if n > 10.0**MAX_POWER_OF_TEN:
                continue
            spread = math.sqrt(n * bar * (1.0 - bar))
            around = n * bar + spread * np.linspace(-8.0, 8.0, 17)
            sums = np.unique(np.clip([0, 1, 2, n - 1, n, *np.round(around)], 0.0, n))
            logs = side.logs(np.full(sums.shape, n), sums, bar)
            later, sooner = (logs[:-1], logs[1:]) if side.sign > 0 else (logs[1:], logs[:-1])
            with np.errstate(invalid="ignore"):
                is_over = later > sooner + ROUNDING * np.maximum(1.0, np.abs(sooner))
            if is_over.any():
                at = int(np.argmax(is_over))
                way = "rise" if side.sign > 0 else "fall"
                expect(
                    False,
                    f"{side} must {way} in s; at bar {bar:g}, n = {n:.15g} its log goes from "
                    f"{logs[at]:.10g} at s = {sums[at]:.15g} to {logs[at + 1]:.10g} at s = "
                    f"{sums[at + 1]:.15g}.",
                )


def _compare(table: EvidenceTable, less: Floats, more: Floats, valid: Bools, must: str) -> None:
    """Check that the first is nowhere above the second."""
    is_over = valid & (less > more + ROUNDING)
    if is_over.any():
        n, j = np.argwhere(is_over)[0]
        expect(
            False,
            f"{table.side} {must}; {table.at(n, j)} the logs {less[n, j]:.10g} and "
            f"{more[n, j]:.10g} stand the wrong way round.",
        )
