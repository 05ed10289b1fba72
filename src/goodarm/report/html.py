"""The report as one self-contained page: no script, nothing fetched, readable on a phone."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files

from goodarm.report import tables
from goodarm.report.model import Report, Section

_CLASSES = {"agrees": "agrees", "both beyond the limit": "agrees", "differs": "differs"}


def to_html(
    report: Report, pictures: Mapping[str, Sequence[str]], overview: str | None = None
) -> str:
    """The page; ``pictures`` holds each section's SVGs, the taus and the bounds.

    ``overview`` is the picture of all sections, where algorithms are compared.
    """
    style = (files("goodarm.report") / "style.css").read_text(encoding="utf-8")
    sections = "\n".join(
        _section(report, section, pictures[section.name]) for section in report.sections
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(report.title)}: reproduction</title>
<style>
{style}</style>
</head>
<body>
<header>
<p class="kind">Reproduction</p>
<h1>{escape(report.title)}</h1>
<p>{escape(report.reference)}</p>
<p class="facts">{_facts(report)}</p>
</header>
<main>
{_overview(report)}
{_picture(overview)}
{sections}
</main>
<footer>
<p>A row <em>differs</em> when Welch's test from the published mean, sd and number of runs, allowing
for the rounding of the print, is significant at the level .01 after Holm's correction over the
instance's rows. Same seed, same numbers, on any number of workers.</p>
</footer>
</body>
</html>
"""


def _facts(report: Report) -> str:
    facts = (
        f"delta {_deltas(report)}",
        f"seed {report.seed}",
        ", ".join(report.algorithms),
        f"goodarm {report.version}",
    )
    return " · ".join(escape(fact) for fact in facts)


def _deltas(report: Report) -> str:
    return " and ".join(f"{delta:g}" for delta in sorted({s.delta for s in report.sections}))


def _overview(report: Report) -> str:
    """How many rows agree, for each instance."""
    rows = []
    for section in report.sections:
        counts = [sum(_CLASSES.get(row.agreement) == k for row in section.rows) for k in _WORDS]
        wrong = sum(section.wrong.values())
        total = section.runs * len(section.wrong)
        link = f'<a href="#{escape(section.name)}">{escape(section.name)}</a>'
        cells = (str(section.instance["num_arms"]), str(section.runs), *map(str, counts))
        rows.append(
            f"<tr><td>{link}</td>"
            + "".join(f"<td>{cell}</td>" for cell in cells)
            + f"<td>{wrong} of {total}</td></tr>"
        )
    header = ("instance", "arms", "runs", "rows that agree", "rows that differ", "wrong runs")
    return _wrap("<tr>" + "".join(f"<th>{name}</th>" for name in header) + "</tr>", rows)


_WORDS = ("agrees", "differs")


def _picture(overview: str | None) -> str:
    if overview is None:
        return ""
    caption = "Mean pulls of each algorithm on each instance. Bars: what no algorithm can go below."
    return f"<figure>{_inline(overview, 'overview')}<figcaption>{caption}</figcaption></figure>"


def _section(report: Report, section: Section, pictures: Sequence[str]) -> str:
    taus, bounds = (_inline(svg, f"{section.name}-{k}") for k, svg in enumerate(pictures))
    marks = " Open marks: the paper." if section.is_published else ""
    notes = "".join(f"<li>{escape(text)}</li>" for text in section.footnotes)
    parameters = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
        for name, value in tables.parameter_lines(section)
    )
    instance = section.instance
    return f"""<section id="{escape(section.name)}">
<h2>{escape(section.name)}</h2>
<p>{escape(_sentence(str(instance["about"])))} Threshold {instance["threshold"]:.6g},
{instance["num_good"]} good arms, smallest gap {instance["smallest_gap"]:.3g}.
<span class="cite">{escape(str(instance["citation"]))}</span></p>
<figure>{taus}<figcaption>Pulls until so many good arms are identified: mean and a band of one sd
over {tables.runs_of(section)}.{marks}</figcaption></figure>
{_main_table(section)}
<ol class="notes">{notes}</ol>
<h3>Theory</h3>
<dl>{parameters}</dl>
{_theory(section) if section.is_published else ""}
<figure>{bounds}<figcaption>Half widths times sqrt(n), which makes them near flat. The LIL
bound is the narrower one from T pulls on: the warm-up of lil'HDoC.</figcaption></figure>
</section>"""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _main_table(section: Section) -> str:
    if section.is_published:
        unit = tables.unit_words(tables.unit_of(section))
        heading = f"<h3>The paper's rows and ours, in units of {escape(unit)}</h3>"
        return heading + _comparison(section)
    return "<h3>Mean pulls</h3>" + _plain_table(*tables.main_table(section))


def _comparison(section: Section) -> str:
    header = "<tr>" + "".join(f"<th>{escape(name)}</th>" for name in tables.HEADER) + "</tr>"
    rows = []
    for row, cells in zip(section.rows, tables.cells(section), strict=True):
        shown = [escape(cell) for cell in cells]
        shown[1] = re.sub(r"\[(\d+)\]", r"<sup>\1</sup>", shown[1])
        kind = _CLASSES.get(row.agreement, "")
        start = ' class="first"' if cells[0] else ""
        body = "".join(f"<td>{cell}</td>" for cell in shown[:-1])
        rows.append(f'<tr{start}>{body}<td class="{kind}">{shown[-1]}</td></tr>')
    return _wrap(header, rows)


def _theory(section: Section) -> str:
    return _plain_table(tables.theory_header(section), tables.theory_cells(section))


def _plain_table(names: Sequence[str], table: Sequence[Sequence[str]]) -> str:
    header = "<tr>" + "".join(f"<th>{escape(name)}</th>" for name in names) + "</tr>"
    rows = [
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>" for cells in table
    ]
    return _wrap(header, rows)


def _wrap(header: str, rows: Sequence[str]) -> str:
    body = "\n".join(rows)
    return (
        f'<div class="scroll"><table><thead>{header}</thead><tbody>\n{body}\n</tbody></table></div>'
    )


def _inline(svg: str, prefix: str) -> str:
    """An SVG for the body of a page: no prolog, its ids made unique, its size left to the page."""
    start = svg.index("<svg")
    text = svg[start:]
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'href="#', f'href="#{prefix}-', text)
    text = re.sub(r"url\(#", f"url(#{prefix}-", text)
    return re.sub(
        r'(<svg[^>]*?) width="[^"]*"',
        r"\1",
        re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1),
        count=1,
    )
