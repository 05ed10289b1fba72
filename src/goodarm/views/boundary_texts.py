"""Boundaries as text for other programs: SQL and JavaScript."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

JAVASCRIPT: Final = """\
function judge(boundary, outcomes) {
  const byFailures = boundary.counts === "failures";
  const first = byFailures ? boundary.good_at : boundary.bad_at;
  const second = byFailures ? boundary.bad_until : boundary.good_until;
  const lines = boundary.lines;
  let passes = 0, failures = 0, lost = 0;
  for (const outcome of outcomes) {
    if (outcome === 1) passes++; else if (outcome === 0) failures++; else lost++;
    const n = passes + failures + lost;
    let good = false, bad = false;
    if (n <= (boundary.max_runs ?? 0)) {
      const count = byFailures ? failures : passes;
      const one = n >= (first[count + lost] ?? Infinity);
      const two = n <= (second[Math.min(count, second.length - 1)] ?? 0);
      [good, bad] = byFailures ? [one, two] : [two, one];
    } else if (lines && n <= lines.until) {
      good = lines.good.some(([a, b]) => lines.scale * passes > a + b * n);
      bad = lines.bad.some(([a, b]) => lines.scale * failures > a + b * n);
    }
    if (good && bad) good = passes >= boundary.rate * (passes + failures);
    if (good || bad) return { label: good ? "good" : "bad", runs: n };
  }
  return { label: "undecided", runs: passes + failures + lost };
}
"""
"""Function that judges outcomes: 1, 0, and anything else for a lost run."""


_TABLE: Final = """\
CREATE TABLE boundary (
    label VARCHAR(4) NOT NULL,
    first_run BIGINT NOT NULL,
    last_run BIGINT NOT NULL,
    scale BIGINT NOT NULL,
    intercept BIGINT NOT NULL,
    slope BIGINT NOT NULL,
    rate DOUBLE PRECISION NOT NULL
);
"""

SqlRow = tuple[str, int, int, int, int, int, float]
"""Label, first and last run, scale, intercept, slope, rate: the label is proven if
scale * hits > intercept + slope * run. Hits are passes for good, and failures for bad."""


def make_sql(rows: Iterable[SqlRow], title: str) -> str:
    """Return a script that makes the table ``boundary`` with these rows.

    Args:
        rows: those of the boundary; all values are numbers but the label, which is good or bad.
        title: what is asked, for a comment.
    """
    values = [
        f"('{'good' if label == 'good' else 'bad'}', {', '.join(map(repr, numbers))})"
        for label, *numbers in rows
    ]
    listed = ",\n".join(values)
    insert = f"INSERT INTO boundary VALUES\n{listed};\n" if values else ""
    return f"-- {title}\n{_TABLE}{insert}"


def make_javascript(document: Mapping[str, Any]) -> str:
    """Return a module that exports the boundary and a function that judges outcomes by it.

    Args:
        document: the boundary as a JSON document.
    """
    text = json.dumps(document, allow_nan=False)
    return f"const boundary = {text};\n\n{JAVASCRIPT}\nexport {{ boundary, judge }};\n"
