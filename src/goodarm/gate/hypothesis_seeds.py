"""Seeds for runs of a Hypothesis test, a new one for each run.

Why that is needed: the test of a gate is an e-process in outcomes that are drawn anew. Under
Hypothesis' ``ci`` profile (active wherever ``CI`` is set), with ``derandomize=True``, with
``@seed`` and with ``--hypothesis-seed`` all runs try the same examples, so that 300 runs are one
run, and that one says nothing about a rate. ``hypothesis.seed`` takes precedence over all of these,
and leaves the database of failed examples out, which would have later runs repeat earlier ones.

A test may hide its Hypothesis test: behind a decorator that does not look like it, as a function
that it calls, or by defining one as it runs. The first two are found by the names that its code
mentions. The third gets its settings as it is defined, from a profile that is loaded while a gate
runs and draws anew.
"""

import functools
import secrets
import sys
from collections.abc import Iterator
from threading import get_ident, local
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from goodarm.errors import invalid_argument

_MAX_FUNCTIONS: Final = 1000
"""Most functions that are searched for Hypothesis tests that a test calls."""
_REPEATED_RUNS_REMEDY: Final = "Otherwise later runs repeat earlier ones and prove nothing."


class HypothesisSeeds:
    """Seeds of the Hypothesis tests that a function is or calls; none for other functions.

    Args:
        test: the function or method that is run.
        first: what all seeds are made of, so that they can be repeated; None for fresh ones.

    Only what Hypothesis documents is used: ``is_hypothesis_test``, ``seed``, and profiles.
    """

    def __init__(self, test: object, first: str | None = None) -> None:
        self._first = first
        self._tests, self._mentioned = _find_tests(test)
        self._before = [dict(vars(each)) for each in self._tests]
        self._thread, self._is_fresh = get_ident(), False

    @property
    def is_needed(self) -> bool:
        """True if there is a Hypothesis test, or the test may define one as it runs."""
        return bool(self._tests) or self._defines_tests

    def check(self, owner: str, fixed: str | None = None) -> None:
        """Raise an error if a Hypothesis test that is defined during a run would repeat itself.

        Such a test has its own settings, and the seed of the command line.
        """
        if not self._defines_tests:
            return
        from hypothesis import Phase, settings

        rule = "have derandomize=False and database=None for a Hypothesis test defined in a run"
        for each in self._mentioned:
            if not isinstance(each, settings):
                continue
            reuses = each.database is not None and Phase.reuse in each.phases
            if each.derandomize or reuses:
                raise invalid_argument("settings", owner, rule, each, _REPEATED_RUNS_REMEDY)
        if fixed is not None:
            rule = "be left out for a Hypothesis test defined in a run"
            raise invalid_argument("--hypothesis-seed", owner, rule, fixed, _REPEATED_RUNS_REMEDY)

    def begin(self) -> None:
        """Load the profile that draws anew; a test may be the first to import Hypothesis.

        Profiles belong to threads: for parallel runs, the thread that starts them loads it.
        """
        if not self._is_fresh and "hypothesis" in sys.modules and get_ident() == self._thread:
            _PROFILE.enter()
            self._is_fresh = True

    def move(self, run: int) -> None:
        """Set the seed of a run, different from that of every other run."""
        self.begin()
        if not self._tests:
            return
        from hypothesis import seed

        self._restore_tests()
        drawn: Any = secrets.randbits(128) if self._first is None else f"{self._first} {run}"
        for each in self._tests:
            seed(drawn)(each)

    def restore(self) -> None:
        """Restore the tests and the profile as they were."""
        self._restore_tests()
        if self._is_fresh:
            _PROFILE.leave()
            self._is_fresh = False

    @property
    def _defines_tests(self) -> bool:
        """True if the code mentions ``given``."""
        given = getattr(sys.modules.get("hypothesis"), "given", None)
        return given is not None and any(each is given for each in self._mentioned)

    def _restore_tests(self) -> None:
        for each, before in zip(self._tests, self._before, strict=True):
            vars(each).clear()
            vars(each).update(before)


class _FreshProfile:
    """Profile that draws anew and otherwise copies the active one; loaded while gates run.

    A gate may run within another one, or in another thread at the same time.
    """

    _NAME: Final = "goodarm-gate"

    def __init__(self) -> None:
        self._outside = ""
        """profile to restore when the gates of a thread are over"""
        self._own = local()

    def enter(self) -> None:
        """Load the profile for this thread and for threads that begin now."""
        from hypothesis import settings

        depth = getattr(self._own, "depth", 0)
        self._own.depth = depth + 1
        if depth:
            return
        known = getattr(settings, "get_current_profile_name", None)
        if known is None:  # older versions do not tell: the same settings under another name
            settings.register_profile(f"{self._NAME}-outside", settings.default)
            self._outside = f"{self._NAME}-outside"
        elif known() != self._NAME:
            self._outside = known()
        settings.register_profile(self._NAME, settings.default, derandomize=False, database=None)
        settings.load_profile(self._NAME)

    def leave(self) -> None:
        """Restore the profile that was active before."""
        from hypothesis import settings

        self._own.depth -= 1
        if not self._own.depth:
            settings.load_profile(self._outside)


_PROFILE: Final = _FreshProfile()


def _find_tests(test: object) -> tuple[list[FunctionType], list[Any]]:
    """Find the Hypothesis tests that a function is or calls, and all that its code mentions.

    The search covers the functions that decorators hold, those of the same module that are
    mentioned, and what they mention in turn. The test of a state machine has no ``hypothesis``
    handle: its seed belongs to the machine.
    """
    tests: list[FunctionType] = []
    mentioned: list[Any] = []
    visited: set[int] = set()
    todo = [test]
    while "hypothesis" in sys.modules and todo and len(visited) < _MAX_FUNCTIONS:
        each: Any = todo.pop()
        while isinstance(each, functools.partial):
            each = each.func
        each = getattr(each, "__func__", each)
        if not isinstance(each, FunctionType) or id(each) in visited:
            continue
        visited.add(id(each))
        todo.append(vars(each).get("__wrapped__"))
        if is_given(each):
            tests.append(each)
            todo.append(each.hypothesis.inner_test)  # type: ignore[attr-defined]
            continue  # what is within is Hypothesis' own
        held, named = list(_find_closure_values(each)), list(_find_global_values(each))
        mentioned += [*held, *named]
        todo += held
        todo += [
            other
            for other in named
            if is_given(other) or getattr(other, "__module__", None) == each.__module__
        ]
    return tests, mentioned


def is_given(test: object) -> bool:
    """Return whether a function is a Hypothesis test, or a wrapper that looks like one."""
    is_test = isinstance(test, FunctionType) and getattr(test, "is_hypothesis_test", False) is True
    return is_test and hasattr(test, "hypothesis")


def _find_closure_values(function: FunctionType) -> Iterator[Any]:
    """Yield the values of a function's closure."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # nothing is in it yet
            continue


def _find_global_values(function: FunctionType) -> Iterator[Any]:
    """Yield the values of the global names in a function's code, and in that of inner ones.

    Names behind a module's are looked up in it.
    """
    codes = [function.__code__]
    for code in codes:
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
        found = [
            function.__globals__[each] for each in code.co_names if each in function.__globals__
        ]
        yield from found
        for module in found:
            if isinstance(module, ModuleType):
                own = vars(module)
                yield from (own[each] for each in code.co_names if each in own)
