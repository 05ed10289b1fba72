"""HTML page of the report, self-contained: it has no script and fetches nothing.

It can be read on a phone, where tables and figures scroll in boxes of their own, and in dark mode,
where figures stay on light cards.
"""

import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files

from goodarm.report import tables
from goodarm.report.model import PaperReport, Section, TheoryPart
from goodarm.views.html import escape_html

_VERDICT_OF_AGREEMENT = {
    "agrees": "agrees",
    "both beyond the limit": "agrees",
    "differs": "differs",
}


def render_report(
    report: PaperReport, pictures: Mapping[str, Sequence[str]], overview: str | None = None
) -> str:
    """Return the page of the report.

    ``pictures`` holds each section's SVGs, if any: the taus, then the bounds. ``overview``
    is the SVG of all sections, given if algorithms are compared.
    """
    style = (files("goodarm.report") / "style.css").read_text(encoding="utf-8")
    sections = "\n".join(
        _render_section(section, pictures.get(section.name, ()), f"figure-{number}")
        for number, section in enumerate(report.sections, start=1)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape_html(report.title)}: reproduction</title>
<style>
{style}</style>
</head>
<body>
<header>
<p class="kind">Reproduction</p>
<h1>{escape_html(report.title)}</h1>
<p>{escape_html(report.reference)}</p>
<p class="facts">{_render_facts(report)}</p>
</header>
<main>
{_render_overview(report)}
{_render_overview_figure(report, overview)}
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


def _render_facts(report: PaperReport) -> str:
    facts = (
        f"delta {_format_deltas(report)}",
        f"seed {report.seed}",
        ", ".join(report.algorithms),
        f"goodarm {report.version}",
    )
    return " · ".join(escape_html(fact) for fact in facts)


def _format_deltas(report: PaperReport) -> str:
    return " and ".join(f"{delta:g}" for delta in sorted({s.delta for s in report.sections}))


def _render_overview(report: PaperReport) -> str:
    """Return the table of how many rows agree, for each instance."""
    rows = []
    for section in report.sections:
        counts = [
            sum(_VERDICT_OF_AGREEMENT.get(row.agreement) == k for row in section.rows)
            for k in _VERDICTS
        ]
        wrong = sum(section.wrong.values())
        total = section.runs * len(section.wrong)
        link = f'<a href="#{escape_html(section.name)}">{escape_html(section.name)}</a>'
        cells = (str(section.instance["num_arms"]), str(section.runs), *map(str, counts))
        rows.append(
            f"<tr><td>{link}</td>"
            + "".join(f"<td>{cell}</td>" for cell in cells)
            + f"<td>{wrong} of {total}</td></tr>"
        )
    header = ("instance", "arms", "runs", "rows that agree", "rows that differ", "wrong runs")
    return _wrap("<tr>" + "".join(f"<th>{name}</th>" for name in header) + "</tr>", rows)


_VERDICTS = ("agrees", "differs")


def _render_overview_figure(report: PaperReport, overview: str | None) -> str:
    if overview is None:
        return ""
    caption = "Mean pulls of each algorithm on each instance."
    if any(section.theory is not None for section in report.sections):
        caption += " Bars: what no algorithm can go below."
    return _render_figure(_make_inline(overview, "overview"), caption, "card wide")


def _render_figure(svg: str, caption: str, kind: str = "card") -> str:
    """Return a figure in a box that scrolls on narrow screens, so that its text stays readable."""
    box = f'<div class="scroll {kind}" tabindex="0">{svg}</div>'
    return f"<figure>{box}<figcaption>{caption}</figcaption></figure>"


