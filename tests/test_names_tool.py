"""``tools/names.py`` finds modules that are not named by a noun, and classes that share a name."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[1] / "tools/names.py"

CLEAN = {
    "src/goodarm/__init__.py": "",
    "src/goodarm/betting.py": "class Bet:\n    pass\n",
    "src/goodarm/counted_arms.py": "class Counter:\n    pass\n",
    "src/goodarm/wording.py": "class Sentence:\n    class Part:\n        pass\n",
    "tests/test_needed_pulls.py": "class Bet:\n    pass\n",
    "tests/data/kept.py": "",
    "tools/names.py": "",
}


def check(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return subprocess.run(
        [sys.executable, TOOL, folder], capture_output=True, text=True, check=False
    )


def test_nouns_and_names_of_their_own_pass(tmp_path):
    done = check(tmp_path, CLEAN)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("src/goodarm/kept.py", "kept"),
        ("src/goodarm/own.py", "own"),
        ("src/goodarm/telling.py", "telling"),
        ("src/goodarm/pages/seen.py", "seen"),
        ("src/goodarm/given/__init__.py", "given"),
        ("tests/store/test_together.py", "test_together"),
        ("tools/arms_counted.py", "arms_counted"),
        ("benchmarks/asking.py", "asking"),
    ],
)
def test_a_module_that_is_no_noun_is_found(tmp_path, file, name):
    done = check(tmp_path, {**CLEAN, file: ""})
    assert done.returncode == 1
    assert done.stdout == f"{file}:1: the module's name '{name}' is no noun\n"


@pytest.mark.parametrize("name", ["Bet", "_Bet", "Part"])
def test_a_class_whose_name_another_has_is_found(tmp_path, name):
    done = check(tmp_path, {**CLEAN, "src/goodarm/z.py": f"\n\nclass {name}:\n    pass\n"})
    first = {"Part": "wording.py:2"}.get(name, "betting.py:1")
    shared = name.strip("_")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"src/goodarm/{place}: 2 classes of the package are named '{shared}'"
        for place in (first, "z.py:3")
    ]
