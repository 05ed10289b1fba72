"""Pools live: which case comes next, what is refused, losses, and going on from a document."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga


def resume(ident):
    return ga.Identifier.from_dict(json.loads(json.dumps(ident.to_dict())))


def draw_cases(ident, count):
    return [ident.ask() for _ in range(count)]


def orders_of(problem, seed):
    """The cases of each arm, in the order asked; every other one succeeds."""
    ident, orders = ga.Identifier(problem, seed=seed), {arm: [] for arm in problem.arms}
    while not ident.is_done:
        pull = ident.ask()
        orders[pull.arm].append(pull.case)
        ident.tell(pull, pull.case % 2)
    return orders


def test_all_arms_go_through_the_cases_in_one_order_that_the_seed_fixes():
    problem = ga.Problem(["a", "b"], 0.5, 0.05, pool=[30, 20])
    first, again, other = (orders_of(problem, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert len(set(first["a"])) == len(first["a"]) > 20
    short = [case for case in first["a"] if case < 20]
    assert first["b"][: len(short)] == short[: len(first["b"])]
    own = orders_of(ga.Problem(["a", "b"], 0.5, 0.05, pool=30, case_order="own"), seed=1)
    assert own["a"][:15] != own["b"][:15]


def test_orders_are_equally_likely():
    """Of three cases; exact limits at one in a million on either side."""
    counts = dict.fromkeys([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)], 0)
    problem = ga.Problem(1, 0.5, 1e-9, pool=3)
    for seed in range(1200):
        ident = ga.Identifier(problem, seed=seed)
        counts[tuple(pull.case for pull in ident.ask_many(3))] += 1
    assert sum(counts.values()) == 1200
    assert all(140 <= count <= 265 for count in counts.values())


def test_a_case_is_told_for_its_own_pull_and_arm_only():
    ident = ga.Identifier(ga.Problem(["a", "b"], 0.5, 0.05, pool=10), seed=0)
    first, second = draw_cases(ident, 2)
    with pytest.raises(ga.errors.ProtocolError, match=r"Pull 1 was asked of arm 'a', not of 'b'"):
        ident.tell(ga.Pull(1, "b", first.case), 1)
    with pytest.raises(
        ga.errors.ProtocolError, match=f"Pull 1 was asked on case {first.case}, not on"
    ):
        ident.tell(ga.Pull(1, "a", (first.case + 1) % 10), 1)
    with pytest.raises(ga.errors.ProtocolError, match="asked on case"):
        ident.tell(ga.Pull(1, "a"), 1)
    ident.tell(first, 1)
    ident.tell(first, 1)
    assert ident.pulls == 1
    plain = ga.Identifier(ga.Problem(["a"], 0.5, 0.05))
    plain.ask()
    with pytest.raises(ga.errors.ProtocolError, match="Pull 1 was asked on no case, not on case 3"):
        plain.tell(ga.Pull(1, "a", 3), 1)
    assert second.case is not None


def test_observed_cases_are_named_and_counted_once():
    ident = ga.Identifier(ga.Problem(["a", "b"], 0.5, 0.05, pool=10), seed=0)
    pull = ident.ask()
    other = [case for case in range(10) if case != pull.case][:3]
    with pytest.raises(
        ga.errors.SpecError, match="'cases' of .*name the case of each of 2 rewards"
    ):
        ident.observe("a", [1, 0])
    with pytest.raises(ga.errors.SpecError, match="whole numbers from 0 to 9"):
        ident.observe("a", [1], cases=[10])
    with pytest.raises(
        ga.errors.ProtocolError, match="was drawn before: each case of a pool counts once"
    ):
        ident.observe("a", [1], cases=[pull.case])
    with pytest.raises(ga.errors.ProtocolError, match="was drawn before"):
        ident.observe("a", [1, 1], cases=[other[0], other[0]])
    assert ident.pulls == 0
    ident.observe("a", [1, 0, 1], cases=other)
    ident = resume(ident)
    seen = {pull.case, *other}
    ident.tell(pull, 1)
    while not ident.is_done:
        pull = ident.ask()
        if pull.arm == "a":
            assert pull.case not in seen
            seen.add(pull.case)
        ident.tell(pull, pull.case % 2)
    with pytest.raises(ga.errors.SpecError, match="be left out if there is no pool"):
        ga.Identifier(ga.Problem(1, 0.5, 0.05)).observe(0, [1], cases=[0])


def test_without_losses_an_arm_on_the_threshold_is_labelled_when_nothing_else_can_come():
    ident = ga.Identifier(ga.Problem(["a"], 0.5, 0.05, pool=40), seed=3)
    while not ident.is_done:
        pull = ident.ask()
        ident.tell(pull, pull.case < 20)
    report = ident.explain("a")
    assert report.label == "good"
    assert report.pulls >= 35
    assert (report.lower, round(40 * report.upper)) == (0.5, 20 + 40 - report.pulls)


def test_an_arm_whose_cases_are_used_up_by_losses_ends_undecided_and_says_why():
    ident = ga.Identifier(ga.Problem(["a", "b"], 0.8, 0.05, pool=[10, 12]), seed=3)
    while not ident.is_done:
        pull = ident.ask()
        if pull.arm == "a" and pull.case < 3:
            ident.forget(pull)
        else:
            ident.tell(pull, 1)
        ident = resume(ident)
    report = ident.explain("a")
    assert (report.label, report.pulls, report.labelled_at) == ("undecided", 10, None)
    assert report.reason == "all its cases are used, and some were lost"
    assert "all its cases are used, and some were lost" in repr(ident.table())
    assert (report.lower, report.upper) == (0.7, 1.0)
    assert ident.verdict.undecided == ["a"]
    assert ident.verdict.good == ["b"]


def test_a_loss_that_is_independent_comes_again_after_all_others():
    ident = ga.Identifier(ga.Problem(["a"], 0.5, 1e-9, pool=6), seed=3)
    first = ident.ask()
    ident.forget(first, loss_is_independent=True)
    ident = resume(ident)
    cases = []
    while not ident.is_done:
        pull = ident.ask()
        cases.append(pull.case)
        ident.tell(pull, len(cases) % 2 == 0)
    assert cases[-1] == first.case
    assert sorted(cases) == list(range(6))


def test_when_all_cases_are_out_nothing_can_be_asked():
    ident = ga.Identifier(ga.Problem(["a"], 0.5, 0.05, pool=4), seed=3)
    out = ident.ask_many(100)
    assert sorted(pull.case for pull in out) == [0, 1, 2, 3]
    assert ident.ask_many(1) == []
    with pytest.raises(
        ga.errors.ProtocolError, match="all cases of the undecided arms are in progress"
    ):
        ident.ask()
    assert resume(ident).waiting == out
    ident.tell_many(out, [1, 1, 0, 1])
    assert ident.is_done


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 25), min_size=1, max_size=4),
    threshold=st.sampled_from([0.1, 0.5, 0.8]),
    kind=st.sampled_from(["bernoulli", "bounded"]),
    seed=st.integers(0, 2**32),
)
def test_any_pool_in_batches_with_losses_and_documents(sizes, threshold, kind, seed):
    """No case twice, labels right for certain at the end, and a document changes nothing."""
    rng = random.Random(seed)
    problem = ga.Problem(len(sizes), threshold, 0.2, pool=sizes, rewards=kind)
    values = [0.0, 1.0] if kind == "bernoulli" else [0.0, 0.3, 0.8, 1.0]
    pool = [[rng.choice(values) for _ in range(size)] for size in sizes]
    idents = [ga.Identifier(problem, seed=7), ga.Identifier(problem, seed=7)]
    seen = set()
    has_losses = rng.random() < 0.5
    while not idents[0].is_done:
        pulls = idents[0].ask_many(4)
        assert idents[1].ask_many(4) == pulls
        for pull in rng.sample(pulls, len(pulls)):
            fate = rng.random()
            for ident in idents:
                if has_losses and fate < 0.1:
                    ident.forget(pull)
                elif fate < 0.2:
                    ident.forget(pull, loss_is_independent=True)
                else:
                    ident.tell(pull, pool[pull.arm][pull.case])
            if fate >= 0.2 or (has_losses and fate < 0.1):
                assert (pull.arm, pull.case) not in seen
                seen.add((pull.arm, pull.case))
        idents[1] = resume(idents[1])
    assert idents[0].to_dict() == idents[1].to_dict()
    for report, size in zip(idents[0].table(), sizes, strict=True):
        if kind == "bernoulli":
            bounds = (report.lower, report.upper)
            assert bounds == tuple(round(size * bound) / size for bound in bounds)
        assert (report.lower >= threshold * (1 - 1e-12)) == (report.label == "good")
        assert (report.upper < threshold * (1 - 1e-12)) == (report.label == "bad")
        assert report.label != "undecided" or has_losses
