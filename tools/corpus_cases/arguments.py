"""Python: arguments that are refused, with the messages."""

from corpus_cases.case import read_calls
from corpus_cases.python_call import python
from corpus_cases.results import COUNTS

PROBLEM = "threshold=.5, delta=.05"
BAD_PROBLEMS = read_calls("refused_problems")
BAD_CHECKS = read_calls("refused_checks")
BAD_OTHERS = read_calls("refused_arguments")


def cases():
    """Yield calls with one wrong argument each."""
    from corpus_cases.library import ga

    problem = ga.Problem(["a", "b"], threshold=0.5, delta=0.05)
    known = {
        "COUNTS": COUNTS,
        "P": problem,
        "T": ga.check(COUNTS, threshold=0.8, delta=0.05),
    }
    for arguments in BAD_PROBLEMS:
        yield python("arguments/problem", f"ga.Problem({arguments})")
    for arguments in BAD_CHECKS:
        yield python("arguments/check", f"ga.check({arguments})", **known)
    for source in BAD_OTHERS:
        ident = ga.Identifier(problem, seed=1)
        yield python("arguments/others", source, I=ident, **known)
