"""What a request comes to: the next entry of the journal. Chooses, and changes nothing.

The time is that of whoever writes, and never earlier than the last entry. What is refused leaves no
entry. Before a request, ``due`` says what the time alone has brought: leases that ended, and what
silence means.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import singledispatch
from typing import Final, NamedTuple

import numpy as np

from goodarm.arguments import as_float, check_count
from goodarm.errors import ProtocolError, must
from goodarm.experiment.entries import (
    Added,
    Asked,
    Closed,
    Entry,
    Expired,
    Forgotten,
    Observed,
    Paused,
    Resumed,
    TakenOut,
    Told,
)
from goodarm.experiment.requests import (
    Add,
    Ask,
    Close,
    Create,
    Forget,
    Observe,
    Pause,
    Request,
    Resume,
    TakeOut,
    Tell,
)
from goodarm.experiment.state import State
from goodarm.identifier.held_up import any_waiting
from goodarm.identifier.identifier import MOST_AT_ONCE
from goodarm.identifier.rollback import tried
from goodarm.identifier.told import (
    block_of,
    check_all_told,
    check_forgotten,
    check_observed,
    check_taken_out,
)
from goodarm.identifier.trying import Labelled, chosen, labels_since
from goodarm.kernels.live import DROPPED, LOST, TOLD
from goodarm.results import Pull

_CLOSED: Final = "The experiment is closed: nothing is asked or told any more."


class Decision(NamedTuple):
    """The entry that a request comes to, if it changes anything, and pulls that were held before.

    ``answer`` is what ``answer_of`` makes of the entry, or of these.
    """

    entry: Entry | None
    held: tuple[int, ...] = ()


def decide(state: State, request: Request, now: float) -> Decision:
    """What is written down for a request; it raises what an Identifier would."""
    if state.status.is_closed and not isinstance(request, Close):
        raise ProtocolError(_CLOSED)
    return _decide(request, state, max(now, state.at))


def answer_of(state: State, decision: Decision) -> list[Pull]:
    """The pulls that an answer holds, once the entry was applied; none but for an Ask."""
    entry = decision.entry
    if not isinstance(entry, Asked):
        return [state.pull(number) for number in decision.held]
    new = range(entry.first, entry.first + len(entry.arms))
    return [state.pull(number) for number in (*entry.again, *new)]


def nothing_left(state: State) -> ProtocolError:
    """The error that says why an Ask had no pulls; nothing is asked for it."""
    if state.status.is_closed:
        return ProtocolError(_CLOSED)
    is_open = not state.ident.is_done
    if is_open and state.leases and not any_waiting(state.ident._parts().standings):
        return ProtocolError(
            "There is nothing left to ask: all that may be asked is out. Tell or forget it."
        )
    return state.ident._chooser.nothing_left(state.ident.is_done)


def due(state: State, now: float) -> Entry | None:
    """What the time has brought, one entry at a time; None if nothing (more) is due."""
    at = max(now, state.at)
    if state.status.is_closed:
        return None
    silence = state.start.silence
    if silence.seconds is not None:
        silent = state.silent_since(at - silence.seconds)
        if silent and silence.otherwise is not None:
            rewards = (float(silence.otherwise),) * len(silent)
            labels = _labels_if_told(state, silent, rewards)
            return Told(at, silent, rewards, labels, is_silence=True)
        if silent:
            return _forgotten(state, at, silent, silence.is_independent, is_silence=True)
    ended = state.leases_ended(at)
    return Expired(at, ended) if ended else None


@singledispatch
def _decide(request: Request, state: State, at: float) -> Decision:
    raise must("request", "decide", "be one of an experiment's requests", request)


@_decide.register
def _(request: Ask, state: State, at: float) -> Decision:
    count = check_count("count", "ask", request.count, most=MOST_AT_ONCE)
    until = None
    if request.lease is not None:
        seconds = as_float(request.lease)
        if seconds is None or not 0 < seconds < float("inf"):
            raise must("lease", "ask", "be a number of seconds above 0", request.lease)
        until = at + seconds
    if request.worker is not None:
        if not isinstance(request.worker, str) or not request.worker:
            raise must("worker", "ask", "be a name", request.worker)
        held = tuple(state.by_worker.get(request.worker, ()))
        if held:
            return Decision(None, held)
    if state.status.is_paused:
        raise ProtocolError("The experiment is paused: nothing is asked until it is resumed.")
    again = tuple(list(state.again)[:count])
    arms: list[int] = []
    cases: list[int] | None = None
    if count > len(again):
        arms, cases = chosen(state.ident, count - len(again))
    if not arms and not again:
        return Decision(None)
    first = state.ident._parts().standings.asked + 1
    drawn = tuple(cases) if cases else None
    return Decision(Asked(at, first, tuple(arms), drawn, again, request.worker, until))


@_decide.register
def _(request: Tell, state: State, at: float) -> Decision:
    parts = state.ident._parts()
    told = check_all_told(parts, request.pulls, request.rewards, "tell")
    states = parts.standings.log("state")[np.array(list(told), np.int64) - 1].tolist()
    new = tuple(n for n, state in zip(told, states, strict=True) if state != TOLD)
    if not new:
        return Decision(None)
    rewards = tuple(told[number] for number in new)
    return Decision(Told(at, new, rewards, _labels_if_told(state, new, rewards)))


@_decide.register
def _(request: Forget, state: State, at: float) -> Decision:
    independent = request.loss_is_independent
    parts = state.ident._parts()
    found = [check_forgotten(parts, pull, independent, "forget") for pull in request.pulls]
    numbers = tuple(dict.fromkeys(each[0] for each in found if each is not None))
    return Decision(_forgotten(state, at, numbers, independent) if numbers else None)


@_decide.register
def _(request: Observe, state: State, at: float) -> Decision:
    parts = state.ident._parts()
    checked = check_observed(parts, request.arm, request.rewards, request.cases, "observe")
    if checked is None:
        return Decision(None)
    arm, _, cases = checked
    drawn = None if cases is None else tuple(map(int, cases))
    entry = Observed(at, arm, tuple(map(float, request.rewards)), drawn)
    return Decision(replace(entry, labels=labels_again(state, entry)))


@_decide.register
def _(request: Add, state: State, at: float) -> Decision:
    ident = state.ident
    ident._refuse_if_ended(request.arm)
    problem = ident.problem.with_arm(request.arm, request.pool, "add_arm")
    return Decision(Added(at, problem.arms[-1], request.pool))


@_decide.register
def _(request: TakeOut, state: State, at: float) -> Decision:
    position = check_taken_out(state.ident._parts(), request.arm, "take_out")
    return Decision(None if position is None else TakenOut(at, position))


@_decide.register
def _(request: Pause, state: State, at: float) -> Decision:
    return Decision(None if state.status.is_paused else Paused(at))


@_decide.register
def _(request: Resume, state: State, at: float) -> Decision:
    return Decision(Resumed(at) if state.status.is_paused else None)


@_decide.register
def _(request: Create, state: State, at: float) -> Decision:
    return Decision(None)


@_decide.register
def _(request: Close, state: State, at: float) -> Decision:
    return Decision(None if state.status.is_closed else Closed(at))


def labels_again(state: State, entry: Entry) -> tuple[Labelled, ...]:
    """The labels that an entry's rewards prove, computed before it is applied."""
    if isinstance(entry, Told):
        return _labels_if_told(state, entry.pulls, entry.rewards)
    if isinstance(entry, Forgotten):
        return _forgotten(state, entry.at, entry.pulls, entry.is_independent).labels
    if isinstance(entry, Observed):
        ident, arm = state.ident, entry.arm
        block = block_of(ident.problem, entry.rewards)
        return _labels_if(state, [arm], (), lambda: ident._intake.observe(arm, block))
    return ()


