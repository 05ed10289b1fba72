"""The decorators that compile.

They cache on disk, release the interpreter lock and are never parallel or fast-math: results are
the same on every run of one platform because no floating-point operation is reordered or fused.
For the same reason a function gives the same numbers when Python interprets it. Write x * x for
x ** 2: compiled code does, and Python does not.
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
"""The folder of all kernels."""
_TEXT: Final = b"".join(path.read_bytes() for path in sorted(PACKAGE.rglob("*.py")))
STAMP: Final = f"{zlib.crc32(_TEXT):08x}"
"""Of the sources of all kernels: what they made and what they compiled to goes with it."""

MAX_WORK: Final = 256
"""The elements, or arms, of the largest call that is interpreted: about 0.1 seconds."""
MAX_BYTES: Final = 4_000_000
"""The bytes of the arrays of such a call: they are copied, to be put back if it fails."""


class Patience:
    """How long a process interprets before it loads numba and compiled code.

    Loading numba takes half a second, compiling what a table needs 4, what ask and tell need 9.
    """

    until_loaded = 0.8
    """Seconds of interpreting before numba is loaded to see whether code is in the cache."""
    until_compiled = 3.0
    """Seconds of interpreting before code is compiled."""
    spent = 0.0
    """Seconds of interpreting so far."""


class _Mode(threading.local):
    """Whether this thread interprets."""

    is_interpreted = False


_mode: Final = _Mode()
_making: Final = threading.RLock()


class Kernel:
    """A function in three forms: interpreted, compiled for Python, and compiled into other kernels.

    Numba is loaded when a compiled form is first needed.

    Args:
        function: what is to be compiled.
        work: the elements, or arms, that a call looks at, from its arguments. Where it is given,
            small calls are interpreted until compiling is worth it.
        options: numba's, beside the usual ones.
        interpreted_as: what gives the same numbers in Python, if the function itself does not.
    """

    dispatcher: Any
    """the form for Python, as numba has it"""

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
        """Call the form that suits: within a kernel that is interpreted, that form."""
        if _mode.is_interpreted:
            return self._interpreted(*arguments, **named)
        if self._is_settled or self._settle(arguments):
            return self.dispatcher(*arguments, **named)
        arrays = list(_arrays_in(arguments))
        before = [array.copy() for array in arrays]
        try:
            with interpreted():
                return _as_compiled(self._interpreted(*arguments, **named))
        except BaseException as error:
            for array, content in zip(arrays, before, strict=True):
                array[...] = content
            if not isinstance(error, ArithmeticError | ValueError):
                raise  # an interrupted call has changed nothing
        # Python refuses log(0), where compiled code goes on with minus infinity.
        self._is_settled = True
        return self.dispatcher(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        """Make the dispatcher, or return its attribute: numba looks for some in global names."""
        if name.startswith("__"):
            raise AttributeError(name)
        if name != "dispatcher":
            return getattr(self.dispatcher, name)
        from goodarm.kernels.compilation.dispatchers import new_dispatcher

        with _making:
            if "dispatcher" not in self.__dict__:
                self.dispatcher = new_dispatcher(self.py_func, STAMP, self._options)
        return self.dispatcher

    def is_ready(self) -> bool:
        """Whether the compiled form is in memory or in the cache."""
        from goodarm.kernels.compilation.dispatchers import is_cached

        return bool(self.dispatcher.overloads) or is_cached(self.dispatcher)

    def _settle(self, arguments: tuple[Any, ...]) -> bool:
        """Whether to use the compiled form from now on; a small call may save that."""
        work = math.inf if self._work is None else self._work(*arguments)
        if work <= MAX_WORK and sum(each.nbytes for each in _arrays_in(arguments)) <= MAX_BYTES:
            if Patience.spent < Patience.until_loaded and "numba" not in sys.modules:
                return False
            is_early = Patience.spent < Patience.until_compiled or background.is_compiling()
            if is_early and not self.is_ready():
                return False
        background.wait_for(self.is_ready)
        self._is_settled = True
        return True


@contextmanager
def interpreted() -> Iterator[None]:
    """Interpret all kernels, in this thread, and add up the processor time of it."""
    began = time.thread_time()
    _mode.is_interpreted = True
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        _mode.is_interpreted = False
        Patience.spent += time.thread_time() - began


def kernel(function: Function) -> Function:
    """Compile a function that is called."""
    return _new_kernel(function)


def interpreted_first(work: Callable[..., int]) -> Callable[[Function], Function]:
    """Compile a function when it has become worth it: until then small calls are interpreted.

    A call that fails where compiled code would not, or that is interrupted, leaves its arrays as
    they were.

    Args:
        work: the elements, or arms, that a call looks at, from its arguments.
    """
    return lambda function: _new_kernel(function, work)


def interpreted_as(other: Callable[..., object]) -> Callable[[Function], Function]:
    """Compile a small function into its callers, and use another one where they are interpreted."""
    options = {"forceinline": True}
    return lambda function: _new_kernel(function, small, options=options, interpreted_as=other)


def small(*_: object) -> int:
    """The work of a call that looks at one arm."""
    return 1


def inlined(function: Function) -> Function:
    """Compile a small function into its callers."""
    return _new_kernel(function, small, options={"forceinline": True})


def merged(function: Function) -> Function:
    """Write a function into its callers before they are compiled: it is never compiled by itself.

    For functions with one caller: compiled apart, they would be optimised twice, and the first use
    would take longer.
    """
    return _new_kernel(function, options={"inline": "always"})


def _arrays_in(arguments: Iterable[Any]) -> Iterator[NDArray[Any]]:
    """Yield the arrays that may be changed, among arguments and in tuples of them."""
    for each in arguments:
        if isinstance(each, np.ndarray):
            if each.flags.writeable:
                yield each
        elif isinstance(each, tuple):
            yield from _arrays_in(each)


def _as_compiled(result: Any) -> Any:
    """The result with Python's own numbers, as compiled code returns them."""
    if isinstance(result, tuple):
        return tuple(map(_as_compiled, result))
    return result.item() if isinstance(result, np.generic) else result


def is_ready(function: object) -> bool:
    """Whether a kernel can be called without compiling it."""
    return not isinstance(function, Kernel) or function.is_ready()


def _new_kernel(function: Function, *arguments: Any, **keywords: Any) -> Function:
    """Make a kernel of a function; with NUMBA_DISABLE_JIT it stays as it is."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return function
    return cast(Function, Kernel(function, *arguments, **keywords))
