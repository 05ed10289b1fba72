"""Compile every kernel once, into NUMBA_CACHE_DIR: the tests' processes then find them there.

These few calls lead to all of them.
"""

import goodarm as ga

ASKED = {"threshold": 0.5, "delta": 0.05}
COUNTS = {"arm": ["a"], "pulls": [10], "successes": [9]}


def main():
    """Both engines, with clocks of both kinds, ask and tell, and a table of counts."""
    for algorithm, engine in (("e-hdoc", "fast"), ("hdoc", "fast"), ("hdoc", "reference")):
        ga.simulate([0.9, 0.1], algorithm=algorithm, runs=2, engine=engine, **ASKED)
    ident = ga.Identifier(ga.Problem(2, **ASKED), "e-hdoc")
    pulls = ident.ask_many(9)
    ident.forget(pulls[0])
    ident.observe_many(1, [1, 0])
    ident.tell_many(pulls[1:], [0] * 8)
    ga.check(COUNTS, **ASKED)


if __name__ == "__main__":
    main()
