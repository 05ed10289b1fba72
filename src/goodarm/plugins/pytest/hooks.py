"""What pytest calls. This file is imported wherever goodarm is installed, so it loads nothing.

A run without a gate loads neither numpy nor anything else that takes time, and an old pytest, which
lacks some of these types, is not disturbed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from goodarm.plugins.pytest.settings import Options

MARK: Final = "goodarm"
LABEL: Final = "goodarm_label"
"""The property by which the reports of gates are known."""
LETTERS: Final = {"passed": ".", "failed": "F", "skipped": "s"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, and the same in the ini file."""
    from goodarm.plugins.pytest.settings import add_options

    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """The marker, and a look at the options: what is wrong with them is said at once."""
    from goodarm.plugins.pytest.settings import MARKER_HELP, read_options

    config.addinivalue_line("markers", MARKER_HELP)
    config.pluginmanager.register(Gates(read_options(config)), "goodarm-gates")


def is_of_gate(report: pytest.TestReport) -> bool:
    """Whether a report tells what came of a gate."""
    properties = getattr(report, "user_properties", ())
    return MARK in report.keywords and any(name == LABEL for name, _ in properties)


class Gates:
    """One run of pytest: finds the gates at its beginning, and shows them at its end."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._reports: list[pytest.TestReport] = []
        self._trouble = ""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Read the marks, count the gates, and take over how they are run."""
        marked = [item for item in items if item.get_closest_marker(MARK) is not None]
        if not marked:
            return
        from goodarm.plugins.pytest.repeating import Repeating
        from goodarm.plugins.pytest.settings import read_marks

        faults = read_marks(marked, self._options)
        # A worker of xdist cannot end the run by itself: there the marked tests end in errors.
        if faults and not hasattr(config, "workerinput"):
            raise pytest.UsageError("\n".join(f"{node}: {why}" for node, why in faults.items()))
        # Registered last, it comes before the plugins that rerun tests.
        config.pluginmanager.register(Repeating(), "goodarm-repeating")

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """A gate's outcome is final: failed subtests of single repeats do not count again."""
        if report.when != "call" or hasattr(report, "wasxfail") or not is_of_gate(report):
            return None
        return report.outcome, LETTERS[report.outcome], report.outcome.upper()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A gate's last report says what came of it, from whichever worker."""
        if report.when == "teardown" and is_of_gate(report):
            self._reports.append(report)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the report, if one is asked for; with xdist, where all workers report to."""
        path = self._options.report
        if path is None or hasattr(session.config, "workerinput"):
            return
        from goodarm.plugins.pytest.pages import write_report
        from goodarm.plugins.pytest.telling import told_by

        try:
            write_report(path, list(map(told_by, self._reports)), self._options)
        except OSError as error:
            self._trouble = f"{path} could not be written: {error}"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The closing table of all gates."""
        if not self._reports and not self._trouble:
            return
        from goodarm.plugins.pytest.telling import show_gates, told_by

        told = list(map(told_by, self._reports))
        show_gates(terminalreporter, told, self._options, self._trouble)
