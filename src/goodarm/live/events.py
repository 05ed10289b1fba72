"""Events of a journal: frozen values with a JSON form.

Events name arms by their positions, except for an arm that is added, and pulls by their numbers.
``at`` is the time of the writer, in seconds since 1970; it never falls from event to event. The
kinds and keys of the JSON form are those of format 1 and never change.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final

from goodarm.errors import SpecError, invalid_choice
from goodarm.live.arm_tests import LabelRecord
from goodarm.problem import Arm

JOURNAL_FORMAT: Final = 1

_ENCODER: Final = json.JSONEncoder(allow_nan=False)


@dataclass(frozen=True)
class Event:
    """Base class of all events."""

    kind: ClassVar[str]
    at: float
    by: str | None = field(default=None, kw_only=True)
    """the person or token that made the change, if known"""

    def to_dict(self) -> dict[str, Any]:
        """Return the event as JSON, without empty fields."""
        found: dict[str, Any] = {"kind": self.kind, "format": JOURNAL_FORMAT}
        for name, value in vars(self).items():
            if value is None or value is False or (isinstance(value, tuple) and not value):
                continue
            if name == "labels":
                value = [label._asdict() for label in value]
            elif name == "rewards":  # those that are 0 or 1 are written as integers
                value = [int(reward) if reward in (0, 1) else reward for reward in value]
            found[name] = value
        return found

    def to_json(self) -> str:
        """Return the text of ``to_dict``."""
        return _ENCODER.encode(self.to_dict())


@dataclass(frozen=True)
class PullsAsked(Event):
    """Pulls given to a worker: new ones of these arms, and old ones that are leased again."""

    kind: ClassVar[str] = "asked"
    first: int
    """number of the first new pull; the others follow"""
    arms: tuple[int, ...] = ()
    cases: tuple[int, ...] | None = None
    again: tuple[int, ...] = ()
    worker: str | None = None
    until: float | None = None
    """end of the lease"""


@dataclass(frozen=True)
class RewardsTold(Event):
    """Rewards that came in; ``is_silence`` if nobody told them before the timeout."""

    kind: ClassVar[str] = "told"
    pulls: tuple[int, ...]
    rewards: tuple[float, ...]
    labels: tuple[LabelRecord, ...] = ()
    is_silence: bool = False
    costs: tuple[float | None, ...] | None = None
    """money that each pull cost, None for the declared cost; None if none was told"""

    def to_json(self) -> str:
        """Return the same text; that of a single reward without an encoder, which takes longer."""
        at, pulls = self.at, self.pulls
        is_plain = len(pulls) == 1 and type(at) is float and math.isfinite(at)
        is_bare = not self.labels and not self.is_silence and self.costs is None
        if not is_plain or not is_bare or self.by is not None:
            return super().to_json()
        reward = self.rewards[0]
        told = int(reward) if reward in (0, 1) else float(reward)
        start = f'"kind": "{self.kind}", "format": {JOURNAL_FORMAT}, "at": {at!r}'
        return f'{{{start}, "pulls": [{pulls[0]:d}], "rewards": [{told!r}]}}'


@dataclass(frozen=True)
class PullsForgotten(Event):
    """Pulls that were given up: as the worst case, or as never made."""

    kind: ClassVar[str] = "forgotten"
    pulls: tuple[int, ...]
    is_independent: bool = False
    labels: tuple[LabelRecord, ...] = ()
    is_silence: bool = False


@dataclass(frozen=True)
class RewardsObserved(Event):
    """Rewards of an arm that nobody asked for."""

    kind: ClassVar[str] = "observed"
    arm: int
    rewards: tuple[float, ...]
    cases: tuple[int, ...] | None = None
    labels: tuple[LabelRecord, ...] = ()


@dataclass(frozen=True)
class LeasesExpired(Event):
    """Leases that ended; the pulls may still be told, and count in their own places."""

    kind: ClassVar[str] = "expired"
    pulls: tuple[int, ...]


@dataclass(frozen=True)
class ArmAdded(Event):
    """An arm that was added, within the arms planned.

    ``pool`` is the number of its cases, ``cost`` what a pull of it costs.
    """

    kind: ClassVar[str] = "added"
    arm: Arm
    pool: int | None = None
    cost: float | None = None


@dataclass(frozen=True)
class ArmTakenOut(Event):
    """An arm that is never asked again; it has no label, and keeps its place in those planned."""

    kind: ClassVar[str] = "taken_out"
    arm: int


@dataclass(frozen=True)
class RequestRecorded(Event):
    """A request that changed nothing, recorded because it had a key.

    The creation of an experiment is recorded so, too, if it is known who created it.
    """

    kind: ClassVar[str] = "noted"


@dataclass(frozen=True)
class NoteAdded(Event):
    """A remark by a person, on the experiment or on one of its arms."""

    kind: ClassVar[str] = "note"
    text: str
    arm: int | None = None


@dataclass(frozen=True)
class ExperimentPaused(Event):
    """Asking stopped until it is resumed."""

    kind: ClassVar[str] = "paused"


@dataclass(frozen=True)
class ExperimentResumed(Event):
    """Asking goes on after a pause."""

    kind: ClassVar[str] = "resumed"


@dataclass(frozen=True)
class ExperimentClosed(Event):
    """End of the experiment: nothing is asked or told any more."""

    kind: ClassVar[str] = "closed"


EVENT_TYPES: Final[dict[str, type[Event]]] = {each.kind: each for each in Event.__subclasses__()}


def event_from_dict(document: object) -> Event:
    """Return the event that ``to_dict`` wrote; raise an error for one that is not known."""
    if not isinstance(document, Mapping):
        raise SpecError(
            f"An entry of a journal must be a JSON object; got {document!r}.",
            argument="entry",
            owner="the journal",
            rule="be a JSON object",
            value=document,
        )
    kind, number = document.get("kind"), document.get("format")
    if number != JOURNAL_FORMAT:
        raise SpecError(
            f"The entry's format must be {JOURNAL_FORMAT}; got {number!r}.",
            argument="format",
            owner="a journal's entry",
            rule=f"be {JOURNAL_FORMAT}",
            value=number,
            remedy="It may come from a newer goodarm: upgrade and try again.",
        )
    if kind not in EVENT_TYPES:
        raise invalid_choice("kind", "a journal's entry", EVENT_TYPES, kind)
    made = EVENT_TYPES[kind]
    known = {each.name for each in fields(made)}
    given = {name: value for name, value in document.items() if name not in ("kind", "format")}
    if not set(given) <= known:
        unknown = sorted(set(given) - known)
        raise SpecError(
            f"The {kind!r} entry has keys that this version of goodarm does not know: {unknown}.",
            argument=unknown[0],
            owner="a journal's entry",
            rule="be left out",
            value=given[unknown[0]],
            remedy="Upgrade and try again.",
        )
    for name, value in given.items():
        if name == "labels":
            given[name] = tuple(LabelRecord(**each) for each in value)
        elif isinstance(value, list):
            given[name] = tuple(value)
    try:
        return made(**given)
    except TypeError as error:
        raise SpecError(
            f"The {kind!r} entry is damaged: {error}.",
            argument="entry",
            owner="the journal",
            rule="have its keys",
        ) from None
