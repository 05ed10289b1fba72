"""Rewards that wait behind a missing one, and the sentences about them."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Protocol

from goodarm.problem import Arm
from goodarm.views.names import printable
from goodarm.views.numbers import plural
from goodarm.views.times import format_past

LONG_SECONDS: Final = 60.0
"""Seconds after which a missing pull gets a note; before that it is in progress."""
REMEDY: Final = (
    "An arm's test waits for a missing reward. Tell the reward, or give up the pull (forget): it "
    "then counts as the worst case. On the command line: goodarm forget URL NAME PULL. To give up "
    "by itself after some time, an experiment must be created with RewardTimeout('lost', seconds)."
)
_MAX_ARMS_NAMED: Final = 12


@dataclass(frozen=True)
class Waiting:
    """Rewards of an arm that came in and wait to enter its test, behind a missing pull.

    Args:
        rewards: how many wait.
        pull: the number of the missing pull.
        worker: who asked for it, where that is known.
        asked_at: when, in seconds since 1970, where that is known.
        until: a time by which its lease has ended, where that is known. It is no part of the JSON.

    >>> import goodarm as ga
    >>> ident = ga.Identifier(ga.Problem(["a"], threshold=0.5))
    >>> first, second = ident.ask(), ident.ask()
    >>> ident.tell(second, 1)
    >>> ident.explain("a").waits
    Waiting(rewards=1, pull=1, worker=None, asked_at=None, until=None)
    """

    rewards: int
    pull: int
    worker: str | None = None
    asked_at: float | None = None
    until: float | None = field(default=None, compare=False)

    def is_long(self, now: float | None = None) -> bool:
        """Return whether the missing pull deserves a note.

        It does once its lease has ended, after a minute, or if nobody knows when it was asked for.

        Args:
            now: the time in seconds since 1970; the clock's if None.
        """
        if self.asked_at is None:
            return True
        at = time.time() if now is None else now
        is_over = self.until is not None and at >= self.until
        return is_over or at - self.asked_at >= LONG_SECONDS

    def to_dict(self) -> dict[str, Any]:
        """Return it as a JSON object, without ``until``."""
        return {name: value for name, value in asdict(self).items() if name != "until"}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "Waiting":
        """Return the object that ``to_dict`` wrote.

        Args:
            document: what ``to_dict`` returned.
        """
        return cls(**document)


class HasWaiting(Protocol):
    """Report of an arm that may have waiting rewards."""

    @property
    def arm(self) -> Arm:
        """Label of the arm."""

    @property
    def waits(self) -> Waiting | None:
        """Rewards that wait; None if none do."""


def describe_waiting(waits: Waiting, now: float | None = None) -> str:
    """Describe how many rewards wait, behind which pull, and since when.

    >>> describe_waiting(Waiting(1034, 1, "dead", 1000.0), 8300.0)
    '1,034 rewards wait behind pull 1 (worker dead, asked 2 h ago)'
    >>> describe_waiting(Waiting(1, 7))
    '1 reward waits behind pull 7'
    """
    many = plural(waits.rewards, "reward waits", "rewards wait")
    known = [] if waits.worker is None else [f"worker {printable(waits.worker)}"]
    if waits.asked_at is not None:
        known.append(f"asked {format_past(waits.asked_at, now)}")
    return f"{many} behind pull {waits.pull:,}" + (f" ({', '.join(known)})" if known else "")


def describe_waiting_rewards(reports: Iterable[HasWaiting], now: float | None = None) -> list[str]:
    """Describe each arm whose rewards have waited for long, the most first, and the remedy.

    An empty list if there is none.
    """
    found = [
        (each.arm, each.waits)
        for each in reports
        if each.waits is not None and each.waits.is_long(now)
    ]
    if not found:
        return []
    found.sort(key=lambda each: -each[1].rewards)
    notes = [
        f"{printable(arm)}: {describe_waiting(waits, now)}."
        for arm, waits in found[:_MAX_ARMS_NAMED]
    ]
    if len(found) > _MAX_ARMS_NAMED:
        notes.append(f"Rewards of {len(found) - _MAX_ARMS_NAMED:,} more arms wait, too.")
    return [*notes, REMEDY]
