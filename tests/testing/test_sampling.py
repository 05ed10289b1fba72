"""Sampling rules that are wrong in one way each, and the sentence by which the kit finds them."""

import math
import random
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm import SAMPLING_RULES
from goodarm.testing import check_sampling_rule, sampling
from goodarm.testing.views import make_view_cases


class Hdoc(ga.rules.SamplingRule):
    """Right: the one expression that the kernels have."""

    name = "my-hdoc"

    def choose(self, view):
        index = view.means + np.sqrt(0.5 / view.pulls) * math.sqrt(math.log(view.time))
        return int(np.where(view.active, index, -np.inf).argmax())


class Thompson(ga.rules.SamplingRule):
    """Right: draws from the view's generator."""

    name = "thompson"

    def choose(self, view):
        successes = view.means * view.pulls
        draws = view.rng.beta(successes + 1, view.pulls - successes + 1)
        return np.where(view.active, draws, -1).argmax()


@dataclass(frozen=True)
class Greedy(ga.rules.SamplingRule):
    """Right: has a setting."""

    name: ClassVar[str] = "greedy"
    part: float = 0.1

    def choose(self, view):
        if view.rng.random() < self.part:
            return int(view.rng.choice(np.flatnonzero(view.active)))
        return int(np.where(view.active, view.means, -1).argmax())


def first_of(view):
    return int(np.flatnonzero(view.active)[0])


class Turns(ga.rules.SamplingRule):
    """Wrong: counts its turns."""

    name = "turns"

    def __init__(self):
        self.turn = 0

    def choose(self, view):
        self.turn += 1
        active = np.flatnonzero(view.active)
        return int(active[self.turn % len(active)])


class ClassTurns(ga.rules.SamplingRule):
    """Wrong: counts them where the object does not show it."""

    name = "class-turns"
    turns: ClassVar[list[int]] = [0]

    def choose(self, view):
        self.turns[0] += 1
        active = np.flatnonzero(view.active)
        return int(active[self.turns[0] % len(active)])


class Remembers(ga.rules.SamplingRule):
    """Wrong: chooses well, but keeps what it saw."""

    name = "remembers"

    def choose(self, view):
        self.seen = view.time
        return first_of(view)


class OwnRandom(ga.rules.SamplingRule):
    """Wrong: random numbers from elsewhere."""

    name = "own-random"

    def choose(self, view):
        return random.choice(np.flatnonzero(view.active).tolist())


