"""Sampling rules of your own: HDoC again, equal to goodarm's to the pull, and Thompson sampling.

A rule is a class with a name and ``choose``, which returns the position of an active arm. It keeps
no state, and draws from ``view.rng`` if it draws. The guarantee does not depend on it.
"""

import math

import numpy as np

import goodarm as ga
from goodarm.testing import check_sampling_rule


class MyHdoc(ga.rules.SamplingRule):
    name = "my-hdoc"

    def choose(self, view):
        index = view.means + np.sqrt(0.5 / view.pulls) * math.sqrt(math.log(view.time))
        return int(np.where(view.active, index, -np.inf).argmax())


class Thompson(ga.rules.SamplingRule):
    name = "thompson"

    def choose(self, view):
        successes = view.means * view.pulls
        draws = view.rng.beta(successes + 1, view.pulls - successes + 1)
        return int(np.where(view.active, draws, -1).argmax())


MEANS = {"curry": 0.85, "gnocchi": 0.75, "ramen": 0.65, "salad": 0.4, "stew": 0.3}
for sampling in ("hdoc", MyHdoc(), Thompson()):
    algorithm = ga.Algorithm(sampling=sampling, identification="mixture")
    runs = ga.simulate(MEANS, threshold=0.5, delta=0.05, algorithm=algorithm, runs=20)
    first, second, third = runs.tau.mean(axis=0)[:3]
    print(f"{algorithm.name:17} finds good arms after {first:.1f}, {second:.1f}, {third:.1f} pulls")
print(check_sampling_rule(Thompson()))
