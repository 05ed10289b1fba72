"""Check of names: modules are nouns, and no two classes of the package share a name.

    python tools/names.py [folder]

prints a line for each module whose name is a participle, an adjective or a pronoun, and for each
class whose name another class of the package has, with or without an underscore in front. It
exits with 1 if there are any. The folder is that of the repository, by default this one.

The last word of a module's name counts, without the ``test_`` of a file of tests: ``counted_arms``
is a noun, ``arms_counted`` is not.
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "src/goodarm"
FOLDERS = (PACKAGE, "tests", "tools", "benchmarks")

ENDINGS = ("ed", "ing", "en")
"""Endings of participles."""

NOUNS = frozenset(
    {
        *("betting", "checking", "escaping", "hoeffding", "judging", "listing", "paging"),
        *("peeking", "planning", "polling", "pruning", "rendering", "routing", "running"),
        *("sampling", "screen", "seed", "setting", "speed", "steering", "testing", "timing"),
        *("token", "wording"),
        *("golden", "live", "warm_up"),  # golden files, the live core, the warm-up of a run
    }
)
"""Nouns that look like other words, for what their modules contain."""

OTHERS = frozenset(
    {
        *("alone", "any", "bad", "big", "built", "cold", "dead", "done", "equal", "exact"),
        *("foreign", "found", "good", "held", "here", "in", "it", "itself", "kept", "left"),
        *("live", "lost", "made", "mine", "new", "old", "other", "our", "own", "possible"),
        *("private", "raw", "said", "sent", "silent", "sure", "that", "there", "these"),
        *("this", "those", "together", "told", "up", "warm", "what", "which", "who", "whole"),
    }
)
"""Adjectives, pronouns, adverbs, and participles with other endings."""


def is_noun(name: str) -> bool:
    """Return whether the name of a module may be a noun."""
    name = name.strip("_").removeprefix("test_")
    word = name.split("_")[-1]
    is_known = name in NOUNS or word in NOUNS
    return is_known or not (word in OTHERS or word.endswith(ENDINGS))


def modules(root: Path) -> Iterator[Path]:
    """Yield the modules and packages of all folders, with the data of tests left out."""
    for folder in FOLDERS:
        data = root / folder / "data"
        for path in sorted((root / folder).rglob("*.py")):
            if folder == PACKAGE or not path.is_relative_to(data):
                yield path


def wrong_modules(root: Path) -> Iterator[str]:
    """Yield a line for each module or package whose name is no noun."""
    for path in modules(root):
        name = path.parent.name if path.name == "__init__.py" else path.stem
        if not is_noun(name):
            yield f"{path.relative_to(root)}:1: the module's name {name!r} is no noun"


def shared_classes(root: Path) -> Iterator[str]:
    """Yield a line for each class whose name another class of the package has."""
    places = defaultdict[str, list[str]](list)
    for path in sorted((root / PACKAGE).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name.strip("_")].append(f"{path.relative_to(root)}:{node.lineno}")
    for name, found in sorted(places.items()):
        for place in found if len(found) > 1 else ():
            yield f"{place}: {len(found)} classes of the package are named {name!r}"


def main() -> None:
    """Print all findings; exit with 1 if there are any."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    findings = [*wrong_modules(root), *shared_classes(root)]
    for line in findings:
        print(line)
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
