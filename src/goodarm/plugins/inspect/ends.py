"""What Inspect does not tell early stopping: samples that broke, and that broke before.

A broken sample that is tried again goes to the end of the queue, and one that is given up is never
reported; until then all behind it would have to wait. Inspect's hooks report both at once, before
the sample's scores. Without them the verdict is the same, and comes later.
"""

from typing import Any

from goodarm.plugins.inspect.counting import Count

_WATCHED: dict[str, Count] = {}
"""By evaluation: hooks hear of all that run in the process."""
_REGISTERED: list[type] = []


def watch(evaluation: str, count: Count) -> None:
    """Tell this count which samples of an evaluation broke."""
    _WATCHED[evaluation] = count
    if not _REGISTERED:
        _register()


def forget(evaluation: str) -> None:
    """It has ended."""
    _WATCHED.pop(evaluation, None)


def _register() -> None:
    """Inspect keeps its listeners for the life of the process, and calls them by their names."""
    try:
        from inspect_ai.hooks import Hooks, hooks
    except ImportError:  # no Inspect, or one from before there were hooks
        return
    methods = {"on_sample_attempt_end": attempt_end, "on_sample_end": end, "on_task_end": task_end}
    listener = type("GoodArmEnds", (Hooks,), methods)
    _REGISTERED.append(hooks("goodarm", "Tells early stopping which samples broke.")(listener))


async def attempt_end(_: object, data: Any) -> None:
    """An attempt at a sample has ended; if another one follows, it broke."""
    count = _WATCHED.get(data.eval_id)
    if count is not None and data.will_retry:
        count.lose(data.summary.id, data.summary.epoch)


async def end(_: object, data: Any) -> None:
    """A sample has ended: with an error, or after earlier ones, also of a resumed evaluation."""
    count = _WATCHED.get(data.eval_id)
    sample = data.sample
    if count is not None and (sample.error_retries or (sample.error and not sample.scores)):
        count.lose(sample.id, sample.epoch)


async def task_end(_: object, data: Any) -> None:
    """An evaluation has ended, also by an error."""
    forget(data.eval_id)
