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


def renew(item: Any) -> None:
    """Make the item as it was before its first run: fixtures, instance and captured output.

    pytest keeps the instance of a test class for the life of the item; ``unittest`` cases renew
    theirs by themselves.
    """
    item._report_sections.clear()
    if not hasattr(item, "_initrequest"):
        return
    item._initrequest()
    if isinstance(item.parent, pytest.Class) and getattr(item, "originalname", None):
        for name in ("_instance", "_obj"):
            vars(item).pop(name, None)


def let_go(item: Any) -> None:
    """Drop the fixtures' values, as pytest does after a test."""
    if hasattr(item, "_request"):
        item._request = False
        item.funcargs = None


def end_wider(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Tear down what the next item does not share, where the item's own teardown has broken.

    The hooks of a teardown may be called once only.
    """
    item.session._setupstate.teardown_exact(nextitem)


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


def skipped_here(reason: str) -> BaseException:
    """The exception that skips a test, with the test's own place."""
    return pytest.skip.Exception(reason, _use_item_location=True)
