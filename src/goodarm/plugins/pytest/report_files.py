"""Reports of all gates of a run: JSON for programs, HTML for people."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from goodarm.plugins.pytest.gate_output import GATE_STATES, GateReport, describe_guarantees
from goodarm.plugins.pytest.settings import SuiteSettings
from goodarm.version import __version__
from goodarm.views.axis import Axis
from goodarm.views.bars import draw_interval_bar
from goodarm.views.html import escape_html, join_rows, make_html_row
from goodarm.views.numbers import format_bound, format_needed, format_number

_HEADER: Final = (
    "gate",
    "label",
    "passed",
    "interval",
    "lower",
    "upper",
    "threshold",
    "needed",
    "needed (9 of 10)",
)
_BAR_COLUMN: Final = _HEADER.index("interval")


def write_report(
    path: Path, told: Sequence[GateReport], options: SuiteSettings, exit_status: int
) -> None:
    """Write the report, in the format of the file's ending."""
    document = to_dict(told, options, exit_status)
    text = json.dumps(document, indent=2, allow_nan=False) + "\n"
    if path.suffix == ".html":
        text = _to_html(told, options)
    path.write_text(text, encoding="utf-8", newline="\n")


def to_dict(told: Sequence[GateReport], options: SuiteSettings, exit_status: int) -> dict[str, Any]:
    """Return the gates as JSON; pytest's exit status shows whether the run was cut short."""
    return {
        "kind": "gates",
        "format": 1,
        "version": __version__,
        "control": options.control,
        "planned": options.planned,
        "exit_status": exit_status,
        "gates": list(map(_make_entry, told)),
    }


def _make_entry(told: GateReport) -> dict[str, Any]:
    """Return one gate as JSON; without runs it has no label."""
    result = told.result
    label = result.label if result.pulls else None
    entry = {**result.to_dict(), "label": label, "error": told.error}
    return entry if told.skipped is None else {**entry, "skipped": told.skipped}


def _to_html(told: Sequence[GateReport], options: SuiteSettings) -> str:
    rows = [make_html_row(_make_row(each), 2, {_BAR_COLUMN: _make_bar(each)}) for each in told]
    counts = ", ".join(
        f"{sum(each.label == label for each in told)} {label}" for label in GATE_STATES
    )
    table = join_rows(counts, _HEADER, rows, left=2)
    words = "".join(f"<p>{escape_html(line)}</p>\n" for line in describe_guarantees(told, options))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Gates: {escape_html(counts)}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 85em; padding: 0 1em; }}
</style>
</head>
<body>
<h1>Gates</h1>
{table}
{words}<p>goodarm {escape_html(__version__)}</p>
</body>
</html>
"""


def _make_row(told: GateReport) -> tuple[str, ...]:
    result, report = told.result, told.result.report
    label = told.label if told.skipped is None else f"skipped: {told.skipped}"
    label = told.error or label
    if not result.pulls:
        cells = ["-" if name != "interval" else "" for name in _HEADER[2:]]
        return told.node, label, *cells
    return (
        told.node,
        label,
        f"{result.passes} of {result.pulls}",
        "",
        format_bound(report.lower, result.threshold),
        format_bound(report.upper, result.threshold),
        format_number(result.threshold),
        *(
            format_needed(value, result.pulls)
            for value in (report.pulls_needed, report.pulls_needed_90)
        ),
    )


def _make_bar(told: GateReport) -> str:
    report = told.result.report
    if report.mean is None or report.lower is None or report.upper is None:
        return ""
    axis = Axis(0.0, 1.0, told.result.threshold, told.result.margin)  # one for all gates
    return draw_interval_bar(axis, report.label, report.mean, report.lower, report.upper)
