"""Answers of one run: the pull to make, one arm's numbers, the verdict on all arms."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from goodarm.problem import Arm, Label
from goodarm.results.waiting_rewards import Waiting


class Pull(NamedTuple):
    """Pull to make: pull this arm and tell its reward under this number (the first is 1).

    Args:
        number: the pull's number.
        arm: the arm's label.
        case: the case of the arm's pool to make it on, from 0 to N - 1; None without a pool.

    >>> import goodarm as ga
    >>> ga.Identifier(ga.Problem(["a", "b"], threshold=0.5)).ask()
    Pull(number=1, arm='a')
    """

    number: int
    arm: Arm
    case: int | None = None

    def __repr__(self) -> str:
        case = "" if self.case is None else f", case={self.case}"
        return f"Pull(number={self.number}, arm={self.arm!r}{case})"


@dataclass(frozen=True)
class Verdict:
    """Arms proven good (in order of identification), proven bad, and undecided.

    Args:
        good: the arms that are proven good, in order of identification.
        bad: the arms that are proven bad.
        undecided: all others.
        pulls: the rewards that have come in so far, and the pulls that were lost.
        cost: the money of the pulls that were asked; None without costs.

    >>> import goodarm as ga
    >>> ident = ga.Identifier(ga.Problem(["a", "b"], threshold=0.5))
    >>> ident.observe("a", [1] * 30)
    >>> ident.verdict
    Verdict(good=['a'], bad=[], undecided=['b'], pulls=30)
    """

    good: list[Arm]
    bad: list[Arm]
    undecided: list[Arm]
    pulls: int
    cost: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as a JSON document; it has no cost where pulls have none."""
        found = {"kind": "verdict", "format": 1, **asdict(self)}
        if self.cost is None:
            del found["cost"]
        return found

    def __repr__(self) -> str:
        shown = {name: value for name, value in vars(self).items() if value is not None}
        return f"Verdict({', '.join(f'{name}={value!r}' for name, value in shown.items())})"


@dataclass(frozen=True)
class ArmReport:
    """Numbers of one arm; once the arm is labelled they are those that decided, and stay.

    Args:
        arm: the label the user gave.
        pulls: rewards that entered the arm's test.
        mean: their average, without lost pulls; None before the first.
        lower, upper: the interval whose crossing of the threshold labels the arm. Each bound holds
            for all arms at once, at every moment, with probability 1 - delta, both together with
            1 - 2 delta. None before the first reward, and for rules that have none.
        e_good, e_bad: the e-values against "not good" and "not bad"; None for rules without them.
        label: "good", "bad" or "undecided".
        labelled_at: total pulls when the arm was labelled.
        pulls_needed: further pulls of this arm until a label, the median: as likely too many as too
            few if every mean was equally likely beforehand. 0 for a labelled arm; None before the
            first pull, and where it is unclear: above 100,000 and a thousand times the arm's pulls.
        pulls_needed_90: as many as are enough in 90 % of all cases.
        reason: why an arm without a label is out of play; None while it is not.
        waits: rewards that came in and are not among ``pulls``, because they wait behind a missing
            one; None if none do.
        p_good, p_bad: the p-values against "not good" and "not bad" of a table for one look, which
            has no e-values and no pulls needed.
        labelled_pulls: this arm's pulls at the look that labelled it, where labels are kept.
        memory: what became of the arm since the previous look, where labels are kept: "kept",
            "opposed", "new" or "absent" (see ArmTable).
        lost: how many of the pulls have no reward, and count as the worst case in both tests; None
            in a table of counts that does not say.
        cost: what a pull of the arm costs, where pulls have a cost.
        spent: the money spent on the arm's pulls.

    >>> import goodarm as ga
    >>> report = ga.check({"a": (500, 460)}, threshold=0.8)["a"]
    >>> report.label, report.mean
    ('good', 0.92)
    """

    arm: Arm
    pulls: int
    mean: float | None
    lower: float | None
    upper: float | None
    e_good: float | None
    e_bad: float | None
    label: Label
    labelled_at: int | None
    pulls_needed: int | None
    pulls_needed_90: int | None = None
    reason: str | None = None
    waits: Waiting | None = None
    p_good: float | None = None
    p_bad: float | None = None
    labelled_pulls: int | None = None
    memory: str | None = None
    lost: int | None = None
    cost: float | None = None
    spent: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the row as JSON; the keys from reason on are left out where they are None."""
        found = dict(vars(self))
        waits = found.pop("waits")
        names = ("reason", "p_good", "p_bad", "labelled_pulls", "memory", "lost", "cost", "spent")
        for name in names:
            if found[name] is None:
                del found[name]
        return found if waits is None else {**found, "waits": waits.to_dict()}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "ArmReport":
        """Return the row that ``to_dict`` wrote.

        Args:
            document: what ``to_dict`` returned.
        """
        waits = document.get("waits")
        return cls(**{**document, "waits": None if waits is None else Waiting.from_dict(waits)})
