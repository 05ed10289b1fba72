"""The two decorators that compile.

Both cache on disk, release the interpreter lock and are never parallel or fast-math: results are
the same on every run of one platform because no floating-point operation is reordered or fused.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile a function that is called."""
    return cast(Function, numba.njit(cache=True, nogil=True)(function))


def inlined(function: Function) -> Function:
    """Compile a small function into its callers.

    A call that passes arrays costs more in reference counts than the arithmetic of one pull.
    """
    return cast(Function, numba.njit(cache=True, nogil=True, forceinline=True)(function))
