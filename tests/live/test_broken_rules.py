"""Rules of users that raise an error in the middle: what was recorded stays, and all goes on."""

import itertools
import math
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from threading import Barrier, Thread

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm import rule_lookup

COINS = ga.Problem(["a", "b"], threshold=0.5, delta=0.05)


@dataclass(frozen=True)
class Stumbling(ga.rules.CountsRule):
    """Likelihood ratio of a rate against the bar, which raises an error while it is told to."""

    name = "stumbling"
    rate: float = 0.9

    def _log(self, n, s, bar):
        if TROUBLE["is_broken"]:
            raise ValueError("the rule stumbled")
        up, down = math.log(self.rate / bar), math.log((1 - self.rate) / (1 - bar))
        return np.asarray(s * up + (n - s) * down, float)

    def log_good(self, n, s, bar):
        return self._log(n, s, bar)

    def log_bad(self, n, s, bar):
        return self._log(n, n - s, 1 - bar)


@dataclass(frozen=True)
class Refusing(ga.rules.SamplingRule):
    """Chooses the first active arm, and raises an error while it is told to."""

    name = "refusing"

    def choose(self, view):
        if TROUBLE["is_broken"]:
            raise ValueError("the rule refused")
        return int(np.flatnonzero(view.active)[0])


TROUBLE = {"is_broken": False}


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """Both rules are registered, as those of a package are, and sound at first."""
    rules = {"goodarm.sampling_rules": Refusing, "goodarm.identification_rules": Stumbling}

    def entry_points(group):
        rule = rules[group]
        return [EntryPoint(rule.name, f"{__name__}:{rule.__name__}", group)]

    monkeypatch.setattr(rule_lookup, "entry_points", entry_points)
    TROUBLE["is_broken"] = False
    yield
    TROUBLE["is_broken"] = False


RATES = itertools.count(1)


def algorithm(sampling="hdoc"):
    """An algorithm whose rule nobody has used before: curves are kept for rules that are equal."""
    rule = Stumbling(rate=0.9 + next(RATES) / 10_000)
    return ga.Algorithm(sampling=sampling, identification=rule)


def far_pulls(experiment, count=400):
    """Ask so many pulls that their rewards lie beyond the curves that are known at first."""
    pulls = experiment.ask_many(count)
    assert len(pulls) == count
    return pulls


def rewards_of(pulls):
    """Return rewards that leave arms undecided until the rule is asked for more of its curves."""
    return [(pull.number // 2) % 2 for pull in pulls]


def make_twins():
    chosen = algorithm()
    return [ga.Identifier(COINS, chosen, seed=1) for _ in range(2)]


def test_an_identifier_goes_on_after_a_rule_that_raised():
    broken, sound = make_twins()
    pulls = far_pulls(broken)
    assert far_pulls(sound) == pulls
    TROUBLE["is_broken"] = True
    with pytest.raises(ValueError, match="the rule stumbled"):
        broken.tell_many(pulls, rewards_of(pulls))
    TROUBLE["is_broken"] = False
    for each in (broken, sound):
        each.tell_many(pulls, rewards_of(pulls))
    assert broken.to_dict() == sound.to_dict()
    assert broken.pulls == len(pulls)


def test_a_block_enters_once_though_the_rule_raised():
    broken, sound = make_twins()
    TROUBLE["is_broken"] = True
    with pytest.raises(ValueError, match="the rule stumbled"):
        broken.observe("a", [1] * 400)
    TROUBLE["is_broken"] = False
    sound.observe("a", [1] * 400)
    broken.tell_many([], [])
    assert broken.to_dict() == sound.to_dict()
    assert broken.verdict.good == ["a"]


@pytest.fixture(params=["memory:", "sqlite"])
def store(request, tmp_path):
    url = request.param if request.param == "memory:" else f"sqlite:///{tmp_path}/x.db"
    with ga.open_store(url) as opened:
        yield opened


def make_stored(store, **rules):
    return store.experiment("x", COINS, algorithm(**rules), seed=1)


def test_a_stored_experiment_goes_on_after_a_rule_that_raised(store):
    exp = make_stored(store)
    pulls = far_pulls(exp)
    TROUBLE["is_broken"] = True
    with pytest.raises(ValueError, match="the rule stumbled"):
        exp.tell_many(pulls, rewards_of(pulls))
    TROUBLE["is_broken"] = False
    assert [entry["kind"] for entry in exp.journal()] == ["asked"]
    assert exp.pulls == 0
    assert len(exp.waiting) == len(pulls)
    exp.tell_many(pulls, rewards_of(pulls))
    assert exp.pulls == len(pulls)
    assert exp.verify().entries == 2


def test_only_the_request_that_failed_has_the_error(store):
    """Requests that share its commit are done without it."""
    exp = make_stored(store)
    pulls = far_pulls(exp)
    bad, good = pulls[:-1], pulls[-1:]
    TROUBLE["is_broken"] = True
    barrier, errors = Barrier(2), []

    def tell(some):
        barrier.wait()
        try:
            exp.tell_many(some, rewards_of(some))
        except ValueError as error:
            errors.append((len(some), str(error)))

    threads = [Thread(target=tell, args=(some,)) for some in (bad, good)]
    with exp._committer._writing:  # both wait for it, and then share one commit
        for thread in threads:
            thread.start()
        while len(exp._committer._waiting) < 2:
            pass
    for thread in threads:
        thread.join()
    TROUBLE["is_broken"] = False
    assert errors == [(len(bad), "the rule stumbled")]
    assert [entry["kind"] for entry in exp.journal()] == ["asked", "told"]
    assert exp.pulls == 1
    exp.tell_many(bad, rewards_of(bad))
    exp.verify()


def test_a_sampling_rule_that_raises_asks_nothing(store):
    exp = make_stored(store, sampling=Refusing())
    first = exp.ask_many(2)
    exp.tell_many(first, [1, 0])
    TROUBLE["is_broken"] = True
    with pytest.raises(ValueError, match="the rule refused"):
        exp.ask_many(5)
    TROUBLE["is_broken"] = False
    assert exp.waiting == []
    assert [pull.number for pull in exp.ask_many(1)] == [3]
    exp.verify()
