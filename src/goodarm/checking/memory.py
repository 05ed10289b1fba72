"""Memory between looks: labels of the previous look stay, and the same question is asked again.

Why the labels stay valid when the table has grown:

*Under fwer and per-arm.* An arm is labelled wrongly at some look only if the evidence for a false
statement about it reaches its level at some moment. That has probability at most delta / K (delta
under per-arm) however often one looks, because the level is the same at all looks: K, delta and the
rule do not change. So the union bound over arms covers every label of every look. The bound that
proved a label stays too: all bounds of all looks hold at once with that probability.

*Under fdr.* e-BH on the largest e-values so far would be wrong: a running maximum is no e-value.
But an e-value that stops when its arm is first listed is one (optional stopping: that look is a
stopping time). So listed arms keep their e-values, and e-BH takes these in place of today's. With k
arms listed, each of their e-values reaches K / (k delta), hence e-BH lists them again: lists only
grow, and today's list R contains all earlier ones. Each arm that is listed wrongly adds 1/|R| <=
delta E / K to the part that is wrong, with E its stopped e-value, whose mean is at most 1; so the
mean of that part, even of its largest value over all looks, is at most delta. An arm in one list
counts as an e-value of 0 in the other, and so does an arm without a label that is no longer in the
table: smaller e-values are valid, too. In a pool with one common order e-BH uses a smaller delta
where arms stand at different cases, which is valid for any p-values (here 1/E); the two cannot be
mixed, so both looks must use the same.

The counts must be those of the previous look and more. Arms that are not in the table keep their
row. New arms are allowed as long as all arms together are not more than share delta since the first
look.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import SpecError, invalid_argument
from goodarm.judging import Listed
from goodarm.problem import CODES, Arm, Label
from goodarm.results import ArmTable, read_document
from goodarm.views.columns import get_thresholds
from goodarm.views.names import printable
from goodarm.views.numbers import format_count, format_number, name_some, plural
from goodarm.wording import Arg, EdgeText, Value, join, phrase

_OWNER: Final = "check"
_ASKED: Final = (
    *("delta", "control", "margin", "rewards", "low", "high", "sigma", "gap", "rule"),
    *("case_order", "unit", "arms_planned"),
)
"""Fields of the question that must not change."""
_ROUNDING: Final = 1e-9
_MAX_CHANGES: Final = 3
"""Most arms whose own thresholds or pools are named where they differ."""
_COLUMNS: Final = (
    *("pulls", "labels", "mean", "lower", "upper", "log_good", "log_bad", "needed", "needed_90"),
)
_WITHOUT: Final = EdgeText("command line", "with a new file", phrase("without {previous}"))
_ANEW: Final = phrase(
    "Labels are kept for one question only. Ask the same, or begin anew {without}.",
    without=_WITHOUT,
)


def read_previous(previous: object) -> ArmTable:
    """Return the table of the previous look: a table, its document, or a file that holds that."""
    table: object = previous
    if isinstance(previous, str | os.PathLike):
        remedy = phrase("For a first look leave out {previous}.")
        table = read_document(os.fspath(previous), "previous", _OWNER, remedy)
    if isinstance(table, Mapping):
        table = ArmTable.from_dict(table)
    if not isinstance(table, ArmTable):
        rule = "be the result of an earlier check: a table, its JSON document, or a file of that"
        raise invalid_argument("previous", _OWNER, rule, previous)
    if table.labelled_at is not None:
        rule = "be the result of an earlier check; experiments keep their labels by themselves"
        raise invalid_argument("previous", _OWNER, rule, "the table of an experiment")
    if table.looks == "once":
        raise invalid_argument(
            "previous",
            _OWNER,
            "be a table that may be looked at again",
            "a table for one look",
            "Its labels hold for that look only, whatever comes later.",
        )
    return table


class Memory(NamedTuple):
    """Previous look, beside the arms of today's table.

    Args:
        before: the table of the previous look.
        present: the arms that today's table has rows of.
    """

    before: ArmTable
    present: Sequence[Arm]

    def planned(self, count: int, control: str) -> int:
        """Return the number of arms that share delta: that of the first look, or all of today's."""
        return count if control == "per-arm" else max(count, self.before.arms_planned)

    def listed(self, arms: Sequence[Arm]) -> Listed:
        """Return the e-values of arms that were listed before, for e-BH over ``arms``."""
        before, places = self.before, self._places(arms)
        rest = before.take(self._absent())
        return Listed(
            _stopped(before.log_good, before.labels, places, "good"),
            _stopped(before.log_bad, before.labels, places, "bad"),
            np.where(rest.labels == CODES["good"], rest.log_good, -np.inf),
            np.where(rest.labels == CODES["bad"], rest.log_bad, -np.inf),
        )

    def remember(self, today: ArmTable) -> ArmTable:
        """Return today's table with the labels of earlier looks.

        Raises:
            SpecError: another question was asked, counts fell, or there are more arms than planned.
        """
        absent = self._absent()
        gone = {str(self.before.arms[k]) for k in absent}
        there = today.take(k for k, arm in enumerate(today.arms) if str(arm) not in gone)
        places = self._places(there.arms)
        self._check_question(there, places, len(absent))
        rows = np.flatnonzero(places >= 0)
        earlier = self.before.take(places[rows])
        _check_counts(earlier, there, rows)
        columns, memory = _keep_labels(earlier, there, rows)
        present = set(map(str, self.present))
        new = [k for k in np.flatnonzero(places < 0).tolist() if str(there.arms[k]) in present]
        memory |= dict.fromkeys(new, "new")
        memory |= dict.fromkeys(range(len(there), len(there) + len(absent)), "absent")
        rest = self.before.take(absent)
        last = {name: getattr(rest, name) for name in _COLUMNS} | {"labelled_pulls": _since(rest)}
        joined: dict[str, Any] = {
            name: np.concatenate([each, last[name]]) for name, each in columns.items()
        }
        joined |= _join_own(there, rest) | _join_money(there, rest)
        arms = (*there.arms, *rest.arms)
        whole = replace(there, arms=arms, **joined, memory=memory, is_planned=True)
        order = {str(arm): place for place, arm in enumerate(whole.arms)}
        first = [order.pop(str(arm)) for arm in today.arms]
        return whole.take([*first, *order.values()])

    def _places(self, arms: Sequence[Arm]) -> NDArray[np.intp]:
        """Return the position of each arm in the previous table, -1 for a new one."""
        known = {str(arm): place for place, arm in enumerate(self.before.arms)}
        return np.array([known.get(str(arm), -1) for arm in arms], np.intp)

    def _absent(self) -> list[int]:
        """Return the positions in the previous table of arms without a row today."""
        present = set(map(str, self.present))
        return [k for k, arm in enumerate(self.before.arms) if str(arm) not in present]

    def _check_question(self, today: ArmTable, places: NDArray[np.intp], num_absent: int) -> None:
        """Raise an error unless the question is that of the previous look."""
        before = self.before
        self._check_planned(today, places, num_absent)
        changes = list(_changes(before, today, places))
        if changes:
            name, _, now, _ = changes[0]
            what = [
                phrase(
                    "{name}{whose} was {old} and is {new}",
                    name=Arg(name),
                    whose=whose,
                    old=Value(old),
                    new=Value(new),
                )
                for name, old, new, whose in changes
            ]
            listed = join(*what, by="; ")
            raise SpecError(
                phrase("The question is not that of the previous look: {what}.", what=listed),
                argument=name,
                owner=_OWNER,
                rule="be that of the previous look",
                value=now,
                remedy=_ANEW,
            )

    def _check_planned(self, today: ArmTable, places: NDArray[np.intp], num_absent: int) -> None:
        """Raise an error if more arms have come than share delta since the first look."""
        before = self.before
        count = len(today) + num_absent
        if today.control == "per-arm" or count <= before.arms_planned:
            return
        new = [printable(arm) for arm, k in zip(today.arms, places, strict=True) if k < 0]
        raise SpecError(
            f"{plural(before.arms_planned, 'arm')} share delta since the first look, and there are "
            f"{count:,} now. New: {name_some(new)}.",
            argument="arms_planned",
            owner=_OWNER,
            rule="be that of the first look, for all arms that ever join",
            value=count,
            remedy=phrase(
                "Leave out the new arms, or begin anew {without}, with {planned}.",
                without=_WITHOUT,
                planned=Arg("arms_planned", max(count, today.arms_planned)),
            ),
        )


