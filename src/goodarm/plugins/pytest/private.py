"""What is no public part of pytest and its plugins, in one place.

Tried on pytest 7.4.4, 8.4.2 and 9.2.0, pytest-timeout 2.4.0 and pytest-randomly 5.1.0.
"""

from typing import Any, Final

import pytest

_SEEDS: Final = 3
"""Seeds that pytest-randomly uses for one repeat: for its set-up, its call and its teardown."""


class NextRepeat:
    """Stands for the next repeat where pytest wants to know which item comes next.

    Teardown ends what the next item does not share: the test itself, and nothing above it.
    """

    def __init__(self, item: pytest.Item) -> None:
        self._item = item

    def listchain(self) -> list[Any]:
        """The nodes above the test, and this one."""
        assert self._item.parent is not None
        return [*self._item.parent.listchain(), self]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._item, name)


class Before:
    """An item as it was before its first run: so each repeat finds it.

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
        """Make it so again."""
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


def let_go(item: Any) -> None:
    """Drop the fixtures' values, as pytest does after a test."""
    if hasattr(item, "_request"):
        item._request = False
        item.funcargs = None


def show_used(item: pytest.Item) -> None:
    """The test and its fixtures, with ``--setup-show``."""
    if item.config.getoption("setupshow", False):
        writer = item.config.get_terminal_writer()
        used = ", ".join(sorted(getattr(item, "fixturenames", ())))
        writer.line()
        writer.write(f"{' ' * 8}{item.nodeid}{f' (fixtures used: {used})' if used else ''} ")
        writer.flush()


def end_wider(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Tear down what the next item does not share, where the item's own teardown has broken.

    The hooks of a teardown may be called once only.
    """
    item.session._setupstate.teardown_exact(nextitem)


def is_unexpected_pass(report: pytest.TestReport) -> bool:
    """Whether a call passed, and is a failure only because ``xfail(strict=True)`` says so."""
    return str(report.longrepr).startswith("[XPASS(strict)]")


def is_interactive(call: pytest.CallInfo[Any], report: pytest.TestReport) -> bool:
    """Whether a debugger wants to see it."""
    from _pytest.runner import check_interactive_exception

    return check_interactive_exception(call, report)


class Timer:
    """Arms pytest-timeout anew for each repeat, if that is there and has a limit for this test."""

    def __init__(self, item: pytest.Item) -> None:
        self._item, self._hooks = item, item.config.pluginmanager.hook
        self._settings = None
        if item.config.pluginmanager.hasplugin("timeout"):
            from pytest_timeout import _get_item_settings

            settings = _get_item_settings(item)
            # With func_only the plugin itself arms it for each call.
            if settings.timeout and settings.timeout > 0 and settings.func_only is False:
                self._settings = settings

    def arm(self) -> None:
        """Begin to count."""
        if self._settings is not None:
            self._hooks.pytest_timeout_set_timer(item=self._item, settings=self._settings)

    def disarm(self) -> None:
        """No limit from here on."""
        if self._settings is not None:
            self._hooks.pytest_timeout_cancel_timer(item=self._item)


def watch_anew(config: pytest.Config) -> None:
    """Begin the time of ``faulthandler_timeout`` anew, which pytest counts for a whole test."""
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


class Seed:
    """Moves the seed of pytest-randomly on, which would make every repeat the same."""

    def __init__(self, config: pytest.Config) -> None:
        self._option = config.option
        found = getattr(config.option, "randomly_seed", None)
        self._first = found if isinstance(found, int) else None

    def move(self, repeat: int) -> None:
        """To that of a repeat; the first has the seed of the session."""
        if self._first is not None:
            self._option.randomly_seed = self._first + _SEEDS * (repeat - 1)

    def restore(self) -> None:
        """Back to that of the session."""
        if self._first is not None:
            self._option.randomly_seed = self._first


def rerun_by(item: Any) -> str | None:
    """What asks for reruns of failed tests, if anything does."""
    config = item.config
    if item.get_closest_marker("flaky") is not None:
        return "the mark 'flaky'"
    if hasattr(getattr(item, "obj", None), "_flaky_max_runs"):
        return "the decorator 'flaky'"
    for option in ("reruns", "force_flaky"):
        if config.getoption(option, None):
            return f"--{option.replace('_', '-')}"
    return None


def retried_by(item: pytest.Item) -> str | None:
    """What runs a failed test again while its report is made, which nothing can prevent."""
    if item.config.pluginmanager.hasplugin("pytest-retry") and item.get_closest_marker("flaky"):
        return "pytest-retry"
    return None


def ini_value(config: pytest.Config, name: str) -> object:
    """An ini setting, or None. In TOML pytest 9 refuses numbers where texts may be."""
    try:
        value = config.getini(name)
    except (TypeError, pytest.UsageError):
        given: Any = vars(config).get("_inicfg") or config.inicfg  # the latter in 9.0
        value = given[name].value
    return None if value == "" else value


def skipped_here(reason: str) -> BaseException:
    """The exception that skips a test, with the test's own place."""
    return pytest.skip.Exception(reason, _use_item_location=True)
