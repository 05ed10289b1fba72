"""Sentences under a table of arms: the guarantee, when it holds, and the test behind it."""

from typing import Final

PROMISES: Final = {
    "fwer": "The chance that any of these labels is wrong is at most {delta}.",
    "fdr": (
        "On average at most {delta} of the arms listed as good are wrong, and at most {delta} of "
        "those listed as bad."
    ),
    "per-arm": (
        "The chance that a label is wrong is at most {delta}, for each arm by itself. The chance "
        "that any of several labels is wrong is larger."
    ),
}
ALL_PLANNED: Final = "This is for all {arms} that you planned."
PLANNED: Final = "If you may add options later, set {planned} to the final number."
OWN_BARS: Final = (
    "Each arm has its own threshold. Labels are valid if you set the thresholds before you saw the "
    "data."
)
LOOKING: Final = "You may look as often as you like, and stop when you like: the labels stay valid."
LOOKING_FDR: Final = (
    "You may look as often as you like, and stop when you like. The guarantee is for the list of "
    "one look, not for the lists of several looks put together."
)
ONE_ORDER: Final = (
    "The arms have run different numbers of cases in one common order, so that their results "
    "depend on each other. The lists allow for that by using delta / (1 + 1/2 + ... + 1/K) = "
    "{delta:.4g}."
)
NEEDS: Final = (
    "This holds if each option's true {mean} does not change, and {rewards} are recorded equally "
    "completely and equally fast."
)
NEEDS_SIGMA: Final = "Sigma must be known beforehand, not estimated from these rewards."
TEST: Final = "Test: {rule}."
TEST_SUMS: Final = (
    "Test: {rule}, which uses sums only. A table of single rewards, or of how often each value "
    "came, usually needs far fewer pulls."
)
LOST: Final = "{pulls} lost, counted as the worst case for each label: {counts}."
NEEDS_POOL: Final = (
    "This is about the {what} of each arm's own cases. It holds if each case was run once, in a "
    "random order that was fixed before the first result, and no case was left out because of its "
    "result."
)
