"""Decorators that compile kernels.

Compiled code is cached on disk, releases the interpreter lock and is never parallel or fast-math:
results are the same on every run of one platform because no floating-point operation is reordered
or fused. For the same reason a function gives the same numbers when Python interprets it. Write
x * x, not x ** 2: compiled code computes the product, and Python does not.
"""

import functools
import math
import os
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.compilation import background

Function = TypeVar("Function", bound=Callable[..., object])

PACKAGE: Final = Path(__file__).resolve().parents[1]
"""Folder of all kernels."""
_TEXT: Final = b"".join(path.read_bytes() for path in sorted(PACKAGE.rglob("*.py")))
STAMP: Final = f"{zlib.crc32(_TEXT):08x}"
"""Checksum of the sources of all kernels, for caches of compiled code and of finished runs."""

MAX_WORK: Final = 256
"""Most elements, or arms, of a call that is interpreted: about 0.1 seconds."""
MAX_BYTES: Final = 4_000_000
"""Most bytes of arrays of such a call: they are copied, to be restored if it fails."""


class InterpretingLimits:
    """Time that a process interprets before it loads numba and compiled code.

    Loading numba takes half a second. Compiling takes 4 seconds for what a table needs, 9 for what
    ask and tell need.
    """

    until_loaded = 0.8
    """Seconds of interpreting before numba is loaded to check the cache for code."""
    until_compiled = 3.0
    """Seconds of interpreting before code is compiled."""
    spent = 0.0
    """Seconds of interpreting so far."""


class _Mode(threading.local):
    """Thread-local flag: whether this thread interprets kernels."""

    is_interpreted = False


_mode: Final = _Mode()
_making: Final = threading.RLock()


class Kernel:
    """Function in three forms: interpreted, compiled for Python, and compiled into other kernels.

    Numba is loaded when a compiled form is first needed.

    Args:
        function: the function to compile.
        work: computes from a call's arguments how many elements, or arms, it looks at. If it is
            given, small calls are interpreted until compiling is worth it.
        options: further options for numba.
        interpreted_as: a function that gives the same numbers in Python, if ``function`` does not.
    """

    dispatcher: Any
    """numba's dispatcher of the form for Python"""

    def __init__(
        self,
        function: Callable[..., object],
        work: Callable[..., int] | None = None,
        options: Mapping[str, object] | None = None,
        interpreted_as: Callable[..., object] | None = None,
    ) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._interpreted = interpreted_as or function
        self._work = work
        self._options = options or {}
        self._is_settled = False

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the form that suits: always the interpreted one within an interpreted kernel."""
        if _mode.is_interpreted:
            return self._interpreted(*arguments, **named)
        if self._is_settled or self._is_worth_compiling(arguments):
            return self.dispatcher(*arguments, **named)
        arrays = list(_find_arrays(arguments))
        before = [array.copy() for array in arrays]
        try:
            with interpret_kernels():
                return _as_compiled(self._interpreted(*arguments, **named))
        except BaseException as error:
            for array, content in zip(arrays, before, strict=True):
                array[...] = content
            if not isinstance(error, ArithmeticError | ValueError):
                raise  # an interrupted call changes no array
        # Python raises an error at log(0), where compiled code goes on with minus infinity.
        self._is_settled = True
        return self.dispatcher(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        """Make the dispatcher, or return one of its attributes, some of which numba looks up."""
        if name.startswith("__"):
            raise AttributeError(name)
        if name != "dispatcher":
            return getattr(self.dispatcher, name)
        from goodarm.kernels.compilation.dispatchers import make_dispatcher

        with _making:
            if "dispatcher" not in self.__dict__:
                self.dispatcher = make_dispatcher(self.py_func, STAMP, self._options)
        return self.dispatcher

    def is_ready(self) -> bool:
        """Return whether the compiled form is in memory or in the cache."""
        from goodarm.kernels.compilation.dispatchers import is_cached

        return bool(self.dispatcher.overloads) or is_cached(self.dispatcher)

    def _is_worth_compiling(self, arguments: tuple[Any, ...]) -> bool:
        """Return whether to use the compiled form from now on; small calls may be interpreted."""
        work = math.inf if self._work is None else self._work(*arguments)
        if work <= MAX_WORK and sum(each.nbytes for each in _find_arrays(arguments)) <= MAX_BYTES:
            if (
                InterpretingLimits.spent < InterpretingLimits.until_loaded
                and "numba" not in sys.modules
            ):
                return False
            is_early = (
                InterpretingLimits.spent < InterpretingLimits.until_compiled
                or background.is_compiling()
            )
            if is_early and not self.is_ready():
                return False
        background.wait_for(self.is_ready)
        self._is_settled = True
        return True


@contextmanager
def interpret_kernels() -> Iterator[None]:
    """Interpret all kernels in this thread, and add up the processor time spent."""
    began = time.thread_time()
    _mode.is_interpreted = True
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        _mode.is_interpreted = False
        InterpretingLimits.spent += time.thread_time() - began


def kernel(function: Function) -> Function:
    """Compile a function that is called, not inlined."""
    return _make_kernel(function)


def interpreted_first(work: Callable[..., int]) -> Callable[[Function], Function]:
    """Compile a function once that is worth it; until then, interpret small calls.

    The arrays of a call that is interrupted, or that fails where compiled code would not, are
    restored.

    Args:
        work: computes from a call's arguments how many elements, or arms, it looks at.
    """
    return lambda function: _make_kernel(function, work)


def interpret_with(other: Callable[..., object]) -> Callable[[Function], Function]:
    """Compile a small function into its callers; use another one where they are interpreted."""
    options = {"forceinline": True}
    return lambda function: _make_kernel(function, one_arm, options=options, interpreted_as=other)


def one_arm(*_: object) -> int:
    """Return the work of a call that looks at one arm."""
    return 1


def inlined(function: Function) -> Function:
    """Compile a small function into its callers."""
    return _make_kernel(function, one_arm, options={"forceinline": True})


def merged(function: Function) -> Function:
    """Write a function into its callers before they are compiled; never compile it by itself.

    Use it for functions with one caller: compiled separately, they would be optimised twice, and
    the first use would take longer.
    """
    return _make_kernel(function, options={"inline": "always"})


def _find_arrays(arguments: Iterable[Any]) -> Iterator[NDArray[Any]]:
    """Yield the writable arrays among arguments and in tuples of them."""
    for each in arguments:
        if isinstance(each, np.ndarray):
            if each.flags.writeable:
                yield each
        elif isinstance(each, tuple):
            yield from _find_arrays(each)


def _as_compiled(result: Any) -> Any:
    """Convert a result to Python's numbers, which compiled code returns."""
    if isinstance(result, tuple):
        return tuple(map(_as_compiled, result))
    return result.item() if isinstance(result, np.generic) else result


def is_ready(function: object) -> bool:
    """Return whether a kernel can be called without compiling it."""
    return not isinstance(function, Kernel) or function.is_ready()


def _make_kernel(function: Function, *arguments: Any, **keywords: Any) -> Function:
    """Make a kernel of a function; with NUMBA_DISABLE_JIT, return the function itself."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return function
    return cast(Function, Kernel(function, *arguments, **keywords))
