"""Pruner for Optuna: a trial ends when it is proven not to reach a threshold.

Guarantee. Let trial j have the mean m_j and be good enough if m_j reaches the threshold. With
probability at least 1 - delta no trial that is good enough is ever pruned, in the whole study,
however many trials it comes to have.

Proof. The number of trials is not known beforehand, so trial j, which has the number j - 1, gets
the share ``delta_j = delta * 6 / (pi^2 j^2)``; all of them add up to delta, because
1 + 1/4 + 1/9 + ... is pi^2 / 6. Its parameters are fixed before its first value. Given them, and
all that was seen of other trials, its values are fresh rewards with mean m_j. So the evidence
against "good enough" is an e-process that begins at 1 with the trial: for a trial that is good
enough it ever reaches ``1 / delta_j`` with probability at most delta_j (Ville's inequality),
wherever one looks and stops. That any such trial is pruned has probability at most the sum of the
shares. The sum needs no independence: trials may run side by side, and what the sampler learns from
them does no harm.
"""

import math
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from goodarm.arguments import check_count
from goodarm.checking import check
from goodarm.errors import invalid_argument, invalid_choice, missing_extra, naming_caller
from goodarm.problem import DELTA, Problem

try:
    from optuna.pruners import BasePruner
    from optuna.study import StudyDirection
except ImportError:
    raise missing_extra("goodarm.plugins.optuna", "optuna") from None

if TYPE_CHECKING:
    from optuna.study import Study
    from optuna.trial import FrozenTrial

Floats = NDArray[np.float64]
PrunedRewards = Literal["bernoulli", "bounded"]

_OWNER: Final = "GoodArmPruner"
_RUNNING_MEAN_REMEDY: Final = (
    "Report the outcome of each run by itself, not a running mean or a learning curve"
)
_MIN_TELLING_VALUES: Final = 8
"""Number of values that are enough to recognise running means of 0s and 1s."""


class GoodArmPruner(BasePruner):
    """Pruner that ends the trials that are proven not to reach a threshold, and no others.

    Args:
        threshold: the mean that is wanted: at least this where the study maximises, at most this
            where it minimises.
        delta: the probability allowed that any trial is pruned though its mean reaches the
            threshold, over all trials of the study, however many they become. The trial with
            the number j - 1 gets the share ``delta * 6 / (pi^2 j^2)`` of it.
        margin: slack: a trial may be pruned, too, whose mean reaches the threshold by less.
        rewards: ``"bernoulli"``: every reported value is 0 or 1; ``"bounded"``: a number from low
            to high.
        low, high: the range of bounded values, 0 and 1 unless given.

    *Each reported value must be a fresh reward*: one run with these parameters, with a randomness
    of its own. These are not, and nothing is proven of them:

    - the running mean of what came so far, or the best of it;
    - a learning curve: the score after each epoch of one training;
    - the same few cases in a fixed order, such as the folds of a cross-validation.

    Report runs in the order in which they were begun, each at a step of its own: Optuna drops what
    is reported at a step a second time. Minimising mirrors all of it. A trial whose mean is
    exactly the threshold is never pruned for that.

    Guarantee: with probability at least 1 - delta no trial whose mean reaches the threshold is
    ever pruned. The module's docstring has the proof.

    >>> import optuna
    >>> pruner = GoodArmPruner(threshold=0.8, delta=0.05)
    >>> study = optuna.create_study(direction="maximize", pruner=pruner)
    >>> trial = study.ask()
    >>> for step, passed in enumerate([1, 0, 0, 1, 0, 0, 0, 0, 0]):
    ...     trial.report(passed, step)
    >>> trial.should_prune()
    True
    """

    def __init__(
        self,
        threshold: float,
        delta: float = DELTA,
        *,
        margin: float = 0.0,
        rewards: PrunedRewards = "bernoulli",
        low: float | None = None,
        high: float | None = None,
    ) -> None:
        if rewards not in get_args(PrunedRewards):
            raise invalid_choice("rewards", _OWNER, get_args(PrunedRewards), rewards)
        with naming_caller(_OWNER):
            self._problem = Problem(
                ["trial"], threshold, delta, margin=margin, rewards=rewards, low=low, high=high
            )

    def share(self, number: int) -> float:
        """Return the part of delta that the trial with this number may use; the first number is 0.

        >>> round(GoodArmPruner(threshold=0.8, delta=0.05).share(0), 4)
        0.0304
        """
        position = check_count("number", f"{_OWNER}.share", number, least=0) + 1
        return self._problem.delta * 6.0 / (math.pi * position) ** 2

    def prune(self, study: "Study", trial: "FrozenTrial") -> bool:
        """Return whether a trial is proven not to reach the threshold."""
        if not trial.intermediate_values:
            return False
        values, asked = self._list_values(trial), self._problem
        is_counted = asked.rewards == "bernoulli"
        rewards: Any = (len(values), int(values.sum())) if is_counted else values
        (row,) = check(
            {trial.number: rewards},
            threshold=asked.threshold,
            delta=self.share(trial.number),
            raw=not is_counted,
            margin=asked.margin,
            rewards=asked.rewards,
            low=asked.low,
            high=asked.high,
        )
        # The test for good rejects every mean of at most the threshold: the mirror image of bad.
        proven = "good" if study.direction == StudyDirection.MINIMIZE else "bad"
        return row.label == proven and row.mean != asked.threshold

    def _list_values(self, trial: "FrozenTrial") -> Floats:
        """Return the reported values by step; raise an error if they cannot be rewards."""
        steps = sorted(trial.intermediate_values)
        values = np.array([trial.intermediate_values[step] for step in steps])
        low, high = self._problem.reward_range or (-math.inf, math.inf)
        is_reward = (values >= low) & (values <= high)
        if self._problem.rewards == "bernoulli":
            is_reward = np.isin(values, (0.0, 1.0))
        if not is_reward.all():
            place = int(is_reward.argmin())
            remedy = f"{_RUNNING_MEAN_REMEDY}."
            if self._problem.rewards == "bernoulli":
                remedy += " If outcomes are scores in a range, pass rewards='bounded'."
            owner = f"trial {trial.number} at step {steps[place]}"
            raise invalid_argument(
                "value", owner, self._problem.reward_rule, float(values[place]), remedy
            )
        if _has_running_means(self._problem.to_unit(values[:_MIN_TELLING_VALUES])):
            first = values[:_MIN_TELLING_VALUES].tolist()
            owner = f"trial {trial.number}"
            raise invalid_argument(
                "values", owner, "be rewards of single runs", first, f"{_RUNNING_MEAN_REMEDY}."
            )
        return values

    def __repr__(self) -> str:
        return repr(self._problem).replace("Problem(arms=['trial'], ", f"{_OWNER}(", 1)


def _has_running_means(units: Floats) -> bool:
    """Return whether these are running means of 0s and 1s: sums then grow by 0 or 1.

    >>> _has_running_means(np.array([1, 1 / 2, 2 / 3, 3 / 4, 3 / 5, 3 / 6, 4 / 7, 5 / 8]))
    True
    """
    if len(units) < _MIN_TELLING_VALUES or np.isin(units, (0.0, 1.0)).all():
        return False
    added = np.diff(units * np.arange(1, len(units) + 1))
    return bool((np.minimum(abs(added), abs(added - 1.0)) < 1e-6).all())
