"""A store and a plain model side by side, with restarts between any two steps."""

import json
import logging
from functools import partial
from itertools import count

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import text

import goodarm as ga
from goodarm.errors import ProtocolError, SpecError
from goodarm.store import Store, committer, open_recorder, snapshots
from goodarm.testing import Clock
from store.model import Model, Refused

SILENCES = [
    ga.RewardTimeout(),
    ga.RewardTimeout("reward", 300, default=0),
    ga.RewardTimeout("lost", 300),
    ga.RewardTimeout("lost", 300, is_independent=True),
]
WORKERS = st.sampled_from([None, "ann", "bob"])
LEASES = st.sampled_from([None, 50, 200])
KEYS = st.sampled_from([None, None, "k1", "k2", "k3", "k4"])
WHO = st.integers(0, 1)
REWARDS = st.sampled_from([0, 1])


class Machine(RuleBasedStateMachine):
    """Two handles, as two processes have, on one store at ``address``. One clock is ahead."""

    def __init__(self):
        super().__init__()
        self.clocks, self.url = [Clock(1000), Clock(1090)], self.address()
        self.last_at = 0.0
        self.recorders = [open_recorder(self.url)]
        self.recorders.append(
            self.recorders[0] if self.url == "memory:" else open_recorder(self.url)
        )
        self.labels, self.given = {}, []

    @initialize(reward_timeout=st.sampled_from(SILENCES), has_pool=st.booleans())
    def start(self, reward_timeout, has_pool):
        options = {"pool": 40} if has_pool else {}
        problem = ga.Problem(["a", "b"], 0.5, 0.2, arms_planned=4, **options)
        self.pool = 40 if has_pool else None
        self.model = Model(reward_timeout, ["a", "b"], 4, has_pool)
        self.handles = [
            Store(*each).experiment("one", problem, seed=1, reward_timeout=reward_timeout)
            for each in zip(self.recorders, self.clocks, strict=True)
        ]

    def request(self, who, key, wanted, call, settle):
        """Makes a request of the store and of the model: both take it, or both refuse it."""
        self.model.now = max(self.clocks[who].now, self.last_at)
        self.compare(who, key, wanted, call, settle)
        at = next((entry["at"] for entry in reversed(self.handles[who].journal())), 0.0)
        assert at in (self.last_at, self.model.now)
        self.last_at = at

    def compare(self, who, key, wanted, call, settle):
        error, answer = None, None
        try:
            answer = call(self.handles[who])
        except (ProtocolError, SpecError) as caught:
            error = caught
        try:
            before = self.model.begin(wanted, key)
            if before is not None:
                assert error is None, error
                assert (answer or []) == before
                return
            settle(answer or [])
        except Refused:
            assert error is not None
            return
        assert error is None, error
        if key is not None:
            self.model.keys[key] = wanted, answer or []
        if wanted[0] == "ask":
            self.given += answer

    @rule(who=WHO, most=st.integers(1, 4), worker=WORKERS, lease=LEASES, key=KEYS)
    def ask(self, who, most, worker, lease, key):
        self.request(
            who,
            key,
            ("ask", most, worker, lease),
            lambda exp: exp.ask_many(most, worker, lease, key=key),
            lambda answer: self.model.ask(most, worker, lease, answer),
        )

    @rule(
        who=WHO,
        places=st.lists(st.integers(0, 30), min_size=1, max_size=4),
        reward=REWARDS,
        key=KEYS,
    )
    def tell(self, who, places, reward, key):
        if not self.given:
            return
        chosen = [self.given[place % len(self.given)] for place in places]
        rewards = {pull.number: reward for pull in chosen}
        self.request(
            who,
            key,
            ("tell", tuple(chosen), reward),
            lambda exp: exp.tell_many(chosen, [reward] * len(chosen), key=key),
            lambda _: self.model.tell(rewards),
        )

    @rule(who=WHO, place=st.integers(0, 30), is_independent=st.booleans(), key=KEYS)
    def forget(self, who, place, is_independent, key):
        if not self.given:
            return
        pull = self.given[place % len(self.given)]
        self.request(
            who,
            key,
            ("forget", pull, is_independent),
            lambda exp: exp.forget(pull, loss_is_independent=is_independent, key=key),
            lambda _: self.model.forget(pull.number, is_independent),
        )

    @rule(
        who=WHO,
        arm=st.sampled_from("abc"),
        rewards=st.lists(REWARDS, min_size=1, max_size=9),
        key=KEYS,
    )
    def observe(self, who, arm, rewards, key):
        if self.pool is not None:
            return  # cases must be free: the tests of pools have that

        def settle(_):
            if arm not in self.model.arms:
                raise Refused
            self.model.observed += len(rewards)

        self.request(
            who,
            key,
            ("observe", arm, tuple(rewards)),
            lambda exp: exp.observe(arm, rewards, key=key),
            settle,
        )

    @rule(who=WHO, arm=st.sampled_from("bcde"), key=KEYS)
    def add_arm(self, who, arm, key):
        self.request(
            who,
            key,
            ("add", arm),
            lambda exp: exp.add_arm(arm, pool=self.pool, key=key),
            lambda _: self.model.add(arm),
        )

    @rule(who=WHO, arm=st.sampled_from("abcx"), key=KEYS)
    def take_out(self, who, arm, key):
        self.request(
            who,
            key,
            ("take out", arm),
            lambda exp: exp.take_out(arm, key=key),
            lambda _: self.model.take_out(arm),
        )

    @rule(who=WHO, key=KEYS)
    def pause(self, who, key):
        settle = partial(self.turn, is_paused=True)
        self.request(who, key, ("pause",), lambda exp: exp.pause(key=key), settle)

    @rule(who=WHO, key=KEYS)
    def resume(self, who, key):
        settle = partial(self.turn, is_paused=False)
        self.request(who, key, ("resume",), lambda exp: exp.resume(key=key), settle)

    @rule(who=WHO, is_meant=st.integers(0, 9), key=KEYS)
    def close(self, who, is_meant, key):
        settle = partial(self.turn, is_closed=True)
        if is_meant == 0:  # seldom, for little happens after it
            self.request(who, key, ("close",), lambda exp: exp.close(key=key), settle)

    def turn(self, _, **how):
        vars(self.model).update(how)

    @rule(seconds=st.sampled_from([1, 40, 60, 150, 300]))
    def wait(self, seconds):
        for clock in self.clocks:
            clock.move(seconds)

    @rule(who=WHO)
    def restart(self, who):
        if self.url != "memory:":
            self.recorders[who].close()
            self.recorders[who] = open_recorder(self.url)
        self.handles[who] = Store(self.recorders[who], self.clocks[who]).experiment("one")

    @rule(who=WHO, spoilt=st.sampled_from([b"", b"not what it was"]))
    def spoil_the_snapshot(self, who, spoilt):
        """It is a cache: one that cannot be read costs time, and nothing else."""
        head = self.recorders[who].head("one")
        self.recorders[who].save_snapshot(head.id, head.last, spoilt)
        self.restart(who)

    @rule(who=WHO)
    def damage_the_snapshot(self, who):
        """As a disk may do it: its checksum is not right any more."""
        if self.url == "memory:":
            (journal,) = self.recorders[who]._ids.values()
            if journal.snapshot is not None:
                number, data, checksum = journal.snapshot
                journal.snapshot = number, data[:-1] + b"?", checksum
        else:
            with self.recorders[who].database.writer.begin() as connection:
                connection.execute(text("UPDATE goodarm_snapshots SET data = x'00'"))
        self.restart(who)

    @invariant()
    def they_agree(self):
        if not hasattr(self, "handles"):
            return
        model = self.model
        for exp in self.handles:
            assert exp.waiting == [held.pull for held in model.out.values()]
            assert {out.pull.number: out[1:] for out in exp.out} == model.leases
            assert exp.status == self.status(exp)
            assert exp.pulls == model.pulls
            assert list(exp.problem.arms) == model.arms
            verdict = exp.verdict
            labels = dict.fromkeys(verdict.good, "good") | dict.fromkeys(verdict.bad, "bad")
            assert labels.items() >= self.labels.items()  # a label once given stays
            self.labels = labels

    def status(self, exp):
        if self.model.is_closed:
            return "closed"
        if set(exp.verdict.undecided) <= self.model.taken_out:
            return "done"
        return "paused" if self.model.is_paused else "running"

    def teardown(self):
        if not hasattr(self, "handles"):
            return
        exp = Store(self.recorders[0], self.clocks[0]).experiment("one")
        exp.verify()
        entries = [json.loads(json.dumps(entry)) for entry in exp.journal()]
        told = [
            pair
            for entry in entries
            if entry["kind"] == "told"
            for pair in zip(entry["pulls"], entry["rewards"], strict=True)
        ]
        assert len(told) == len(dict(told))
        assert dict(told) == self.model.told
        for recorder in self.recorders:
            recorder.close()


