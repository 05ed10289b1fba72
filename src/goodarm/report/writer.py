"""Writer of a report's files: one page, and every table and figure on its own."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from goodarm.errors import MissingExtra
from goodarm.report import tables
from goodarm.report.html import render_report
from goodarm.report.model import PaperReport, Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    Pictures = dict[str, list[tuple[str, Figure, str]]]

PAGE = "report.html"
OVERVIEW = "overview"
OVERVIEW_KEY = ""
"""Key of the overview among the pictures of sections, whose names are not empty."""
PRINT_DPI = 200


def write_report(report: PaperReport, folder: Path) -> list[Path]:
    """Write a report into a folder; return its files, the page first.

    Without matplotlib (the extra ``plot``) it has no figures.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        pictures = _draw_all(report)
    except MissingExtra:
        pictures = {}
    svgs = {name: tuple(svg for *_, svg in drawn) for name, drawn in pictures.items()}
    overview = svgs.get(OVERVIEW_KEY, (None,))[0]
    texts = {PAGE: render_report(report, svgs, overview)}
    texts["report.json"] = json.dumps(tables.to_json(report), indent=2, allow_nan=False) + "\n"
    for section in report.sections:
        stem = make_file_stem(section.name)
        texts[f"{stem}.csv"] = tables.to_csv(section)
        texts[f"{stem}.md"] = tables.to_markdown(report, section)
        texts[f"{stem}.tex"] = tables.to_latex(report, section)
    paths = []
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        paths.append(folder / name)
    for drawn in pictures.values():
        for stem, figure, svg in drawn:
            paths += _save(figure, svg, folder / stem)
    return paths


def make_file_stem(name: str) -> str:
    """Return an instance's name as a safe file name: a dash replaces what could form a path.

    >>> make_file_stem("synthetic"), make_file_stem("../a b")
    ('synthetic', '---a-b')
    """
    return re.sub(r"[^\w-]", "-", name)


def _is_published(report: PaperReport) -> bool:
    return any(section.is_published for section in report.sections)


def _draw_all(report: PaperReport) -> "Pictures":
    """Draw the figures of each section, and the overview where algorithms are compared."""
    from goodarm.views.figures.pictures import make_svg  # first: it names the extra that is missing

    pictures = {s.name: _draw(s, report.algorithms) for s in report.sections}
    if not _is_published(report):
        from goodarm.report import figures

        pictures[OVERVIEW_KEY] = [(OVERVIEW, figures.draw_overview(report))]
    return {
        name: [(stem, figure, make_svg(figure)) for stem, figure in drawn]
        for name, drawn in pictures.items()
    }


def _draw(section: Section, algorithms: Sequence[str]) -> "list[tuple[str, Figure]]":
    from goodarm.report import figures  # it loads matplotlib

    stem = make_file_stem(section.name)
    drawn = [(stem, figures.draw_taus(section, algorithms))]
    if section.theory is not None and section.theory.widths is not None:
        drawn.append((f"{stem}-bounds", figures.draw_widths(section.theory.widths, section.name)))
    return drawn


def _save(figure: "Figure", svg: str, path: Path) -> list[Path]:
    """Write a figure as SVG and as PNG; return both files."""
    from goodarm.views.figures.pictures import save_picture

    paths = [path.with_name(f"{path.name}.svg"), path.with_name(f"{path.name}.png")]
    paths[0].write_text(svg, encoding="utf-8", newline="\n")
    save_picture(figure, paths[1], PRINT_DPI)
    return paths
