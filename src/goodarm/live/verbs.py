"""Verbs: everything that can be done to an experiment, one function each, and the table of them.

A verb validates its fields, acts once, and returns the event to append to the journal. An error
before the act leaves the state as it was. An error within it leaves ``state.is_changing`` set: then
drop the state and read it again. Verbs read no clock: ``now`` is an argument.

To add a verb, write its function and its entry in ``VERBS``; a new kind of event goes into
``events``. The store, the HTTP routes, the client and the forms of the pages read the table.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple

from goodarm.arguments import as_float, check_count
from goodarm.errors import ProtocolError, must
from goodarm.live.core import AskedPulls
from goodarm.live.events import (
    ArmAdded,
    ArmTakenOut,
    Event,
    ExperimentClosed,
    ExperimentPaused,
    ExperimentResumed,
    LeasesExpired,
    NoteAdded,
    PullsAsked,
    PullsForgotten,
    RequestRecorded,
    RewardsObserved,
    RewardsTold,
)
from goodarm.live.identifier import MAX_BATCH_PULLS
from goodarm.live.state import ExperimentState
from goodarm.live.validation import (
    block_of,
    check_added,
    check_all_told,
    check_forgotten,
    check_observed,
    check_taken_out,
)
from goodarm.problem import Arm
from goodarm.results import Pull

MAX_NOTE_CHARACTERS: Final = 2000

Scope = Literal["run", "admin"]
FieldType = Literal["arm", "count", "flag", "number", "numbers", "pull", "pulls", "text", "whole"]

_CLOSED: Final = "The experiment is closed: nothing is asked or told any more."


class Outcome(NamedTuple):
    """Result of a verb: the event, if anything is to be recorded, and the pulls of an ask."""

    event: Event | None
    held: tuple[int, ...] = ()
    """pulls that the worker held before"""

    def pulls(self, state: ExperimentState) -> list[Pull]:
        """Return the pulls that an ask answers with; none for the other verbs."""
        event = self.event
        if not isinstance(event, PullsAsked):
            return [state.pull(number) for number in self.held]
        new = range(event.first, event.first + len(event.arms))
        return [state.pull(number) for number in (*event.again, *new)]


def ask(
    state: ExperimentState,
    at: float,
    count: int = 1,
    worker: str | None = None,
    lease: float | None = None,
) -> Outcome:
    """Ask for at most ``count`` pulls; a worker gets the same ones again until they are told."""
    count = check_count("count", "ask", count, most=MAX_BATCH_PULLS)
    until = None
    if lease is not None:
        seconds = as_float(lease)
        if seconds is None or not 0 < seconds < float("inf"):
            raise must("lease", "ask", "be a number of seconds above 0", lease)
        until = at + seconds
    if worker is not None:
        if not isinstance(worker, str) or not worker:
            raise must("worker", "ask", "be a name", worker)
        held = tuple(state.by_worker.get(worker, ()))
        if held:
            return Outcome(None, held)
    if state.is_paused:
        raise ProtocolError("The experiment is paused: nothing is asked until it is resumed.")
    again = tuple(list(state.again)[:count])
    asked = AskedPulls(state.core.arms.asked + 1, [], None)
    if count > len(again):
        state.is_changing = True
        asked = state.core.ask(count - len(again))
        state.is_changing = False
    first, arms, cases = asked
    if not arms and not again:
        return Outcome(None)
    drawn = tuple(cases) if cases else None
    return _record(state, PullsAsked(at, first, tuple(arms), drawn, again, worker, until))


def tell(
    state: ExperimentState, at: float, pulls: Sequence[Pull], rewards: Sequence[float]
) -> Outcome:
    """Tell the rewards of pulls."""
    told = check_all_told(state.core, pulls, rewards, "tell")
    if not told:
        return Outcome(None)
    return _tell(state, at, tuple(told), tuple(told.values()))


def _tell(
    state: ExperimentState,
    at: float,
    numbers: tuple[int, ...],
    rewards: tuple[float, ...],
    is_silence: bool = False,
) -> Outcome:
    state.is_changing = True
    labels = tuple(state.core.tell(numbers, rewards))
    return _record(state, RewardsTold(at, numbers, rewards, labels, is_silence))


def forget(
    state: ExperimentState,
    at: float,
    pulls: Sequence[Pull],
    loss_is_independent: bool = False,
) -> Outcome:
    """Give up pulls whose rewards will not come: as the worst case, or as never made."""
    found = [check_forgotten(state.core, pull, loss_is_independent, "forget") for pull in pulls]
    numbers = tuple(dict.fromkeys(number for number in found if number is not None))
    return _forget(state, at, numbers, loss_is_independent) if numbers else Outcome(None)


def _forget(
    state: ExperimentState,
    at: float,
    numbers: tuple[int, ...],
    is_independent: bool,
    is_silence: bool = False,
) -> Outcome:
    state.is_changing = True
    labels = tuple(state.core.forget(numbers, is_independent))
    return _record(state, PullsForgotten(at, numbers, is_independent, labels, is_silence))


def observe(
    state: ExperimentState,
    at: float,
    arm: Arm,
    rewards: Sequence[float],
    cases: Sequence[int] | None = None,
) -> Outcome:
    """Add rewards of an arm that nobody asked for, as one block in any order."""
    checked = check_observed(state.core, arm, rewards, cases, "observe")
    if checked is None:
        return Outcome(None)
    position, values, drawn = checked
    state.is_changing = True
    labels = state.core.observe(position, block_of(state.core.problem, values), drawn)
    used = None if drawn is None else tuple(drawn)
    return _record(state, RewardsObserved(at, position, tuple(values), used, tuple(labels)))


def add_arm(state: ExperimentState, at: float, arm: Arm, pool: int | None = None) -> Outcome:
    """Add an arm, within the problem's ``arms_planned``; ``pool`` is the number of its cases."""
    check_added(state.core, arm)
    problem = state.core.problem.with_arm(arm, pool, "add_arm")
    state.is_changing = True
    state.core.add_arm(arm, pool, "add_arm")
    return _record(state, ArmAdded(at, problem.arms[-1], pool))


