"""Notes under a table of arms: the promise, why looking is allowed, and what the data must be."""

from typing import TYPE_CHECKING, Final

import numpy as np

from goodarm.views.numbers import plural

if TYPE_CHECKING:
    from goodarm.results.arm_table import ArmTable

_PROMISES: Final = {
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
_OWN_BARS: Final = "Each arm is judged by its own threshold, fixed before the data."
_LOOKING: Final = (
    "Look every day and stop when you like: the e-values behind the labels allow it at any moment."
)
_LOOKING_BOUND: Final = (
    "Look every day and stop when you like: the bound behind the labels holds at every moment."
)
_LOOKING_FDR: Final = (
    "Look every day and stop when you like: the e-values allow it, for the list of one day and not "
    "for several days' lists put together."
)
_ONE_ORDER: Final = (
    "The arms stand at different cases of one order, where one tells about another: the lists are "
    "those of delta / (1 + 1/2 + ... + 1/K) = {delta:.4g}."
)
_NEEDS: Final = (
    "It needs rewards whose mean stays the same, all of them counted: none left out, or late, "
    "because of its value."
)
_NEEDS_SIGMA: Final = "The sigma must be known, and not estimated from these rewards."
_TEST: Final = "The test is {rule}."
_TEST_SUMS: Final = (
    "The test is {rule}, which knows sums alone: bets on single rewards, or on how often each "
    "value came, mostly need far fewer pulls."
)
_NEEDS_POOL: Final = (
    "It is about the {what} of each arm's own cases, each run once, in a random order that was "
    "fixed before the first result; cases left out because of their outcome would break it."
)


def notes_of(table: "ArmTable", planned: str = "arms_planned") -> tuple[str, ...]:
    """Return the lines under a table.

    ``planned`` is how the reader says that more arms are to come.
    """
    arms = plural(table.arms_planned, "arm")
    if not table.is_planned:  # a table that may grow must say so before it does
        these = "this" if table.arms_planned == 1 else "these"
        arms = f"{these} {arms} (if more may join: {planned}, or each look spends delta anew)"
    notes = [_PROMISES[table.control].format(delta=table.delta, arms=arms)]
    if table.thresholds is not None:
        notes.append(_OWN_BARS)
    if table.delta_listed is not None:
        notes.append(_ONE_ORDER.format(delta=table.delta_listed))
    looking = _LOOKING_FDR if table.control == "fdr" else _LOOKING
    if (table.pulls > 0).any() and np.isnan(table.log_good).all():  # the rule has no e-values
        looking = _LOOKING_BOUND
    needs = _NEEDS
    if table.pool is not None or table.pools is not None:
        needs = _NEEDS_POOL.format(what="share" if table.rewards == "bernoulli" else "mean")
    notes += [looking, needs]
    if table.rewards == "gaussian":
        notes.append(_NEEDS_SIGMA)
    test = table.rule_title or table.rule
    if table.rewards == "bounded" and table.rule == "mixture" and not table.advice:
        notes.append(_TEST_SUMS.format(rule=test))
    elif table.rewards != "bernoulli" or test != "mixture":
        notes.append(_TEST.format(rule=test))
    if table.advice:
        notes.append(table.advice)
    return tuple(notes)
