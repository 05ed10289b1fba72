"""Tables of a section as cells, CSV, Markdown and LaTeX, and the report as JSON."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from goodarm.report.escaping import escape_latex, escape_markdown
from goodarm.report.model import ComparisonRow, MeanRow, PaperReport, Section, TheoryPart
from goodarm.results import Quantity
from goodarm.views.csv_lines import format_csv_line

HEADER = ("pulls to", "algorithm", "paper", "goodarm", "ratio", "")

_WORDS = {"not printed": "-"}
_ARM_BY_ARM = ("means", "distributions")


def choose_unit(section: Section) -> float:
    """Return the power of ten in which the section's pulls are shown; 1 below a million."""
    largest = max((row.mean or row.paper_mean or 0.0 for row in section.rows), default=0.0)
    return 1.0 if largest < 1e6 else float(10.0 ** (math.floor(math.log10(largest)) - 2))


def describe_unit(unit: float) -> str:
    """Return the words for a unit in a caption."""
    return "pulls" if unit == 1.0 else f"1e{round(math.log10(unit))} pulls"


def choose_decimals(value: float, unit: float) -> int:
    """Return the decimals that give a number about three significant digits."""
    if unit == 1.0:
        return 0
    scaled = abs(value / unit)
    limits = ((0.09995, 4), (0.9995, 3), (99.995, 2))
    return next((decimals for limit, decimals in limits if scaled < limit), 1)


def format_pulls(value: float | None, unit: float, decimals: int | None = None) -> str:
    """Format a number of pulls in units; a dash for None."""
    if value is None:
        return "-"
    return f"{value / unit:,.{choose_decimals(value, unit) if decimals is None else decimals}f}"


def format_with_sd(mean: float | None, sd: float | None, unit: float) -> str:
    """Format mean ± sd, both with the same number of decimals."""
    if mean is None or sd is None:
        return format_pulls(mean, unit)
    return f"{format_pulls(mean, unit)} ± {format_pulls(sd, unit, choose_decimals(mean, unit))}"


def format_ours(row: ComparisonRow, unit: float) -> str:
    """Format our mean and sd, or that they are above the limit."""
    if row.mean is None and row.limit is not None:
        return f"> {format_pulls(row.limit, unit)}"
    return format_with_sd(row.mean, row.sd, unit)


def make_cells(section: Section) -> list[tuple[str, ...]]:
    """Return the cells of the section's table, row by row."""
    unit = choose_unit(section)
    table: list[tuple[str, ...]] = []
    previous: Quantity | None = None
    for row in section.rows:
        notes = "".join(f"[{number}]" for number in row.notes)
        is_not_available = row.paper_mean is None and row.agreement != "not printed"
        table.append(
            (
                str(row.quantity) if row.quantity != previous else "",
                f"{row.algorithm} {notes}".strip(),
                "NA" if is_not_available else format_with_sd(row.paper_mean, row.paper_sd, unit),
                format_ours(row, unit),
                "-" if row.ratio is None else f"{row.ratio:.3f}",
                _WORDS.get(row.agreement, row.agreement),
            )
        )
        previous = row.quantity
    return table


def format_compact(value: float | None) -> str:
    """Format a number of pulls of any size: 2,675 or 1.58e4."""
    if value is None:
        return "-"
    if value < 9999.5:
        return f"{value:,.0f}"
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def make_comparison_cells(section: Section) -> list[tuple[str, ...]]:
    """Return cells of the lower bounds, if any, and each algorithm's pulls, of any magnitude."""
    limits = {row.algorithm: row.limit for row in section.rows}
    table = []
    for row in section.means:
        means = [
            f"> {format_compact(limit)}"
            if mean is None and limit is not None
            else format_compact(mean)
            for (name, mean) in row.means.items()
            for limit in [limits.get(name)]
        ]
        table.append((str(row.quantity), *_lower_bound(section, row, format_compact), *means))
    return table


def main_table(section: Section) -> tuple[Sequence[str], list[tuple[str, ...]]]:
    """Return header and cells of a section's main table: the paper's rows, or the algorithms."""
    if section.is_published:
        return HEADER, make_cells(section)
    return make_means_header(section), make_comparison_cells(section)


def make_means_header(section: Section) -> tuple[str, ...]:
    """Return the column names of mean pulls by algorithm, with lower bounds if there are any."""
    algorithms = section.means[0].means if section.means else {}
    bound = () if section.theory is None else ("lower bound",)
    return ("pulls to", *bound, *algorithms)


def make_theory_cells(section: Section) -> list[tuple[str, ...]]:
    """Return cells of the lower bounds and the measured means."""
    unit = choose_unit(section)

    def write(value: float | None) -> str:
        return format_pulls(value, unit)

    return [
        (str(row.quantity), *_lower_bound(section, row, write), *map(write, row.means.values()))
        for row in section.means
    ]


def _lower_bound(
    section: Section, row: MeanRow, write: Callable[[float | None], str]
) -> tuple[str, ...]:
    """Return the cell of the lower bound; no cell without a theory."""
    theory = section.theory
    return () if theory is None else (write(theory.lower_bounds[row.quantity]),)


def format_count(count: int, noun: str) -> str:
    """Return a count with its noun: 1 run, 2 runs."""
    return f"1 {noun}" if count == 1 else f"{count} {noun}s"


def describe_runs(section: Section) -> str:
    """Return the number of runs, in words."""
    return format_count(section.runs, "run")


def describe_arms(section: Section) -> str:
    """Return the number of arms, in words."""
    return format_count(section.instance["num_arms"], "arm")


