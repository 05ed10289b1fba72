"""Reader of LeRobot's evaluations: ``eval_info.json``, which ``lerobot-eval`` writes.

Written after ``src/lerobot/scripts/lerobot_eval.py`` of huggingface/lerobot (commit 01f50c3d), and
after files that it wrote, published with policies. There are two forms: ``per_task``, with a list
of successes for each task, and before it ``per_episode``, with the seed of each episode. Neither
names the policy: the folder does.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from goodarm.logs.attempts import Attempt, Outcome
from goodarm.logs.json_text import load_object
from goodarm.logs.reader import LogOptions, Reader, invalid_log
from goodarm.wording import ErrorPlace

_WHAT: Final = "an evaluation of LeRobot"
_REMEDY: Final = "Read the eval_info.json that lerobot-eval wrote, as it is."
_ONLY_TASK: Final = "(one task)"
_TOLERANCE: Final = 1e-6


class _Episode(NamedTuple):
    """Episode of a task: its start, by seed or by place, and whether it succeeded."""

    task: str
    start: str
    is_success: bool


def read_lerobot(path: Path, options: LogOptions) -> Iterator[Attempt]:
    """Yield the episodes of an evaluation, task by task."""
    document = load_object(path, _WHAT, "Remove what is not needed, such as sum_rewards.")
    place = ErrorPlace(str(path))
    if "per_task" in document:
        episodes, total = _read_tasks(document, place), document.get("overall")
    else:
        episodes, total = _read_episodes(document, place), document.get("aggregated")
    _check_total(episodes, total, place)
    run = path.resolve().parent.name
    for number, episode in enumerate(episodes, start=1):
        parts = {"run": run, "task": episode.task, "episode": episode.start}
        outcome: Outcome = "pass" if episode.is_success else "fail"
        key = f"{episode.task}, {episode.start}" if episode.start else ""
        yield Attempt(parts, outcome, key, number=number, cases={"task": episode.task})


def _read_tasks(document: dict[str, Any], place: ErrorPlace) -> list[_Episode]:
    """Read the form with a list of successes for each task."""
    episodes: list[_Episode] = []
    for task in _get_objects(document, "per_task", place):
        metrics = task.get("metrics")
        successes = metrics.get("successes") if isinstance(metrics, dict) else None
        if not isinstance(successes, list):
            rule = "have a list of the successes of each task"
            raise invalid_log("per_task", place, rule, successes, _REMEDY)
        name = f"{task.get('task_group')}/{task.get('task_id')}"
        for number, success in enumerate(successes):
            is_success = _read_success(success, place)
            episodes.append(_Episode(name, f"episode {number}", is_success))
    return episodes


def _read_episodes(document: dict[str, Any], place: ErrorPlace) -> list[_Episode]:
    """Read the form with an object for each episode of the only task."""
    episodes: list[_Episode] = []
    for episode in _get_objects(document, "per_episode", place):
        seed = episode.get("seed")
        start = "" if seed is None else f"seed {seed}"
        is_success = _read_success(episode.get("success"), place)
        episodes.append(_Episode(_ONLY_TASK, start, is_success))
    return episodes


def _get_objects(document: dict[str, Any], key: str, place: ErrorPlace) -> list[dict[str, Any]]:
    found = document.get(key)
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise invalid_log("keys", place, f"hold {key!r}, a list", list(document), _REMEDY)
    return found


def _read_success(value: object, place: ErrorPlace) -> bool:
    if not isinstance(value, bool):
        raise invalid_log("success", place, "be true or false", value, _REMEDY)
    return value


def _check_total(episodes: list[_Episode], total: object, place: ErrorPlace) -> None:
    """Raise an error if the episodes do not add up to the total that the file states."""
    stated = total if isinstance(total, dict) else {}
    count, percent = stated.get("n_episodes"), stated.get("pc_success")
    if count is not None and count != len(episodes):
        rule = f"be the number of episodes, {len(episodes)}"
        raise invalid_log("n_episodes", place, rule, count, _REMEDY)
    successes = sum(episode.is_success for episode in episodes)
    share = 100 * successes / len(episodes) if episodes else math.nan
    if isinstance(percent, int | float) and abs(percent - share) > _TOLERANCE:
        rule = f"be the share of successes in percent, {share:.6g}"
        raise invalid_log("pc_success", place, rule, percent, _REMEDY)


def _looks_like(name: str, head: bytes) -> bool:
    is_evaluation = b'"task_group"' in head or (
        b'"per_episode"' in head and b'"episode_ix"' in head
    )
    return name.endswith(".json") and is_evaluation


READER: Final = Reader(
    read=read_lerobot,
    by=("run", "task"),
    parts={
        "run": "the folder that the file is in: --output_dir of lerobot-eval",
        "task": "group and number of the task, such as libero_10/3",
        "episode": "the seed of the episode, or its number in the task",
    },
    options=frozenset(),
    looks_like=_looks_like,
    stamp=b'"per_',
    is_run=False,
    on_repeat=(
        "lerobot-eval starts the same episode of every run from the same seed (1000 and up, unless "
        "--seed says otherwise), so that a further run repeats its starts. For several policies, "
        "make each run an arm (by run,task)."
    ),
    unit="episode",
    cases={"task": ("task",), "episode": ("task", "episode")},
)
