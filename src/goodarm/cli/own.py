"""Algorithms of one's own on the command line: ``package.module:NAME``, an Algorithm."""

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from goodarm.errors import SpecError, invalid_argument
from goodarm.wording import say_foreign

if TYPE_CHECKING:
    from goodarm.algorithm import Algorithm


def algorithms_of(texts: "list[str] | None", owner: str) -> "list[str | Algorithm]":
    """What each text stands for."""
    return [_algorithm_of(text, owner) for text in texts or ()]


def _algorithm_of(text: str, owner: str) -> "str | Algorithm":
    """The Algorithm that a module has under a name; any other text is a name of goodarm's.

    Modules of the current folder are found too.
    """
    module, colon, name = text.partition(":")
    if not colon:
        return text
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        found = import_module(module)
    except ImportError as error:
        raise _not_loaded(text, f"{error}.", owner) from error
    except Exception as error:
        what = f"{type(error).__name__}: {say_foreign(error)}"
        raise _not_loaded(text, what, owner) from error
    from goodarm.algorithm import Algorithm

    value = getattr(found, name, None)
    if not isinstance(value, Algorithm):
        raise invalid_argument(name, module, f"be an Algorithm for {owner}", value)
    return value


def _not_loaded(text: str, why: str, owner: str) -> SpecError:
    return SpecError(
        f"The algorithm {text!r} does not load: {why}",
        argument="algorithm",
        owner=owner,
        rule="be a name, or package.module:NAME that loads",
        value=text,
    )
