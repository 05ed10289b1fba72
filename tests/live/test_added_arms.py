"""Arms that are added while an identifier is at work, and arms that are taken out."""

import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from helpers import NAMED, can_take_rewards
from live.identifiers import assert_refused, make_identifier

KINDS = {
    "bernoulli": {},
    "bounded": {"rewards": "bounded", "low": -1.0, "high": 3.0},
    "gaussian": {"rewards": "gaussian", "sigma": 0.4},
    "pool": {"pool": 40},
    "own pool": {"pool": 40, "case_order": "own"},
    "scores": {"pool": 40, "rewards": "bounded", "low": -1.0, "high": 3.0},
}
ARMS = ["a", "b", "c", "d", "e"]
SHOWN = ("arm", "pulls", "mean", "lower", "upper", "e_good", "e_bad", "label", "reason")


def resume(ident):
    document = json.loads(json.dumps(ident.to_dict()))
    found = ga.Identifier.from_dict(document, ident.algorithm)
    assert found.to_dict() == document
    return found


class Feed:
    """The k-th pull of an arm has one fate, whenever it is asked: a reward, or a loss."""

    def __init__(self, problem, seed):
        self.problem, self.seed, self.made = problem, seed, dict.fromkeys(ARMS, 0)

    def fate(self, arm):
        self.made[arm] += 1
        luck = random.Random(f"{self.seed} {arm} {self.made[arm]}")
        if luck.random() < 0.05:
            return None
        is_hit = luck.random() < (0.95 if arm in "ad" else 0.05)
        if self.problem.rewards == "bernoulli":
            return int(is_hit)
        low, high = self.problem.reward_range or (-0.5, 1.5)
        return high - luck.random() / 2 if is_hit else low + luck.random() / 2


def finish(ident, feed, luck, adds):
    """Batches, rewards that come late or in another order, lost pulls, and arms added between."""
    waiting, steps = [], 0
    while adds or not ident.is_done:
        while adds and (luck.random() < 0.2 or ident.is_done):
            ident.add_arm(adds.pop(0))
        batch = [(pull, feed.fate(pull.arm)) for pull in ident.ask_many(luck.randint(1, 60))]
        independent = feed.problem.rewards == "gaussian"
        for pull, fate in batch:
            if fate is None:
                ident.forget(pull, loss_is_independent=independent)
        waiting += [told for told in batch if told[1] is not None]
        luck.shuffle(waiting)
        late = [] if luck.random() < 0.5 else waiting[: len(waiting) // 3]
        for pull, reward in waiting[len(late) :]:
            ident.tell(pull, reward)
        waiting = late
        steps += 1
        if steps < 20 and luck.random() < 0.3:
            ident = resume(ident)
    return ident


@pytest.mark.large
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=6)
@given(seed=st.integers(0, 10**6), first=st.integers(1, 4))
def test_an_arm_added_is_judged_as_one_that_was_there(name, kind, seed, first):
    """Its test looks at its own rewards alone, and they are shared out among as many arms."""
    problem = ga.Problem(ARMS, 0.5, 0.2, arms_planned=7, **KINDS[kind])
    algorithm = ga.algorithms()[name].algorithm
    try:
        ga.Identifier(problem, algorithm)
    except ga.errors.SpecError:
        assert "pool" in KINDS[kind] or not can_take_rewards(algorithm, problem.rewards)
        return
    few = replace(problem, arms=ARMS[:first])
    whole, grown = (
        finish(
            ga.Identifier(asked, algorithm, seed=seed),
            Feed(problem, seed),
            random.Random(seed + len(adds)),
            list(adds),
        )
        for asked, adds in ((problem, []), (few, ARMS[first:]))
    )
    assert grown.problem == problem
    for one, other in zip(whole.table(), grown.table(), strict=True):
        assert all(getattr(one, field) == getattr(other, field) for field in SHOWN), (one, other)


def test_everything_known_stays_as_it_was():
    ident = make_identifier("e-hdoc", rewards="bounded", arms_planned=9)
    ident.tell_many(pulls := ident.ask_many(9)[:7], [0.25] * len(pulls))
    ident.observe("b", [0.5, 1.0])
    before, reports = ident.to_dict(), list(ident.table())
    ident.add_arm("new")
    after = ident.to_dict()
    new = after["arms"].pop()
    assert (new["arm"], new["held"], new["queue"], new["added"]) == ("new", 0, [], True)
    assert after["problem"].pop("arms") == [*before["problem"].pop("arms"), "new"]
    assert after == before
    assert list(ident.table())[:3] == reports


