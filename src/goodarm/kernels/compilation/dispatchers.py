"""Numba's dispatchers of kernels, and the cache of compiled code."""

import functools
import logging
import os
from collections.abc import Callable, Mapping
from typing import Any, Final

import numba
from numba.core import event, types
from numba.core.caching import FunctionCache

from goodarm.kernels import codes
from goodarm.kernels.compilation.notice import register_notice
from goodarm.kernels.compilation.part_compiler import PartCompiler

NOT_CACHED: Final = (
    "goodarm cannot keep compiled code, because neither its own folder nor your cache folder can "
    "be written to. Every command has to compile again. Set NUMBA_CACHE_DIR to a folder that can "
    "be written to."
)

_njit: Any = numba.njit
_plain: Any = types.unliteral


def make_dispatcher(
    function: Callable[..., object], stamp: str, options: Mapping[str, object]
) -> Any:
    """Make a dispatcher that compiles for Python and for other kernels, each when first called.

    The wrapper for calls from Python unpacks every field of every tuple, and takes longer to
    compile than most kernels. Kernels call a twin without it, which becomes a part of them
    (``part_compiler``); constants among the arguments do not make further twins. No kernel
    allocates, so none counts references (``_nrt``): that would cost more than the arithmetic of a
    pull.
    """
    register_notice(stamp)
    dispatcher = _make_cached_dispatcher(function, stamp, options)

    @functools.cache
    def twin() -> Any:
        more = {"no_cpython_wrapper": True, "pipeline_class": PartCompiler, **options}
        return _make_cached_dispatcher(function, f"{stamp}-twin", more)

    def get_call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        plain = {name: _plain(kind) for name, kind in kws.items()}
        return twin().get_call_template(tuple(map(_plain, args)), plain)

    dispatcher.get_call_template = get_call_template
    dispatcher.get_overload = lambda args: twin().get_overload(args)
    return dispatcher


def _make_cached_dispatcher(
    function: Callable[..., object], ending: str, options: Mapping[str, object]
) -> Any:
    """Make a dispatcher whose cache files are named by a checksum of the source of all kernels.

    Numba checks only the kernel's own file: it would go on using a callee that has changed in
    another file, and would fail on a cache file that names a class which has moved.
    """
    usual = {"nogil": True, "no_cfunc_wrapper": True, "_nrt": False}
    dispatcher = _njit(**usual, **options)(function)
    folder = _find_folder()
    if folder is None:
        _warn_not_cached()
        return dispatcher
    dispatcher.enable_caching()
    cache = dispatcher._cache
    cache._cache_path = folder
    cache._cache_file = type(cache._cache_file)(
        cache_path=folder,
        filename_base=f"{function.__module__}-{cache._impl.filename_base}-{ending}",
        source_stamp=cache._impl.locator.get_source_stamp(),
    )
    return dispatcher


@functools.cache
def _find_folder() -> str | None:
    """Return the cache folder for all kernels: the one numba uses for the package's own folder."""
    try:
        return str(FunctionCache(codes.is_tested).cache_path)  # type: ignore[no-untyped-call]
    except RuntimeError:  # numba finds no folder
        return None


@functools.cache
def _warn_not_cached() -> None:
    logging.getLogger("goodarm").warning(NOT_CACHED)


def cache_folder(dispatcher: Any) -> str | None:
    """Return the cache folder of compiled code; None if there is none."""
    path: str | None = dispatcher._cache.cache_path
    return path


def is_cached(dispatcher: Any) -> bool:
    """Return whether the cache has compiled code of a dispatcher."""
    if cache_folder(dispatcher) is None:
        return False
    return os.path.exists(dispatcher._cache._cache_file._index_path)


class CompiledKernels(event.Listener):
    """Counter of the kernels compiled within a block, with those inside other kernels."""

    def __init__(self) -> None:
        self.count = 0

    def on_start(self, event: Any) -> None:
        """Do nothing: kernels are counted when they are compiled."""

    def on_end(self, event: Any) -> None:
        """Count a compiled kernel."""
        module = event.data["dispatcher"].py_func.__module__
        self.count += (module or "").startswith("goodarm.")

    def __enter__(self) -> "CompiledKernels":
        event.register("numba:compile", self)  # type: ignore[no-untyped-call]
        return self

    def __exit__(self, *_: object) -> None:
        event.unregister("numba:compile", self)  # type: ignore[no-untyped-call]
