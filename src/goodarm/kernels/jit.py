"""The decorators that compile.

They cache on disk, release the interpreter lock and are never parallel or fast-math: results are
the same on every run of one platform because no floating-point operation is reordered or fused.
"""

import functools
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from numba.core import types

from goodarm.kernels.compiling import tell_of_compiling
from goodarm.kernels.parts import PartCompiler

Function = TypeVar("Function", bound=Callable[..., object])

tell_of_compiling()

_njit: Any = numba.njit
_plain: Any = types.unliteral

_TEXT: Final = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
STAMP: Final = f"{zlib.crc32(_TEXT):08x}"
"""Of the sources of all kernels: what they made and what they compiled to goes with it."""


def _stamped(dispatcher: Any, ending: str = "") -> Any:
    """Tie the names of a kernel's cache files to the text of the whole room.

    Numba looks at the file of the kernel alone: it would go on using a callee that has changed in
    another file, and would stumble over a file that names a class which has moved.
    """
    cache = dispatcher._cache
    cache._cache_file = type(cache._cache_file)(
        cache_path=cache._cache_path,
        filename_base=f"{cache._impl.filename_base}-{STAMP}{ending}",
        source_stamp=cache._impl.locator.get_source_stamp(),
    )
    return dispatcher


def _compiled(function: Function, **options: object) -> Function:
    """Compile for Python, and apart from that for other kernels: each only when it is called.

    The door by which Python comes in unpacks every field of every tuple, and takes longer to
    compile than most kernels. Kernels call a twin without it, which becomes a part of them
    (``parts``); constants among the arguments make no twin of their own. No kernel allocates, so
    that none counts references (``_nrt``): they would cost more than the arithmetic of a pull. With
    NUMBA_DISABLE_JIT there is nothing to do.
    """
    common = {"cache": True, "nogil": True, "no_cfunc_wrapper": True, "_nrt": False, **options}
    dispatcher = _njit(**common)(function)
    if not hasattr(dispatcher, "_cache"):
        return cast(Function, dispatcher)

    @functools.cache
    def twin() -> Any:
        made = _njit(no_cpython_wrapper=True, pipeline_class=PartCompiler, **common)(function)
        return _stamped(made, "-twin")

    def get_call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        plain = {name: _plain(kind) for name, kind in kws.items()}
        return twin().get_call_template(tuple(map(_plain, args)), plain)

    dispatcher.get_call_template = get_call_template
    dispatcher.get_overload = lambda args: twin().get_overload(args)
    return cast(Function, _stamped(dispatcher))


def kernel(function: Function) -> Function:
    """Compile a function that is called."""
    return _compiled(function)


def inlined(function: Function) -> Function:
    """Compile a small function into its callers."""
    return _compiled(function, forceinline=True)


def merged(function: Function) -> Function:
    """Write a function into its callers before they are compiled: it is never compiled by itself.

    For functions with one caller: compiled apart, they would be optimised twice, and the first use
    would take longer.
    """
    return _compiled(function, inline="always")
