"""The examples are short, run, and do what the docs show."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

import goodarm

ROOT = Path(__file__).parents[1]
NAMES = sorted(path.stem for path in (ROOT / "examples").glob("*.py"))
PAGE = "\n## Next page\n".join(
    (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    for page in ("examples", "gates", "readers", "sample", "own-rules")
)
PICTURES = {
    "evaluation": None,
    "gates_compared": None,
    "judge_agreement": None,
    "own_identification_rule": None,
    "own_reader": None,
    "own_sampling_rule": None,
    "rerun_until_pass": "rerun-until-pass.png",
}
"""Those of the others are named after them."""
EXIT_CODES = {"flaky_tests": 1}
"""Those of the others are 0."""


def section_of(name):
    """What the page says about an example, from its code on."""
    _, _, text = PAGE.partition(f"```{{literalinclude}} ../examples/{name}.py\n")
    assert text, f"the docs do not show examples/{name}.py"
    return text.partition("\n## ")[0]


def shown_by(name):
    """The output and the exit code that the page shows."""
    (output,) = re.findall(r"^```text\n(.*?)^```$", section_of(name), re.DOTALL | re.MULTILINE)
    output, is_shown, code = output.partition("exit code ")
    return output, int(code) if is_shown else 0


def run(name, folder):
    """The example as a user starts it, in a folder of its own."""
    paths = [str(Path(goodarm.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYTHONIOENCODING": "utf-8",
        "PYTHONWARNINGS": "error",
    }
    command = [sys.executable, str(ROOT / "examples" / f"{name}.py")]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def blur_numbers(picture, size=16):
    """Averages over squares of pixels: letters may differ a little between versions."""
    pixels = imread(picture)[:, :, :3]
    high, wide = pixels.shape[0] // size, pixels.shape[1] // size
    squares = pixels[: high * size, : wide * size].reshape(high, size, wide, size, 3)
    return squares.mean(axis=(1, 3))


def test_there_are_examples_and_the_page_shows_no_others():
    shown = re.findall(r"literalinclude\} \.\./examples/(\w+)\.py$", PAGE, flags=re.MULTILINE)
    assert len(NAMES) >= 4
    assert sorted(shown) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_it_is_short_and_says_what_it_shows(name):
    text = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert text.startswith('"""')


LONG = ("banners", "flaky_tests", "own_sampling_rule", "prompts", "ratings", "rerun_until_pass")
"""Examples that take seconds; the others are shown to work at every change. So is the picture of
the banners, in test_figures.py."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.large) if each in LONG else each for each in NAMES],
)
def test_it_does_what_is_shown(name, tmp_path):
    result = run(name, tmp_path)
    assert (result.stdout, result.returncode) == shown_by(name), result.stderr
    assert result.returncode == EXIT_CODES.get(name, 0)

    picture = PICTURES.get(name, f"example-{name}.png")
    assert [path.name for path in tmp_path.iterdir()] == ([picture] if picture else [])
    if picture is None:
        return
    assert f"(images/{picture})" in section_of(name)
    drawn, shown = (
        blur_numbers(tmp_path / picture),
        blur_numbers(ROOT / "docs" / "images" / picture),
    )
    assert drawn.shape == shown.shape
    assert np.abs(drawn - shown).max() < 0.15


def suite(failing):
    """A JUnit file of one run, as pytest writes them: suites within suites, and a skipped test."""
    inner = '<failure message="no">why</failure>' if failing else "<system-out>fine</system-out>"
    return (
        '<?xml version="1.0"?><testsuites><testsuite name="pytest">'
        f'<testcase classname="a" name="x" time="0.1">{inner}</testcase>'
        '<testcase classname="b" name="x"><skipped/></testcase>'
        f'<testcase classname="c" name="x">{"<error/>" if failing else ""}</testcase>'
        "</testsuite></testsuites>"
    )


@pytest.mark.parametrize(
    ("failures", "runs", "code"), [(0, 100, 0), (50, 100, 1), (0, 5, 3)], ids=["0", "1", "3"]
)
def test_flaky_tests_reads_reports_and_gates(failures, runs, code, tmp_path, monkeypatch, capsys):
    paths = [tmp_path / f"{number}.xml" for number in range(runs)]
    for number, path in enumerate(paths):
        path.write_text(suite(failing=number < failures), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["flaky_tests.py", *map(str, paths)])
    script = (ROOT / "examples" / "flaky_tests.py").read_text(encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        exec(script, {})
    assert ended.value.code == code
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    tests = [row for row in rows if row[0] in ("a.x", "b.x", "c.x")]
    assert [row[0] for row in tests] == ["a.x", "c.x"]
    assert {row[2] for row in tests} == {str(runs)}
