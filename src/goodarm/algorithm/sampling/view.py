"""View of the arms that a sampling rule in Python chooses from."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import invalid_argument
from goodarm.kernels.codes import Setup

CHOICE_STREAM: Final = 1
"""Random stream of sampling rules; rewards have stream 0 of the same seed and run."""


class View:
    """Current state of the arms, in unit rewards: 0 to 1 for rewards in a range.

    ``pulls``, ``means`` and ``active`` are read-only arrays over arms. An arm is active until it is
    labelled; every active arm has been pulled. Pending pulls count as pulls; means are those of
    the rewards received.

    Args:
        setup: problem and algorithm as numbers.
        pulls, means, active: an array over arms each.
        seed: the run's seed, from which ``rng`` is made anew for each choice.
        run: the run's number.

    >>> import goodarm as ga
    >>> class Best(ga.rules.SamplingRule):
    ...     name = "best"
    ...     def choose(self, view):
    ...         return max(view.active.nonzero()[0], key=lambda arm: view.means[arm])
    >>> best = ga.Algorithm(sampling=Best(), identification="mixture")
    >>> ga.simulate([0.9, 0.1], threshold=0.5, algorithm=best, runs=1).labels.tolist()
    [[1, -1]]
    """

    def __init__(
        self,
        setup: Setup,
        pulls: NDArray[np.int64],
        means: NDArray[np.float64],
        active: NDArray[np.bool_],
        seed: int,
        run: int = 0,
    ) -> None:
        self.pulls = _read_only(pulls)
        self.means = _read_only(means)
        self.active = _read_only(active)
        self.num_arms = setup.num_arms
        self.threshold = setup.threshold
        self.delta = setup.delta
        self.time = 0
        """pulls of all arms, labelled ones too, done or pending"""
        self._key = np.array([seed, run], np.uint64)
        self._asked = 0
        self._rng: np.random.Generator | None = None

    @property
    def rng(self) -> np.random.Generator:
        """Random generator for this choice, derived from the seed, the run and the pulls asked."""
        if self._rng is None:
            counter = np.array([0, self._asked, CHOICE_STREAM, 0], np.uint64)
            self._rng = np.random.Generator(np.random.Philox(key=self._key, counter=counter))
        return self._rng

    def move_to(self, time: int, asked: int) -> None:
        """Prepare the next choice, after ``time`` pulls of all arms and ``asked`` pulls asked.

        Args:
            time: pulls of all arms so far, pending ones too.
            asked: pulls asked so far.
        """
        self.time = time
        self._asked = asked
        self._rng = None


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view


def check_choice(choice: object, view: View, name: str) -> int:
    """Return the position that a rule has chosen, or raise an error that names the rule."""
    rule = f"be the position of an active arm, a whole number from 0 to {view.num_arms - 1}"
    if isinstance(choice, bool) or not isinstance(choice, int | np.integer):
        raise invalid_argument("choose", f"the {name} rule", rule, choice)
    if not 0 <= choice < view.num_arms or not view.active[choice]:
        raise invalid_argument("choose", f"the {name} rule", rule, int(choice))
    return int(choice)
