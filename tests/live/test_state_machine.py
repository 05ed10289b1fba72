"""Random stories of ask, tell, forget, observe, save and load, against the naive identifier."""

import json

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import goodarm as ga
from helpers import SAMPLING, make_naive_case
from naive.identifier import NaiveIdentifier

CODES = {"good": 1, "bad": -1, "undecided": 0}


class Story(RuleBasedStateMachine):
    @initialize(
        sampling=st.sampled_from(SAMPLING),
        identification=st.sampled_from(
            [
                *("hoeffding", ga.rules.Lil(0.3), "mixture", "betting", "half-normal"),
                ga.rules.Betting(gamblers=10, tilt=0.5, tail=5, widen=True),
            ]
        ),
        warmup=st.integers(1, 4),
        identify=st.booleans(),
        rewards=st.sampled_from(["bernoulli", "bounded", "gaussian"]),
        margin=st.sampled_from([0.0, 0.3]),
        until=st.sampled_from([None, 1]),
        max_pulls=st.sampled_from([None, 40]),
        num_arms=st.sampled_from([1, 2, 3, 4, 12]),
        later=st.sampled_from([None, 0, 1, 3]),
    )
    def start(
        self,
        sampling,
        identification,
        warmup,
        identify,
        rewards,
        margin,
        until,
        max_pulls,
        num_arms,
        later,
    ):
        if identification == "half-normal":
            rewards = "gaussian"
        elif rewards == "gaussian" and not isinstance(
            identification, ga.rules.Lil | ga.rules.Hoeffding
        ):
            rewards = "bounded" if identification != "hoeffding" else rewards
        extra = {"sigma": 0.2} if rewards == "gaussian" else {}
        if rewards == "bounded":
            extra = {"low": -1.0, "high": 1.0}
        self.problem = ga.Problem(
            [f"arm {position}" for position in range(num_arms)],
            0.4,
            0.9,
            allow_large_delta=True,
            margin=margin,
            rewards=rewards,
            until=until,
            max_pulls=max_pulls,
            arms_planned=None if later is None else num_arms + later,
            **extra,
        )
        algorithm = ga.Algorithm(
            sampling=sampling,
            identification=identification,
            warmup=ga.rules.Warmup(warmup, identify_during_warmup=identify),
        )
        self.ident = ga.Identifier(self.problem, algorithm, seed=1)
        self.model = NaiveIdentifier(self.problem, make_naive_case(self.problem, algorithm))
        self.pulls = {}
        self.planned = num_arms + (later or 0)

    def reward(self, data):
        if self.problem.rewards == "bernoulli":
            return data.draw(st.sampled_from([0, 1, 1]))
        return data.draw(st.sampled_from([-1.0, -0.3, 0.1, 0.7, 0.999, 1.0]))

    @rule(count=st.integers(1, 30))
    def ask_many(self, count):
        found = self.ident.ask_many(count)
        expected = self.model.ask_many(count)
        assert [(p.number, self.problem.position(p.arm)) for p in found] == expected
        self.pulls |= {pull.number: pull for pull in found}

    @rule()
    def ask(self):
        expected = self.model.ask_many(1)
        if expected:
            pull = self.ident.ask()
            assert (pull.number, self.problem.position(pull.arm)) == expected[0]
            self.pulls[pull.number] = pull
        else:
            try:
                self.ident.ask()
            except ga.errors.ProtocolError:
                return
            raise AssertionError("asked where nothing was left to ask")

    @precondition(lambda self: self.model.out)
    @rule(data=st.data())
    def tell(self, data):
        number = data.draw(st.sampled_from(self.model.out))
        reward = self.reward(data)
        self.ident.tell(self.pulls[number], reward)
        self.model.tell_many({number: reward})

    @precondition(lambda self: self.model.out)
    @rule(data=st.data())
    def tell_many(self, data):
        chosen = data.draw(st.lists(st.sampled_from(self.model.out), unique=True))
        rewards = {number: self.reward(data) for number in chosen}
        self.ident.tell_many([self.pulls[n] for n in rewards], rewards.values())
        self.model.tell_many(rewards)

    @precondition(lambda self: self.model.told)
    @rule(data=st.data())
    def tell_again(self, data):
        number = data.draw(st.sampled_from(sorted(self.model.told)))
        before = self.ident.to_dict()
        self.ident.tell(self.pulls[number], self.model.told[number])
        try:
            self.ident.tell(self.pulls[number], 1 - self.model.told[number])
        except (ga.errors.ProtocolError, ga.errors.SpecError):
            assert self.ident.to_dict() == before
        else:
            raise AssertionError("a second, other reward was accepted")

    @precondition(lambda self: self.model.out)
    @rule(data=st.data(), independent=st.booleans())
    def forget(self, data, independent):
        independent |= self.problem.rewards == "gaussian"
        number = data.draw(st.sampled_from(self.model.out))
        for _ in range(2):
            self.ident.forget(self.pulls[number], loss_is_independent=independent)
        self.model.forget(number, independent)

    @rule(data=st.data(), size=st.integers(0, 5))
    def observe(self, data, size):
        position = data.draw(st.integers(0, self.problem.num_arms - 1))
        rewards = [self.reward(data) for _ in range(size)]
        self.ident.observe(self.problem.arms[position], rewards)
        self.model.observe(position, rewards)

    @rule()
    def add_arm(self):
        label = f"arm {self.problem.num_arms}"
        if self.problem.num_arms < self.planned and not self.model.is_ended:
            self.ident.add_arm(label)
            self.model.add_arm()
            self.problem = self.ident.problem
            assert self.problem.arms[-1] == label
            return
        before = self.ident.to_dict()
        with pytest.raises(ga.errors.ProtocolError, match="cannot be added"):
            self.ident.add_arm(label)
        assert self.ident.to_dict() == before

    @precondition(lambda self: len(self.model.asked) > 10)
    @rule(data=st.data())
    def take_out(self, data):
        position = data.draw(st.integers(0, self.problem.num_arms - 1))
        arm = self.problem.arms[position]
        if self.model.labels[position]:
            with pytest.raises(ga.errors.ProtocolError, match="is labelled"):
                self.ident.take_out(arm)
            return
        self.ident.take_out(arm)
        self.model.taken_out.add(position)

    @rule()
    def save_and_load(self):
        document = self.ident.to_dict()
        self.ident = ga.Identifier.from_dict(json.loads(json.dumps(document)))
        assert self.ident.to_dict() == document

    @invariant()
    def agrees(self):
        if not hasattr(self, "model"):
            return
        ident, model, arms = self.ident, self.model, self.problem.arms
        reports = ident.table()
        assert [report.arm for report in reports] == list(arms)
        assert [CODES[report.label] for report in reports] == model.labels
        assert [report.pulls for report in reports] == model.entered
        out = {position for position, report in enumerate(reports) if report.reason is not None}
        assert out == model.taken_out
        assert ident.verdict.good == [arms[position] for position in model.good]
        assert ident.pulls == ident.verdict.pulls == model.pulls
        assert ident.is_done == model.is_done
        assert [pull.number for pull in ident.waiting] == model.out
        self.check_shown(reports)

    def check_shown(self, reports):
        """What is shown is what decides."""
        problem = self.problem
        for report in reports:
            level = problem.union_size / problem.delta
            if report.label == "good":
                assert report.lower is None or report.lower >= problem.threshold - problem.margin
                assert report.e_good is None or report.e_good >= level * (1 - 1e-9)
            if report.label == "bad":
                assert report.upper is None or report.upper <= problem.threshold + problem.margin
                assert report.e_bad is None or report.e_bad >= level * (1 - 1e-9)


Story.TestCase.settings = settings(max_examples=25, stateful_step_count=40)
TestStory = pytest.mark.slow(Story.TestCase)


class LongStory(Story):
    """The same, longer and more of them."""


LongStory.TestCase.settings = settings(max_examples=300, stateful_step_count=60)
TestLongStory = pytest.mark.large(LongStory.TestCase)
