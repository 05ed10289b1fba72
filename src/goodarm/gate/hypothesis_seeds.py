"""Seeds for runs of a Hypothesis test, a new one for each run.

Why that is needed: the test of a gate is an e-process in outcomes that are drawn anew. Under
Hypothesis' ``ci`` profile (active wherever ``CI`` is set), with ``derandomize=True``, with
``@seed`` and with ``--hypothesis-seed`` all runs try the same examples, so that 300 runs are one
run, and that one says nothing about a rate. ``hypothesis.seed`` takes precedence over all of these,
and leaves the database of failed examples out, which would have later runs repeat earlier ones.
"""

import secrets
import sys
from types import FunctionType
from typing import Any


class HypothesisSeeds:
    """The seeds of one Hypothesis test; of any other function, nothing.

    Args:
        test: the function or method that is run.
        first: what all seeds are made of, so that they can be repeated; None for fresh ones.

    Only what Hypothesis documents is used: the attribute ``is_hypothesis_test`` and ``seed``.
    """

    def __init__(self, test: object, first: str | None = None) -> None:
        self._first = first
        self._tests = _hypothesis_tests(test)
        self._before = [dict(vars(each)) for each in self._tests]

    @property
    def is_needed(self) -> bool:
        """Return whether there is a Hypothesis test to seed."""
        return bool(self._tests)

    def move(self, run: int) -> None:
        """Set the seed of a run, which no other run has."""
        if not self._tests:
            return
        from hypothesis import seed

        self.restore()
        drawn: Any = secrets.randbits(128) if self._first is None else f"{self._first} {run}"
        for each in self._tests:
            seed(drawn)(each)

    def restore(self) -> None:
        """Leave the test as it was."""
        for each, before in zip(self._tests, self._before, strict=True):
            vars(each).clear()
            vars(each).update(before)


def _hypothesis_tests(test: object) -> list[FunctionType]:
    """Return the function under ``@given``, and the decorators above it that look like it.

    The test of a state machine has no ``hypothesis`` handle: its seed belongs to the machine.
    """
    found: list[FunctionType] = []
    each: Any = getattr(test, "__func__", test)
    while "hypothesis" in sys.modules and isinstance(each, FunctionType) and each not in found:
        if getattr(each, "is_hypothesis_test", False) is True and hasattr(each, "hypothesis"):
            found.append(each)
        each = vars(each).get("__wrapped__")
    return found
