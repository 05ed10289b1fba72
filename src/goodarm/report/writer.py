"""Writer of a report's files: one page, and every table and figure on its own."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from goodarm.report import figures, tables
from goodarm.report.html import render_report
from goodarm.report.model import PaperReport, Section
from goodarm.views.figures.pictures import make_svg, save_picture

PAGE = "report.html"
OVERVIEW = "overview"
PRINT_DPI = 200


def write_report(report: PaperReport, folder: Path) -> list[Path]:
    """Write a report into a folder; return its files, the page first."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {s.name: _draw(s, report.algorithms) for s in report.sections}
    svgs = {
        name: tuple(make_svg(figure) for _, figure in drawn) for name, drawn in pictures.items()
    }
    overview = None if _is_published(report) else figures.draw_overview(report)
    overview_svg = None if overview is None else make_svg(overview)
    texts = {PAGE: render_report(report, svgs, overview_svg)}
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
    paths += _save_pictures(pictures, svgs, folder)
    if overview is not None and overview_svg is not None:
        paths += _save(overview, overview_svg, folder / OVERVIEW)
    return paths


def make_file_stem(name: str) -> str:
    """Return an instance's name as a safe file name: a dash replaces what could form a path.

    >>> make_file_stem("synthetic"), make_file_stem("../a b")
    ('synthetic', '---a-b')
    """
    return re.sub(r"[^\w-]", "-", name)


def _is_published(report: PaperReport) -> bool:
    return any(section.is_published for section in report.sections)


def _draw(section: Section, algorithms: Sequence[str]) -> list[tuple[str, Figure]]:
    stem = make_file_stem(section.name)
    drawn = [(stem, figures.draw_taus(section, algorithms))]
    if section.theory is not None and section.theory.widths is not None:
        drawn.append((f"{stem}-bounds", figures.draw_widths(section.theory.widths, section.name)))
    return drawn


def _save_pictures(
    pictures: dict[str, list[tuple[str, Figure]]], svgs: dict[str, tuple[str, ...]], folder: Path
) -> Iterator[Path]:
    for name, drawn in pictures.items():
        for (stem, figure), svg in zip(drawn, svgs[name], strict=True):
            yield from _save(figure, svg, folder / stem)


def _save(figure: Figure, svg: str, path: Path) -> list[Path]:
    """Write a figure as SVG and as PNG; return both files."""
    paths = [path.with_name(f"{path.name}.svg"), path.with_name(f"{path.name}.png")]
    paths[0].write_text(svg, encoding="utf-8", newline="\n")
    save_picture(figure, paths[1], PRINT_DPI)
    return paths
