"""An LLM evaluation: which system prompts pass at least 80 % of 200 test cases?

A stub with a fixed seed stands in for the model. Each pull tries one of the 200 cases,
drawn at random; 20 run side by side, and a prompt is left alone once its label is proven.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import goodarm as ga
from goodarm.views.figures.arms import save_arms

CASES = 200
RATES = {"none": 0.2, "kind": 0.45, "short": 0.55, "steps": 0.65, "shots": 0.93, "rules": 0.96}
luck = np.random.default_rng(0)
passed = {prompt: luck.random(CASES) < rate for prompt, rate in RATES.items()}


def evaluate(prompt, case):
    return passed[prompt][case]  # in its place: let the model answer, and grade the answer


most = len(RATES) * CASES
problem = ga.Problem(list(RATES), threshold=0.8, delta=0.05, max_pulls=most)
ident = ga.Identifier(problem, seed=0)
with ThreadPoolExecutor(20) as workers:
    while pulls := ident.ask_many(20):
        cases = luck.integers(CASES, size=len(pulls))
        ident.tell_many(pulls, workers.map(evaluate, [pull.arm for pull in pulls], cases))

print(ident.table())
print(f"{ident.pulls} calls instead of {most}: {1 - ident.pulls / most:.0%} saved.")

counts = {arm.arm: (arm.pulls, round(arm.pulls * arm.mean)) for arm in ident.table()}
save_arms(ga.check(counts, threshold=0.8, delta=0.05), Path("example-prompts.png"))
