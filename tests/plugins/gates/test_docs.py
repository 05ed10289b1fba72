"""docs/pytest.md shows what its example prints, and lists every setting."""

import re
from pathlib import Path

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm.identification.rule import Tally
from goodarm.gate import Gate
from goodarm.plugins.pytest.settings import _SUITE_SETTINGS, _TEST_SETTINGS

PAGE = (Path(__file__).parents[3] / "docs" / "pytest.md").read_text(encoding="utf-8")


def test_the_example_prints_what_is_shown(suite):
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", PAGE, flags=re.DOTALL)
    (suite.pytester.path / "test_agent.py").write_text(example, encoding="utf-8")
    lines = suite.run(passed=1).stdout.lines
    first = next(n for n, line in enumerate(lines) if "goodarm gates" in line)
    assert lines[first : first + len(shown.splitlines())] == shown.splitlines()


@pytest.mark.parametrize("setting", [*_TEST_SETTINGS, *_SUITE_SETTINGS], ids=lambda each: each.name)
def test_every_setting_is_listed(setting):
    name = f"goodarm_{setting.name}"
    ini = "" if setting.name == "report" else f"`{name}`"
    assert f"| `--{name.replace('_', '-')}` | {ini}".rstrip() in PAGE


def shown_runs():
    rows = re.findall(r"^\| (\.?\d+) \| ([\d.]+) \| (.*) \|$", PAGE, flags=re.MULTILINE)
    return {
        float(rate): (runs, [float(cell.rstrip(" %")) for cell in cells.split(" | ")])
        for rate, runs, cells in rows
    }


def test_the_runs_to_expect_are_exact():
    """Over all counts that a gate can come to, one run after the other."""
    gate = Gate(ga.Problem(["gate"], 0.9, 0.05))
    shown = shown_runs()
    assert len(shown) == 9
    rates = np.array(list(shown))
    alive, ended, mean = np.ones((1, len(rates))), np.zeros((3, len(rates))), np.zeros(len(rates))
    for n in range(1, 301):
        after = np.zeros((n + 1, len(rates)))
        after[1:] += alive * rates
        after[:-1] += alive * (1 - rates)
        for s in range(n + 1):
            label = gate._rule.decide(gate._setup, Tally(n, float(s)))
            if label:
                ended[0 if label > 0 else 1] += after[s]
                mean += n * after[s]
                after[s] = 0.0
        alive = after
    ended[2] = alive.sum(axis=0)
    mean += 300 * ended[2]
    for column, (runs, shares) in enumerate(shown.values()):
        decimals = len(runs.partition(".")[2])
        assert float(runs) == pytest.approx(mean[column], abs=0.5 * 10**-decimals)
        assert shares == pytest.approx(100 * ended[:, column], abs=0.05)
