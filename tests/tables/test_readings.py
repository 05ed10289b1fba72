"""Separators and decimal signs are tried cheaply; a sign that comes late changes nothing before."""

import numpy as np
import pytest

import goodarm as ga
from goodarm.errors import SpecError
from goodarm.tables.chunks import CHUNK_ROWS, Chunk
from goodarm.tables.numerals import Numerals

KINDS = {
    "bets": {"threshold": 0.4, "rewards": "bounded"},
    "pool": {"threshold": 0.4, "rewards": "bounded", "pool": 4000},
    "spread": {"threshold": 0.4, "rewards": "gaussian", "sigma": 0.5},
}
SHOWN = ("pulls", "mean", "lower", "upper", "log_good", "log_bad", "needed")


def late(sign):
    """Rewards without a decimal sign, for more than one chunk; then some with it."""
    rng = np.random.default_rng(1)
    drawn = np.round(2 * rng.random(CHUNK_ROWS + 900)) / 2
    drawn[: CHUNK_ROWS + 300] = np.round(drawn[: CHUNK_ROWS + 300] + 0.1)
    texts = [f"{value:g}".replace(".", sign) for value in drawn]
    return "arm;reward\n" + "".join(f"a{k % 3};{text}\n" for k, text in enumerate(texts))


@pytest.mark.parametrize("kind", KINDS)
def test_a_sign_that_comes_late_is_found(kind, tmp_path):
    asked = {**KINDS[kind], "delta": 0.05, "raw": True}
    found = {}
    for sign in ".,":
        path = tmp_path / f"{ord(sign)}.csv"
        path.write_text(late(sign), encoding="utf-8")
        found[sign] = ga.check(path, **asked), ga.check(path, **asked, decimal=sign)
    tables = [table for pair in found.values() for table in pair]
    for table in tables[1:]:
        for name in SHOWN:
            np.testing.assert_array_equal(getattr(table, name), getattr(tables[0], name))
    assert "decimal comma" in found[","][0].read_as
    assert "decimal comma" not in found["."][0].read_as


@pytest.mark.parametrize(
    "text",
    [
        "arm;pulls;successes\na;1.500;900\nb;2.000;1.100\n",
        "arm\tpulls\trate\na\t150\t0,500\nb\t200\t0,250\n",
        "arm|pulls|successes|threshold\na|150|90|0.7\nb|200|30|0.8\n",
    ],
)
def test_readings_that_are_given_up_make_no_errors(text, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("an error was made, and nobody asked for it")

    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(SpecError, "__init__", refuse)
    monkeypatch.setattr(Chunk, "fault", refuse)
    columns = {"threshold": "threshold"} if "threshold" in text else {}
    bar = None if columns else 0.5
    assert len(ga.check(path, threshold=bar, delta=0.05, columns=columns)) == 2


def test_numbers_without_a_sign_are_read_once(tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    rows = [f"arm {k},100,{k % 100}\n" for k in range(3 * CHUNK_ROWS)]
    path.write_text("arm,pulls,successes\n" + "".join(rows), encoding="utf-8")
    read, cells = Numerals.read, []

    def counted(self, column, **options):
        cells.append(len(column))
        return read(self, column, **options)

    monkeypatch.setattr(Numerals, "read", counted)
    ga.check(path, threshold=0.5, delta=0.05)
    assert sum(cells) == 2 * 3 * CHUNK_ROWS


def test_both_readings_are_shown_where_a_late_sign_allows_them(tmp_path):
    path = tmp_path / "table.csv"
    rows = [f"arm {k};4000;{k % 100}\n" for k in range(2 * CHUNK_ROWS)]
    path.write_text("arm;pulls;successes\n" + "".join(rows) + "z;4.000;3\n", encoding="utf-8")
    with pytest.raises(SpecError, match="can be read in two ways: '4.000' is 4 .* and 4000 "):
        ga.check(path, threshold=0.5, delta=0.05)
