"""Write evaluations in the forms of lerobot-eval: python make.py. No policy was run.

The keys are those of ``eval_policy`` and ``eval_policy_all`` in
``src/lerobot/scripts/lerobot_eval.py`` of huggingface/lerobot (commit 01f50c3d); the outcomes are
drawn at random, with a fixed seed.
"""

import json
import random
from pathlib import Path

HERE = Path(__file__).parent
draw = random.Random(7)


def summarize(successes, seconds):
    """The totals of some episodes, as in ``overall`` and ``per_group``."""
    return {
        "avg_sum_reward": float(sum(successes)),
        "avg_max_reward": 1.0,
        "pc_success": 100.0 * sum(successes) / len(successes),
        "n_episodes": len(successes),
        "eval_s": seconds,
        "eval_ep_s": seconds / len(successes),
    }


def write(run, document):
    path = HERE / run / "eval_info.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def write_tasks(run, rates, seconds, episodes=10):
    """The form with a list of successes for each task."""
    tasks = []
    for task_id, rate in enumerate(rates):
        successes = [draw.random() < rate for _ in range(episodes)]
        metrics = {
            "sum_rewards": [float(success) for success in successes],
            "max_rewards": [float(success) for success in successes],
            "successes": successes,
            "video_paths": [f"videos/libero_spatial_{task_id}/eval_episode_0.mp4"],
        }
        tasks.append({"task_group": "libero_spatial", "task_id": task_id, "metrics": metrics})
    every = [success for task in tasks for success in task["metrics"]["successes"]]
    total = summarize(every, seconds)
    group = {name: value for name, value in total.items() if not name.startswith("eval")}
    write(run, {"per_task": tasks, "per_group": {"libero_spatial": group}, "overall": total})


def write_episodes(run, rate, seconds, seed, episodes=20):
    """The form before it, with an object for each episode."""
    successes = [draw.random() < rate for _ in range(episodes)]
    rows = [
        {
            "episode_ix": number,
            "sum_reward": float(success),
            "max_reward": float(success),
            "success": success,
            "seed": seed + number,
        }
        for number, success in enumerate(successes)
    ]
    total = summarize(successes, seconds)
    del total["n_episodes"]
    write(run, {"per_episode": rows, "aggregated": total})


write_tasks("smolvla", (0.9, 0.3, 0.6), 312.5)
write_tasks("pi0", (0.8, 0.8, 0.8), 298.25)
write_episodes("pusht_a", 0.6, 80.0, seed=1000)
write_episodes("pusht_b", 0.6, 81.0, seed=5000)