@pytest.mark.parametrize("name", NAMED)
def test_a_new_arm_is_warmed_up_first(name):
    ident = make_identifier(
        ga.algorithms()[name].algorithm, arms=["a", "b"], arms_planned=20, delta=0.3
    )
    warmup = ident.algorithm.setup(ident.problem).warmup
    ident.ask_many(2 * warmup + 3)
    for arm in range(18):
        ident.add_arm(arm)
    asked = [pull.arm for pull in resume(ident).ask_many(18 * warmup)]
    assert asked == [arm for arm in range(18) for _ in range(warmup)]
    assert [pull.arm for pull in ident.ask_many(18 * warmup)] == asked


def test_a_run_that_was_done_goes_on():
    ident = make_identifier(arms=["a"], arms_planned=3)
    while not ident.is_done:
        ident.tell(ident.ask(), 1)
    ident.add_arm("b")
    assert not ident.is_done
    assert ident.verdict.undecided == ["b"]
    assert ident.ask().arm == "b"


def test_what_cannot_be_added_is_refused():
    ident = make_identifier(arms_planned=4)
    for label, match in (("a", "a label that no other arm has"), (1.5, "labels that are text")):
        assert_refused(ident, ga.errors.SpecError, match, lambda label=label: ident.add_arm(label))
    assert_refused(
        ident, ga.errors.SpecError, "'pool' of Identifier.add_arm", lambda: ident.add_arm(1, pool=3)
    )
    ident.add_arm(1)
    assert_refused(ident, ga.errors.SpecError, "1 and '1' are the same", lambda: ident.add_arm("1"))
    assert_refused(
        ident,
        ga.errors.ProtocolError,
        "all places of arms_planned are taken",
        lambda: ident.add_arm("e"),
    )
    plain = make_identifier()
    assert_refused(
        plain,
        ga.errors.ProtocolError,
        "Create the problem with arms_planned",
        lambda: plain.add_arm(1),
    )


def test_nothing_is_added_after_until_or_the_budget():
    ident = make_identifier(arms=["a"], arms_planned=4, until=2)
    for arm in ("b", "c"):
        while not ident.is_done:
            ident.tell(ident.ask(), 1)
        if len(ident.verdict.good) < 2:
            ident.add_arm(arm)
    assert_refused(
        ident, ga.errors.ProtocolError, "over, until=2 good arms", lambda: ident.add_arm("d")
    )
    ident = make_identifier(arms=["a"], arms_planned=4, max_pulls=2)
    pulls = ident.ask_many(2)
    ident.add_arm("b")
    ident.tell_many(pulls, [1, 0])
    assert_refused(
        ident, ga.errors.ProtocolError, "all 2 pulls of max_pulls", lambda: ident.add_arm("d")
    )


def test_pools_of_arms_that_are_added():
    ident = make_identifier("e-hdoc", pool=30, arms_planned=9, arms=["a", "b"])
    ident.ask_many(60)
    ident.add_arm("c")
    assert ident.problem.pool == 30
    ident.add_arm("d", pool=50)
    assert ident.problem.pools == (30, 30, 30, 50)
    assert_refused(
        ident, ga.errors.SpecError, "given if each arm has its own", lambda: ident.add_arm("e")
    )
    assert_refused(ident, ga.errors.SpecError, "a whole number", lambda: ident.add_arm("e", pool=0))
    again = resume(ident)
    pulls = ident.ask_many(200)
    assert pulls == again.ask_many(200)
    cases = {arm: [pull.case for pull in ident.waiting if pull.arm == arm] for arm in "abcd"}
    assert {arm: sorted(drawn) for arm, drawn in cases.items()} == {
        arm: list(range(50 if arm == "d" else 30)) for arm in "abcd"
    }
    assert cases["a"] == cases["b"]
    # Who adds an arm may know the others' order.
    assert len({tuple(case for case in drawn if case < 30) for drawn in cases.values()}) == 3


