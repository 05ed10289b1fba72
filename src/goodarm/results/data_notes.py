"""Notes that follow from a table's numbers: a threshold taken from an arm, and a finished pool."""

import math
import re
from typing import Final

import numpy as np

from goodarm.results import notes as words
from goodarm.views.columns import ArmColumns
from goodarm.views.names import printable
from goodarm.views.numbers import name_some

_CURRENT: Final = re.compile(
    r"(.*\W)?(control|baseline|current|original|incumbent|status quo|today)(\W.*)?", re.IGNORECASE
)
"""Names of the option that is in use."""
_MIN_PULLS: Final = 100
"""With fewer pulls a mean often equals a round threshold by chance."""
_MIN_DIGITS: Final = 2
_ROUNDING: Final = 1e-9


def describe_threshold_source(table: ArmColumns) -> str:
    """Return the note that the threshold is the observed mean of an arm; empty if it is not.

    An arm that is named control, or similar, need only round to the threshold.
    """
    bar = table.threshold
    if bar is None or table.thresholds is not None:
        return ""
    tolerance = _ROUNDING * max(abs(bar), _ROUNDING)
    pulled = np.flatnonzero(table.pulls > 0)
    distances = np.abs(table.mean[pulled] - bar)
    found = pulled[(distances <= tolerance) & (table.pulls[pulled] >= _MIN_PULLS)].tolist()
    near = pulled[distances <= _find_rounding(bar)].tolist()
    found += [k for k in near if k not in found and _CURRENT.fullmatch(str(table.arms[k]))]
    if not found:
        return ""
    return words.OBSERVED_BAR.format(
        arms=name_some([printable(table.arms[k]) for k in sorted(found)])
    )


def _find_rounding(bar: float) -> float:
    """Return half a unit of the threshold's last digit, of which it has at least two."""
    if bar == 0.0:
        return 0.0
    first = math.floor(math.log10(abs(bar)))
    written = f"{bar:.12g}"
    decimals = len(written.partition(".")[2]) if "e" not in written else 0
    return 0.5 * 10.0 ** -max(decimals, _MIN_DIGITS - 1 - first)


def describe_finished_pool(table: ArmColumns, pool: int | None) -> str:
    """Return the note that all cases of some arms were run; empty if there are none.

    Args:
        table: the arms.
        pool: the number of cases of all arms, if they do not have their own.
    """
    sizes = np.full(len(table.arms), pool or 0) if table.pools is None else table.pools
    done = np.flatnonzero((sizes > 0) & (table.pulls == sizes))
    if not len(done):
        return ""
    is_all = len(done) == len(table.arms)
    arms = "" if is_all else f" of {name_some([printable(table.arms[k]) for k in done.tolist()])}"
    return words.ALL_CASES.format(arms=arms)
