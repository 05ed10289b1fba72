"""An evaluation: which prompts pass at least 80 % of 200 cases?

A Python function is the judge. Each prompt is left alone as soon as it is proven, so most cases
are never run. In place of `answer` and `judge` put a call of your model, and your own check.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import goodarm as ga

N = 200
skill = {"plain": 0.55, "polite": 0.62, "steps": 0.74, "examples": 0.9, "both": 0.96}
hard = np.random.default_rng(0).random(N)  # how hard each case is


def answer(prompt, case):
    """Stands for the model: on a case that is too hard for the prompt it is off by one."""
    return str(2 * case + (hard[case] > skill[prompt]))


def judge(case, text):
    """Return whether this answer to this case is right."""
    return text == str(2 * case)


def run(pull):
    return judge(pull.case, answer(pull.arm, pull.case))


problem = ga.Problem(list(skill), threshold=0.8, delta=0.05, pool=N)
ident = ga.Identifier(problem, seed=1)  # leave out the seed: an order of cases is used once
with ThreadPoolExecutor(8) as workers:
    while pulls := ident.ask_many(8):
        ident.tell_many(pulls, workers.map(run, pulls))

print(ident.table())
for prompt in skill:
    whole = np.mean([judge(case, answer(prompt, case)) for case in range(N)])
    print(f"{prompt:8} {ident.explain(prompt).label:4}  all {N} cases: {whole:.1%}")
most = N * len(skill)
print(f"{ident.pulls} calls in place of {most}: {1 - ident.pulls / most:.0%} saved.")
