"""Notes under a table of arms: the promise, why looking is allowed, and what the data must be."""

from typing import Final, NamedTuple

from goodarm.views.numbers import plural


class Asked(NamedTuple):
    """What the words are about: fields of an ArmTable."""

    has_thresholds: bool
    has_pool: bool
    control: str
    delta: float
    delta_listed: float | None
    rewards: str
    rule: str
    rule_title: str
    arms_planned: int
    is_planned: bool
    has_e_values: bool
    advice: str


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


def notes_of(asked: Asked, planned: str = "arms_planned") -> tuple[str, ...]:
    """Return the lines under a table.

    ``planned`` is how the reader says that more arms are to come.
    """
    promise = _PROMISES[asked.control].format(delta=asked.delta, arms=_arms(asked, planned))
    looking = _LOOKING_FDR if asked.control == "fdr" else _LOOKING
    if not asked.has_e_values:
        looking = _LOOKING_BOUND
    notes = [promise]
    if asked.has_thresholds:
        notes.append(_OWN_BARS)
    if asked.delta_listed is not None:
        notes.append(_ONE_ORDER.format(delta=asked.delta_listed))
    what = "share" if asked.rewards == "bernoulli" else "mean"
    needs = _NEEDS
    if asked.has_pool:
        needs = _NEEDS_POOL.format(what=what)
    notes += [looking, needs]
    if asked.rewards == "gaussian":
        notes.append(_NEEDS_SIGMA)
    test = asked.rule_title or asked.rule
    if asked.rewards == "bounded" and asked.rule == "mixture" and not asked.advice:
        notes.append(_TEST_SUMS.format(rule=test))
    elif asked.rewards != "bernoulli" or test != "mixture":
        notes.append(_TEST.format(rule=test))
    if asked.advice:
        notes.append(asked.advice)
    return tuple(notes)


def _arms(asked: Asked, planned: str) -> str:
    """Return over how many arms; a table that may grow must say so before it does."""
    count = asked.arms_planned
    if asked.is_planned:
        return plural(count, "arm")
    these = f"{'this' if count == 1 else 'these'} {plural(count, 'arm')}"
    return f"{these} (if more may join: {planned}, or each look spends delta anew)"
