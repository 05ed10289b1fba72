"""``check``: a table of counts in, a table of ArmReports out."""

from collections.abc import Mapping
from typing import Final, get_args

import numpy as np

from goodarm.algorithm.identification.evidence import check_range
from goodarm.checking.chunk import Names
from goodarm.checking.judge import Control, judge
from goodarm.checking.sources import chunks_of
from goodarm.checking.tally import tally
from goodarm.checks import check_count, check_flag
from goodarm.errors import must, must_be_one_of
from goodarm.problem import MOST_PULLS, Problem, Rewards
from goodarm.results import CheckTable

CONTROLS: Final[tuple[Control, ...]] = get_args(Control)
_REWARDS: Final = ("bernoulli", "bounded")


def check(
    counts: object,
    threshold: float,
    delta: float,
    *,
    control: Control = "fwer",
    margin: float = 0.0,
    rewards: Rewards = "bernoulli",
    low: float | None = None,
    high: float | None = None,
    raw: bool = False,
    columns: Mapping[str, str] | None = None,
    arms_planned: int | None = None,
) -> CheckTable:
    """Label the arms of a table of counts by the mixture test, with intervals and pulls needed.

    Args:
        counts: a table with the columns arm, pulls and successes: a path to CSV or Parquet, an open
            CSV file, a pandas or polars frame, a dict of columns, or a numpy array with fields.
            Also a dict from each arm to (pulls, successes), or an array with these two columns and
            a row for each of the arms 0, 1, ... A dict that has all column names as keys is one of
            columns; any other is one of arms.
        threshold: the bar; an arm is good when its mean reaches it.
        delta: the error rate allowed; what it limits is the choice of ``control``.
        control: ``"fwer"``: any wrong label at all has probability at most delta. ``"fdr"``: of the
            arms listed good a part of at most delta is expected to be wrong, and so of those listed
            bad (e-BH). ``"per-arm"``: each arm by itself, with no promise over many.
        margin: slack around the bar: good then promises a mean of at least threshold - margin, bad
            one below threshold + margin.
        rewards: ``"bernoulli"`` (0 or 1), or ``"bounded"``: then a column sum instead of successes.
        low, high: the range of bounded rewards, 0 and 1 unless given.
        raw: the table has a row for each reward: columns arm and reward; dicts hold lists.
        columns: the table's own names of columns, such as ``{"arm": "variant", "pulls": "views"}``.
        arms_planned: how many arms were to be judged, if the table shows fewer of them.

    Guarantee: what ``control`` says, however often one looks, for rewards in a known range whose
    mean, given all that came before, stays the same, and that are counted in an order that does
    not depend on their values.

    >>> print(check({"a": (500, 460), "b": (500, 300)}, threshold=0.8, delta=0.05).good)
    ['a']
    """
    owner = "check"
    if not isinstance(control, str) or control not in CONTROLS:
        raise must_be_one_of("control", owner, CONTROLS, control)
    if not isinstance(rewards, str) or rewards not in _REWARDS:
        raise must_be_one_of("rewards", owner, _REWARDS, rewards)
    is_raw = check_flag("raw", owner, raw)
    names = _names(rewards, is_raw, columns)
    if arms_planned is not None:
        arms_planned = check_count("arms_planned", owner, arms_planned, most=MOST_PULLS)
    asked = Problem(1, threshold, delta, margin=margin, rewards=rewards, low=low, high=high)
    check_range(asked, "mixture")
    arms, pulls, sums = tally(chunks_of(counts, names, is_raw=is_raw), asked, names, is_raw=is_raw)
    planned = len(arms) if arms_planned is None else arms_planned
    if planned < len(arms):
        rule = f"be at least the number of arms in the table, {len(arms)}"
        raise must("arms_planned", owner, rule, planned)
    judged = judge(asked, pulls, sums, control, planned)
    return CheckTable(
        arms=arms,
        pulls=pulls.astype(np.int64),
        **judged._asdict(),
        threshold=asked.threshold,
        delta=asked.delta,
        control=control,
        margin=asked.margin,
        rewards=rewards,
        low=asked.low,
        high=asked.high,
        arms_planned=planned,
    )


def _names(rewards: str, is_raw: bool, columns: Mapping[str, str] | None) -> Names:
    """What the columns are called, the user's names before the usual ones."""
    if is_raw:
        meanings: tuple[str, ...] = ("reward",)
    else:
        meanings = ("pulls", "successes" if rewards == "bernoulli" else "sum")
    known = ("arm", *meanings)
    given = {} if columns is None else columns
    if not isinstance(given, Mapping):
        raise must("columns", "check", "be a dict from column to the table's name for it", columns)
    for meaning, name in given.items():
        if meaning not in known:
            raise must_be_one_of("columns", "check", known, meaning)
        if not isinstance(name, str) or not name:
            raise must("columns", "check", "give names that are texts", name)
    found = {meaning: given.get(meaning, meaning) for meaning in known}
    if len(set(found.values())) < len(found):
        raise must("columns", "check", "give each column its own name", dict(given))
    return Names(found.pop("arm"), found)
