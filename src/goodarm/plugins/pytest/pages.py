"""All gates of a run in a file: JSON for programs, HTML for people."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from goodarm.plugins.pytest.settings import Options
from goodarm.plugins.pytest.telling import Told, promises
from goodarm.results.notebook import html_table, plain
from goodarm.results.table import format_count, format_number
from goodarm.version import __version__

_HEADER = (
    "gate",
    "label",
    "passed",
    "runs",
    "lost",
    "threshold",
    "lower",
    "upper",
    "needed",
    "90 %",
)


def write_report(path: Path, told: Sequence[Told], options: Options) -> None:
    """Write the file; its ending says how."""
    text = _to_html(told, options) if path.suffix == ".html" else _to_json(told, options)
    path.write_text(text, encoding="utf-8", newline="\n")


def to_dict(told: Sequence[Told], options: Options) -> dict[str, Any]:
    """The gates as a JSON document."""
    return {
        "kind": "gates",
        "format": 1,
        "version": __version__,
        "control": options.control,
        "planned": options.planned,
        "gates": [{**each.result.to_dict(), "error": each.error} for each in told],
    }


def _to_json(told: Sequence[Told], options: Options) -> str:
    return json.dumps(to_dict(told, options), indent=2, allow_nan=False) + "\n"


def _to_html(told: Sequence[Told], options: Options) -> str:
    rows = [_row(each) for each in told]
    counts = ", ".join(
        f"{sum(each.label == label for each in told)} {label}"
        for label in ("good", "bad", "undecided", "error")
    )
    table = html_table(counts, _HEADER, rows, left=2)
    words = "".join(f"<p>{plain(line)}</p>\n" for line in promises(told, options) if told)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Gates: {plain(counts)}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }}
</style>
</head>
<body>
<h1>Gates</h1>
{table}
{words}<p>goodarm {plain(__version__)}</p>
</body>
</html>
"""


def _row(told: Told) -> tuple[str, ...]:
    result, report = told.result, told.result.report
    return (
        told.node,
        told.label if told.error is None else told.error,
        format_count(result.passes),
        format_count(result.pulls),
        format_count(result.lost),
        format_number(result.threshold),
        format_number(report.lower),
        format_number(report.upper),
        *(
            "unclear" if value is None else format_count(value)
            for value in (report.pulls_needed, report.pulls_needed_90)
        ),
    )