def _render_section(section: Section, pictures: Sequence[str], prefix: str) -> str:
    drawn = [_make_inline(svg, f"{prefix}-{k}") for k, svg in enumerate(pictures)]
    taus, bounds = drawn[:1], drawn[1:]
    marks = " Open marks: the paper." if section.is_published else ""
    notes = "".join(f"<li>{escape_html(text)}</li>" for text in section.footnotes)
    theory = (
        "" if section.more_theory is None else _render_theory(section, section.more_theory, bounds)
    )
    instance = section.instance
    pulls = (
        "Pulls against the number of good arms identified: mean and a band of one sd over "
        f"{tables.describe_runs(section)}.{marks}"
    )
    good_arms = tables.format_count(instance["num_good"], "good arm")
    return f"""<section id="{escape_html(section.name)}">
<h2>{escape_html(section.name)}</h2>
<p>{escape_html(_make_sentence(str(instance["about"])))} {_describe_rewards(section)}
Threshold {instance["threshold"]:.6g},
{good_arms}, smallest gap {instance["smallest_gap"]:.3g}.
<span class="cite">{escape_html(str(instance["citation"]))}</span></p>
{"".join(_render_figure(svg, pulls) for svg in taus)}
{_main_table(section)}
<ol class="notes">{notes}</ol>
{theory}</section>"""


def _render_theory(section: Section, theory: TheoryPart, bounds: Sequence[str]) -> str:
    """Return facts, lower bounds if the main table has none, and the confidence bounds."""
    facts = "".join(
        f"<div><dt>{escape_html(fact.name)}</dt><dd>{escape_html(fact.shown)}</dd></div>"
        for fact in theory.facts
    )
    caption = "" if theory.widths is None else escape(theory.widths.caption, quote=False)
    return f"""<h3>Theory</h3>
{f"<dl>{facts}</dl>" if facts else ""}
{_render_theory_table(section) if section.is_published else ""}
{"".join(_render_figure(svg, caption) for svg in bounds)}
"""


def _describe_rewards(section: Section) -> str:
    words = tables.describe_rewards(section)
    return escape_html(_make_sentence(", ".join(words))) if words else ""


def _make_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _main_table(section: Section) -> str:
    if section.is_published:
        unit = tables.describe_unit(tables.choose_unit(section))
        heading = f"<h3>The paper's rows and ours, in units of {escape_html(unit)}</h3>"
        return heading + _render_comparison(section)
    return "<h3>Mean pulls</h3>" + _render_plain_table(*tables.main_table(section))


def _render_comparison(section: Section) -> str:
    header = "<tr>" + "".join(f"<th>{escape_html(name)}</th>" for name in tables.HEADER) + "</tr>"
    rows = []
    for row, cells in zip(section.rows, tables.make_cells(section), strict=True):
        shown = [escape_html(cell) for cell in cells]
        shown[1] = re.sub(r"\[(\d+)\]", r"<sup>\1</sup>", shown[1])
        kind = _VERDICT_OF_AGREEMENT.get(row.agreement, "")
        start = ' class="first"' if cells[0] else ""
        body = "".join(f"<td>{cell}</td>" for cell in shown[:-1])
        rows.append(f'<tr{start}>{body}<td class="{kind}">{shown[-1]}</td></tr>')
    return _wrap(header, rows, "two-names")


def _render_theory_table(section: Section) -> str:
    return _render_plain_table(tables.make_means_header(section), tables.make_theory_cells(section))


def _render_plain_table(names: Sequence[str], table: Sequence[Sequence[str]]) -> str:
    header = "<tr>" + "".join(f"<th>{escape_html(name)}</th>" for name in names) + "</tr>"
    rows = [
        "<tr>" + "".join(f"<td>{escape_html(cell)}</td>" for cell in cells) + "</tr>"
        for cells in table
    ]
    return _wrap(header, rows)


def _wrap(header: str, rows: Sequence[str], kind: str = "one-name") -> str:
    """Return a table in a box that scrolls; ``kind`` says how many first columns hold names."""
    body = "\n".join(rows)
    return (
        f'<div class="scroll" tabindex="0"><table class="{kind}"><thead>{header}</thead>'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _make_inline(svg: str, prefix: str) -> str:
    """Return an SVG for the body of a page: no prolog, unique ids, and its size left to the page.

    Only tags are changed: a name may contain text that looks like an id.
    """
    text = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    start, rest = re.split(r"(?<=>)", text, maxsplit=1)
    start = re.sub(r' (?:width|height)="[^"]*"', "", start)
    tags = re.compile(r"<[^!>][^>]*>")
    return tags.sub(lambda tag: _prefix_ids(tag.group(), prefix), start + rest)


def _prefix_ids(tag: str, prefix: str) -> str:
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}-", tag)
