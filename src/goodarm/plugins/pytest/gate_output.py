"""Output of a gate: its line, its live count, the text of a failure, the closing table."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any, Final, NamedTuple

import pytest

from goodarm.gate import Gate
from goodarm.plugins.pytest.pytest_internals import write_uncounted
from goodarm.plugins.pytest.settings import SuiteSettings
from goodarm.results import GateResult
from goodarm.views.names import visible
from goodarm.views.numbers import format_bound, format_needed, format_percent
from goodarm.views.text import measure_text

_PREFIX: Final = "goodarm_"
_COLOURS: Final = {
    "good": "green",
    "bad": "red",
    "undecided": "yellow",
    "error": "red",
    "skipped": "yellow",
}
GATE_STATES: Final = tuple(_COLOURS)
"""Final states of a gate."""
_HEADER: Final = ("label", "passed", "threshold", "interval", "needed", "gate")
_TITLE: Final = "goodarm"
_SENTENCE_WIDTH: Final = 79
"""Width of sentences in reports, which are made before it is known where they are shown."""


class GateReport(NamedTuple):
    """Gate as its last report describes it, from this process or a worker."""

    node: str
    result: GateResult
    error: str | None
    skipped: str | None
    """Reason why it was not run at all."""
    asked: float
    """Delta that was asked for, of which it had a share."""

    @property
    def label(self) -> str:
        """Label, "error" or "skipped"."""
        if self.skipped is not None:
            return "skipped"
        return "error" if self.error else self.result.label


def report_properties(
    result: GateResult, error: str | None, skipped: str | None, asked: float
) -> list[tuple[str, object]]:
    """Return a gate's numbers as properties of a report, for JUnit XML and xdist."""
    fields = {**result.to_dict(), "error": error, "skipped": skipped, "delta_asked": asked}
    if not result.pulls:
        fields["label"] = None
    return [(_PREFIX + name, value) for name, value in fields.items() if value is not None]


def make_begin_report(item: pytest.Item, result: GateResult, asked: float) -> pytest.TestReport:
    """Return the report that says that a gate has begun, should it not end."""
    return pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords=dict.fromkeys(item.keywords, 1),
        outcome="passed",
        longrepr=None,
        when="setup",
        user_properties=[(_PREFIX + "begun", True), *report_properties(result, None, None, asked)],
    )


def read_gate_report(report: pytest.TestReport, error: str | None = None) -> GateReport:
    """Return the gate that a report describes; ``error`` applies if the report has none."""
    fields: dict[str, Any] = {
        name.removeprefix(_PREFIX): value
        for name, value in report.user_properties
        if name.startswith(_PREFIX)
    }
    result = GateResult.from_fields({"label": "undecided", **fields})  # nothing ran: no label told
    error = fields.get("error", error)
    return GateReport(report.nodeid, result, error, fields.get("skipped"), fields["delta_asked"])


def add_verdict(report: pytest.TestReport, sentence: str) -> None:
    """Add the verdict below the trace, and to the short summary."""
    found: Any = report.longrepr
    if hasattr(found, "addsection"):
        found.addsection(_TITLE, wrap_sentence(sentence))
        set_summary_message(report, sentence)
    else:
        report.longrepr = (
            wrap_sentence(sentence) if found is None else f"{wrap_sentence(sentence)}\n{found}"
        )


def set_summary_message(report: pytest.TestReport, sentence: str) -> None:
    """Set the sentence as the message of the short summary."""
    crash: Any = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        crash.message = sentence


def wrap_sentence(sentence: str) -> str:
    """Wrap a sentence into lines."""
    return fill(sentence, _SENTENCE_WIDTH)


