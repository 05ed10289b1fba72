"""A task for Inspect that needs no model: what a try comes to depends on its sample, epoch and
number alone. Wrong answers take longer, and some tries break.
"""

import asyncio
import os
import random

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import CORRECT, Score, accuracy, match, scorer
from inspect_ai.solver import solver

from goodarm.plugins.inspect import GoodArm


@solver
def answer(rate, errors, fatal):
    """Fatal samples break until HEALED is set; not before 15 others have an answer."""
    tries, answered = {}, set()

    async def solve(state, generate):
        slot = (state.sample_id, state.epoch)
        tries[slot] = tries.get(slot, 0) + 1
        rng = random.Random(f"{slot} {tries[slot]}")
        is_right, breaks = rng.random() < rate, rng.random() < errors
        await asyncio.sleep(rng.random() * (0.01 if is_right else 0.2))
        is_fatal = state.sample_id in fatal and not os.environ.get("HEALED")
        while is_fatal and len(answered) < 15:
            await asyncio.sleep(0.005)
        if breaks or is_fatal:
            raise RuntimeError("the tool broke")
        answered.add(slot)
        state.output = ModelOutput.from_content("mockllm/model", "yes" if is_right else "no")
        return state

    return solve


@scorer(metrics=[accuracy()])
def content():
    """Content with every answer."""

    async def score(state, target):
        return Score(value=CORRECT)

    return score


def questions(count, seed=None):
    """``count`` of them, in an order of their own if there is a seed."""
    dataset = MemoryDataset([Sample(id=n, input="?", target="yes") for n in range(1, count + 1)])
    if seed is not None:
        dataset.shuffle(seed)
    return dataset


@task
def yes(count=3, per="sample", rate=0.97, errors=0.0, fatal=(), seed=None, two=False, by=None):
    """Questions whose answer is yes."""
    return Task(
        questions(count, seed),
        solver=answer(rate, errors, fatal),
        scorer=[match(), content()] if two else match(),
        early_stopping=GoodArm(threshold=0.8, delta=0.05, per=per, scorer=by),
    )