def _forgotten(
    state: State,
    at: float,
    numbers: tuple[int, ...],
    is_independent: bool,
    is_silence: bool = False,
) -> Forgotten:
    ident, code = state.ident, DROPPED if is_independent else LOST
    arms = [ident._parts().standings.pull(number)[1] for number in numbers]

    def forget() -> None:
        for number, arm in zip(numbers, arms, strict=True):
            ident._intake.forget(number, arm, code)

    labels = _labels_if(state, list(dict.fromkeys(arms)), numbers, forget)
    return Forgotten(at, numbers, is_independent, labels, is_silence)


def _labels_if_told(
    state: State, numbers: Sequence[int], rewards: Sequence[float]
) -> tuple[Labelled, ...]:
    ident = state.ident
    told = np.array(numbers, np.int64), np.array(rewards, np.float64)
    arms = list(dict.fromkeys(ident._parts().standings.log("arm")[told[0] - 1].tolist()))
    return _labels_if(state, arms, numbers, lambda: ident._intake.tell(*told))


def _labels_if(
    state: State, arms: Sequence[int], numbers: Sequence[int], act: Callable[[], None]
) -> tuple[Labelled, ...]:
    """The labels that would fall."""
    labels = state.ident._parts().standings.labels
    before = [int(labels[arm]) for arm in arms]
    with tried(state.ident._parts(), arms, numbers):
        act()
        found = labels_since(state.ident, arms, before)
    return tuple(found)