class WhoAmI(ga.rules.SamplingRule):
    """Wrong: depends on which copy is asked."""

    name = "who-am-i"

    def choose(self, view):
        active = np.flatnonzero(view.active)
        return int(active[id(self) // 16 % len(active)])


class Labelled(ga.rules.SamplingRule):
    """Wrong: the best arm, labelled or not."""

    name = "labelled"

    def choose(self, view):
        return int(view.means.argmax())


class Float(ga.rules.SamplingRule):
    name = "float"

    def choose(self, view):
        return float(first_of(view))


class Boolean(ga.rules.SamplingRule):
    name = "boolean"

    def choose(self, view):
        return bool(view.active[0])


class Nothing(ga.rules.SamplingRule):
    name = "nothing"

    def choose(self, view):
        return None


class Negative(ga.rules.SamplingRule):
    name = "negative"

    def choose(self, view):
        return first_of(view) - view.num_arms


class Writes(ga.rules.SamplingRule):
    """Wrong: marks the labelled arms in the view."""

    name = "writes"

    def choose(self, view):
        view.means[~view.active] = -1
        return int(view.means.argmax())


class Unlocks(ga.rules.SamplingRule):
    """Wrong: writes nonetheless."""

    name = "unlocks"

    def choose(self, view):
        view.means = view.means.copy()
        view.means[~view.active] = -1
        return int(view.means.argmax())


class MovesTime(ga.rules.SamplingRule):
    """Wrong: makes itself some time."""

    name = "moves-time"

    def choose(self, view):
        view.time += 1
        return first_of(view)


class SecondBest(ga.rules.SamplingRule):
    """Wrong: takes two active arms for granted."""

    name = "second-best"

    def choose(self, view):
        return int(np.flatnonzero(view.active)[1])


class SmallCounts(ga.rules.SamplingRule):
    """Wrong: counts that fit in 32 bits."""

    name = "small-counts"

    def choose(self, view):
        pulls = [np.int32(count) for count in view.pulls.tolist()]
        return int(np.where(view.active, pulls, np.iinfo(np.int32).max).argmin())


class FewArms(ga.rules.SamplingRule):
    """Wrong: a table for a hundred arms."""

    name = "few-arms"

    def choose(self, view):
        index = np.full(100, -1.0)
        index[: view.num_arms] = np.where(view.active, view.means, -1)
        return int(index.argmax())


class NameTaken(Hdoc):
    name = "hdoc"


class NoName(ga.rules.SamplingRule):
    def choose(self, view):
        return first_of(view)


class LostSettings(ga.rules.SamplingRule):
    """Wrong: a setting that no document has."""

    name = "lost-settings"

    def __init__(self, part=0.1):
        self.part = part

    def choose(self, view):
        return first_of(view)


WRONG = {
    Turns: "turns rule must not change itself when it chooses; its attributes are {'turn': 1}",
    ClassTurns: "choice must follow from the view alone: no state, no random numbers but those of",
    Remembers: "remembers rule must not change itself",
    OwnRandom: "choice must follow from the view alone.* asked again, in the opposite order",
    WhoAmI: "choice must follow from the view alone.* asked copied",
    Labelled: "labelled rule's choose breaks on .* must be the position of an active arm",
    Float: "must be the position of an active arm, a whole number from 0 to 0; got 0.0",
    Boolean: "must be the position of an active arm, .* got True",
    Nothing: "must be the position of an active arm, .* got None",
    Negative: "must be the position of an active arm, .* got -1",
    Writes: "writes rule's choose breaks on .* ValueError: assignment destination is read-only",
    Unlocks: "unlocks rule must not write to the view; its means became",
    MovesTime: "must not write to the view; its time became 2 from 1",
    SecondBest: "second-best rule's choose breaks on one arm .*: IndexError",
    SmallCounts: "small-counts rule's choose breaks on .*: OverflowError",
    FewArms: "few-arms rule's choose breaks on many arms .1000 arms, threshold 0.001.: ValueError",
    NameTaken: "must not be that of one of goodarm's rules; got 'hdoc'",
    NoName: "'name' of NoName must be a text that is not empty",
}


@pytest.mark.parametrize("rule", WRONG, ids=lambda rule: rule.__name__)
def test_a_wrong_one_is_found(rule):
    with pytest.raises(AssertionError, match=WRONG[rule]):
        check_sampling_rule(rule())


def test_settings_that_no_document_has_are_found():
    with pytest.raises(AssertionError, match="settings in the to_dict of the lost-settings rule"):
        check_sampling_rule(LostSettings(0.5))


def test_a_rule_defined_in_a_function_does_not_reach_workers():
    class Inner(Hdoc):
        name = "inner"

    with pytest.raises(AssertionError, match="must be one that pickle takes"):
        check_sampling_rule(Inner())


@pytest.mark.parametrize("given", [Hdoc, "hdoc", SAMPLING_RULES["hdoc"], None])
def test_it_wants_an_object(given):
    with pytest.raises(
        ga.errors.SpecError, match="must be a SamplingRule, an object and not its class"
    ):
        check_sampling_rule(given)


def test_state_is_found_in_batches_and_in_runs_that_are_resumed():
    with pytest.raises(AssertionError, match="must choose a batch as it chooses one by one"):
        sampling._check_batches(Turns())
    with pytest.raises(AssertionError, match="that was saved must go on as it would have"):
        sampling._check_resuming(Turns())


def test_the_views_are_many_and_the_same_each_time():
    first, again = make_view_cases(Hdoc()), make_view_cases(Hdoc())
    assert len(first) > 90
    assert list(map(str, first)) == list(map(str, again))
    assert {len(sight.pulls) for sight in first} == {1, 5, 8, 1000}
    assert all(sight.active.any() and (sight.pulls >= 1).all() for sight in first)
    assert max(sight.pulls.max() for sight in first) == 10**12


@pytest.mark.parametrize("batch", [1, 7])
@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_hdoc_in_python_is_goodarms_own_to_the_pull(batch, margin):
    problem = ga.Problem(5, 0.5, 0.05, margin=margin)
    asked = []
    for rule in ("hdoc", Hdoc()):
        algorithm = ga.Algorithm(sampling=rule, identification="hoeffding", warmup=2)
        ident = ga.Identifier(problem, algorithm, seed=3)
        tape = ga.simulation.Tape(problem, [0.9, 0.75, 0.65, 0.3, 0.1], seed=3)
        arms = []
        while not ident.is_done:
            pulls = ident.ask_many(batch)
            arms += [pull.arm for pull in pulls]
            ident.tell_many(pulls, [tape.next_reward(pull.arm) for pull in pulls])
        asked.append(arms)
    assert asked[0] == asked[1]
    assert len(asked[0]) > 300