def test_an_arm_taken_out_keeps_its_numbers_and_its_place():
    ident = make_identifier("e-hdoc", arms_planned=4)
    told, out, lost, dropped = [pull for pull in ident.ask_many(40) if pull.arm == "a"][:4]
    ident.tell(told, 1)
    ident.take_out("a")
    ident.take_out("a")
    report = ident.explain("a")
    assert (report.label, report.reason, report.pulls) == ("undecided", "taken out", 1)
    assert "a" in ident.verdict.undecided
    ident = resume(ident)
    ident.tell(out, 1)
    ident.tell(out, 1)
    ident.forget(lost)
    ident.forget(dropped, loss_is_independent=True)
    ident.observe("a", [1] * 1000)
    assert resume(ident).explain("a") == ident.explain("a") == report
    assert ident.pulls == 1 + 1 + 1 + 1000
    assert all(pull.arm != "a" for pull in ident.ask_many(50))
    ident.add_arm("d")
    assert_refused(
        ident, ga.errors.ProtocolError, "taken out keeps its place", lambda: ident.add_arm("e")
    )


def test_arms_taken_out_count_as_settled():
    ident = make_identifier(arms=["a", "b"])
    while not ident.is_done:
        pull = ident.ask()
        ident.tell(pull, 1)
        if ident.verdict.good:
            break
    (good,), (other,) = ident.verdict.good, ident.verdict.undecided
    assert_refused(
        ident, ga.errors.ProtocolError, "labelled good and cannot", lambda: ident.take_out(good)
    )
    assert_refused(ident, ga.errors.SpecError, "must be one of", lambda: ident.take_out("z"))
    ident.take_out(other)
    assert ident.is_done
    assert resume(ident).is_done
    assert ident.ask_many(5) == []
    with pytest.raises(ga.errors.ProtocolError, match="the run is over"):
        ident.ask()


def test_a_used_up_arm_keeps_its_own_reason():
    ident = make_identifier("e-hdoc", arms=["a", "b"], pool=2)
    for pull in [*ident.ask_many(9), *ident.ask_many(9)]:
        if pull.arm == "a":
            ident.forget(pull)
    reason = ident.explain("a").reason
    assert "all its cases are used" in reason
    ident.take_out("a")
    assert ident.explain("a").reason == reason


def damage(**arms):
    """A document with a, b and the added c and d, of which d was taken out, changed so."""
    ident = make_identifier(arms=["a", "b"], arms_planned=5)
    ident.add_arm("c")
    ident.add_arm("d")
    ident.take_out("d")
    document = json.loads(json.dumps(ident.to_dict()))
    for entry in document["arms"]:
        entry.update(arms.get(entry["arm"], {}))
    return document


@pytest.mark.parametrize(
    ("arms", "match"),
    [
        ({"a": {"added": True}}, "not the last ones"),
        ({"d": {"added": False}}, "is not true"),
        ({"d": {"taken_out": 1}}, "is not true"),
        ({"d": {"queue": [1]}}, "out of play and has a queue"),
        ({"d": {"label": "bad", "labelled_at": 3}}, "taken out has a label"),
        ({"d": {"gone": True}}, "keys that this version"),
    ],
)
def test_damaged_documents_are_refused(arms, match):
    assert ga.Identifier.from_dict(damage()).problem.num_arms == 4
    with pytest.raises(ga.errors.SpecError, match=match):
        ga.Identifier.from_dict(damage(**arms))


def test_documents_of_added_arms_need_a_plan():
    document = damage()
    document["problem"]["arms_planned"] = None
    with pytest.raises(ga.errors.SpecError):
        ga.Identifier.from_dict(document)


def test_threads_may_add_arms():
    ident = make_identifier("e-hdoc", arms=["a"], arms_planned=200)

    def add(number):
        ident.add_arm(f"new {number}")
        pulls = ident.ask_many(3)
        ident.tell_many(pulls, [1] * len(pulls))
        ident.table()
        return len(ident.waiting) + len(ident.verdict.good)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(150)))
    assert ident.problem.num_arms == 151
    resume(ident)


@pytest.mark.speed
@pytest.mark.parametrize("more", [{}, {"pool": 100}, {"rewards": "bounded"}])
def test_a_thousand_arms_join_ten_thousand_in_seconds(more):
    ident = make_identifier("e-hdoc", arms=10_000, arms_planned=11_000, **more)
    ident.ask()
    start = time.perf_counter()
    for arm in range(10_000, 11_000):
        ident.add_arm(arm)
    assert time.perf_counter() - start < 15
