"""Sentences under a table of arms: the guarantee, why looking is allowed, what the data must be."""

from typing import Final

PROMISES: Final = {
    "fwer": "Any wrong label at all has probability at most {delta:g}, over {arms}.",
    "fdr": (
        "Of the arms listed good a part of at most {delta:g} is expected to be wrong, and so of "
        "those listed bad, with {arms}."
    ),
    "per-arm": (
        "Each label by itself is wrong with probability at most {delta:g}; over many arms there is "
        "no promise."
    ),
}
OWN_BARS: Final = "Each arm is judged by its own threshold, fixed before the data."
LOOKING: Final = (
    "Look every day and stop when you like: the e-values behind the labels allow it at any moment."
)
LOOKING_BOUND: Final = (
    "Look every day and stop when you like: the bound behind the labels holds at every moment."
)
LOOKING_FDR: Final = (
    "Look every day and stop when you like: the e-values allow it, for the list of one day and not "
    "for several days' lists put together."
)
ONE_ORDER: Final = (
    "The arms stand at different cases of one order, where one tells about another: the lists are "
    "those of delta / (1 + 1/2 + ... + 1/K) = {delta:.4g}."
)
NEEDS: Final = (
    "It needs rewards whose mean stays the same, all of them counted: none left out, or late, "
    "because of its value."
)
NEEDS_SIGMA: Final = "The sigma must be known, and not estimated from these rewards."
TEST: Final = "The test is {rule}."
TEST_SUMS: Final = (
    "The test is {rule}, which knows sums alone: bets on single rewards, or on how often each "
    "value came, mostly need far fewer pulls."
)
NEEDS_POOL: Final = (
    "It is about the {what} of each arm's own cases, each run once, in a random order that was "
    "fixed before the first result; cases left out because of their outcome would break it."
)
