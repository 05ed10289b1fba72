"""What an experiment says of a reward that comes too late, and of an algorithm it cannot find."""

import pytest

import goodarm as ga
from goodarm.errors import ProtocolError, SpecError
from goodarm.store import Store
from goodarm.store.memory import MemoryRecorder
from goodarm.testing import Clock

PROBLEM = ga.Problem(["a"], threshold=0.5)


@pytest.mark.parametrize(
    ("timeout", "says"),
    [
        (ga.RewardTimeout("reward", seconds=60, default=0), "of 60.* s has passed: it counts as 0"),
        (ga.RewardTimeout("lost", seconds=60), "of 60.* s has passed. Ask for a new pull."),
    ],
)
def test_a_late_reward_is_told_what_the_pull_counts_as(timeout, says):
    clock = Clock()
    store = Store(MemoryRecorder(), clock=clock)
    exp = store.experiment("late", PROBLEM, reward_timeout=timeout)
    pull = exp.ask()
    clock.now += 61
    exp.ask()
    with pytest.raises(ProtocolError, match=says):
        exp.tell(pull, 1)


def test_a_rule_that_cannot_be_found_again_says_how_it_would():
    class Mine(ga.rules.CountsRule):
        name = "mine"

        def log_good(self, n, s, bar):
            return 0.0 * n

        log_bad = log_good

    algorithm = ga.Algorithm(sampling="hdoc", identification=Mine())
    with pytest.raises(SpecError, match="entry point of the group 'goodarm.identification_rules'"):
        ga.open_store("memory:").experiment("own", PROBLEM, algorithm=algorithm)
