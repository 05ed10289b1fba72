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
LOOKING_COUNTS: Final = (
    "You may look as often as you like, with all counts since the start, and stop when you like: "
    "the labels stay valid."
)
LOOKING_FDR: Final = (
    "You may look as often as you like, and stop when you like. The guarantee is for the list of "
    "one look, not for the lists of several looks put together."
)
LOOKING_ONCE: Final = (
    "This is for one look only: the number of pulls was fixed before the first result, and this "
    "table was not judged before and will not be judged again with more pulls."
)
_NEW: Final = {
    "new": "New since the previous look: {arms}.",
    "absent": "Not in this table, and shown as at the previous look: {arms}.",
}
MEMORY: Final = {
    False: {
        "kept": (
            "Labels of an earlier look that stay, though today's counts alone do not prove them: "
            "{arms}."
        ),
        "opposed": (
            "Labels of an earlier look that stay, though today's counts prove the opposite: "
            "{arms}. Has the rate changed?"
        ),
        **_NEW,
    },
    True: {
        "kept": (
            "Listed at an earlier look: {arms}. Their bounds and e-values stay those of that look, "
            "so that the guarantee covers the lists of all looks together."
        ),
        **_NEW,
    },
}
"""Sentences on the arms with each mark of memory: under fwer and per-arm, and under fdr."""
ANY_DEPENDENCE: Final = (
    "The lists are valid whatever the dependence among arms: they use delta / (1 + 1/2 + ... + "
    "1/K) = {delta:.4g}."
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
NEEDS_GAUSSIAN: Final = (
    "Sigma must be known beforehand, not estimated from these rewards, and the mean of an arm's "
    "rewards must be distributed normally."
)
TEST: Final = "Test: {rule}."
TEST_SUMS: Final = (
    "Test: {rule}, which uses sums only. A table of single rewards, or of how often each value "
    "came, usually needs far fewer pulls."
)
LOST: Final = "{pulls} lost, counted as the worst case for each label: {counts}."
NEEDS_POOL: Final = (
    "This is about the {what} of each arm's own cases, asked once: not about other cases, nor "
    "about asking again. It holds if each case {once}, in a "
    "random order that was fixed before the first result, and no case was left out because of its "
    "result."
)
RUN_ONCE: Final = "was run once"
COUNTED_ONCE: Final = "counts once"
UNIT_IN_POOL: Final = (
    "A pull is one {unit}, with the average of its rewards. Their number must have been fixed "
    "before the first result."
)
UNIT: Final = f"{UNIT_IN_POOL} Each {{unit}} must have been drawn at random."
ALL_CASES: Final = "All cases{arms} were run: this compares a known number with the threshold."
OBSERVED_BAR: Final = (
    "Arms are compared with a number that you fix beforehand, not with each other. The threshold "
    "equals the observed mean of {arms}, which is itself uncertain: labels are not valid if you "
    "took it from there."
)