FEW = settings(max_examples=20, stateful_step_count=40)
FEWER = settings(max_examples=8, stateful_step_count=30)
MANY = settings(max_examples=400, stateful_step_count=60)


@pytest.fixture(autouse=True)
def many_snapshots(monkeypatch, caplog):
    """Journals of a test are short; a snapshot is due with every few entries."""
    monkeypatch.setattr(snapshots, "MIN_SNAPSHOT_ENTRIES", 3)
    caplog.set_level(logging.ERROR, "goodarm.store")


def run(how, folder=None):
    number = count()

    class Here(Machine):
        @staticmethod
        def address():
            return "memory:" if folder is None else f"sqlite:///{folder / str(next(number))}.db"

    run_state_machine_as_test(Here, settings=how)


@pytest.mark.slow
def test_in_memory():
    run(FEW)


@pytest.mark.slow
def test_in_sqlite(tmp_path):
    run(FEWER, tmp_path)


@pytest.mark.slow
def test_in_sqlite_without_turns(tmp_path, monkeypatch):
    """Each of the two takes itself for the only one, again and again."""
    monkeypatch.setattr(committer, "MIN_TURNS_ALONE", 0)
    monkeypatch.setattr(committer, "MAX_TURNS_ALONE", 0)
    run(FEWER, tmp_path)


@pytest.mark.large
def test_in_memory_at_length():
    run(MANY)


@pytest.mark.large
def test_in_sqlite_at_length(tmp_path):
    run(MANY, tmp_path)
