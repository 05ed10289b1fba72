"""Outcome of one call of the tested function: passed, failed, or an error that is neither."""

import functools
import inspect
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from goodarm.arguments import as_float
from goodarm.errors import invalid_argument
from goodarm.gate.hypothesis_seeds import HypothesisSeeds

_RULE: Final = "return True or False, or assert and return nothing"


@dataclass(frozen=True)
class CallOutcome:
    """Outcome of a call: passed or failed; if ``error`` is given, neither is known."""

    passed: bool
    error: BaseException | None = None


class FunctionUnderTest:
    """Function under test, which must answer always by a return value or always by assertions."""

    def __init__(
        self,
        run_once: Callable[[], Any],
        fails_on: type[BaseException] | Iterable[type[BaseException]],
    ) -> None:
        is_list = isinstance(fails_on, Iterable) and not isinstance(fails_on, str)
        given: Any = fails_on if is_list else (fails_on,)
        given = (fails_on,) if isinstance(fails_on, type) else tuple(given)
        for kind in given:
            if not isinstance(kind, type) or not issubclass(kind, BaseException):
                raise invalid_argument("fails_on", "prove", "hold classes of exceptions", kind)
        self._call = run_once
        self._failures: tuple[type[BaseException], ...] = (AssertionError, *given)
        self._returns: bool | None = None
        """whether the function answers by its return value; None as long as every call has
        failed"""
        outer: Any = run_once
        while isinstance(outer, functools.partial):
            outer = outer.func
        # Decorators lend a function its name, but whether to await is up to the outermost of them.
        call = getattr(type(outer), "__call__", None)  # noqa: B004  of an object, or inherited
        self.is_async = any(map(inspect.iscoroutinefunction, (outer, call)))
        bare: Any = outer
        with suppress(ValueError):  # an object that has every attribute wraps itself
            bare = inspect.unwrap(outer)
        name = getattr(bare, "__name__", None)
        self.name = name if isinstance(name, str) else type(bare).__name__
        self.seeds = HypothesisSeeds(outer)
        self._calls = 0

    def call(self) -> CallOutcome:
        """Call the function in this thread."""
        self._calls += 1
        self.seeds.move(self._calls)
        try:
            value = self._call()
        except BaseException as error:
            return self._make_raised_outcome(error)
        return self._read(value)

    async def call_async(self) -> CallOutcome:
        """Call the function on this event loop."""
        self._calls += 1
        self.seeds.move(self._calls)
        try:
            value = await self._call()
        except BaseException as error:
            return self._make_raised_outcome(error)
        return self._read(value)

    def _make_raised_outcome(self, error: BaseException) -> CallOutcome:
        return CallOutcome(False, None if isinstance(error, self._failures) else error)

    def _read(self, value: object) -> CallOutcome:
        if inspect.iscoroutine(value):
            value.close()
            remedy = "Use 'async def' instead of a function that returns a coroutine."
            return CallOutcome(
                False, invalid_argument("run_once", "prove", _RULE, "a coroutine", remedy)
            )
        answers = value is not None
        if self._returns is None:
            self._returns = answers
        if answers is not self._returns:
            remedy = "It returned None in one run and an answer in another."
            return CallOutcome(False, invalid_argument("run_once", "prove", _RULE, value, remedy))
        return CallOutcome(True) if value is None else self._answer(value)

    def _answer(self, value: object) -> CallOutcome:
        is_flag = isinstance(value, bool) or type(value).__name__ == "bool"  # numpy's too
        if is_flag or as_float(value) in (0.0, 1.0):
            return CallOutcome(bool(value))
        return CallOutcome(False, invalid_argument("run_once", "prove", _RULE, value))
