"""Random calls of verbs on an experiment, with its clock and a copy that replays its events."""

import json
from typing import NamedTuple

from hypothesis import strategies as st

import goodarm as ga
from goodarm.live import (
    VERBS,
    ExperimentSettings,
    ExperimentState,
    RewardTimeout,
    event_from_dict,
    expire,
    perform,
    replay,
)
from goodarm.live.verification import replay_and_recompute

PROBLEMS = {
    "coins": (ga.Problem(["a", "b", "c"], 0.5, 0.9, allow_large_delta=True), None),
    "joining": (ga.Problem(["a"], 0.5, 0.9, arms_planned=4, allow_large_delta=True), None),
    "joining cases": (
        ga.Problem(["a"], 0.5, 0.9, pool=9, arms_planned=3, allow_large_delta=True),
        None,
    ),
    "two": (ga.Problem(2, 0.5, 0.9, until=1, max_pulls=60, allow_large_delta=True), None),
    "ratings": (ga.Problem(3, 0.5, 0.9, rewards="bounded", allow_large_delta=True), None),
    "normal": (
        ga.Problem(3, 0.0, 0.9, rewards="gaussian", sigma=1.0, allow_large_delta=True),
        None,
    ),
    "kelly": (ga.Problem(3, 0.5, 0.9, rewards="bounded", allow_large_delta=True), "cho2025"),
    "hdoc": (ga.Problem(4, 0.5, 0.9, margin=0.1, allow_large_delta=True), "hdoc"),
    "cases": (ga.Problem(3, 0.5, 0.9, pool=12, allow_large_delta=True), None),
    "own cases": (
        ga.Problem(2, 0.5, 0.9, pool=[5, 30], case_order="own", allow_large_delta=True),
        None,
    ),
    "scores": (ga.Problem(2, 0.5, 0.9, rewards="bounded", pool=12, allow_large_delta=True), None),
    "paid": (
        ga.Problem(
            ["a", "b", "c"], 0.5, 0.9, cost=[0.1, 0.25, 0], max_cost=4, allow_large_delta=True
        ),
        None,
    ),
    "paid, joining": (
        ga.Problem(["a"], 0.5, 0.9, cost=0.3, max_cost=9, arms_planned=4, allow_large_delta=True),
        None,
    ),
}
REWARDS = {"bernoulli": [0, 1, 1], "bounded": [0.0, 0.3, 0.7, 1.0], "gaussian": [-2.0, 0.1, 2.5]}


class Call(NamedTuple):
    """A verb and its fields."""

    verb: str
    fields: dict


def ask(count=1, worker=None, lease=None):
    return Call("ask", {"count": count, "worker": worker, "lease": lease})


def tell(pulls, rewards):
    return Call("tell", {"pulls": tuple(pulls), "rewards": tuple(rewards)})


def tell_with_costs(request, costs):
    return Call("tell", {**request.fields, "costs": tuple(costs)})


def call(verb, **fields):
    return Call(verb, fields)


def make_settings(name, reward_timeout=None):
    problem, algorithm = PROBLEMS[name]
    return ExperimentSettings.of(
        problem, algorithm, seed=3, reward_timeout=reward_timeout or RewardTimeout()
    )


def make_identifier(settings):
    """An identifier of the same problem, without a journal."""
    return ga.Identifier(settings.problem, settings.algorithm, settings.seed)


