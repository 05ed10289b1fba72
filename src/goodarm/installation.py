"""Commands that change this installation of goodarm, for messages to show.

The command must work from where goodarm came from: a checkout, a repository, an archive or an
index. PEP 610 has installers write that down, as ``direct_url.json`` beside the metadata.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

NAME = "goodarm"


@dataclass(frozen=True)
class InstallSource:
    """Origin of an installed goodarm: a folder, a URL, or neither for a package index.

    Args:
        folder: the checkout it was installed from.
        is_editable: whether the checkout itself is what runs.
        url: the repository or archive, as pip takes it after ``goodarm @``.
    """

    folder: Path | None = None
    is_editable: bool = False
    url: str | None = None

    def requirement(self, extra: str) -> list[str]:
        """Return the arguments of ``pip install`` that add an extra.

        >>> InstallSource().requirement("excel")
        ['goodarm[excel]']
        >>> InstallSource(url="git+https://example.org/goodarm@1f2e").requirement("excel")
        ['goodarm[excel] @ git+https://example.org/goodarm@1f2e']
        """
        if self.folder is not None:
            return [*["--editable"][: self.is_editable], f"{self.folder}[{extra}]"]
        return [f"{NAME}[{extra}]" if self.url is None else f"{NAME}[{extra}] @ {self.url}"]


def install_command(extra: str) -> str:
    """Return the shell command that adds an extra to this installation."""
    return quote_command([*find_installer(), *find_source().requirement(extra)])


def upgrade_command() -> str:
    """Return the shell command that installs a later goodarm."""
    folder = find_source().folder
    if folder is not None and (folder / ".git").exists():
        return quote_command(["git", "-C", str(folder), "pull"])
    return quote_command([*find_installer(), "--upgrade", NAME])


def find_source(
    package: Path | None = None, distribution: metadata.Distribution | None = None
) -> InstallSource:
    """Find where goodarm was installed from.

    A package that lies in its checkout is run from there, whatever metadata say: they may be
    those of another installation that ``PYTHONPATH`` has hidden.

    Args:
        package: the folder of the package; the running one unless given.
        distribution: its metadata; those of the running environment unless given.
    """
    package = Path(__file__).parent if package is None else package
    checkout = package.parent.parent
    if package.parent.name == "src" and _is_checkout(checkout):
        return InstallSource(checkout, is_editable=True)
    return _read_direct_url(_load_direct_url(distribution))


def find_installer() -> list[str]:
    """Return the beginning of an install command for the running interpreter."""
    if find_spec("pip") is None and shutil.which("uv"):
        return ["uv", "pip", "install", "--python", sys.executable]
    found = shutil.which("pip")
    is_own = found is not None and Path(found).parent == Path(sys.executable).parent
    return [*(["pip"] if is_own else [sys.executable or "python", "-m", "pip"]), "install"]


def quote_command(arguments: Sequence[str]) -> str:
    """Join arguments into a command line for the platform's shell.

    >>> print(quote_command(["pip", "install", "goodarm[excel]"]))
    pip install 'goodarm[excel]'
    """
    return subprocess.list2cmdline(arguments) if os.name == "nt" else shlex.join(arguments)


def _is_checkout(folder: Path) -> bool:
    try:
        text = (folder / "pyproject.toml").read_text(encoding="utf-8")
        return bool(tomllib.loads(text)["project"]["name"] == NAME)
    except (OSError, ValueError, KeyError):
        return False


def _load_direct_url(distribution: metadata.Distribution | None) -> dict[str, Any]:
    """Read the ``direct_url.json`` of the installer; empty for an index, or without metadata."""
    try:
        found = metadata.distribution(NAME) if distribution is None else distribution
        return dict(json.loads(found.read_text("direct_url.json") or "{}"))
    except (metadata.PackageNotFoundError, OSError, ValueError, TypeError):
        return {}


def _read_direct_url(document: dict[str, Any]) -> InstallSource:
    """Read a ``direct_url.json``; one that PEP 610 does not allow counts as missing.

    The name alone is the fallback: pip finds the goodarm that is installed, and
    takes the extra from its metadata.
    """
    try:
        url, parts = document["url"], urlsplit(document["url"])
        is_secret = parts.password is not None
        if "dir_info" in document:
            folder = Path(url2pathname(parts.path))
            is_editable = bool(document["dir_info"].get("editable"))
            return InstallSource(folder, is_editable) if _is_checkout(folder) else InstallSource()
        below = document.get("subdirectory")
        fragment = f"#subdirectory={below}" if below else ""
        if vcs := document.get("vcs_info"):
            url = f"{vcs['vcs']}+{url}@{vcs['commit_id']}"
        elif parts.scheme == "file":  # it may be gone by now
            return InstallSource()
    except (AttributeError, KeyError, TypeError, ValueError):
        return InstallSource()
    return InstallSource() if is_secret else InstallSource(url=f"{url}{fragment}")
