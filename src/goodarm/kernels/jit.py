"""The decorators that compile.

They cache on disk, release the interpreter lock and are never parallel or fast-math: results are
the same on every run of one platform because no floating-point operation is reordered or fused.
"""

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])

_TEXT: Final = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
_STAMP: Final = zlib.crc32(_TEXT)


def _stamped(dispatcher: Any) -> Any:
    """Tie the names of a kernel's cache files to the text of the whole room.

    Numba looks at the file of the kernel alone: it would go on using a callee that has changed in
    another file, and would stumble over a file that names a class which has moved. With
    NUMBA_DISABLE_JIT there is no cache and nothing to tie.
    """
    if not hasattr(dispatcher, "_cache"):
        return dispatcher
    cache = dispatcher._cache
    cache._cache_file = type(cache._cache_file)(
        cache_path=cache._cache_path,
        filename_base=f"{cache._impl.filename_base}-{_STAMP:08x}",
        source_stamp=cache._impl.locator.get_source_stamp(),
    )
    return dispatcher


def kernel(function: Function) -> Function:
    """Compile a function that is called."""
    return cast(Function, _stamped(numba.njit(cache=True, nogil=True)(function)))


def inlined(function: Function) -> Function:
    """Compile a small function into its callers.

    A call that passes arrays costs more in reference counts than the arithmetic of one pull.
    """
    compiled = numba.njit(cache=True, nogil=True, forceinline=True)(function)
    return cast(Function, _stamped(compiled))


def merged(function: Function) -> Function:
    """Write a function into its callers before they are compiled: it is never compiled by itself.

    For functions with one caller: compiled apart, they would be optimised twice, and the first use
    would take longer.
    """
    return cast(Function, numba.njit(nogil=True, inline="always")(function))
