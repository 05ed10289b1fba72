"""What can be proven: everything that can be called, sync or async, and what it may return."""

import asyncio
import functools
from contextvars import ContextVar
from unittest.mock import AsyncMock, Mock

import numpy as np
import pytest

import goodarm as ga


def function():
    return True


def asserting():
    assert function()


class Callable:
    def __call__(self):
        return True

    def method(self):
        return True

    @classmethod
    def of_class(cls):
        return True

    @staticmethod
    def static():
        return True

    async def coroutine(self):
        return True


class Inherited(Callable):
    pass


class HasEverything:
    """As proxies and recorders do."""

    def __getattr__(self, name):
        return self

    def __call__(self):
        return True


class AsyncCallable:
    async def __call__(self):
        return True


class InheritedAsync(AsyncCallable):
    pass


async def async_function():
    await asyncio.sleep(0)
    return True


async def async_asserting():
    assert await async_function()


@functools.wraps(async_function)
def made_sync():
    return asyncio.run(async_function())


@functools.wraps(function)
async def made_async():
    return function()


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize(
    ("run_once", "name"),
    [
        (function, "function"),
        (asserting, "asserting"),
        (lambda: True, "<lambda>"),
        (functools.partial(lambda given: given, True), "<lambda>"),
        (functools.partial(functools.partial(pow, 1), 7), "pow"),
        (Callable(), "Callable"),
        (Callable().method, "method"),
        (Callable.of_class, "of_class"),
        (Callable.static, "static"),
        (Inherited(), "Inherited"),
        (HasEverything(), "HasEverything"),
        (Mock(return_value=True), "Mock"),
        (async_function, "async_function"),
        (async_asserting, "async_asserting"),
        (functools.partial(async_function), "async_function"),
        (Callable().coroutine, "coroutine"),
        (AsyncCallable(), "AsyncCallable"),
        (InheritedAsync(), "InheritedAsync"),
        (AsyncMock(return_value=True), "AsyncMock"),
        (made_sync, "async_function"),
        (made_async, "function"),
    ],
)
def test_whatever_can_be_called_is_welcome(run_once, name, jobs):
    result = ga.prove(run_once, threshold=0.5, jobs=jobs)
    assert (result.label, result.report.arm) == ("good", name)


@pytest.mark.parametrize("run_once", [function, async_function])
@pytest.mark.parametrize("jobs", [1, 2])
def test_it_may_be_called_from_async_code(run_once, jobs):
    async def notebook():
        return ga.prove(run_once, threshold=0.5, jobs=jobs)

    assert asyncio.run(notebook()).label == "good"


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (True, "good"),
        (1, "good"),
        (1.0, "good"),
        (np.True_, "good"),
        (np.int64(1), "good"),
        (np.float32(1), "good"),
        (None, "good"),
        (False, "bad"),
        (0, "bad"),
        (0.0, "bad"),
        (-0.0, "bad"),
        (np.False_, "bad"),
        (np.uint8(0), "bad"),
    ],
)
def test_what_passes_and_what_fails(value, label):
    assert ga.prove(lambda: value, threshold=0.5).label == label


@pytest.mark.parametrize(
    "value", ["yes", "", 2, -1, 0.5, float("nan"), [], [True], {}, object(), np.ones(3), 1j]
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_neither_is_refused(value, jobs):
    with pytest.raises(
        ga.errors.SpecError, match="must return True or False, or assert"
    ) as refused:
        ga.prove(lambda: value, threshold=0.5, jobs=jobs)
    assert refused.value.so_far.lost >= 1


def test_a_function_that_returns_a_coroutine_is_told_what_to_write():
    with pytest.raises(ga.errors.SpecError, match="Use 'async def' instead of"):
        ga.prove(lambda: async_function(), threshold=0.5)


VARIABLE = ContextVar("variable", default=False)


def reads_a_variable():
    return VARIABLE.get()


async def reads_a_variable_later():
    return VARIABLE.get()


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("run_once", [reads_a_variable, reads_a_variable_later])
@pytest.mark.parametrize("is_in_loop", [True, False])
def test_context_variables_are_what_they_are_here(run_once, jobs, is_in_loop):
    """Such as numpy's errstate, decimal's context, or the trace that a run belongs to."""

    async def notebook():
        return ga.prove(run_once, threshold=0.5, jobs=jobs)

    token = VARIABLE.set(True)
    try:
        if is_in_loop:
            found = asyncio.run(notebook())
        else:
            found = ga.prove(run_once, threshold=0.5, jobs=jobs)
    finally:
        VARIABLE.reset(token)
    assert found.label == "good"
