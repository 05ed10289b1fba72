"""What repeating costs beside the bare calls."""

import random
import time

import pytest

pytestmark = pytest.mark.speed

RUNS = 1500


def test_1500_runs_cost_at_most_5_seconds_more_than_the_calls(suite):
    """With so small a delta there is no label before them."""
    suite.write(
        test_a=f"""
        flip = coin(0.9, 0)

        @pytest.mark.goodarm(threshold=0.9, max_runs={RUNS}, delta=1e-60)
        def test_gate():
            assert flip()
        """
    )
    luck = random.Random(0)
    before = time.process_time()
    for _ in range(RUNS):
        luck.random()
    calls = time.process_time() - before
    before = time.process_time()
    gates = suite.gates("--goodarm-undecided=pass", passed=1)
    spent = time.process_time() - before
    assert gates["test_gate"]["pulls"] == RUNS
    assert spent - calls < 5.0