def take_out(state: ExperimentState, at: float, arm: Arm) -> Outcome:
    """Never ask this arm again; it stays undecided, and keeps its place in ``arms_planned``."""
    position = check_taken_out(state.core, arm, "take_out")
    if position is None:
        return Outcome(None)
    state.is_changing = True
    state.core.take_out(position)
    return _record(state, ArmTakenOut(at, position))


def note(state: ExperimentState, at: float, text: str, arm: Arm | None = None) -> Outcome:
    """Write a remark on the experiment, or on one of its arms, into the journal."""
    position = None if arm is None else state.core.problem.position(arm, "note")
    return _record(state, NoteAdded(at, check_note(text), position))


def check_note(text: object) -> str:
    """Return the text of a remark without space around it; raise an error if it cannot be one."""
    if not isinstance(text, str) or not text.strip() or len(text) > MAX_NOTE_CHARACTERS:
        rule = f"be a text of 1 to {MAX_NOTE_CHARACTERS} characters"
        raise must("text", "note", rule, text)
    return text.strip()


def pause(state: ExperimentState, at: float) -> Outcome:
    """Ask nothing until it is resumed; rewards may still be told."""
    return Outcome(None) if state.is_paused else _record(state, ExperimentPaused(at))


def resume(state: ExperimentState, at: float) -> Outcome:
    """Go on asking."""
    return _record(state, ExperimentResumed(at)) if state.is_paused else Outcome(None)


def close(state: ExperimentState, at: float) -> Outcome:
    """End the experiment for good: nothing is asked or told any more."""
    return Outcome(None) if state.is_closed else _record(state, ExperimentClosed(at))


def create(state: ExperimentState, at: float) -> Outcome:
    """Record that the experiment was created, under a key, and by whom."""
    return Outcome(None)


@dataclass(frozen=True)
class Field:
    """A field of a verb.

    Args:
        name: in Python, in JSON and on the pages.
        type: what it holds.
        is_required: whether it must be given.
        least, most: limits of a number, or of a text's length.
        help: one line for the API document and the page.
    """

    name: str
    type: FieldType
    is_required: bool = True
    least: int | None = None
    most: int | None = None
    help: str = ""


@dataclass(frozen=True)
class Verb:
    """An entry in the table of verbs.

    Args:
        name: method of an experiment, and function of this module.
        act: the function.
        fields: its fields, in the order of the arguments.
        scope: what a token must allow.
        path: route below the experiment's address; None if the routes are written by hand.
        is_repeatable: whether doing it again changes nothing, so that a client may repeat it
            without a key.
        event: kind of event that it records.
        sentence: what the journal page says; fields of the event stand in braces.
        kind: name in the hash of a request, where it differs from ``name``.
        form: title of its form on the experiment's page; None if it has none.
    """

    name: str
    act: Callable[..., Outcome]
    fields: tuple[Field, ...]
    scope: Scope
    event: type[Event]
    sentence: str
    path: str | None = None
    is_repeatable: bool = True
    kind: str | None = None
    form: str | None = None

    @property
    def route(self) -> str:
        """Path of its route, behind the experiment's own."""
        if self.path is None:
            raise LookupError(f"The routes of {self.name!r} are written by hand.")
        return self.path if self.path.startswith(":") else f"/{self.path}"

    def digest(self, fields: Mapping[str, Any]) -> str:
        """Return the hash by which a request is known again under its key."""
        document = {"kind": self.kind or self.name, **fields}
        text = json.dumps(document, sort_keys=True, allow_nan=False, default=float)
        return hashlib.sha256(text.encode()).hexdigest()


