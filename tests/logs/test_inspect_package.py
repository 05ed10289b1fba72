"""Inspect's own reader, in an environment of its own: ``make test-inspect``, part of test-all."""

from pathlib import Path

import pytest

import goodarm as ga

pytestmark = pytest.mark.large

DATA = Path(__file__).parents[1] / "data" / "inspect"


def test_an_eval_file_holds_the_counts_of_its_json():
    pytest.importorskip("inspect_ai", reason="it has an environment of its own: make test-inspect")
    packed, plain = (
        ga.read_logs(DATA / f"epochs.{kind}", format="inspect", repeats="attempts")
        for kind in ("eval", "json")
    )
    assert packed.arms == plain.arms
    assert packed.pulls.tolist() == plain.pulls.tolist() == [8]
    assert packed.successes.tolist() == plain.successes.tolist()
