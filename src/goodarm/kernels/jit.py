"""The two decorators that compile.

Both cache on disk, release the interpreter lock and are never parallel or fast-math: results are
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
    """Tie a kernel's cache to the text of the whole room.

    Numba looks at the file of the kernel alone, and would go on using a callee that has changed in
    another file. With NUMBA_DISABLE_JIT there is no cache and nothing to tie.
    """
    if not hasattr(dispatcher, "_cache"):
        return dispatcher
    file = dispatcher._cache._cache_file
    file._source_stamp = (file._source_stamp, _STAMP)
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