_ARM: Final = Field("arm", "arm", help="Label of the arm.")

VERBS: Final[dict[str, Verb]] = {
    each.name: each
    for each in (
        Verb(
            "ask",
            ask,
            (
                Field("count", "count", False, 1, None, "Pulls to make side by side."),
                Field("worker", "text", False, 1, 200, "Worker who gets the pulls."),
                Field("lease", "number", False, help="Seconds after which others may have them."),
            ),
            "run",
            PullsAsked,
            "gave pulls to {worker}",
            is_repeatable=False,
        ),
        Verb(
            "tell",
            tell,
            (Field("pulls", "pulls"), Field("rewards", "numbers")),
            "run",
            RewardsTold,
            "told rewards",
        ),
        Verb(
            "forget",
            forget,
            (Field("pulls", "pulls"), Field("loss_is_independent", "flag", False)),
            "run",
            PullsForgotten,
            "gave pulls up",
        ),
        Verb(
            "observe",
            observe,
            (
                _ARM,
                Field("rewards", "numbers", help="Rewards in any order."),
                Field("cases", "numbers", False, help="Case of each reward, in a pool."),
            ),
            "run",
            RewardsObserved,
            "added rewards of {arm}",
            path="arms:observe",
            is_repeatable=False,
        ),
        Verb(
            "add_arm",
            add_arm,
            (_ARM, Field("pool", "whole", False, 1, help="Number of its cases, in a pool.")),
            "admin",
            ArmAdded,
            "added {arm}",
            path="arms:add",
            is_repeatable=False,
            kind="add",
            form="Add an arm",
        ),
        Verb(
            "take_out",
            take_out,
            (_ARM,),
            "admin",
            ArmTakenOut,
            "took {arm} out",
            path="arms:take_out",
            form="Take an arm out",
        ),
        Verb(
            "note",
            note,
            (
                Field("text", "text", True, 1, MAX_NOTE_CHARACTERS, "The remark."),
                Field("arm", "arm", False, help="The arm that it is about; none for all."),
            ),
            "run",
            NoteAdded,
            "{text}",
            path=":note",
            is_repeatable=False,
            form="Write a note",
        ),
        Verb("pause", pause, (), "admin", ExperimentPaused, "paused", path=":pause"),
        Verb("resume", resume, (), "admin", ExperimentResumed, "resumed", path=":resume"),
        Verb("close", close, (), "admin", ExperimentClosed, "closed", path=":close"),
        Verb("create", create, (), "admin", RequestRecorded, "created"),
    )
}


def perform(
    state: ExperimentState,
    verb: Verb,
    fields: Mapping[str, Any],
    now: float,
    *,
    by: str | None = None,
    is_recorded: bool = False,
) -> Outcome:
    """Do a verb and return its outcome.

    Args:
        state: the experiment, which is changed.
        verb, fields: an entry of the table, and what it is done with.
        now: time of the writer; an event is never earlier than the one before.
        by: the person or token that asks for it.
        is_recorded: whether an event is recorded even if nothing changes, because the request has
            a key.
    """
    if state.is_closed and verb.act is not close:
        raise ProtocolError(_CLOSED)
    at = max(now, state.at)
    outcome = verb.act(state, at, **fields)
    if outcome.event is None and is_recorded:
        event: Event = RequestRecorded(at)
        if verb.act is ask:
            first = state.core.arms.asked + 1
            event = PullsAsked(at, first, again=outcome.held, worker=fields.get("worker"))
        outcome = _record(state, event)
    if by is not None and outcome.event is not None:
        outcome = outcome._replace(event=replace(outcome.event, by=by))
    return outcome


def expire(state: ExperimentState, now: float) -> Event | None:
    """Do what the time has brought, one event at a time; return None if nothing more is due.

    Leases end, and pulls whose reward is missing for too long are counted as the settings say.
    """
    at = max(now, state.at)
    if state.is_closed:
        return None
    silence = state.settings.silence
    if silence.seconds is not None:
        silent = state.asked_before(at - silence.seconds)
        if silent and silence.otherwise is not None:
            rewards = (float(silence.otherwise),) * len(silent)
            return _tell(state, at, silent, rewards, is_silence=True).event
        if silent:
            return _forget(state, at, silent, silence.is_independent, is_silence=True).event
    ended = state.leases_ended(at)
    return _record(state, LeasesExpired(at, ended)).event if ended else None


def nothing_left(state: ExperimentState) -> ProtocolError:
    """Return the error that says why an ask had no pulls."""
    if state.is_closed:
        return ProtocolError(_CLOSED)
    if not state.core.is_done and state.leases:
        return ProtocolError(
            "There is nothing left to ask: all that may be asked is out. Tell or forget it."
        )
    return state.core.nothing_left()


def _record(state: ExperimentState, event: Event) -> Outcome:
    state.is_changing = True
    state.finish(event)
    return Outcome(event)
