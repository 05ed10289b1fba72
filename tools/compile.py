"""Compile every kernel once, into NUMBA_CACHE_DIR: the tests' processes then find them there.

These few calls lead to all of them.
"""

import goodarm as ga

ASKED = {"threshold": 0.5, "delta": 0.05}
COUNTS = {"arm": ["a"], "pulls": [10], "successes": [9]}


def main():
    """Both engines, ask and tell, and a table of counts."""
    for engine in ("fast", "reference"):
        ga.simulate([0.9, 0.1], algorithm="e-hdoc", runs=2, engine=engine, **ASKED)
    ident = ga.Identifier(ga.Problem(2, **ASKED), "e-hdoc")
    ident.tell_many(ident.ask_many(9), [0] * 9)
    ga.check(COUNTS, **ASKED)


if __name__ == "__main__":
    main()
