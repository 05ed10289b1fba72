"""The files around the package: they call what they say, and nothing is missing from them."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
TARGETS = re.search(r"^\.PHONY: (.*)$", MAKEFILE, flags=re.MULTILINE).group(1).split()


def test_the_workflow_calls_the_script_and_nothing_else():
    text = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    assert re.findall(r"- run: (.*)", text) == [".ci/run"]
    assert "secrets" not in text
    assert PROJECT["requires-python"].removeprefix(">=") in text
    assert (ROOT / ".ci/run").stat().st_mode & 0o100


def test_ci_installs_by_make_alone():
    text = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert "make test\n" in text
    assert "apt-get" not in text


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "tests/README.md"])
def test_targets_that_are_named_exist(page):
    named = re.findall(r"\bmake ([a-z-]+)`", (ROOT / page).read_text(encoding="utf-8"))
    assert named
    assert set(named) <= set(TARGETS)


def test_every_target_is_explained():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for target in set(TARGETS) - {"test-inspect"}:
        assert f"`make {target}`" in text, target


def test_every_marker_is_explained():
    text = (ROOT / "tests/README.md").read_text(encoding="utf-8")
    for marker in PYPROJECT["tool"]["pytest"]["ini_options"]["markers"]:
        assert f"| `{marker.partition(':')[0]}` |" in text


def test_tests_of_speed_are_where_make_looks_for_them():
    """It collects the files that have the marker in their text."""
    assert "--include='test_*.py' 'mark\\." in MAKEFILE
    for path in (ROOT / "tests").rglob("*.py"):
        if not path.name.startswith("test_"):
            for marking in ("mark." + "speed", 'add_marker("speed")'):
                assert marking not in path.read_text(encoding="utf-8"), path


def test_every_folder_of_tests_is_a_room_or_explained():
    text = (ROOT / "tests/README.md").read_text(encoding="utf-8")
    rooms = {path.stem for path in (ROOT / "src/goodarm").iterdir()}
    for path in (ROOT / "tests").iterdir():
        if path.is_dir() and path.name not in rooms and path.name != "__pycache__":
            assert f"`{path.name}/`" in text


def test_every_requirement_has_a_floor_for_make_lowest():
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    for requirement in map(Requirement, chain.from_iterable(groups)):
        if requirement.name != PROJECT["name"]:
            operators = [each.operator for each in requirement.specifier]
            assert operators == [">="], str(requirement)
