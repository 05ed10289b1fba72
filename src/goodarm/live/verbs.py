"""Verbs: everything that can be done to an experiment, one function each, and the table of them.

A verb validates its fields, acts once, and returns the event to append to the journal. An error
before the act leaves the state as it was. An error within it leaves ``state.is_changing`` set: then
drop the state and read it again. Verbs read no clock: ``now`` is an argument.

To add a verb, write its function and its entry in ``VERBS``, and its method in ``experiment``; a
new kind of event goes into ``events``. The HTTP routes with their models, the client's requests,
the forms of the pages and the sentences of the journal page are made from the table.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple

from goodarm.arguments import as_float, check_count
from goodarm.errors import CLOSED, PAUSED, ProtocolError, invalid_argument
from goodarm.live.arm_selection import make_no_pulls_error
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
from goodarm.live.experiment_state import ExperimentState
from goodarm.live.identifier import MAX_BATCH_PULLS
from goodarm.live.identifier_core import AskedPulls
from goodarm.live.settings import RewardTimeout
from goodarm.live.validation import (
    KEEP_REWARD,
    NOT_FORGOTTEN,
    check_added,
    check_all_told,
    check_forgotten,
    check_observed,
    check_taken_out,
    check_told_costs,
    make_block,
)
from goodarm.problem import MAX_COST, Arm, from_money_units
from goodarm.results import Pull

MAX_NOTE_CHARACTERS: Final = 2000

_MONEY: Final = ("cost", "costs")
"""Fields that take no part in the hash of a request that has none: hashes of old ones stay."""
Scope = Literal["run", "admin"]
FieldType = Literal["arm", "cases", "costs", "count", "flag", "number", "pulls", "rewards", "text"]


class VerbResult(NamedTuple):
    """Result of a verb: the event, if anything is to be recorded, and the pulls of an ask."""

    event: Event | None
    held: tuple[int, ...] = ()
    """pulls that the worker held before"""

    def pulls(self, state: ExperimentState) -> list[Pull]:
        """Return the pulls that an ask answers with; none for the other verbs."""
        event = self.event
        if not isinstance(event, PullsAsked):
            return [state.pull(number) for number in self.held] if self.held else []
        new = range(event.first, event.first + len(event.arms))
        return [state.pull(number) for number in (*event.again, *new)]


def ask(
    state: ExperimentState,
    at: float,
    count: int = 1,
    worker: str | None = None,
    lease: float | None = None,
) -> VerbResult:
    """Ask for at most ``count`` pulls; a worker gets the same ones again until they are told."""
    count = check_count("count", "ask", count, most=MAX_BATCH_PULLS)
    until = None
    if lease is not None:
        seconds = as_float(lease)
        if seconds is None or not 0 < seconds < float("inf"):
            raise invalid_argument("lease", "ask", "be a number of seconds above 0", lease)
        until = at + seconds
    if worker is not None:
        if not isinstance(worker, str) or not worker:
            raise invalid_argument("worker", "ask", "be a name", worker)
        held = tuple(state.by_worker.get(worker, ()))
        if held:
            return VerbResult(None, held)
    if state.is_paused:
        raise ProtocolError(
            "The experiment is paused: no pulls can be asked for until it is resumed.",
            argument="experiment",
            owner="ask",
            rule="not be paused",
            reason=PAUSED,
        )
    again = tuple(list(state.again)[:count])
    asked = AskedPulls(state.core.arms.asked + 1, [], None)
    if count > len(again):
        state.is_changing = True
        asked = state.core.ask(count - len(again))
        state.is_changing = False
    first, arms, cases = asked
    if not arms and not again:
        return VerbResult(None)
    drawn = tuple(cases) if cases else None
    return _record(state, PullsAsked(at, first, tuple(arms), drawn, again, worker, until))


def tell(
    state: ExperimentState,
    at: float,
    pulls: Sequence[Pull],
    rewards: Sequence[float],
    costs: Sequence[float | None] | None = None,
) -> VerbResult:
    """Tell the rewards of pulls, and what they cost if that is not what was declared."""
    try:
        told = check_all_told(state.core, pulls, rewards, "tell")
    except ProtocolError as error:
        raise _explain_timeout(error, state.settings.reward_timeout) from None
    paid = check_told_costs(state.core, pulls, costs, told, "tell")
    if not told:
        return VerbResult(None)
    return _tell(state, at, tuple(told), tuple(told.values()), paid)


def _explain_timeout(error: ProtocolError, timeout: RewardTimeout) -> ProtocolError:
    """Return the error with what may be behind it: that the reward came after its timeout."""
    passed = f"If nobody did, its timeout of {timeout.seconds} s has passed"
    if timeout.meaning == "reward" and error.rule == KEEP_REWARD:
        return error.replace_fields(remedy=f"{passed}: it counts as {timeout.default}.")
    if timeout.meaning == "lost" and error.rule == NOT_FORGOTTEN:
        return error.replace_fields(remedy=f"{passed}. Ask for a new pull.")
    return error


def _tell(
    state: ExperimentState,
    at: float,
    numbers: tuple[int, ...],
    rewards: tuple[float, ...],
    paid: Mapping[int, int],
    is_silence: bool = False,
) -> VerbResult:
    state.is_changing = True
    labels = tuple(state.core.tell(numbers, rewards, costs=paid))
    costs = None
    if paid:
        own = (paid.get(number) for number in numbers)
        costs = tuple(None if cost is None else from_money_units(cost) for cost in own)
    return _record(state, RewardsTold(at, numbers, rewards, labels, is_silence, costs))


def forget(
    state: ExperimentState,
    at: float,
    pulls: Sequence[Pull],
    loss_is_independent: bool = False,
) -> VerbResult:
    """Give up pulls whose rewards will not come: as the worst case, or as never made."""
    found = [check_forgotten(state.core, pull, loss_is_independent, "forget") for pull in pulls]
    numbers = tuple(dict.fromkeys(number for number in found if number is not None))
    return _forget(state, at, numbers, loss_is_independent) if numbers else VerbResult(None)


def _forget(
    state: ExperimentState,
    at: float,
    numbers: tuple[int, ...],
    is_independent: bool,
    is_silence: bool = False,
) -> VerbResult:
    state.is_changing = True
    labels = tuple(state.core.forget(numbers, is_independent))
    return _record(state, PullsForgotten(at, numbers, is_independent, labels, is_silence))


def observe(
    state: ExperimentState,
    at: float,
    arm: Arm,
    rewards: Sequence[float],
    cases: Sequence[int] | None = None,
) -> VerbResult:
    """Add rewards of an arm that nobody asked for, as one block in any order."""
    checked = check_observed(state.core, arm, rewards, cases, "observe")
    if checked is None:
        return VerbResult(None)
    position, values, drawn = checked
    state.is_changing = True
    labels = state.core.observe(position, make_block(state.core.problem, values), drawn)
    used = None if drawn is None else tuple(drawn)
    return _record(state, RewardsObserved(at, position, tuple(values), used, tuple(labels)))


def add_arm(
    state: ExperimentState,
    at: float,
    arm: Arm,
    pool: int | None = None,
    cost: float | None = None,
) -> VerbResult:
    """Add an arm, within the problem's ``arms_planned``.

    ``pool`` is the number of its cases, ``cost`` what a pull of it costs.
    """
    check_added(state.core, arm)
    problem = state.core.problem.with_arm(arm, pool, "add_arm", cost=cost)
    state.is_changing = True
    state.core.add_arm(arm, pool, "add_arm", cost=cost)
    return _record(state, ArmAdded(at, problem.arms[-1], pool, cost))


def take_out(state: ExperimentState, at: float, arm: Arm) -> VerbResult:
    """Never ask this arm again; it stays undecided, and keeps its place in ``arms_planned``."""
    position = check_taken_out(state.core, arm, "take_out")
    if position is None:
        return VerbResult(None)
    state.is_changing = True
    state.core.take_out(position)
    return _record(state, ArmTakenOut(at, position))


def note(state: ExperimentState, at: float, text: str, arm: Arm | None = None) -> VerbResult:
    """Write a remark on the experiment, or on one of its arms, into the journal."""
    position = None if arm is None else state.core.problem.position(arm, "note")
    return _record(state, NoteAdded(at, check_note(text), position))


def check_note(text: object) -> str:
    """Return the text of a remark without space around it; raise an error if it cannot be one."""
    if not isinstance(text, str) or not text.strip() or len(text) > MAX_NOTE_CHARACTERS:
        rule = f"be a text of 1 to {MAX_NOTE_CHARACTERS} characters"
        raise invalid_argument("text", "note", rule, text)
    return text.strip()


def pause(state: ExperimentState, at: float) -> VerbResult:
    """Ask nothing until it is resumed; rewards may still be told."""
    return VerbResult(None) if state.is_paused else _record(state, ExperimentPaused(at))


def resume(state: ExperimentState, at: float) -> VerbResult:
    """Go on asking."""
    return _record(state, ExperimentResumed(at)) if state.is_paused else VerbResult(None)


def close(state: ExperimentState, at: float) -> VerbResult:
    """End the experiment for good: nothing is asked or told any more."""
    return VerbResult(None) if state.is_closed else _record(state, ExperimentClosed(at))


def create(state: ExperimentState, at: float) -> VerbResult:
    """Record that the experiment was created, under a key, and by whom."""
    return VerbResult(None)


@dataclass(frozen=True)
class Field:
    """Field of a verb.

    Args:
        name: in Python, in JSON and on the pages.
        type: what it holds. One that is not required and not given is None, a flag False.
        is_required: whether it must be given.
        least, most: limits of a number, or of a text's length.
        help: one line for the API document and the page.
        example: a value for the API document, if that of the type does not suit.
    """

    name: str
    type: FieldType
    is_required: bool = True
    least: int | None = None
    most: int | None = None
    help: str = ""
    example: str | None = None


@dataclass(frozen=True)
class Verb:
    """Entry in the table of verbs.

    Args:
        name: method of an experiment, and function of this module.
        act: the function.
        fields: its fields, in the order of the arguments.
        scope: what a token must allow.
        event: kind of event that it records.
        sentence: what the journal page says; None if the page words it by itself. Fields of the
            event stand in braces. A part in brackets is left out if its field is empty.
        path: route below the experiment's address; None if the routes are written by hand.
        operation: name of the route in the API document; ``NAME_experiment`` unless it is given.
        shows_status: whether the route answers with the experiment in short, and not with ``{}``.
        is_repeatable: whether doing it again changes nothing, so that a client may repeat it
            without a key.
        kind: name in the hash of a request, where it differs from ``name``.
        form: title of its form on the pages; None if it has none.
    """

    name: str
    act: Callable[..., VerbResult]
    fields: tuple[Field, ...]
    scope: Scope
    event: type[Event]
    sentence: str | None = None
    path: str | None = None
    operation: str | None = None
    shows_status: bool = False
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
        given = {k: value for k, value in fields.items() if k not in _MONEY or value is not None}
        document = {"kind": self.kind or self.name, **given}
        text = json.dumps(document, sort_keys=True, allow_nan=False, default=float)
        return hashlib.sha256(text.encode()).hexdigest()


_ARM: Final = Field("arm", "arm", help="Label of the arm: a text or a whole number.")

VERBS: Final[dict[str, Verb]] = {
    each.name: each
    for each in (
        Verb(
            "ask",
            ask,
            (
                Field(
                    "count", "count", False, 1, None, "Number of pulls to make at the same time."
                ),
                Field("worker", "text", False, 1, 255, "Worker that gets the pulls."),
                Field(
                    "lease",
                    "number",
                    False,
                    help="Seconds after which another worker may get them.",
                ),
            ),
            "run",
            PullsAsked,
            is_repeatable=False,
        ),
        Verb(
            "tell",
            tell,
            (
                Field("pulls", "pulls"),
                Field("rewards", "rewards"),
                Field("costs", "costs", False, help="Money that each pull cost."),
            ),
            "run",
            RewardsTold,
        ),
        Verb(
            "forget",
            forget,
            (Field("pulls", "pulls"), Field("loss_is_independent", "flag", False)),
            "run",
            PullsForgotten,
        ),
        Verb(
            "observe",
            observe,
            (
                _ARM,
                Field("rewards", "rewards", help="Rewards in any order."),
                Field("cases", "cases", False, help="Case of each reward, in a pool."),
            ),
            "run",
            RewardsObserved,
            path="arms:observe",
            operation="observe_rewards",
            is_repeatable=False,
        ),
        Verb(
            "add_arm",
            add_arm,
            (
                Field("arm", "arm", help="Label that no other arm has.", example="blue"),
                Field("pool", "count", False, 1, help="Number of its cases, in a pool."),
                Field("cost", "number", False, 0, int(MAX_COST), "Money that a pull of it costs."),
            ),
            "admin",
            ArmAdded,
            "{arm} joined",
            path="arms:add",
            operation="add_arm",
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
            "{arm} is never asked again",
            path="arms:take_out",
            operation="take_out_arm",
            form="Take an arm out",
        ),
        Verb(
            "note",
            note,
            (
                Field(
                    *(
                        "text",
                        "text",
                        True,
                        1,
                        MAX_NOTE_CHARACTERS,
                        "The remark. Nothing in a journal is changed later.",
                    ),
                    example="The supplier changed today.",
                ),
                Field(
                    *("arm", "arm", False, None, None, "The arm that it is about, if any."),
                    example="red",
                ),
            ),
            "run",
            NoteAdded,
            "[On {arm}: ]{text}",
            path=":note",
            is_repeatable=False,
            form="Write a note",
        ),
        Verb(
            "pause",
            pause,
            (),
            "admin",
            ExperimentPaused,
            "Nothing is asked until it is resumed",
            path=":pause",
            shows_status=True,
            form="Pause",
        ),
        Verb(
            "resume",
            resume,
            (),
            "admin",
            ExperimentResumed,
            "Asking goes on",
            path=":resume",
            shows_status=True,
            form="Resume",
        ),
        Verb(
            "close",
            close,
            (),
            "admin",
            ExperimentClosed,
            "Nothing is asked or told any more",
            path=":close",
            shows_status=True,
            form="Close for good",
        ),
        Verb("create", create, (), "admin", RequestRecorded, "The experiment was created"),
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
) -> VerbResult:
    """Do a verb and return its outcome.

    Args:
        state: state of the experiment, which is changed.
        verb: an entry of the table.
        fields: values of its fields, by name.
        now: time of the writer; an event is never earlier than the one before.
        by: the person or token that asks for it.
        is_recorded: whether an event is recorded even if nothing changes, because the request has
            a key.
    """
    if state.is_closed and verb.act is not close:
        raise _make_closed_error(verb.name)
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
    """Do one thing that is due by ``now`` and return its event; return None if nothing is due.

    Leases end, and pulls whose reward is missing for too long are counted as the settings say.
    """
    at = max(now, state.at)
    if state.is_closed:
        return None
    reward_timeout = state.settings.reward_timeout
    if reward_timeout.seconds is not None:
        silent = state.find_asked_before(at - reward_timeout.seconds)
        if silent and reward_timeout.default is not None:
            rewards = (float(reward_timeout.default),) * len(silent)
            return _tell(state, at, silent, rewards, {}, is_silence=True).event
        if silent:
            return _forget(state, at, silent, reward_timeout.is_independent, is_silence=True).event
    ended = state.find_ended_leases(at)
    return _record(state, LeasesExpired(at, ended)).event if ended else None


def make_no_pulls_left_error(state: ExperimentState) -> ProtocolError:
    """Return the error that says why an ask had no pulls."""
    if state.is_closed:
        return _make_closed_error("ask")
    if state.core.is_money_used_up:
        return state.core.make_nothing_left_error()
    if not state.core.is_done and state.leases and not state.core.tests.has_waiting():
        return make_no_pulls_error(
            "all allowed pulls are in progress.", "Tell their rewards, or forget them."
        )
    return state.core.make_nothing_left_error()


def _make_closed_error(owner: str) -> ProtocolError:
    return ProtocolError(
        "The experiment is closed: it takes no more calls.",
        argument="experiment",
        owner=owner,
        rule="be open",
        reason=CLOSED,
    )


def _record(state: ExperimentState, event: Event) -> VerbResult:
    state.is_changing = True
    state.finish(event)
    return VerbResult(event)
