"""Python: text, HTML and documents of everything that calls return."""

import json

from corpus_cases.case import Case, Outcome, read_calls
from corpus_cases.library import ga
from corpus_cases.python_call import python

COUNTS = {"red": (500, 460), "green": (500, 300), "blue": (500, 410), "new": (0, 0)}
STARS = {"calm": {1: 9, 2: 11, 3: 30, 4: 80, 5: 70}, "loud": {1: 30, 2: 40, 3: 60, 4: 50, 5: 20}}
RAW = {"a": [1] * 60, "b": [1, 0] * 30, "c": [0] * 40}
FRAME = {"arm": ["x", "y"], "pulls": [400, 400], "successes": [390, 100]}
EXPRESSIONS = read_calls("results")


def cases():
    """Yield values that print, render and convert themselves."""
    known = {"COUNTS": COUNTS, "STARS": STARS, "RAW": RAW, "FRAME": FRAME}
    for source in EXPRESSIONS:
        yield python("results/values", source, **known)
    for algorithm in ("e-hdoc", "hdoc", "lucb-g", "apt-g", "apgai"):
        for rewards in ("bernoulli", "bounded"):
            yield _loop(algorithm, rewards)


def _loop(algorithm, rewards):
    """Return the case of ask and tell to the end, pull by pull."""

    def run():
        problem = ga.Problem(
            ["a", "b", "c"], threshold=0.5, delta=0.05, rewards=rewards, max_pulls=2000
        )
        ident = ga.Identifier(problem, algorithm, seed=5)
        tape = ga.Tape(problem, {"a": 0.85, "b": 0.75, "c": 0.1}, seed=5)
        pulls = []
        while not ident.is_done:
            pull = ident.ask()
            reward = tape.next_reward(pull.arm)
            ident.tell(pull, reward)
            pulls.append(f"{pull.number} {pull.arm} {reward!r}")
        reports = [ident.explain(arm).to_dict() for arm in problem.arms]
        text = "\n".join(pulls) + f"\n{ident.verdict!r}\n{json.dumps(reports, indent=1)}\n"
        return Outcome(f"--- text\n{text}")

    return Case(
        f"results/loops/{algorithm}-{rewards}", f">>> ask and tell to the end, {algorithm}", run
    )