def _stopped(
    logs: NDArray[np.float64], labels: NDArray[np.int8], places: NDArray[np.intp], label: Label
) -> NDArray[np.float64]:
    """Return the e-values that count on one list: nan for arms that are on none yet."""
    own = np.where(labels == CODES[label], logs, np.where(labels == 0, np.nan, -np.inf))
    return np.where(places < 0, np.nan, own[places]) if len(own) else np.full(len(places), np.nan)


def _since(table: ArmTable) -> NDArray[np.int64]:
    """Return each arm's pulls at the look that labelled it, 0 without a label."""
    if table.labelled_pulls is not None:
        return table.labelled_pulls
    return np.where(table.labels == CODES["undecided"], 0, table.pulls)


def _changes(
    before: ArmTable, today: ArmTable, places: NDArray[np.intp]
) -> Iterator[tuple[str, object, object, str]]:
    """Yield what differs: the argument, its value before, and now, and whose or which part."""
    rows = np.flatnonzero(places >= 0)
    places = places[rows]
    for name, old, new in (
        ("threshold", get_thresholds(before)[places], get_thresholds(today)[rows]),
        ("pool", _sizes(before)[places], _sizes(today)[rows]),
    ):
        differ = np.flatnonzero(old != new)
        is_one = len(set(old.tolist())) == len(set(new.tolist())) == 1
        for k in differ[:1] if is_one else differ[:_MAX_CHANGES]:
            whose = "" if is_one else f" of {printable(today.arms[rows[k]])}"
            yield name, old[k].item() or None, new[k].item() or None, whose
    for name in _ASKED:
        old, new = getattr(before, name), getattr(today, name)
        is_shared = today.control != "per-arm" if name == "arms_planned" else True
        is_derived = name == "case_order" and None in (old, new)
        if old != new and is_shared and not is_derived:
            yield name, old, new, ""
    settings, others = before.rule_parameters or {}, today.rule_parameters or {}
    if (before.rule, before.gap) == (today.rule, today.gap):
        for name in sorted(settings.keys() & others.keys()):
            if settings[name] != others[name]:
                yield "rule", settings[name], others[name], f"'s {name}"
    if before.delta_listed != today.delta_listed and today.control == "fdr":
        yield "delta", before.delta_listed, today.delta_listed, " of the lists"


