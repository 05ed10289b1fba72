"""One gate: the test is repeated as pytest runs it, until its pass rate is proven.

Each repeat is a whole run of the test: set-up, call and teardown, with fresh fixtures of its own
scope, while wider ones stay. A repeat passes or fails by its call. A set-up or teardown that
breaks, or a test that skips itself halfway, leaves a repeat without an outcome: that ends the gate
as an error, because whatever is left out may be what fails.
"""

import warnings
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest

from goodarm.gate.gate import Gate
from goodarm.plugins.pytest import GateWarning
from goodarm.plugins.pytest.private import (
    Before,
    NextRepeat,
    Seed,
    Timer,
    end_wider,
    is_interactive,
    is_unexpected_pass,
    let_go,
    rerun_by,
    retried_by,
    show_used,
    skipped_here,
    watch_anew,
)
from goodarm.plugins.pytest.settings import FAULT, SETTINGS, GateSettings
from goodarm.plugins.pytest.telling import LiveCount, add_words, properties_of, say_in_summary, wrap
from goodarm.problem import Problem


class Phase(NamedTuple):
    """What set-up, call or teardown of one repeat came to."""

    error: BaseException | None
    report: pytest.TestReport


class Repeating:
    """Runs the tests that are gates; all others are left to pytest."""

    def __init__(self) -> None:
        self._run: GateRun | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> bool | None:
        """Repeat a gate; other tests, and those that are only set up, go their usual way."""
        settings = item.stash.get(SETTINGS, None)
        if settings is None or item.config.getoption("setuponly", False):
            return None
        self._run = GateRun(item, settings)
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
        """What is wrong with a mark is an error, before anything runs."""
        if FAULT in item.stash:
            pytest.fail(item.stash[FAULT], pytrace=False)
        if self._run is not None:
            self._run.warn()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Whatever a repeat reports by itself is a subtest: a part of the repeat, and no line."""
        if self._run is not None and self._run.is_repeating:
            self._run.take_part(report)


_REPEATED: Final = {"good": "pass", "bad": "fail"}
"""What becomes of a test by its label; undecided ones go by the settings."""


def _is_left_out(call: Phase) -> bool:
    """Whether a call has no outcome: the test was skipped, by itself or by whoever makes reports.

    A mark ``xfail`` makes a skip of a failure, and says so.
    """
    if isinstance(call.error, pytest.skip.Exception | pytest.xfail.Exception):
        return True
    return call.report.skipped and not hasattr(call.report, "wasxfail")


class GateRun:
    """One test that is a gate, from its first repeat to its last report."""

    def __init__(self, item: pytest.Item, settings: GateSettings) -> None:
        self._item, self._settings = item, settings
        self._timer = Timer(item)
        self._timer.disarm()  # it counts already, and would end the run of pytest from here
        self._gate = Gate(
            Problem(
                [item.nodeid],
                settings.threshold,
                settings.delta,
                margin=settings.margin,
                max_pulls=settings.max_runs,
            )
        )
        self._seed = Seed(item.config)
        self._live = LiveCount(item.config)
        self._before = Before(item)
        self._seconds = {"setup": 0.0, "call": 0.0, "teardown": 0.0}
        self._kept: dict[bool, pytest.TestReport] = {}
        """the last report of a call that failed, and of one that passed"""
        self._part: pytest.TestReport | None = None
        """a subtest that failed in this repeat"""
        self._error: str | None = None
        self.is_repeating = False

    def go(self, nextitem: pytest.Item | None) -> None:
        """Repeat the test, and log what pytest logs of one test."""
        ending: list[pytest.TestReport] | None = None
        broken: Phase | None = None
        while ending is None:
            number = self._gate.begin()
            setup, ending = self._repeat(number)
            if ending is None:
                teardown = self._phase("teardown", self._teardown(NextRepeat(self._item)))
                let_go(self._item)
                if teardown.error is not None or teardown.report.failed:
                    ending, broken = [setup.report], teardown
                    self._end_in_error(broken.report, "teardown", number)
        self._live.clear()
        for report in ending:
            self._log(report)
        session = self._item.session
        if session.shouldfail or session.shouldstop:
            nextitem = None  # everything is torn down, so that what breaks then is reported
        if broken is None:
            last = self._phase("teardown", self._teardown(nextitem)).report
            if ending[-1].when == "call":  # what was captured is of the repeat that is shown
                own = [each for each in last.sections if "teardown" in each[0]]
                last.sections = [*ending[-1].sections, *own]
            self._log(last, is_last=True)
            return
        self._log(broken.report, is_last=True)
        rest = self._phase("teardown", lambda: end_wider(self._item, nextitem))
        if rest.error is not None:
            self._log(rest.report)

    def _repeat(self, number: int) -> tuple[Phase, list[pytest.TestReport] | None]:
        """One set-up and call; the reports to log if the gate ends with it, before its teardown."""
        item = self._item
        self._seed.move(number)
        watch_anew(item.config)
        if number > 1:
            self._before.restore()
        self._part = None
        setup = self._phase("setup", lambda: item.ihook.pytest_runtest_setup(item=item))
        if not setup.report.passed:
            return setup, [self._unclear(setup, number, "set-up")]
        show_used(item)
        self.is_repeating = True
        call = self._phase("call", lambda: item.ihook.pytest_runtest_call(item=item))
        self.is_repeating = False
        if _is_left_out(call):
            unclear = self._unclear(call, number, "call")
            return setup, [setup.report, unclear] if unclear is call.report else [unclear]
        self._count(number, call)
        self._live.show(self._gate)
        if not self._gate.is_done:
            return setup, None
        return setup, [setup.report, self._verdict()]

    def _count(self, number: int, call: Phase) -> None:
        """Count a failure if the test, a part of it or whoever makes reports says so."""
        report = call.report
        passed = call.error is None and (not report.failed or is_unexpected_pass(report))
        if passed and self._part is not None:
            passed, report.outcome, report.longrepr = False, "failed", self._part.longrepr
        self._kept[passed] = report
        self._gate.tell(number, passed)

    def take_part(self, report: pytest.TestReport) -> None:
        """Count a subtest as part of the repeat, and let the report say nothing to others."""
        if report.nodeid != self._item.nodeid:
            return
        if report.failed:
            self._part = pytest.TestReport._from_json(report._to_json())
        report.outcome, report.when = "passed", "setup"
        report.longrepr, report.sections, report.duration = None, [], 0.0

    def _unclear(self, phase: Phase, number: int, where: str) -> pytest.TestReport:
        """A repeat without an outcome: the first is left to pytest, any other is an error."""
        if number == 1 and phase.report.skipped:
            return phase.report
        report = phase.report
        if report.skipped:
            reason = str(getattr(report, "wasxfail", "") or phase.error)
            report.longrepr = (
                f"The test was skipped in run {number}, after {number - 1} that count: {reason}\n"
                "A gate must not leave runs out. Skip before the first one, or not at all."
            )
            vars(report).pop("wasxfail", None)
        report.outcome, report.when = "failed", "setup"
        self._end_in_error(report, where, number)
        return report

    def _end_in_error(self, report: pytest.TestReport, where: str, number: int) -> None:
        if self._gate.out:
            self._gate.lose(number)
        self._error = f"error in the {where} of run {number}"
        before = f"after {number - 1} runs" if number != 2 else "after 1 run"
        add_words(report, f"The gate ended with an {self._error}, {before}.")

    def _verdict(self) -> pytest.TestReport:
        """The report of the call: that of the last repeat which passed, or failed, as the label."""
        result = self._gate.result()
        wanted = _REPEATED.get(result.label, self._settings.undecided)
        report = self._kept.get(wanted == "pass") if wanted != "skip" else None
        if report is None:
            return self._made_up(wanted, result.sentence)
        if wanted == "fail":
            add_words(report, result.sentence)
        return report

    def _made_up(self, wanted: str, sentence: str) -> pytest.TestReport:
        """Where no repeat came out as the whole gate did."""

        def end() -> None:
            if wanted == "fail":
                pytest.fail(wrap(sentence), pytrace=False)
            if wanted == "skip":
                raise skipped_here(sentence)

        call = pytest.CallInfo.from_call(end, when="call")
        made: pytest.TestReport = self._item.ihook.pytest_runtest_makereport(
            item=self._item, call=call
        )
        if wanted == "fail":
            say_in_summary(made, sentence)
        return made

    def _teardown(self, nextitem: Any) -> Callable[[], None]:
        def end() -> None:
            __tracebackhide__ = True
            self._item.ihook.pytest_runtest_teardown(item=self._item, nextitem=nextitem)

        return end

    def _phase(self, when: Any, run: Callable[[], None]) -> Phase:
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
        if call.excinfo is not None and report.passed:  # whoever made it says so, and must not
            report.outcome, report.longrepr = "failed", item.repr_failure(call.excinfo)
        if is_interactive(call, report):
            item.ihook.pytest_exception_interact(node=item, call=call, report=report)
        self._seconds[when] += call.duration
        return Phase(None if call.excinfo is None else call.excinfo.value, report)

    def warn(self) -> None:
        """Tell off whatever asks for reruns; once, as part of the first set-up."""
        if self._gate.pulls:
            return
        node, retrier, asker = self._item.nodeid, retried_by(self._item), rerun_by(self._item)
        if retrier is not None:
            pytest.fail(
                f"{node} is a gate, and {retrier} would run what fails again, unseen: that proves "
                f"nothing. Take its mark 'flaky' away, or run with -p no:{retrier}.",
                pytrace=False,
            )
        if asker is not None:
            warnings.warn(
                GateWarning(
                    f"{node} is a gate, so {asker} does not apply to it: to run it "
                    "again until it passes would prove nothing."
                ),
                stacklevel=1,
            )

    def _log(self, report: pytest.TestReport, is_last: bool = False) -> None:
        report.duration = self._seconds[str(report.when)]
        if (self._gate.pulls and report.when == "call") or is_last:
            result = self._gate.result()
            if result.pulls:
                report.user_properties += properties_of(result, self._error, self._settings.asked)
        self._item.ihook.pytest_runtest_logreport(report=report)

    def close(self) -> None:
        """Leave things as they were."""
        let_go(self._item)
        self._seed.restore()
        self._live.clear()
