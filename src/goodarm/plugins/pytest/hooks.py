"""Hooks for pytest. This file is imported wherever goodarm is installed, so it loads nothing.

A run without a gate loads neither numpy nor anything else that takes time, and an old pytest, which
lacks some of these types, is not disturbed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from goodarm.plugins.pytest.gate_output import GateReport
    from goodarm.plugins.pytest.settings import SuiteSettings

MARK: Final = "goodarm"
LABEL_PROPERTY: Final = "goodarm_label"
SKIPPED_PROPERTY: Final = "goodarm_skipped"
"""Properties of a gate's last report: it has one of the two."""
BEGUN_PROPERTY: Final = "goodarm_begun"
"""Property of a gate's first report."""
ERROR_PROPERTY: Final = "goodarm_error"
"""Property of a gate's last report that says what went wrong."""
COPIES_KEY: Final = "goodarm_copies"
LETTERS: Final = {"passed": ".", "failed": "F", "skipped": "s"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and the same settings in the ini file."""
    from goodarm.plugins.pytest.settings import add_options

    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and read the options: a wrong one ends the run at once."""
    from goodarm.plugins.pytest.settings import MARKER_HELP, read_options

    config.addinivalue_line("markers", MARKER_HELP)
    config.pluginmanager.register(GatePlugin(config, read_options(config)), "goodarm-gates")


def is_gate_report(report: pytest.TestReport, *names: str) -> bool:
    """Return whether a report is one of a gate, and has one of these properties."""
    properties = getattr(report, "user_properties", ())
    return MARK in report.keywords and any(name in names for name, _ in properties)


def has_broken_teardown(report: pytest.TestReport) -> bool:
    """Return whether a teardown broke before the verdict, so that its report counts."""
    return any(
        name == ERROR_PROPERTY and "teardown" in str(value)
        for name, value in report.user_properties
    )


class GatePlugin:
    """Gates of one run of pytest: found at its beginning, and shown at its end."""

    def __init__(self, config: pytest.Config, options: SuiteSettings) -> None:
        self._config, self._options = config, options
        self._begun: dict[tuple[str, object], pytest.TestReport] = {}
        """First reports of gates in progress, by node and worker."""
        self._ended: list[pytest.TestReport] = []
        self._is_interrupted = False
        self._trouble = ""

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell each worker of xdist how many run the same tests; its own options do not say."""
        is_each = node.config.getoption("dist") == "each"
        node.workerinput[COPIES_KEY] = node.workerinput["workercount"] if is_each else 1

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Read the marks, count the gates, and take over how they are run."""
        marked = [item for item in items if item.get_closest_marker(MARK) is not None]
        if not marked:
            return
        from goodarm.plugins.pytest.settings import FAULT_KEY, describe_too_few_planned, read_marks

        worker = getattr(config, "workerinput", None)
        copies = 1 if worker is None else worker[COPIES_KEY]
        faults = read_marks(marked, self._options, copies)
        few = describe_too_few_planned(len(marked), self._options)
        # A worker of xdist cannot end the run by itself: there the marked tests end in errors.
        if worker is None and (few or faults):
            raise pytest.UsageError(few or "\n".join(map(": ".join, faults.items())))
        if few is not None:
            for item in marked:
                item.stash[FAULT_KEY] = few
        if config.option.collectonly:
            return
        from goodarm.plugins.pytest.gate_run import GateRunner

        # Registered last, it comes before the plugins that rerun tests.
        config.pluginmanager.register(GateRunner(), "goodarm-repeating")

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Return a gate's outcome as final: failed subtests of its repeats do not count again."""
        if (
            report.when != "call"
            or hasattr(report, "wasxfail")
            or not is_gate_report(report, LABEL_PROPERTY)
        ):
            return None
        return report.outcome, LETTERS[report.outcome], report.outcome.upper()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Iterator[None]:
        """Keep a gate's first report, which says that it has begun, and its last, with the result.

        They may come from any worker. One that crashes reports nothing, so the first must be kept.
        """
        node = report.nodeid, getattr(report, "worker_id", None)
        if is_gate_report(report, BEGUN_PROPERTY):
            self._begun[node] = report
        elif report.when == "teardown" and is_gate_report(report, LABEL_PROPERTY, SKIPPED_PROPERTY):
            self._begun.pop(node, None)
            self._ended.append(report)
            if report.failed and has_broken_teardown(report):
                from goodarm.plugins.pytest.pytest_internals import count_error_in_junit

                with count_error_in_junit(self._config):
                    yield
                return
        yield

    def pytest_keyboard_interrupt(self) -> None:
        """Note the interrupt (Ctrl-C or ``pytest.exit``): a gate in progress does not end."""
        self._is_interrupted = True

    def _list_gates(self) -> list[GateReport]:
        """Return all gates: those that have ended, and those that have not."""
        from goodarm.plugins.pytest.gate_output import read_gate_report

        why = "interrupted" if self._is_interrupted else "did not end"
        ended = [read_gate_report(report) for report in self._ended]
        return ended + [read_gate_report(report, why) for report in self._begun.values()]

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write the report, if one is asked for; with xdist, not in a worker."""
        path = self._options.report
        if path is None or hasattr(session.config, "workerinput"):
            return
        from goodarm.plugins.pytest.report_files import write_report

        try:
            write_report(path, self._list_gates(), self._options, int(exitstatus))
        except OSError as error:
            self._trouble = f"{path} could not be written: {error}"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show the closing table of all gates."""
        if not self._ended and not self._begun and not self._trouble:
            return
        from goodarm.plugins.pytest.gate_output import show_gates

        show_gates(terminalreporter, self._list_gates(), self._options, self._trouble)