class LiveCount:
    """Live count of the runs behind a test's name, with ``-v`` in a terminal that can go back."""

    def __init__(self, config: pytest.Config) -> None:
        reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
        is_shown = reporter is not None and config.option.verbose > 0 and reporter.isatty
        self._writer: Any = config.get_terminal_writer() if is_shown else None
        self._width = 0

    def show(self, gate: Gate) -> None:
        """Show the count, over the previous one."""
        if self._writer is None:
            return
        text = f"{gate.passes}/{gate.pulls} of at most {gate.max_runs} "
        room = self._writer.fullwidth - self._writer.width_of_current_line - 1
        self._write(text[: max(room, 0)])

    def clear(self) -> None:
        """Remove the count."""
        if self._writer is not None and self._width:
            self._write("")

    def _write(self, text: str) -> None:
        filled = text.ljust(self._width)
        write_uncounted(self._writer, filled + "\b" * len(filled))
        self._width = len(text)


def show_gates(
    reporter: pytest.TerminalReporter,
    told: Sequence[GateReport],
    options: SuiteSettings,
    trouble: str,
) -> None:
    """Show all gates as a table, and what their labels guarantee."""
    reporter.ensure_newline()
    reporter.section("goodarm gates")
    if told:
        full = reporter.config.get_terminal_writer().fullwidth
        rows = [_format_row(each) for each in told]
        widths = [max(map(measure_text, column)) for column in zip(_HEADER, *rows, strict=True)]
        _write_row(reporter, _HEADER, widths, full)
        for row, each in zip(rows, told, strict=True):
            _write_row(reporter, row, widths, full, _COLOURS[each.label])
        for sentence in describe_guarantees(told, options) if reporter.verbosity >= 0 else ():
            reporter.write_line(fill(sentence, full - 1))
    if trouble:
        reporter.write_line(trouble, red=True)
    elif options.report is not None:
        reporter.write_line(f"Wrote {visible(options.report)}.")


def _format_row(told: GateReport) -> tuple[str, ...]:
    result, report = told.result, told.result.report
    passed = f"{result.passes}/{result.pulls}" if result.pulls else "-"
    bounds = (format_bound(bound, result.threshold) for bound in (report.lower, report.upper))
    interval = " to ".join(bounds)
    needed = format_needed(report.pulls_needed, result.pulls)
    if told.label in ("error", "skipped"):
        interval = needed = "-"
    if told.error and not result.pulls:
        interval = told.error
    threshold = "-" if told.label == "skipped" else f"{result.threshold:g}"
    return told.label, passed, threshold, interval, needed, visible(told.node)


def _write_row(
    reporter: pytest.TerminalReporter,
    cells: Sequence[str],
    widths: Sequence[int],
    full: int,
    colour: str | None = None,
) -> None:
    """Write a row, numbers right-aligned; the name is never cut: a long one gets its own line."""
    markup = {colour: True} if colour else {}
    reporter.write(cells[0].ljust(widths[0]), **markup)
    for cell, width in zip(cells[1:-1], widths[1:-1], strict=True):
        reporter.write("  " + cell.rjust(width))
    before = sum(widths[:-1]) + 2 * len(widths[:-1])
    is_long = before + measure_text(cells[-1]) > full
    reporter.write_line(f"\n    {cells[-1]}" if is_long else f"  {cells[-1]}")


def describe_guarantees(told: Sequence[GateReport], options: SuiteSettings) -> list[str]:
    """Return what the labels guarantee, in words; nothing if no gate ran."""
    told = [each for each in told if each.result.pulls]
    if not told:
        return []
    if options.control == "suite":
        # Each has its share of its own, so all together have at most the largest.
        delta = max(each.asked for each in told)
        among = (
            f"the {options.planned} planned gates" if options.planned else "all gates of this run"
        )
        first = f"The chance that any label of {among} is wrong is at most {format_percent(delta)}."
    else:
        deltas = {each.asked for each in told}
        most = format_percent(max(deltas)) if len(deltas) == 1 else "its delta"
        first = (
            f"The chance that a label is wrong is at most {most}, for each gate by itself (for all "
            "gates together: --goodarm-control suite)."
        )
    return [first, "This is for one run of the suite: each further run has this chance again."]
