"""Random requests to an experiment, with the clock and a plain identifier beside it."""

import json

from hypothesis import strategies as st

import goodarm as ga
from goodarm.experiment import (
    Add,
    Ask,
    Close,
    Forget,
    Observe,
    Pause,
    Resume,
    Silence,
    Start,
    State,
    TakeOut,
    Tell,
    apply,
    decide,
    due,
    entry_from_dict,
)
from goodarm.experiment.deciding import answer_of

PROBLEMS = {
    "coins": (ga.Problem(["a", "b", "c"], 0.5, 0.9), None),
    "joining": (ga.Problem(["a"], 0.5, 0.9, arms_planned=4), None),
    "joining cases": (ga.Problem(["a"], 0.5, 0.9, pool=9, arms_planned=3), None),
    "two": (ga.Problem(2, 0.5, 0.9, until=1, max_pulls=60), None),
    "ratings": (ga.Problem(3, 0.5, 0.9, rewards="bounded"), None),
    "normal": (ga.Problem(3, 0.0, 0.9, rewards="gaussian", sigma=1.0), None),
    "kelly": (ga.Problem(3, 0.5, 0.9, rewards="bounded"), "cho2025"),
    "hdoc": (ga.Problem(4, 0.5, 0.9, margin=0.1), "hdoc"),
    "cases": (ga.Problem(3, 0.5, 0.9, pool=12), None),
    "own cases": (ga.Problem(2, 0.5, 0.9, pool=[5, 30], case_order="own"), None),
    "scores": (ga.Problem(2, 0.5, 0.9, rewards="bounded", pool=12), None),
}
REWARDS = {"bernoulli": [0, 1, 1], "bounded": [0.0, 0.3, 0.7, 1.0], "gaussian": [-2.0, 0.1, 2.5]}


def start_of(name, silence=None):
    problem, algorithm = PROBLEMS[name]
    return Start.of(problem, algorithm, seed=3, silence=silence or Silence())


class Story:
    """An experiment, its journal, and the requests that made it."""

    def __init__(self, start):
        self.start, self.state, self.journal, self.now = start, State(start), [], 0.0
        self.pulls = []

    def write(self, entry):
        text = json.dumps(entry.to_dict(), allow_nan=False)
        read = entry_from_dict(json.loads(text))
        assert read == entry
        self.journal.append(read)
        apply(self.state, read)
        assert self.state.last == len(self.journal)

    def wait(self, seconds):
        self.now += seconds
        while (entry := due(self.state, self.now)) is not None:
            self.write(entry)

    def request(self, request):
        self.wait(0.0)
        decision = decide(self.state, request, self.now)
        if decision.entry is not None:
            self.write(decision.entry)
        answer = answer_of(self.state, decision)
        self.pulls += [pull for pull in answer if pull not in self.pulls]
        return answer

    def replayed(self, upto=None):
        state = State(self.start)
        for entry in self.journal[:upto]:
            apply(state, entry)
        return state


def seen(state):
    """All that a state is."""
    return {
        "ident": state.ident.to_dict(),
        "last": state.last,
        "at": state.at,
        "status": (state.status.is_paused, state.status.is_closed),
        "leases": dict(state.leases),
        "workers": {worker: list(held) for worker, held in state.by_worker.items()},
        "again": list(state.again),
    }


@st.composite
def requests_of(draw, story, kind=None):
    """One request that may well be refused, or seconds to wait."""
    problem = story.state.ident.problem
    reward = st.sampled_from(REWARDS[problem.rewards])
    often = ["ask"] * 4 + ["tell"] * 6
    seldom = ["forget", "observe", "wait", "pause", "resume", "take_out"]
    kind = kind or draw(st.sampled_from(often + seldom))
    some = st.lists(st.sampled_from(story.pulls), min_size=1, max_size=9, unique=True)
    if kind == "ask" or (kind in ("tell", "forget") and not story.pulls):
        worker = draw(st.sampled_from([None, None, "ann", "bob"]))
        lease = draw(st.sampled_from([None, 5.0, 50.0]))
        return Ask(draw(st.integers(1, 12)), worker, lease)
    if kind == "tell":
        pulls = tuple(draw(some))
        return Tell(pulls, tuple(draw(reward) for _ in pulls))
    if kind == "forget":
        return Forget(tuple(draw(some))[:2], draw(st.booleans()))
    if kind == "observe":
        arm = draw(st.sampled_from(problem.arms))
        cases = None
        count = draw(st.integers(1, 4))
        if problem.pool is not None:
            cases = tuple(draw(st.lists(st.integers(0, 11), min_size=count, max_size=count)))
        return Observe(arm, tuple(draw(reward) for _ in range(count)), cases)
    if kind == "wait":
        return draw(st.sampled_from([1.0, 6.0, 60.0]))
    if kind == "add":
        return Add(draw(st.sampled_from(["a", "new", "newer"])), draw(st.sampled_from([None, 7])))
    if kind == "take_out":
        return TakeOut(draw(st.sampled_from(problem.arms)))
    return {"pause": Pause(), "resume": Resume(), "close": Close()}[kind]