def _sizes(table: ArmTable) -> NDArray[np.int64]:
    """Return each arm's number of cases, 0 without a pool."""
    return np.full(len(table), table.pool or 0) if table.pools is None else table.pools


def _check_counts(earlier: ArmTable, today: ArmTable, rows: NDArray[np.intp]) -> None:
    """Raise an error unless the counts of these rows are the earlier ones and more."""
    old_n, new_n = earlier.pulls, today.pulls[rows]
    old_s, new_s = _sums(earlier.mean, old_n), _sums(today.mean[rows], new_n)
    more_n, more_s = new_n - old_n, new_s - old_s
    slack = _ROUNDING * (1.0 + abs(old_s) + abs(new_s))
    is_rate = today.rewards == "bernoulli"
    low, high = (0.0, 1.0) if today.low is None or today.high is None else (today.low, today.high)
    if today.rewards == "gaussian":
        low, high = -np.inf, np.inf
    with np.errstate(invalid="ignore"):
        least, most = (np.where(more_n == 0, 0.0, end * more_n) for end in (low, high))
    is_wrong = (more_n < 0) | (more_s < least - slack) | (more_s > most + slack)
    faults = []
    for k in np.flatnonzero(is_wrong).tolist():
        arm = printable(earlier.arms[k])
        what, one, two = "pulls", float(old_n[k]), float(new_n[k])
        if more_n[k] >= 0 and is_rate and more_s[k] < 0:
            what, one, two = "successes", old_s[k], new_s[k]
        elif more_n[k] >= 0 and is_rate:
            what, one, two = "failures", old_n[k] - old_s[k], new_n[k] - new_s[k]
        if more_n[k] < 0 or is_rate:
            faults.append(f"{arm} had {format_count(one)} {what} and has {format_count(two)}")
        else:
            sums = f"{format_number(old_s[k])} to {format_number(new_s[k])}"
            pulls = plural(int(more_n[k]), "more pull")
            faults.append(f"{arm} went from a sum of {sums} with {pulls}")
    if faults:
        raise SpecError(
            f"The counts are not those of the previous look and more: {name_some(faults, 4)}.",
            argument="counts",
            owner=_OWNER,
            rule="be those of the previous look and more",
            remedy=phrase(
                "Count each pull once, when its outcome is final. If this is another table, begin "
                "anew {without}.",
                without=_WITHOUT,
            ),
        )


