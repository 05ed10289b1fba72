"""Adapters to non-public parts of pytest and its plugins, all in one place.

Tried on pytest 7.4.4, 8.4.2 and 9.2.0, pytest-timeout 2.4.0, pytest-randomly 5.1.0 and Hypothesis
6.170.15.
"""

import functools
import inspect
import sys
import time
import unittest
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import pytest

_SEEDS_PER_REPEAT: Final = 3
"""Number of seeds that pytest-randomly uses for one repeat: set-up, call and teardown."""
_UNSUPPORTED_ASYNC: Final = (
    "async def functions are not natively supported",
    "async def function and no async plugin installed",
)
"""Beginnings of what pytest says of an async test that no plugin runs, since 8.4 and before."""
_AsyncCase: Final = unittest.IsolatedAsyncioTestCase
_MIN_TIMEOUT_SECONDS: Final = 0.001
"""Shortest timeout in seconds: a timer that is set to 0 never goes off."""


class NextRepeat:
    """Stand-in for the next repeat where pytest asks for the next item.

    Teardown ends what the next item does not share: the test itself, and nothing above it.
    """

    def __init__(self, item: pytest.Item) -> None:
        self._item = item

    def listchain(self) -> list[Any]:
        """Return the nodes above the test, and this one."""
        assert self._item.parent is not None
        return [*self._item.parent.listchain(), self]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._item, name)


class ItemState:
    """State of an item before its first run, restored for each repeat.

    Fixtures, captured output, marks, properties and stash are those of before, and so is the test
    itself, which some plugins wrap for each run. pytest keeps the instance of a test class for the
    life of the item; ``unittest`` cases renew theirs by themselves. A doctest forgets its names.
    """

    def __init__(self, item: Any) -> None:
        self._item = item
        self._marks, self._keywords = list(item.own_markers), dict(item.keywords._markers)
        self._properties, self._stash = list(item.user_properties), dict(item.stash._storage)
        self._names = dict(item.dtest.globs) if getattr(item, "dtest", None) else None
        self._test = vars(item).get("_obj")

    def restore(self) -> None:
        """Restore the item's state."""
        item = self._item
        item._report_sections.clear()
        item.own_markers[:], item.user_properties[:] = self._marks, self._properties
        for now, before in (
            (item.keywords._markers, self._keywords),
            (item.stash._storage, self._stash),
        ):
            now.clear()
            now.update(before)
        if self._names is not None:
            item.dtest.globs.update(self._names)
        if not hasattr(item, "_initrequest"):
            return
        item._initrequest()
        if isinstance(item.parent, pytest.Class) and getattr(item, "originalname", None):
            for name in ("_instance", "_obj"):
                vars(item).pop(name, None)
        elif self._test is not None:
            item._obj = self._test


def drop_fixtures(item: Any) -> None:
    """Drop the fixtures' values, as pytest does after a test."""
    if hasattr(item, "_request"):
        item._request = False
        item.funcargs = None


def show_fixtures(item: pytest.Item) -> None:
    """Print the test and its fixtures, with ``--setup-show``."""
    if item.config.getoption("setupshow", False):
        writer = item.config.get_terminal_writer()
        used = ", ".join(sorted(getattr(item, "fixturenames", ())))
        writer.line()
        writer.write(f"{' ' * 8}{item.nodeid}{f' (fixtures used: {used})' if used else ''} ")
        writer.flush()


