"""Early stopping of Inspect: its calls, passed to the count, and the verdict for its log."""

import math
from contextvars import ContextVar
from typing import Any, Final, get_args

from goodarm.arguments import check_number
from goodarm.errors import ProtocolError, invalid_argument, invalid_choice, naming_caller
from goodarm.gate import Gate
from goodarm.logs import LogOptions, find_scores_outcome
from goodarm.plugins.inspect.sample_counts import GateScope, SampleCount, SampleId
from goodarm.plugins.inspect.sample_hooks import forget_evaluation, watch_evaluation
from goodarm.problem import DELTA, Problem
from goodarm.results import GateResult
from goodarm.wording import Arg, ErrorPlace, phrase

_OWNER: Final = "GoodArm"
_CHOOSE_SCORER: Final = phrase("Choose one: {scorer}.", scorer=Arg("scorer", "SCORER"))
_SHUFFLE_REMEDY: Final = (
    "Shuffle it: eval(..., sample_shuffle=SEED), inspect eval --sample-shuffle SEED, or "
    "dataset.shuffle(SEED)."
)
_CURRENT_COUNT: ContextVar[SampleCount] = ContextVar("goodarm_inspect_count")
"""Count of the evaluation whose code runs.

Inspect gives one object to all evaluations of a task, also to concurrent ones, and names the
evaluation only at the start.
"""


