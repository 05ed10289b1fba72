"""Tables of a benchmark as pages that the docs include: docs/bench/NAME.md."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "docs" / "bench"


def write_page(
    name: str, text: str, header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1
) -> None:
    """What was measured in words, and the table; the first ``left`` columns are no numbers."""
    rule = ["---" if column < left else "---:" for column in range(len(header))]
    lines = ["| " + " | ".join(row) + " |" for row in (header, rule, *rows)]
    FOLDER.mkdir(exist_ok=True)
    page = "\n".join([text, "", *lines]) + "\n"
    (FOLDER / f"{name}.md").write_text(page, encoding="utf-8", newline="\n")


def unmet(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[str]:
    """The names of the rows whose goals were not met."""
    return [
        row.get("what") or f"{row['database']} {row.get('told', 'under faults')}"
        for rows in found.values()
        for row in rows
        if not row["met"]
    ]


def missed(names: Sequence[str]) -> str:
    """The goals that were not met, as a sentence."""
    return f"Goals missed: {', '.join(names) or 'none'}."
