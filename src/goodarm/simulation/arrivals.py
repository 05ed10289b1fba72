"""Arms that arrive during a run: the tests count them from the start, sampling rules later.

A run's arrays have room for all arms. Until an arm arrives, it is not among the undecided arms, and
the run's setup, which sampling rules and the warm-up read, counts only the arms before it.
"""

from collections.abc import Mapping

from goodarm.arguments import check_count
from goodarm.errors import invalid_argument
from goodarm.kernels.codes import Setup
from goodarm.kernels.simulation.state import Scratch, State
from goodarm.problem import MAX_PULLS, Problem


def check_arrivals(arrivals: object, problem: Problem, owner: str) -> tuple[int, ...] | None:
    """Validate arrivals; return the time of each arm, or None if all are there at the start."""
    if arrivals is None:
        return None
    if not isinstance(arrivals, Mapping):
        raise invalid_argument("arrivals", owner, "be a dict from arms to pulls", arrivals)
    times = [0] * problem.num_arms
    for arm, pulls in arrivals.items():
        position = problem.position(arm, f"the arrivals of {owner}")
        times[position] = check_count("arrivals", owner, pulls, least=0, most=MAX_PULLS)
    if times[0] > 0 or times != sorted(times):
        remedy = "Give the means in that order. Arms that you leave out are there from the start."
        rule = "leave the first arm at the start and be in the order of the arms"
        raise invalid_argument("arrivals", owner, rule, dict(arrivals), remedy)
    return tuple(times) if any(times) else None


class Arrivals:
    """Arms of one run that have not arrived yet.

    An arm arrives once the run has made its number of pulls in ``times``, or when all arms that are
    there have labels: time is counted in pulls, and no further pull would be made.
    """

    def __init__(self, times: tuple[int, ...] | None, setup: Setup, state: State) -> None:
        self._times = times or ()
        self._progress, self._alive = state.progress, state.alive
        self.setup = setup
        """setup that counts the arms that have arrived"""
        if times is not None:
            self.setup = setup._replace(num_arms=times.count(0))
            self._progress["alive"] = self.setup.num_arms

    def limit(self, most: int) -> int:
        """Return the pulls to make now: at most ``most``, and none after the next arm is due."""
        arrived = self.setup.num_arms
        if arrived >= len(self._times):
            return most
        return min(most, self._times[arrived] - int(self._progress["pulls"][0]))

    def admit(self, scratch: Scratch) -> bool:
        """Add the arms that are due; return whether there were any."""
        setup, arrived = self.setup, self.setup.num_arms
        if arrived >= len(self._times):
            return False
        progress = self._progress[0]
        now = int(progress["pulls"])
        if now >= setup.max_pulls or progress["good"] >= setup.until:
            return False
        if progress["alive"] == 0:
            now = max(now, self._times[arrived])
        due = sum(time <= now for time in self._times[arrived:])
        if due == 0:
            return False
        alive = int(progress["alive"])
        self._alive[alive : alive + due] = range(arrived, arrived + due)
        progress["alive"] = alive + due
        self.setup = setup._replace(num_arms=arrived + due)
        scratch.steering["clock_end"] = 0  # recompute indices: some depend on the number of arms
        return True
