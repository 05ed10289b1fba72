"""Rewards of one simulated run, for driving ask and tell by hand."""

from goodarm.algorithm import resolve_algorithm
from goodarm.arguments import MAX_SEED, check_count
from goodarm.errors import ProtocolError, invalid_argument
from goodarm.kernels.simulation.tape import draw_reward, make_places
from goodarm.problem import Arm, Problem
from goodarm.simulation.inputs import read_input
from goodarm.simulation.instance import Means
from goodarm.simulation.laws import make_laws


class Tape:
    """Rewards of run ``run`` of ``simulate(means, ..., seed=seed)``.

    An Identifier that is told them makes the same run, pull by pull. Means may be distributions of
    ``goodarm.rewards``, and ``samples`` may replace them, as in ``simulate``. The cases of a pool
    come once each.

    Args:
        problem: the problem to be simulated.
        means: as in ``simulate``; distributions of ``goodarm.rewards`` too.
        seed: the seed of ``simulate``; drawn if None.
        run: the number of the run, from 0.
        samples: in place of means, as in ``simulate``.

    Raises:
        SpecError: an argument is invalid.

    >>> problem = Problem(arms=["a", "b"], threshold=0.5, delta=0.05)
    >>> tape = Tape(problem, means=[0.9, 0.1], seed=0)
    >>> [tape.next_reward("a") for _ in range(5)]
    [0.0, 1.0, 1.0, 1.0, 1.0]
    """

    def __init__(
        self,
        problem: Problem,
        means: Means | None = None,
        seed: int | None = None,
        run: int = 0,
        *,
        samples: object = None,
    ) -> None:
        if not isinstance(problem, Problem):
            raise invalid_argument("problem", "Tape", "be a Problem", problem)
        self._problem = problem
        given = read_input("Tape", means, samples, problem, None, None, {})
        instance = given.fit(problem, "Tape")
        seed = check_count("seed", "Tape", seed, least=0, most=MAX_SEED)
        run = check_count("run", "Tape", run, least=0, most=MAX_SEED)
        self._setup = resolve_algorithm(None, problem, "Tape").setup(problem)
        laws = make_laws(problem, instance, "Tape")
        self._places, self._numbers = make_places(self._setup, instance.means, seed, run, laws)
        self._read = [0] * problem.num_arms

    def next_reward(self, arm: Arm) -> float:
        """Return the arm's next reward, in the problem's units.

        Args:
            arm: the arm's label.

        Raises:
            SpecError: no arm has this label.
            ProtocolError: all cases of the arm's pool are drawn.
        """
        position = self._problem.position(arm, "Tape.next_reward")
        n, pools = self._read[position] + 1, self._problem.pools
        if pools is not None and n > pools[position]:
            raise ProtocolError(
                f"Arm {arm!r} has had all {pools[position]} cases of its pool.",
                argument="arm",
                owner="Tape.next_reward",
                rule="have a case left",
                value=arm,
            )
        self._read[position] = n
        place = self._places[position]
        return float(draw_reward(self._setup, place, self._numbers, position, n))
