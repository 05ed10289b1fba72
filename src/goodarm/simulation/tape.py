"""The rewards of one simulated run, for driving ask/tell by hand."""

from goodarm.algorithm import algorithms
from goodarm.arguments import MAX_SEED, check_count
from goodarm.errors import must
from goodarm.kernels.tape import new_places, next_reward
from goodarm.problem import Arm, Problem
from goodarm.simulation.instance import Means, check_means


class Tape:
    """The rewards that run ``run`` of ``simulate(means, ..., seed=seed)`` sees.

    An Identifier fed with them makes the same run, pull by pull.

    >>> problem = Problem(arms=["a", "b"], threshold=0.5, delta=0.05)
    >>> tape = Tape(problem, means=[0.9, 0.1], seed=0)
    >>> [tape.next_reward("a") for _ in range(5)]
    [0.0, 1.0, 1.0, 1.0, 1.0]
    """

    def __init__(self, problem: Problem, means: Means, seed: int, run: int = 0) -> None:
        if not isinstance(problem, Problem):
            raise must("problem", "Tape", "be a Problem", problem)
        self._problem = problem
        self._means = check_means(problem, means, "Tape")
        seed = check_count("seed", "Tape", seed, least=0, most=MAX_SEED)
        run = check_count("run", "Tape", run, least=0, most=MAX_SEED)
        self._setup = algorithms()["hdoc"].algorithm.setup(problem)
        self._places = new_places(self._setup, self._means, seed, run)
        self._read = [0] * problem.num_arms

    def next_reward(self, arm: Arm) -> float:
        """The arm's next reward, in the problem's units."""
        position = self._problem.position(arm, "Tape.next_reward")
        self._read[position] += 1
        n = self._read[position]
        return float(next_reward(self._setup, self._places[position], position, n))
