"""Hooks for what Inspect does not tell early stopping: samples that broke, now or before.

A broken sample that is tried again goes to the end of the queue, and one that is given up is never
reported; until then all behind it would have to wait. Inspect's hooks report both at once, before
the sample's scores. Without them the verdict is the same, and comes later.
"""

from typing import Any

from goodarm.plugins.inspect.sample_counts import SampleCount

_COUNTS: dict[str, SampleCount] = {}
"""Counts by evaluation: hooks are called for all evaluations of the process."""
_HOOK_CLASSES: list[type] = []


def watch_evaluation(evaluation: str, count: SampleCount) -> None:
    """Report the broken samples of an evaluation to this count."""
    _COUNTS[evaluation] = count
    if not _HOOK_CLASSES:
        _register_hooks()


def forget_evaluation(evaluation: str) -> None:
    """Stop watching an evaluation."""
    _COUNTS.pop(evaluation, None)


def _register_hooks() -> None:
    """Register the hooks with Inspect, which keeps them by name for the life of the process."""
    try:
        from inspect_ai.hooks import Hooks, hooks
    except ImportError:  # no Inspect, or one from before there were hooks
        return
    methods = {
        "on_sample_attempt_end": on_attempt_end,
        "on_sample_end": on_sample_end,
        "on_task_end": on_task_end,
    }
    listener = type("GoodArmEnds", (Hooks,), methods)
    _HOOK_CLASSES.append(hooks("goodarm", "Tells early stopping which samples broke.")(listener))


async def on_attempt_end(_: object, data: Any) -> None:
    """Count a sample as lost if another attempt at it follows."""
    count = _COUNTS.get(data.eval_id)
    if count is not None and data.will_retry:
        count.lose(data.summary.id, data.summary.epoch)


async def on_sample_end(_: object, data: Any) -> None:
    """Count a sample as lost if it ended in an error or had errors before, also when resumed."""
    count = _COUNTS.get(data.eval_id)
    sample = data.sample
    if count is not None and (sample.error_retries or (sample.error and not sample.scores)):
        count.lose(sample.id, sample.epoch)


async def on_task_end(_: object, data: Any) -> None:
    """Stop watching an evaluation that has ended, also by an error."""
    forget_evaluation(data.eval_id)
