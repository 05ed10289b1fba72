"""Recipes that recompute the shipped numbers from raw files and compare both."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from goodarm.datasets import raw_files
from goodarm.datasets.registry import read_column
from goodarm.errors import SpecError, invalid_choice
from goodarm.wording import phrase

_LARGEST_ROUNDING = 5e-10
"""Largest rounding error of shipped averages, which have ten decimals (relative if above 1)."""


@dataclass(frozen=True)
class NumberCheck:
    """Check of one number: found against expected."""

    what: str
    found: str
    expected: str

    @property
    def holds(self) -> bool:
        """True if the number is as expected."""
        return self.found == self.expected


@dataclass(frozen=True)
class RebuildReport:
    """Numbers recomputed from raw files, and the checks made on them."""

    name: str
    values: list[float]
    checks: list[NumberCheck]

    @property
    def agrees(self) -> bool:
        """True if all checks hold."""
        return all(check.holds for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as a JSON document."""
        checks = [{**asdict(check), "holds": check.holds} for check in self.checks]
        return {
            "kind": "rebuilt",
            "format": 1,
            "name": self.name,
            "agrees": self.agrees,
            "checks": checks,
            "values": self.values,
        }


@dataclass(frozen=True)
class _Recipe:
    read: Callable[[list[Path]], raw_files.RawSummary]
    column: str
    counts: dict[str, int]
    sha256: tuple[str, ...]


_RECIPES = {
    "covertype": _Recipe(
        raw_files.read_covertype,
        "count",
        {"rows": 581_012},
        ("0a9371cef7c964b5475d6053cc3e0894a5aa6f65ad1ed3ecb01c45aa96217945",),
    ),
    "jester": _Recipe(raw_files.read_jester, "mean", {"users": 73_421, "ratings": 4_136_360}, ()),
    "movielens": _Recipe(
        raw_files.read_movielens,
        "mean",
        {"rows": 100_000, "users": 943, "movies": 1682},
        ("06416e597f82b7342361e41163890c81036900f418ad91315590814211dca490",),
    ),
}


def rebuild(name: str, paths: list[Path]) -> RebuildReport:
    """Recompute an instance's numbers from raw files.

    Raise an error that names file, row and column if a file has the wrong format; report the
    differences if it has the right format but other data.
    """
    if name not in _RECIPES:
        raise invalid_choice("name", "datasets.rebuild", _RECIPES, name)
    if not paths:
        raise SpecError(
            f"No file to rebuild {name} from.",
            argument="paths",
            owner="datasets.rebuild",
            rule="name the raw files",
            value=paths,
            remedy=phrase("Give its raw files with {paths}."),
        )
    recipe = _RECIPES[name]
    found = recipe.read(paths)
    checks = [
        NumberCheck(what, f"{found.counts[what]:,}", f"{expected:,}")
        for what, expected in recipe.counts.items()
    ]
    if recipe.sha256:
        checks.append(NumberCheck("sha256", found.sha256[0][:16], recipe.sha256[0][:16]))
    checks += _compare(found.values, read_column(name, recipe.column), recipe.column)
    return RebuildReport(name, found.values, checks)


def _compare(found: list[float], shipped: list[float], column: str) -> list[NumberCheck]:
    checks = [NumberCheck(f"{column}s", f"{len(found):,}", f"{len(shipped):,}")]
    if len(found) == len(shipped):
        pairs = zip(found, shipped, strict=True)
        differing = sum(abs(a - b) > _LARGEST_ROUNDING * max(1.0, abs(b)) for a, b in pairs)
        checks.append(
            NumberCheck(f"{column}s that differ from what is shipped", f"{differing:,}", "0")
        )
    return checks