def tear_down_shared(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Tear down what the next item does not share, after the item's own teardown.

    The hooks of a teardown may be called once only, so what they do around it is done here.
    """
    __tracebackhide__ = True
    from _pytest.runner import _update_current_test_var

    broken = None
    with _capture_output(item, "teardown"):
        _update_current_test_var(item, "teardown")
        try:
            item.session._setupstate.teardown_exact(nextitem)
        except BaseException as error:  # raised below: before pytest 8 an error ends no section
            broken = error
        _update_current_test_var(item, None)
    if broken is not None:
        raise broken


@contextmanager
def _capture_output(item: pytest.Item, when: str) -> Iterator[None]:
    """Keep what is printed and logged as a part of the item, if the plugins for that are active."""
    from _pytest.logging import caplog_handler_key, caplog_records_key

    capture = item.config.pluginmanager.get_plugin("capturemanager")
    logs = item.config.pluginmanager.get_plugin("logging-plugin")
    with ExitStack() as stack:
        if logs is not None:
            item.stash[caplog_records_key] = {}
            block = logs._runtest_for(item, when)
            if not hasattr(block, "__enter__"):  # before pytest 8 it is a bare generator
                block = contextmanager(lambda: block)()
            stack.enter_context(block)
        if capture is not None:
            stack.enter_context(capture.item_capture(when, item))
        yield
    if logs is not None:
        del item.stash[caplog_records_key]
        del item.stash[caplog_handler_key]


def is_expected_failure(item: Any) -> bool:
    """Return whether ``unittest.expectedFailure`` decorates the test or its class."""
    owner = getattr(item, "cls", None)
    if not isinstance(owner, type) or not issubclass(owner, unittest.TestCase):
        return False
    marked = (owner, getattr(owner, item.name, None))
    return any(getattr(each, "__unittest_expecting_failure__", False) for each in marked)


def list_marks(item: Any, name: str) -> list[pytest.Mark]:
    """Return the marks of this name, the nearest last: a parameter's own comes after the test's."""
    own = [id(mark) for mark in getattr(getattr(item, "callspec", None), "marks", ())]
    marks = list(item.iter_markers(name))[::-1]
    return sorted(marks, key=lambda mark: id(mark) in own)


@contextmanager
def record_returned(item: Any) -> Iterator[list[object]]:
    """Yield a list that gets what the test function returns, if that is not None.

    pytest does not look at it: such a test passes, whatever it returns. It wraps the function for
    the time of the call, as tracing does. Hypothesis itself refuses what its tests return.
    """
    returned: list[object] = []
    test: Any = getattr(item, "obj", None)
    is_unittest_async = issubclass(getattr(item, "cls", None) or object, _AsyncCase)
    is_hypothesis = getattr(test, "is_hypothesis_test", False) is True
    is_generator = inspect.isasyncgenfunction(test) or inspect.isgeneratorfunction(test)
    if not isinstance(item, pytest.Function) or is_unittest_async or is_hypothesis or is_generator:
        yield returned
        return

    def keep(value: object) -> object:
        if value is not None:
            returned.append(value)
        return value

    @functools.wraps(test)
    def call(*given: Any, **named: Any) -> object:
        return keep(test(*given, **named))

    @functools.wraps(test)
    async def call_async(*given: Any, **named: Any) -> object:
        return keep(await test(*given, **named))

    function: Any = item
    function.obj = call_async if inspect.iscoroutinefunction(test) else call
    try:
        yield returned
    finally:
        function.obj = test


def is_unsupported_async(error: BaseException | None) -> bool:
    """Return whether pytest has not run an async test, because no plugin of its can."""
    is_refusal = isinstance(error, (pytest.fail.Exception, pytest.skip.Exception))
    return is_refusal and str(error).startswith(_UNSUPPORTED_ASYNC)


def is_unexpected_success(error: BaseException | None) -> bool:
    """Return whether pytest fails a test of unittest only because it was expected to fail."""
    return isinstance(error, pytest.fail.Exception) and str(error).startswith("Unexpected success")


def is_unexpected_pass(report: pytest.TestReport) -> bool:
    """Return whether a call passed, and fails only because of ``xfail(strict=True)``."""
    return str(report.longrepr).startswith("[XPASS(strict)]")


def is_interactive(call: pytest.CallInfo[Any], report: pytest.TestReport) -> bool:
    """Return whether a debugger should see the error."""
    from _pytest.runner import check_interactive_exception

    return check_interactive_exception(call, report)


class _RemainingTimeout(float):
    """Rest of a timeout, printed as the timeout itself."""

    limit: float

    def __new__(cls, rest: float, limit: float) -> "_RemainingTimeout":
        made = super().__new__(cls, rest)
        made.limit = limit
        return made

    def __str__(self) -> str:
        return str(self.limit)


class RepeatTimer:
    """Timer that restarts pytest-timeout for each repeat, if it has a limit for this test.

    The limit is for set-up, call and teardown together. When it is over in one of them, the rest of
    the repeat has none, so that a teardown can still be made: both as the plugin does it.
    """

    def __init__(self, item: pytest.Item) -> None:
        self._item, self._hooks = item, item.config.pluginmanager.hook
        self._settings: Any = None
        self._spent = self._since = 0.0
        self._is_armed = False
        if item.config.pluginmanager.hasplugin("timeout"):
            from pytest_timeout import _get_item_settings

            settings = _get_item_settings(item)
            # With func_only the plugin itself arms it for each call.
            if settings.timeout and settings.timeout > 0 and settings.func_only is False:
                self._settings = settings
                self._hooks.pytest_timeout_cancel_timer(item=item)  # the plugin's own timer

    def begin(self) -> None:
        """Begin a repeat, which has the whole limit."""
        self._spent = 0.0

    def arm(self) -> None:
        """Start the timer."""
        if self._settings is None:
            return
        rest = self._settings.timeout - self._spent
        self._since, self._is_armed = time.perf_counter(), rest > 0
        if self._is_armed:
            limit = _RemainingTimeout(max(rest, _MIN_TIMEOUT_SECONDS), self._settings.timeout)
            settings = self._settings._replace(timeout=limit)
            self._hooks.pytest_timeout_set_timer(item=self._item, settings=settings)

    def disarm(self) -> None:
        """Stop the timer."""
        if self._settings is None:
            return
        if self._is_armed:
            self._hooks.pytest_timeout_cancel_timer(item=self._item)
        self._spent += time.perf_counter() - self._since
        self._is_armed = False


def restart_fault_timer(config: pytest.Config) -> None:
    """Restart the timer of ``faulthandler_timeout``, which pytest starts once for a whole test."""
    if not config.pluginmanager.hasplugin("faulthandler"):
        return
    limit = float(config.getini("faulthandler_timeout") or 0.0)
    if limit > 0:
        import faulthandler

        from _pytest.faulthandler import fault_handler_stderr_fd_key

        try:
            is_end = bool(config.getini("faulthandler_exit_on_timeout"))
        except ValueError:  # before pytest 9
            is_end = False
        stderr = config.stash[fault_handler_stderr_fd_key]
        faulthandler.dump_traceback_later(limit, file=stderr, exit=is_end)


class RepeatSeed:
    """Seed of pytest-randomly, moved on for each repeat: else all repeats would be the same."""

    def __init__(self, config: pytest.Config) -> None:
        self._option = config.option
        found = getattr(config.option, "randomly_seed", None)
        self._first = found if isinstance(found, int) else None

    def move(self, repeat: int) -> None:
        """Set the seed of a repeat; the first has the seed of the session."""
        if self._first is not None:
            self._option.randomly_seed = self._first + _SEEDS_PER_REPEAT * (repeat - 1)

    def restore(self) -> None:
        """Set the seed of the session again."""
        if self._first is not None:
            self._option.randomly_seed = self._first


def find_rerun_request(item: Any) -> str | None:
    """Return what asks for reruns of failed tests, or None."""
    config = item.config
    if item.get_closest_marker("flaky") is not None:
        return "the mark 'flaky'"
    if hasattr(getattr(item, "obj", None), "_flaky_max_runs"):
        return "the decorator 'flaky'"
    for option in ("reruns", "force_flaky"):
        if config.getoption(option, None):
            return f"--{option.replace('_', '-')}"
    try:
        is_set = config.getini("reruns") not in (None, "", "0", 0)
    except (KeyError, ValueError):  # no plugin has such a setting
        is_set = False
    return "the ini setting 'reruns'" if is_set else None


def find_retry_plugin(item: pytest.Item) -> str | None:
    """Return the plugin that reruns a failed test while its report is made, or None.

    Nothing can prevent these reruns.
    """
    if item.config.pluginmanager.hasplugin("pytest-retry") and item.get_closest_marker("flaky"):
        return "pytest-retry"
    return None


def read_ini_value(config: pytest.Config, name: str) -> object:
    """Return an ini setting, or None. In TOML pytest 9 refuses numbers where texts may be."""
    try:
        value = config.getini(name)
    except (TypeError, pytest.UsageError):
        given: Any = vars(config).get("_inicfg") or config.inicfg  # the latter in 9.0
        value = given[name].value
    return None if value == "" else value


def make_skip(reason: str) -> BaseException:
    """Return the exception that skips a test, with the test's own location."""
    return pytest.skip.Exception(reason, _use_item_location=True)


def write_uncounted(writer: Any, text: str) -> None:
    """Write to the terminal without changing the writer's count of its current line."""
    writer._file.write(text)
    writer._file.flush()


@contextmanager
def count_error_in_junit(config: pytest.Config) -> Iterator[None]:
    """Have JUnit XML count the error that is logged within as a test.

    From pytest 9 on it takes an error in a teardown off the number of tests, because the call
    before it was counted.
    """
    from _pytest.junitxml import xml_key

    xml = config.stash.get(xml_key, None)
    before = 0 if xml is None else xml.cnt_double_fail_tests
    yield
    if xml is not None:
        xml.cnt_double_fail_tests = before


def has_instance_check(cls: type | None, test: object) -> bool:
    """Return whether Hypothesis fails a method from its second run on.

    Its health check ``differing_executors`` rejects runs that have an instance each. It does not
    see methods that are static, or within another decorator.
    """
    function: Any = getattr(test, "__func__", test)
    if cls is None or "hypothesis" not in sys.modules or not _is_given(function):
        return False
    from hypothesis import HealthCheck

    own = inspect.getattr_static(cls, function.__name__, None)
    if own is not function or _is_given(getattr(function, "__wrapped__", None)):
        return False
    check = getattr(HealthCheck, "differing_executors", None)
    found = getattr(function, "_hypothesis_internal_use_settings", None)
    return check is not None and found is not None and check not in found.suppress_health_check


def _is_given(test: object) -> bool:
    return getattr(test, "is_hypothesis_test", False) is True and hasattr(test, "hypothesis")
