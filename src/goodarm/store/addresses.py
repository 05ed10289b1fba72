"""Addresses of stores, and the recorder for each."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Final

from goodarm.arguments import as_float
from goodarm.errors import SpecError, invalid_argument, missing_extra
from goodarm.store.memory import MemoryRecorder
from goodarm.store.recorder import Recorder

if TYPE_CHECKING:
    from sqlalchemy import URL

WAIT_SECONDS: Final = 30.0
"""Seconds to wait for other writers, and for a free connection."""

_ADDRESS_FORMS: Final = (
    "'memory:', 'sqlite:///file.db' or 'postgresql+psycopg://user@host/database'"
)


def open_recorder(url: str, *, wait: float = WAIT_SECONDS, must_exist: bool = False) -> Recorder:
    """Open the recorder at ``memory:``, ``sqlite:///...`` or ``postgresql+psycopg://...``.

    A writer waits ``wait`` seconds for others before it raises `StoreLocked`. If the store
    ``must_exist``, neither a file nor tables are made.

    Args:
        url: the address of the store.
        wait: seconds to wait for other writers.
        must_exist: whether a missing store is an error.

    Returns:
        The recorder.

    Raises:
        SpecError: the address is invalid, or the store is missing and must exist.
        MissingExtra: the library for this kind of store is not installed.

    >>> open_recorder("memory:").create("banners", "{}").last
    0
    """
    if not isinstance(url, str):
        raise invalid_argument("url", "open_store", f"be {_ADDRESS_FORMS}", url)
    seconds = as_float(wait)
    if seconds is None or not 0.0 <= seconds < math.inf:
        raise invalid_argument("wait", "open_store", "be a number of seconds, at least 0", wait)
    if url == "memory:":
        if must_exist:
            rule = "be a file or a server: only its own process can see what is in memory"
            raise invalid_argument("url", "open_store", rule, url)
        return MemoryRecorder()
    scheme, found, _ = url.partition("://")
    if scheme == "sqlite" and found:
        return _open_sqlite(url, wait, must_exist)
    if scheme == "postgresql+psycopg" and found:
        return _open_postgres(url, wait, must_exist)
    remedy = ""
    if scheme in ("postgres", "postgresql") or scheme.startswith("postgresql+"):
        remedy = "Begin with 'postgresql+psycopg://'."
    elif not found:
        remedy = "A file begins with 'sqlite:///'."
    raise _make_address_error(url, f"be {_ADDRESS_FORMS}", remedy)


def _make_address_error(url: str, rule: str, remedy: str = "") -> SpecError:
    """Return the error for an address; it shows only the beginning: a password may follow."""
    scheme, found, _ = url.partition("://")
    shown = f"{scheme}://..." if found else f"{url.partition(':')[0][:20]}..."
    return invalid_argument("url", "open_store", rule, shown, remedy)


def _open_sqlite(url: str, wait: float, must_exist: bool) -> Recorder:
    parsed = _parse(url)
    if parsed.host or parsed.query or parsed.database in (None, "", ":memory:"):
        remedy = (
            "Three slashes come before a path, four before an absolute one; 'memory:' has no file."
        )
        raise _make_address_error(url, "be 'sqlite:///' and the path of a file", remedy)
    path = str(parsed.database)
    if must_exist and not Path(path).is_file():
        remedy = "Three slashes come before a path, four before an absolute one."
        raise invalid_argument("url", "open_store", "be that of an existing file", path, remedy)
    from goodarm.store.dialects import open_sqlite
    from goodarm.store.sql import SqlRecorder

    return SqlRecorder(open_sqlite(path, wait), must_exist=must_exist)


def _open_postgres(url: str, wait: float, must_exist: bool) -> Recorder:
    parsed = _parse(url)
    try:
        import psycopg  # noqa: F401 (SQLAlchemy loads it by name)
    except ImportError:
        raise missing_extra("A store in PostgreSQL", "postgres") from None
    from goodarm.store.dialects import open_postgres
    from goodarm.store.sql import SqlRecorder

    return SqlRecorder(open_postgres(parsed, wait), must_exist=must_exist)


def _parse(url: str) -> "URL":
    try:
        from sqlalchemy import make_url
        from sqlalchemy.exc import ArgumentError
    except ImportError:
        raise missing_extra("A store", "store") from None
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        # Without its cause, which may show the whole address.
        raise _make_address_error(url, f"be an address such as {_ADDRESS_FORMS}") from None
