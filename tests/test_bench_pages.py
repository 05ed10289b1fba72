"""The pages that ``make bench`` writes for the docs hold what was set as goals."""

import re

import pytest

from helpers import ROOT


def table_of(name):
    """Rows of a page, by column."""
    text = (ROOT / "docs" / "bench" / f"{name}.md").read_text(encoding="utf-8")
    header, _, *rows = [line.strip("| ").split(" | ") for line in text.splitlines() if "|" in line]
    return [dict(zip(header, row, strict=True)) for row in rows]


def number(cell):
    """The first number of a cell."""
    return float(re.match(r"[\d.,]+", cell)[0].replace(",", ""))


def test_bets_need_little_more_than_the_oracle():
    rows = table_of("rewards")
    assert len(rows) == 9
    for row in rows:
        is_coin = row["rewards, mean / bar"].startswith("0/1")
        measured = row["e-hdoc"] if is_coin else row["e-hdoc / oracle"]
        assert number(measured) <= number(row["goal"])
        assert is_coin == ("pulls" in row["goal"])


def test_gaussian_rewards_need_little_more_than_the_oracle():
    goals = {row["gap in sigma"]: row for row in table_of("gaussian")}
    assert list(goals) == ["2", "1", "0.5", "0.2", "0.1", "0.05"]
    for gap, most in {"1": 1.4, "0.2": 1.5, "0.1": 1.5}.items():
        assert number(goals[gap]["e-hdoc / oracle"]) <= most


def test_pools_use_the_cases_that_were_expected():
    for row in table_of("pools"):
        assert number(row["cases used"]) == pytest.approx(number(row["goal"]), rel=0.03)


@pytest.mark.parametrize(
    ("column", "low", "high"),
    [
        ("right hint", 1.15, 1.15),
        ("twice too large", 1.17, 1.20),
        ("four times", 1.3, 1.45),
        ("half", 1.27, 1.32),
    ],
)
def test_hints_save_and_cost_what_was_expected(column, low, high):
    cells = [number(row[column]) for row in table_of("gap")]
    assert len(cells) == 6
    assert 0.97 * low <= min(cells)
    assert max(cells) <= 1.03 * high


def test_without_a_hint_small_gaps_cost_more():
    cells = [number(row["no hint"]) for row in table_of("gap")]
    assert cells == pytest.approx([1.22, 1.22, 1.35, 1.49, 1.64, 1.84], rel=0.03)
