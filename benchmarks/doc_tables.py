"""Tables of a benchmark as pages that the docs include: docs/bench/NAME.md."""

from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "bench"


def write_page(
    name: str, text: str, header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1
) -> None:
    """Write what was measured in words, and the table; the first ``left`` columns are text."""
    rule = ["---" if column < left else "---:" for column in range(len(header))]
    lines = ["| " + " | ".join(row) + " |" for row in (header, rule, *rows)]
    FOLDER.mkdir(exist_ok=True)
    page = "\n".join([text, "", *lines]) + "\n"
    (FOLDER / f"{name}.md").write_text(page, encoding="utf-8", newline="\n")
