"""Loader of your own algorithms and papers from ``package.module:NAME``."""

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from goodarm.errors import SpecError, invalid_argument
from goodarm.wording import third_party_message

if TYPE_CHECKING:
    from goodarm.algorithm import Algorithm
    from goodarm.papers import Paper

_Kind = TypeVar("_Kind")


def resolve_algorithms(texts: "list[str] | None", owner: str) -> "list[str | Algorithm]":
    """Return each text as it is if it is a name, or the Algorithm of a module that it refers to."""
    return [_resolve_algorithm(text, owner) for text in texts or ()]


def resolve_paper(text: str) -> "Paper":
    """Return the paper of this name, or the Paper of a module."""
    from goodarm.papers import Paper, find_paper

    return _load_object(text, Paper, "a Paper for reproduce") if ":" in text else find_paper(text)


def _resolve_algorithm(text: str, owner: str) -> "str | Algorithm":
    if ":" not in text:
        return text
    from goodarm.algorithm import Algorithm

    return _load_object(text, Algorithm, f"an Algorithm for {owner}")


def _load_object(text: str, kind: type[_Kind], what: str) -> _Kind:
    """Return the object that a module has under a name: ``package.module:NAME``.

    The current folder is searched, too.
    """
    module, _, name = text.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    described = f"Cannot load the {kind.__name__.lower()} {text!r}"
    try:
        found = import_module(module)
    except ImportError as error:
        raise _make_loading_error(described, f"{error}.", text) from error
    except Exception as error:
        raise _make_loading_error(
            described, f"{type(error).__name__}: {third_party_message(error)}", text
        ) from error
    value = getattr(found, name, None)
    if not isinstance(value, kind):
        raise invalid_argument(name, module, f"be {what}", value)
    return value


def _make_loading_error(described: str, why: str, text: str) -> SpecError:
    return SpecError(
        f"{described}: {why}",
        argument=text,
        owner="the command",
        rule="load",
        value=text,
    )