def describe_rewards(section: Section) -> tuple[str, ...]:
    """Describe the rewards; return nothing for 0/1 rewards without a pool."""
    instance, found = section.instance, list[str]()
    if instance.get("rewards") == "bounded":
        found.append(f"rewards from {instance['low']:g} to {instance['high']:g}")
    if instance.get("rewards") == "gaussian":
        found.append(f"Gaussian rewards with sigma {instance['sigma']:g}")
    if instance.get("pool") is not None:
        found.append(f"a pool of {instance['pool']} cases")
    return tuple(found)


def make_caption(report: PaperReport, section: Section) -> str:
    """Return the caption of a section's table, in one line."""
    what = ", ".join((describe_arms(section), *describe_rewards(section)))
    return (
        f"{section.name}: {what}, threshold "
        f"{section.instance['threshold']:.6g}, delta {section.delta:g}, {describe_runs(section)}, "
        f"seed {report.seed}; {_describe_numbers(section)}"
    )


def _describe_numbers(section: Section) -> str:
    """Describe the numbers of a section's main table."""
    if not section.is_published:
        return "mean pulls"
    return f"mean ± sd in units of {describe_unit(choose_unit(section))}"


def to_csv(section: Section) -> str:
    """Return every row with all its numbers as CSV, unrounded."""
    names = ["instance", *_make_fields(section.rows[0])]
    lines = [format_csv_line(names)]
    for row in section.rows:
        fields = {
            "instance": section.name,
            **_make_fields(row),
            "notes": " ".join(map(str, row.notes)),
        }
        lines.append(format_csv_line(fields[name] for name in names))
    return "".join(lines)


def to_markdown(report: PaperReport, section: Section) -> str:
    """Return table, footnotes and theory as Markdown."""
    left = 2 if section.is_published else 1
    heading = f"## {escape_markdown(make_caption(report, section))}"
    lines = [heading, "", *_make_markdown(*main_table(section), left=left), ""]
    for number, text in enumerate(section.footnotes, start=1):
        lines += [f"[{number}] {escape_markdown(text)}", ""]
    if section.more_theory is not None:
        lines += _make_theory_lines(section, section.more_theory)
    return "\n".join(lines)


def _make_theory_lines(section: Section, theory: TheoryPart) -> list[str]:
    lines = ["### Theory"]
    if theory.facts:
        lines += ["", *(escape_markdown(f"- {fact.name}: {fact.shown}") for fact in theory.facts)]
    if section.is_published:
        lines += ["", *_make_markdown(make_means_header(section), make_theory_cells(section)), ""]
    return lines


def _make_markdown(
    header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 2
) -> list[str]:
    rule = ["---" if column < left else "---:" for column in range(len(header))]
    shown = [[escape_markdown(cell) for cell in row] for row in (header, *rows)]
    return ["| " + " | ".join(row) + " |" for row in (shown[0], rule, *shown[1:])]


def to_latex(report: PaperReport, section: Section) -> str:
    """Return the table as LaTeX; it needs the booktabs package."""
    header, rows = main_table(section)
    places = "llrrrl" if section.is_published else "l" + "r" * (len(header) - 1)
    lines = [
        r"\begin{table}",
        rf"\caption{{{escape_latex(make_caption(report, section))}}}",
        rf"\begin{{tabular}}{{{places}}}",
        r"\toprule",
        _format_latex_row(header),
        r"\midrule",
        *(_format_latex_row(row) for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        *(
            rf"\par\footnotesize [{number}] {escape_latex(text)}"
            for number, text in enumerate(section.footnotes, start=1)
        ),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _format_latex_row(row: Sequence[str]) -> str:
    r"""Join cells into a line. The first must not look like an argument of the ``\\`` before it."""
    first = "{}" if row[0].startswith(("[", "*")) else ""
    return first + " & ".join(escape_latex(cell) for cell in row) + r" \\"


def to_json(report: PaperReport) -> dict[str, Any]:
    """Return the whole report as a JSON document; curves and theory with all their numbers."""
    sections = [
        {
            "instance": {k: v for k, v in section.instance.items() if k not in _ARM_BY_ARM},
            "delta": section.delta,
            "runs": section.runs,
            "wrong": dict(section.wrong),
            "rows": [_make_fields(row) | {"notes": list(row.notes)} for row in section.rows],
            "curves": [
                {name: getattr(value, "tolist", lambda v=value: v)() for name, value in c}
                for c in (asdict(curve).items() for curve in section.curves)
            ],
            **_make_theory_fields(section),
            "footnotes": list(section.footnotes),
        }
        for section in report.sections
    ]
    return {
        "kind": "reproduction",
        "format": 1,
        "paper": report.paper,
        "title": report.title,
        "reference": report.reference,
        "delta": report.delta,
        "seed": report.seed,
        "version": report.version,
        "algorithms": list(report.algorithms),
        "sections": sections,
    }


def _make_fields(row: ComparisonRow) -> dict[str, Any]:
    return asdict(row) | {"quantity": str(row.quantity)}


def _make_theory_fields(section: Section) -> dict[str, Any]:
    """Return facts, lower bounds and measured means; only the means without a theory."""
    theory = section.theory
    if theory is None:
        measured = [
            {"quantity": str(row.quantity), "measured": dict(row.means)} for row in section.means
        ]
        return {"measured": measured}
    rows = [
        {
            "quantity": str(row.quantity),
            "lower_bound": theory.lower_bounds[row.quantity],
            "measured": dict(row.means),
        }
        for row in section.means
    ]
    return {"theory": {**{fact.key: fact.value for fact in theory.facts}, "rows": rows}}