class Story:
    """An experiment, its journal, and a copy that was made by replaying each event."""

    def __init__(self, settings):
        self.settings, self.journal, self.now = settings, [], 0.0
        self.state, self.copy = ExperimentState(settings), ExperimentState(settings)
        self.pulls = []

    def record(self, event):
        text = json.dumps(event.to_dict(), allow_nan=False)
        read = event_from_dict(json.loads(text))
        assert read == event
        self.journal.append(read)
        replay(self.copy, read)
        assert self.state.last == self.copy.last == len(self.journal)
        assert not self.state.is_changing

    def replay(self, event):
        """Let an event happen that no verb has made."""
        replay(self.state, event)
        self.record(event)

    def wait(self, seconds):
        self.now += seconds
        while (event := expire(self.state, self.now)) is not None:
            self.record(event)

    def do(self, call):
        self.wait(0.0)
        outcome = perform(self.state, VERBS[call.verb], call.fields, self.now)
        if outcome.event is not None:
            self.record(outcome.event)
        answer = outcome.pulls(self.state)
        self.pulls += [pull for pull in answer if pull not in self.pulls]
        return answer

    def replayed(self, upto=None):
        state = ExperimentState(self.settings)
        for event in self.journal[:upto]:
            replay(state, event)
        return state


def find_differences(settings, journal):
    """How the labels of a journal differ from those that its rewards prove."""
    found = []
    for number in range(1, len(journal) + 1):
        if number == 1 or (found[-1:] and found[-1].event_number == number - 1):
            state = ExperimentState(settings)
            for event in journal[: number - 1]:
                replay(state, event)
        difference = replay_and_recompute(state, journal[number - 1])
        if difference is not None:
            found.append(difference)
    return found


def collect_state(state):
    """Return all that a state is."""
    return {
        "ident": state.ident.to_dict(),
        "last": state.last,
        "at": state.at,
        "status": (state.is_paused, state.is_closed),
        "leases": dict(state.leases),
        "workers": {worker: list(held) for worker, held in state.by_worker.items()},
        "again": list(state.again),
        "spent": state.ident.table().spent is not None and state.ident.table().spent.tolist(),
        "cost": state.ident.verdict.cost,
    }


@st.composite
def draw_call(draw, story, kind=None):
    """Draw a call that may well be refused, or seconds to wait."""
    problem = story.state.ident.problem
    reward = st.sampled_from(REWARDS[problem.rewards])
    often = ["ask"] * 4 + ["tell"] * 6
    seldom = ["forget", "observe", "wait", "pause", "resume", "take_out", "note"]
    kind = kind or draw(st.sampled_from(often + seldom))
    some = st.lists(st.sampled_from(story.pulls), min_size=1, max_size=9, unique=True)
    if kind == "ask" or (kind in ("tell", "forget") and not story.pulls):
        worker = draw(st.sampled_from([None, None, "ann", "bob"]))
        lease = draw(st.sampled_from([None, 5.0, 50.0]))
        return ask(draw(st.integers(1, 12)), worker, lease)
    if kind == "tell":
        pulls = tuple(draw(some))
        request = tell(pulls, [draw(reward) for _ in pulls])
        if problem.cost is not None and draw(st.booleans()):
            cost = st.sampled_from([None, 0, 0.1, 0.7, 1 / 3])
            return tell_with_costs(request, [draw(cost) for _ in pulls])
        return request
    if kind == "forget":
        return call("forget", pulls=tuple(draw(some))[:2], loss_is_independent=draw(st.booleans()))
    if kind == "observe":
        arm = draw(st.sampled_from(problem.arms))
        cases = None
        count = draw(st.integers(1, 4))
        if problem.pool is not None:
            cases = tuple(draw(st.lists(st.integers(0, 11), min_size=count, max_size=count)))
        rewards = tuple(draw(reward) for _ in range(count))
        return call("observe", arm=arm, rewards=rewards, cases=cases)
    if kind == "wait":
        return draw(st.sampled_from([1.0, 6.0, 60.0]))
    if kind == "add":
        arm, pool = draw(st.sampled_from(["a", "new", "newer"])), draw(st.sampled_from([None, 7]))
        money = {}
        if problem.cost is not None:
            money["cost"] = draw(st.sampled_from([None, 0.3, 1.1]))
        return call("add_arm", arm=arm, pool=pool, **money)
    if kind == "take_out":
        return call("take_out", arm=draw(st.sampled_from(problem.arms)))
    if kind == "note":
        return call("note", text="a remark", arm=draw(st.sampled_from([None, *problem.arms])))
    return call(kind)