def _sums(mean: NDArray[np.float64], pulls: NDArray[np.int64]) -> NDArray[np.float64]:
    sums = np.where(pulls > 0, np.nan_to_num(mean) * pulls, 0.0)
    whole = np.rint(sums)
    return np.where(abs(sums - whole) <= _ROUNDING * (1.0 + abs(sums)), whole, sums)


def _keep_labels(
    earlier: ArmTable, today: ArmTable, rows: NDArray[np.intp]
) -> tuple[dict[str, NDArray[Any]], dict[int, str]]:
    """Return the columns of today with the labels of earlier looks, and a mark for each kept one.

    Under fdr a listed arm keeps its bounds and e-values. Otherwise they go on with the counts, but
    for the bound that proved the label, which stays.
    """
    columns = {name: getattr(today, name).copy() for name in _COLUMNS}
    since = _since(today).copy()
    memory: dict[int, str] = {}
    was, now = earlier.labels, today.labels[rows]
    had = was != CODES["undecided"]
    since[rows[had]] = _since(earlier)[had]
    is_frozen = today.control == "fdr"
    chosen = had if is_frozen else had & (was != now)
    at = rows[chosen]
    columns["labels"][at] = was[chosen]
    columns["needed"][at] = columns["needed_90"][at] = 0.0
    lower, upper = earlier.lower[chosen], earlier.upper[chosen]
    if is_frozen:
        for name in ("log_good", "log_bad"):
            columns[name][at] = getattr(earlier, name)[chosen]
    else:
        is_good = was[chosen] == CODES["good"]
        own_lower, own_upper = columns["lower"][at], columns["upper"][at]
        lower = np.where(is_good, np.maximum(lower, own_lower), own_lower)
        upper = np.where(is_good, own_upper, np.minimum(upper, own_upper))
        # Where today's counts say the opposite the two bounds cross; a wider one is valid, too.
        upper = np.where(is_good, np.maximum(upper, lower), upper)
        lower = np.where(is_good, lower, np.minimum(lower, upper))
    columns["lower"][at], columns["upper"][at] = lower, upper
    for row, label in zip(at.tolist(), today.labels[at].tolist(), strict=True):
        is_opposed = label != CODES["undecided"] and not is_frozen
        memory[row] = "opposed" if is_opposed else "kept"
    return {**columns, "labelled_pulls": since}, memory


def _join_own(today: ArmTable, rest: ArmTable) -> dict[str, Any]:
    """Return the thresholds and pools of both tables: one for all arms, or each arm's own."""
    bars = np.concatenate([get_thresholds(today), get_thresholds(rest)])
    is_one = bool((bars == bars[:1]).all())
    found: dict[str, Any] = {
        "threshold": float(bars[0]) if is_one else None,
        "thresholds": None if is_one else bars,
    }
    if today.pool is not None or today.pools is not None:
        sizes = np.concatenate([_sizes(today), _sizes(rest)])
        is_one = bool((sizes == sizes[:1]).all())
        found |= {"pool": int(sizes[0]) if is_one else None, "pools": None if is_one else sizes}
    return found


def _join_money(today: ArmTable, rest: ArmTable) -> dict[str, Any]:
    """Return the money of both tables, none without today's; unknown for arms without any."""
    if today.cost is None or today.spent is None:
        return {"cost": None, "spent": None}
    nothing = np.full(len(rest), np.nan)
    return {
        "cost": np.concatenate([today.cost, nothing if rest.cost is None else rest.cost]),
        "spent": np.concatenate([today.spent, nothing if rest.spent is None else rest.spent]),
    }
