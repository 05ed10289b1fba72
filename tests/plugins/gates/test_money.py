"""Costs of gates by the mark, an option or the ini file."""

import json

TEST = """
import pytest

@pytest.mark.goodarm(0.9, cost=0.1, max_cost={most})
def test_passes():
    pass
"""


def find_text(done):
    return " ".join(f"{done.stdout.str()} {done.stderr.str()}".split())


def test_a_gate_says_what_it_spent(pytester):
    pytester.makepyfile(TEST.format(most=20))
    done = pytester.runpytest("-p", "no:randomly", "--goodarm-report", "gates.json")
    done.assert_outcomes(passed=1)
    (gate,) = json.loads((pytester.path / "gates.json").read_text())["gates"]
    assert (gate["cost"], gate["spent"], gate["max_cost"]) == (0.1, 5.3, 20.0)


def test_too_little_money_is_an_error_before_the_first_run(pytester):
    pytester.makepyfile(TEST.format(most=3))
    done = pytester.runpytest()
    assert "pay for at least 53 runs, 5.30" in find_text(done)
    assert done.ret != 0


def test_options_and_ini_settings(pytester):
    pytester.makepyfile("import pytest\n@pytest.mark.goodarm(0.9)\ndef test_passes():\n    pass\n")
    pytester.makeini("[pytest]\ngoodarm_cost = 0.5\n")
    done = pytester.runpytest("--goodarm-max-cost", "10")
    assert "pay for at least 53 runs, 26.50" in find_text(done)
    done = pytester.runpytest("--goodarm-max-cost", "-1")
    assert "amount of money of at least 0" in find_text(done)