class GoodArm:
    """Early stopping by proof: ``Task(..., early_stopping=GoodArm(threshold=0.9, delta=0.05))``.

    Args:
        threshold: the pass rate that is wanted.
        delta: the probability allowed for any wrong label in an evaluation.
        scorer: the scorer whose score decides, or ``"scorer.key"`` where it gives several values;
            may be left out if there is but one.
        per: ``"sample"``: is each sample's pass rate, over all the epochs one could run, at least
            the threshold? Its further epochs are then left out; all samples share delta.
            ``"task"``: do at least this share of the samples pass, each run once? The further
            samples are then left out. Needs a shuffled dataset, and one epoch.
        margin: good then promises a rate of at least threshold - margin, bad one below
            threshold + margin.
        pass_at: from which score on a sample has passed, where scores are not 0 or 1.

    The verdict stands in the log: ``log.results.early_stopping.metadata``.

    >>> GoodArm(threshold=0.9, delta=0.05, per="task")
    GoodArm(threshold=0.9, delta=0.05, scorer=None, per='task', margin=0.0, pass_at=None)
    """

    def __init__(
        self,
        threshold: float,
        delta: float = DELTA,
        scorer: str | None = None,
        per: GateScope = "sample",
        margin: float = 0.0,
        pass_at: float | None = None,
    ) -> None:
        if per not in get_args(GateScope):
            raise invalid_choice("per", _OWNER, get_args(GateScope), per)
        if scorer is not None and (not isinstance(scorer, str) or not scorer):
            raise invalid_argument("scorer", _OWNER, "be the name of a scorer, or None", scorer)
        with naming_caller(_OWNER):
            asked = Problem(["task"], threshold, delta, margin=margin)
        self.threshold, self.delta, self.margin = asked.threshold, asked.delta, asked.margin
        self.per: GateScope = per
        mark = None if pass_at is None else check_number("pass_at", _OWNER, pass_at)
        self._options = LogOptions(score=scorer, pass_at=mark)
        self._counts: dict[tuple[str, str], SampleCount] = {}
        self._specs: dict[SampleCount, Any] = {}

    def __repr__(self) -> str:
        return (
            f"GoodArm(threshold={self.threshold!r}, delta={self.delta!r}, "
            f"scorer={self._options.score!r}, per={self.per!r}, margin={self.margin!r}, "
            f"pass_at={self._options.pass_at!r})"
        )

    async def start_task(self, task: Any, samples: list[Any], epochs: int) -> str:
        """Begin an evaluation; raise an error if the question cannot be answered for it."""
        self._check(task, samples, epochs)
        ids = [sample.id for sample in samples]
        key = (str(task.task_id), str(task.model))
        count = self._counts.get(key)
        if count is None:
            count = self._counts[key] = SampleCount(
                ids, epochs, self._make_problems(task, ids, epochs)
            )
        elif count.plan != (tuple(ids), epochs):
            remedy = "Shuffle with a seed, and do not change samples and epochs."
            raise invalid_argument(
                "samples", _OWNER, "be those of the evaluation it resumes", ids, remedy
            )
        self._specs[count] = task
        _CURRENT_COUNT.set(count)
        watch_evaluation(str(task.eval_id), count)
        return "goodarm"

    async def schedule_sample(self, id: SampleId, epoch: int) -> Any:  # noqa: A002 (Inspect's names)
        """Return an EarlyStop if the sample that Inspect is about to run is not needed."""
        answer = self._count().schedule(id, epoch)
        if answer is None:
            return None
        from inspect_ai.util import EarlyStop

        return EarlyStop(id=id, epoch=epoch, reason=answer.sentence)

    async def complete_sample(
        self,
        id: SampleId,  # noqa: A002
        epoch: int,
        scores: dict[str, Any],
    ) -> None:
        """Take a sample's scores, new or copied from an evaluation that is resumed."""
        count = self._count()
        task = self._specs[count]
        if self.per == "task" and count.is_copy(id, epoch) and task.config.sample_shuffle is True:
            raise invalid_argument(
                "sample_shuffle",
                _OWNER,
                "be a seed if an evaluation is resumed: without one the order changes",
                True,
                "Start again: eval(..., sample_shuffle=SEED).",
            )
        place = ErrorPlace(entry=f"sample {id!r}, epoch {epoch}")
        count.complete(id, epoch, self._find_pass(task, place, scores))

    async def complete_task(self) -> dict[str, Any]:
        """Return the verdict, for the log's results."""
        count = self._count()
        forget_evaluation(str(self._specs[count].eval_id))
        gates = count.finish()
        return {
            "kind": "gates",
            "format": 1,
            "per": self.per,
            "threshold": self.threshold,
            "delta": self.delta,
            "margin": self.margin,
            "sentence": gates[0].sentence if self.per == "task" else _summarize_gates(gates),
            "gates": [_replace_infinity(gate.to_dict()) for gate in gates],
        }

    def _count(self) -> SampleCount:
        count = _CURRENT_COUNT.get(None)
        if count in self._specs:
            return count
        if len(self._specs) != 1:
            raise ProtocolError(
                "Call start_task before the samples.",
                argument="task",
                owner=_OWNER,
                rule="be told by start_task first",
            )
        return next(iter(self._specs))

    def _check(self, task: Any, samples: list[Any], epochs: int) -> None:
        if not samples:
            raise invalid_argument("samples", _OWNER, "be one or more", samples)
        if task.config.log_samples is False:
            remedy = "Run it with log_samples=True."
            raise invalid_argument(
                "log_samples",
                _OWNER,
                "be true; otherwise Inspect does not stop early",
                False,
                remedy,
            )
        scorers = [scorer.name for scorer in task.scorers or ()]
        if self._options.score is None and len(scorers) > 1:
            raise invalid_argument(
                "scorer", _OWNER, "be named, because the task has several", scorers, _CHOOSE_SCORER
            )
        if self.per == "task" and epochs != 1:
            choices = phrase(
                "Repeats of one sample are not independent pulls. Choose what to judge. "
                "To judge each sample, give {sample}: its epochs are its pulls. To judge this set "
                "of samples, leave out epochs. To judge the average of several epochs, leave out "
                "early_stopping, and check the log: goodarm check LOG --from inspect --unit "
                "sample.",
                sample=Arg("per", "sample"),
            )
            raise invalid_argument(
                "epochs",
                _OWNER,
                "be 1 if samples are cases of a pool",
                epochs,
                choices,
            )
        if self.per == "task" and not task.dataset.shuffled:
            rule = "be shuffled; otherwise its first samples are not a random selection"
            raise invalid_argument("dataset", _OWNER, rule, task.dataset.name, _SHUFFLE_REMEDY)

    def _make_problems(self, task: Any, ids: list[SampleId], epochs: int) -> list[Problem]:
        bar, margin = self.threshold, self.margin
        if self.per == "task":
            return [Problem([str(task.task)], bar, self.delta, margin=margin, pool=len(ids))]
        share = self.delta / len(ids)
        found = [Problem([id_], bar, share, margin=margin, max_pulls=epochs) for id_ in ids]
        Gate(found[0]).check_cap(_OWNER, "epochs")
        return found

    def _find_pass(self, task: Any, place: ErrorPlace, scores: dict[str, Any]) -> bool | None:
        """Return whether the scores are a pass; None where a scorer of the task has given none."""
        values = {name: {"value": score.score.value} for name, score in scores.items()}
        scorer, _, inner = (self._options.score or "").partition(".")
        has_scorer = {get_base_scorer_name(each.name) for each in task.scorers or ()}
        if scorer and scorer not in values and get_base_scorer_name(scorer) in has_scorer:
            return None
        if not values:
            if has_scorer:
                return None
            raise invalid_argument(
                "scorer", "the task", "be given, since GoodArm judges by it", None
            )
        if _is_unscored(values.get(scorer or next(iter(values)), {}).get("value"), inner):
            return None
        return find_scores_outcome(values, self._options, place, _CHOOSE_SCORER) == "pass"


def get_base_scorer_name(scorer: str) -> str:
    """Return a scorer's registered name: without its package, or the number of a second one.

    >>> get_base_scorer_name("inspect_ai/match1")
    'match'
    """
    return scorer.rpartition("/")[2].rstrip("0123456789")


def _is_unscored(value: object, inner: str) -> bool:
    """Return whether a scorer could not judge the sample: Inspect marks that with nan."""
    if isinstance(value, dict):
        value = value.get(inner)
    return isinstance(value, float) and math.isnan(value)


def _summarize_gates(gates: list[GateResult]) -> str:
    labels = [gate.label for gate in gates]
    counts = ", ".join(f"{labels.count(name)} {name}" for name in ("good", "bad", "undecided"))
    return f"{len(gates)} samples: {counts}."


def _replace_infinity(document: dict[str, Any]) -> dict[str, Any]:
    """Replace infinite e-values by None: JSON has no infinity."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in document.items()
    }
