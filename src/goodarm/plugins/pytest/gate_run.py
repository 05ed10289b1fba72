"""Gate: the test is repeated as pytest runs it, until its pass rate is proven.

Each repeat is a whole run of the test: set-up, call and teardown, with fresh fixtures of its own
scope, while wider ones stay. A repeat passes or fails by its call. A set-up or teardown that
breaks, or a test that skips itself halfway, leaves a repeat without an outcome: that ends the gate
as an error, because a run that is left out may be one that fails.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import pytest

from goodarm.gate import Gate, HypothesisSeeds
from goodarm.plugins.pytest.gate_output import (
    LiveCount,
    add_verdict,
    make_begin_report,
    report_properties,
    set_summary_message,
    wrap_sentence,
)
from goodarm.plugins.pytest.pytest_internals import (
    ItemState,
    NextRepeat,
    RepeatSeed,
    RepeatTimer,
    drop_fixtures,
    is_expected_failure,
    is_interactive,
    is_unexpected_pass,
    is_unexpected_success,
    is_unsupported_async,
    make_skip,
    record_returned,
    restart_fault_timer,
    show_fixtures,
    tear_down_shared,
)
from goodarm.plugins.pytest.reruns import check_reruns
from goodarm.plugins.pytest.settings import FAULT_KEY, SETTINGS_KEY, GateSettings
from goodarm.plugins.pytest.subtests import Subtests, is_left_out
from goodarm.wording import show_value


class PhaseOutcome(NamedTuple):
    """Outcome of set-up, call or teardown of one repeat."""

    error: BaseException | None
    report: pytest.TestReport


class GateEnd(NamedTuple):
    """End of a gate: the report to log, the teardown that broke, or both."""

    report: pytest.TestReport | None
    broken: pytest.TestReport | None = None


class GateRunner:
    """Runner of the tests that are gates; all others are left to pytest."""

    def __init__(self) -> None:
        self._run: GateRun | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> bool | None:
        """Repeat a gate; leave other tests, and those that are only set up, to pytest."""
        is_gate = SETTINGS_KEY in item.stash and FAULT_KEY not in item.stash
        if not is_gate or item.config.getoption("setuponly", False):
            return None
        self._run = GateRun(item, item.stash[SETTINGS_KEY])
        try:
            item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
            self._run.go(nextitem)
            item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        finally:
            self._run.close()
            self._run = None
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Fail a gate with a wrong mark before anything runs."""
        if FAULT_KEY in item.stash:
            pytest.fail(item.stash[FAULT_KEY], pytrace=False)
        if self._run is not None:
            self._run.warn()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[Any]) -> Iterator[None]:
        """Keep what a subtest has raised: its report comes next, and does not have it."""
        yield
        if self._run is not None:
            self._run.raised = None if call.excinfo is None else call.excinfo.value

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take whatever a repeat reports by itself as a subtest, and show no line for it."""
        if self._run is not None and self._run.is_repeating:
            self._run.take_part(report)


_OUTCOMES_BY_LABEL: Final = {"good": "pass", "bad": "fail"}
"""Outcome of a test by its label; undecided ones follow the settings."""


_RETURNED: Final = (
    "The test returned {value} in run {number}, which pytest does not look at: a test fails by an "
    "exception only.\nWrite assert in place of return."
)
_NO_ASYNC: Final = (
    "The test was not run: it is async, and pytest needs a plugin for that.\nInstall one, such as "
    "pytest-asyncio or anyio, and mark the test as it asks."
)


class GateRun:
    """Run of one gate, from its first repeat to its last report."""

    def __init__(self, item: pytest.Item, settings: GateSettings) -> None:
        self._item, self._settings = item, settings
        self._timer = RepeatTimer(item)
        self._gate = Gate(settings.problem(item.nodeid))
        self._seed = RepeatSeed(item.config)
        fixed = item.config.getoption("--hypothesis-seed", None)
        first = None if fixed is None else f"{fixed} {item.nodeid}"
        self._hypothesis_seeds = HypothesisSeeds(getattr(item, "obj", None), first)
        self._live = LiveCount(item.config)
        self._before = ItemState(item)
        self._expects_failure = is_expected_failure(item)
        self._seconds = 0.0
        """Seconds of the phases that are in no report yet."""
        self._kept: dict[bool, pytest.TestReport] = {}
        """Last report of a call that failed, and of one that passed."""
        self._parts = Subtests()
        self._error: str | None = None
        self._skipped: str | None = None
        self.is_repeating = False
        self.raised: BaseException | None = None
        """Exception of the last phase or subtest."""

    def go(self, nextitem: pytest.Item | None) -> None:
        """Repeat the test, and log what pytest logs of one test: set-up, call and teardown.

        The set-up's report comes first, so that it is known that the gate has begun; the call is
        all repeats, and the teardown that of wider fixtures.
        """
        self._log(make_begin_report(self._item, self._gate.result(), self._settings.asked))
        ending = None
        while ending is None:
            ending = self._repeat(self._gate.begin())
        self._live.clear()
        if ending.report is not None:
            self._log(ending.report, is_call=ending.report.when == "call")
        if ending.broken is not None:
            self._log(ending.broken, is_last=True)
        session = self._item.session
        if session.shouldfail or session.shouldstop:
            nextitem = None  # everything is torn down, so that what breaks then is reported
        self._timer.begin()
        wide = self._run_phase("teardown", lambda: tear_down_shared(self._item, nextitem))
        if ending.broken is None:
            self._log_last(wide.report, ending)
        elif wide.error is not None:
            self._log(wide.report)

    def _log_last(self, report: pytest.TestReport, ending: GateEnd) -> None:
        """Log the teardown, with the output captured in the calls of the repeat that is shown."""
        if ending.report is not None and ending.report.when == "call":
            teardown_sections = [each for each in report.sections if "teardown" in each[0]]
            report.sections = [*ending.report.sections, *teardown_sections]
        self._log(report, is_last=True)

    def _repeat(self, number: int) -> GateEnd | None:
        """Run one set-up, call and teardown; return what to log if the gate ends with it."""
        self._seed.move(number)
        self._hypothesis_seeds.move(number)
        restart_fault_timer(self._item.config)
        self._timer.begin()
        if number > 1:
            self._before.restore()
        passed, unclear = self._set_up_and_call(number)
        teardown = self._run_phase("teardown", self._tear_down_item)
        is_broken = teardown.error is not None or teardown.report.failed
        if unclear is not None:
            return GateEnd(unclear, teardown.report if is_broken else None)
        if is_broken:
            self._end_in_error(teardown.report, "teardown", number)
            return GateEnd(None, teardown.report)
        self._gate.tell(number, passed)
        self._live.show(self._gate)
        if self._gate.is_done:
            return GateEnd(self._make_verdict_report())
        drop_fixtures(self._item)
        return None

    def _set_up_and_call(self, number: int) -> tuple[bool, pytest.TestReport | None]:
        """Return whether a repeat passed, and the report if it has no outcome."""
        item = self._item
        setup = self._run_phase("setup", lambda: item.ihook.pytest_runtest_setup(item=item))
        if not setup.report.passed:
            return False, self._report_unclear(setup, number, "set-up")
        show_fixtures(item)
        self._parts.begin(number)
        self.is_repeating = True
        with record_returned(item) as returned:
            call = self._run_phase("call", lambda: item.ihook.pytest_runtest_call(item=item))
        self.is_repeating = False
        if returned or is_unsupported_async(call.error):
            words = _NO_ASYNC
            if returned:
                words = _RETURNED.format(number=number, value=show_value(returned[-1]))
            return False, self._make_error_report(call.report, words, number, "call")
        if is_left_out(*call, expects_failure=self._expects_failure):
            return False, self._report_unclear(call, number, "call")
        passed = self._has_passed(call)
        difference = self._parts.end(passed)
        if difference is None:
            return passed, None
        words = (
            f"{difference}\nA gate must test the same in every run: always skip a part, or never."
        )
        return passed, self._make_error_report(call.report, words, number, "call")

    def _has_passed(self, call: PhaseOutcome) -> bool:
        """Return whether the test, its subtests and the report passed; keep the report."""
        report, part = call.report, self._parts.failure
        passed = call.error is None and (not report.failed or is_unexpected_pass(report))
        if self._expects_failure and is_unexpected_success(call.error):
            passed = True
        if passed and part is not None:
            passed, report.longrepr = False, part.longrepr or "A subtest failed."
            report.outcome = "failed"
            vars(report).pop("wasxfail", None)
            if hasattr(part, "wasxfail"):  # the mark xfail does so with every failure
                report.outcome, report.wasxfail = "skipped", part.wasxfail
        self._kept[passed] = report
        return passed

    def take_part(self, report: pytest.TestReport) -> None:
        """Count a subtest as part of the repeat, and blank its report for other plugins."""
        if report.nodeid != self._item.nodeid:
            return
        self._parts.add(self.raised, report)
        report.outcome, report.when = "passed", "setup"
        report.longrepr, report.sections, report.duration = None, [], 0.0
        vars(report).pop("wasxfail", None)

    def _report_unclear(self, phase: PhaseOutcome, number: int, where: str) -> pytest.TestReport:
        """Handle a repeat without an outcome: leave a skip of run 1 to pytest, else fail."""
        report = phase.report
        if not report.skipped:
            return self._make_error_report(report, None, number, where)
        reason = str(getattr(report, "wasxfail", "") or phase.error).removeprefix("reason: ")
        if number == 1:
            self._skipped = reason
            return report
        words = (
            f"The test was skipped in run {number}, after {number - 1} that count: {reason}\n"
            "A gate must not leave out runs. Skip before the first run, or not at all."
        )
        return self._make_error_report(report, words, number, where)

    def _make_error_report(
        self, report: pytest.TestReport, words: str | None, number: int, where: str
    ) -> pytest.TestReport:
        """Turn a report into an error, with these words in place of a trace, if there are any."""
        if words is not None:
            report.longrepr = words
            vars(report).pop("wasxfail", None)
        report.outcome, report.when = "failed", "setup"
        self._end_in_error(report, where, number)
        return report

    def _end_in_error(self, report: pytest.TestReport, where: str, number: int) -> None:
        self._gate.lose(number)
        self._error = f"error in the {where} of run {number}"
        before = f"after {number - 1} runs" if number != 2 else "after 1 run"
        add_verdict(report, f"The gate ended with an {self._error}, {before}.")

    def _make_verdict_report(self) -> pytest.TestReport:
        """Return the report of the call: of the last repeat with the outcome of the gate."""
        result = self._gate.result()
        wanted = _OUTCOMES_BY_LABEL.get(result.label, self._settings.undecided)
        report = self._kept.get(wanted == "pass") if wanted != "skip" else None
        if report is None:
            return self._make_report(wanted, result.sentence)
        if wanted == "fail" or report.failed:
            add_verdict(report, result.sentence)
        return report

    def _make_report(self, wanted: str, sentence: str) -> pytest.TestReport:
        """Make a report where no repeat has the outcome of the whole gate."""

        def end() -> None:
            if wanted == "fail" and self._expects_failure:
                pytest.xfail(sentence)
            if wanted == "pass" and self._expects_failure:
                pytest.fail(f"Unexpected success\n{wrap_sentence(sentence)}", pytrace=False)
            if wanted == "fail":
                pytest.fail(wrap_sentence(sentence), pytrace=False)
            if wanted == "skip":
                raise make_skip(sentence)

        call = pytest.CallInfo.from_call(end, when="call")
        made: pytest.TestReport = self._item.ihook.pytest_runtest_makereport(
            item=self._item, call=call
        )
        # It is made after the last teardown, whose output is in the report of the teardown.
        made.sections = [each for each in made.sections if "teardown" not in each[0]]
        if made.failed:
            set_summary_message(made, sentence)
        return made

    def _tear_down_item(self) -> None:
        __tracebackhide__ = True
        self._item.ihook.pytest_runtest_teardown(item=self._item, nextitem=NextRepeat(self._item))

    def _run_phase(self, when: Any, run: Callable[[], None]) -> PhaseOutcome:
        item = self._item
        reraised: tuple[type[BaseException], ...] = (pytest.exit.Exception,)
        if not item.config.getoption("usepdb", False):
            reraised += (KeyboardInterrupt,)

        def timed() -> None:
            __tracebackhide__ = True
            self._timer.arm()
            try:
                run()
            finally:
                self._timer.disarm()

        call = pytest.CallInfo.from_call(timed, when=when, reraise=reraised)
        report = item.ihook.pytest_runtest_makereport(item=item, call=call)
        if call.excinfo is not None and report.passed:  # a plugin let it pass, and must not
            report.outcome, report.longrepr = "failed", item.repr_failure(call.excinfo)
        if is_interactive(call, report):
            item.ihook.pytest_exception_interact(node=item, call=call, report=report)
        self._seconds += call.duration
        return PhaseOutcome(None if call.excinfo is None else call.excinfo.value, report)

    def warn(self) -> None:
        """Warn of whatever asks for reruns; once, as part of the first set-up."""
        if not self._gate.pulls:
            check_reruns(self._item)

    def _log(self, report: pytest.TestReport, is_call: bool = False, is_last: bool = False) -> None:
        """Log a report, with all the time that is in no earlier report."""
        report.duration, self._seconds = self._seconds, 0.0
        result = self._gate.result()
        if is_last or (is_call and result.pulls):
            asked = self._settings.asked
            report.user_properties += report_properties(result, self._error, self._skipped, asked)
        self._item.ihook.pytest_runtest_logreport(report=report)

    def close(self) -> None:
        """Restore everything as it was."""
        drop_fixtures(self._item)
        self._seed.restore()
        self._hypothesis_seeds.restore()
        self._live.clear()
