"""The lowest versions that pyproject.toml allows, as constraints for pip: ``name==floor`` a line.

    python tools/lowest_versions.py test > lowest.txt

adds those of the extra ``test``. ``make lowest`` installs them and runs the tests.
"""

import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]


def requirements(project, extras):
    """Return the requirements of the project and its extras; an extra may name others of them."""
    waiting, seen = list(extras), set()
    lines = list(project["dependencies"])
    while waiting:
        extra = waiting.pop()
        if extra not in seen:
            seen.add(extra)
            lines += project["optional-dependencies"][extra]
            own = [Requirement(line) for line in project["optional-dependencies"][extra]]
            waiting += [e for each in own if each.name == project["name"] for e in each.extras]
    found = [Requirement(line) for line in lines]
    return [each for each in found if each.name != project["name"]]


def floor(requirement):
    """Return the version behind ``>=``; each requirement has one."""
    floors = [each.version for each in requirement.specifier if each.operator == ">="]
    if len(floors) != 1:
        raise SystemExit(
            f"'{requirement}' in pyproject.toml must have one floor, as in 'name>=1.2'."
        )
    return floors[0]


def lowest(project, extras):
    """``name==floor`` of each, in order; the highest floor where a name stands twice."""
    floors = {}
    for requirement in requirements(project, extras):
        here = Version(floor(requirement))
        floors[requirement.name] = max(here, floors.get(requirement.name, here))
    return [f"{name}=={version}" for name, version in sorted(floors.items())]


if __name__ == "__main__":
    with (ROOT / "pyproject.toml").open("rb") as file:
        print(*lowest(tomllib.load(file)["project"], sys.argv[1:]), sep="\n")
