"""What happened to an experiment, one entry after the other: small frozen values with a JSON form.

Arms stand in them as positions, but for one that joins, and pulls as numbers. ``at`` is the time of
the writer, in seconds since 1970; it never falls from entry to entry.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final

from goodarm.errors import SpecError, must_be_one_of
from goodarm.identifier.trying import Labelled
from goodarm.problem import Arm

FORMAT: Final = 1


@dataclass(frozen=True)
class Entry:
    """The base of all entries."""

    kind: ClassVar[str]
    at: float
    by: str | None = field(default=None, kw_only=True)
    """who did it, where that is known"""

    def to_dict(self) -> dict[str, Any]:
        """The entry as JSON: what is empty is left out."""
        found = {
            name: _as_json(name, value)
            for name, value in vars(self).items()
            if not (value is None or value is False or value == ())
        }
        return {"kind": self.kind, "format": FORMAT, **found}


def _as_json(name: str, value: Any) -> Any:
    """Rewards that are 0 or 1 are written as that, which most of them are."""
    if name == "labels":
        return [label._asdict() for label in value]
    if name == "rewards":
        return [int(reward) if reward in (0, 1) else reward for reward in value]
    return value


@dataclass(frozen=True)
class Asked(Entry):
    """Pulls were given to a worker: new ones of these arms, and old ones that are leased again."""

    kind: ClassVar[str] = "asked"
    first: int
    """the number of the first new pull; the others follow"""
    arms: tuple[int, ...] = ()
    cases: tuple[int, ...] | None = None
    again: tuple[int, ...] = ()
    worker: str | None = None
    until: float | None = None
    """when the lease ends"""


@dataclass(frozen=True)
class Told(Entry):
    """Rewards came in; ``is_silence`` if nobody told them and their time was over."""

    kind: ClassVar[str] = "told"
    pulls: tuple[int, ...]
    rewards: tuple[float, ...]
    labels: tuple[Labelled, ...] = ()
    is_silence: bool = False


@dataclass(frozen=True)
class Forgotten(Entry):
    """Pulls were given up: as the worst case, or as never made."""

    kind: ClassVar[str] = "forgotten"
    pulls: tuple[int, ...]
    is_independent: bool = False
    labels: tuple[Labelled, ...] = ()
    is_silence: bool = False


@dataclass(frozen=True)
class Observed(Entry):
    """Rewards of an arm came in that nobody had asked for."""

    kind: ClassVar[str] = "observed"
    arm: int
    rewards: tuple[float, ...]
    cases: tuple[int, ...] | None = None
    labels: tuple[Labelled, ...] = ()


@dataclass(frozen=True)
class Expired(Entry):
    """Leases ended; the pulls may still be told, and count in their own places."""

    kind: ClassVar[str] = "expired"
    pulls: tuple[int, ...]


@dataclass(frozen=True)
class Added(Entry):
    """An arm joined, within the arms that were planned; ``pool`` is the number of its cases."""

    kind: ClassVar[str] = "added"
    arm: Arm
    pool: int | None = None


@dataclass(frozen=True)
class TakenOut(Entry):
    """An arm is never asked again; it has no label, and keeps its place in those planned."""

    kind: ClassVar[str] = "taken_out"
    arm: int


@dataclass(frozen=True)
class Noted(Entry):
    """A request came that changes nothing; it is written down because it had a key.

    So is the creation of an experiment, where it is known who did it.
    """

    kind: ClassVar[str] = "noted"


@dataclass(frozen=True)
class Paused(Entry):
    """Nothing is asked until it is resumed."""

    kind: ClassVar[str] = "paused"


@dataclass(frozen=True)
class Resumed(Entry):
    """Asking goes on."""

    kind: ClassVar[str] = "resumed"


@dataclass(frozen=True)
class Closed(Entry):
    """Nothing is asked or told any more."""

    kind: ClassVar[str] = "closed"


KINDS: Final[dict[str, type[Entry]]] = {
    each.kind: each
    for each in (
        *(Asked, Told, Forgotten, Observed, Expired, Added, TakenOut, Noted),
        *(Paused, Resumed, Closed),
    )
}


def entry_from_dict(document: object) -> Entry:
    """The entry that ``to_dict`` wrote; what this version does not know is refused, not skipped."""
    if not isinstance(document, Mapping):
        raise SpecError(f"An entry of a journal must be a JSON object; got {document!r}.")
    kind, number = document.get("kind"), document.get("format")
    if number != FORMAT:
        raise SpecError(
            f"The entry's format must be {FORMAT}; got {number!r}. It may come from a newer "
            "goodarm: upgrade and try again."
        )
    if kind not in KINDS:
        raise must_be_one_of("kind", "a journal's entry", KINDS, kind)
    made = KINDS[kind]
    known = {each.name for each in fields(made)}
    given = {name: value for name, value in document.items() if name not in ("kind", "format")}
    if not set(given) <= known:
        unknown = sorted(set(given) - known)
        raise SpecError(
            f"The {kind!r} entry has keys that this version of goodarm does not know: {unknown}. "
            "Upgrade and try again."
        )
    for name, value in given.items():
        if name == "labels":
            given[name] = tuple(Labelled(**each) for each in value)
        elif isinstance(value, list):
            given[name] = tuple(value)
    try:
        return made(**given)
    except TypeError as error:
        raise SpecError(f"The {kind!r} entry is damaged: {error}.") from None
