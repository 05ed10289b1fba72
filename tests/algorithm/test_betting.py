"""The rules that bet: their wealth against plain products, their settings, live and saved."""

import json
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.algorithm import Tally

BOUNDED = {"rewards": "bounded"}


def compute_wealth(rule, bar, rewards):
    """The row of wealth after these rewards, through an Identifier."""
    problem = ga.Problem(1, bar, 1e-90, **BOUNDED)
    ident = ga.Identifier(problem, ga.Algorithm(sampling="hdoc", identification=rule), seed=0)
    for reward in rewards:
        ident.tell(ident.ask(), reward)
    return ident.core.arms.wealth[0]


REWARDS = st.lists(st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1)), min_size=1, max_size=40)


@settings(max_examples=60)
@given(REWARDS, st.floats(0.05, 0.95))
def test_wealth_is_the_product(rewards, bar):
    row = compute_wealth(ga.rules.Betting(gamblers=3, most=0.9), bar, rewards)
    for j in range(3):
        up, down = 0.9 / bar / 2**j, -0.9 / (1 - bar) / 2**j
        assert math.exp(row[j]) == pytest.approx(math.prod(1 + up * (x - bar) for x in rewards))
        assert math.exp(row[3 + j]) == pytest.approx(
            math.prod(1 + down * (x - bar) for x in rewards)
        )


@settings(max_examples=60)
@given(REWARDS, st.floats(0.05, 0.95))
def test_kelly_bets_before_it_sees(rewards, bar):
    row = compute_wealth("kelly", bar, rewards)
    good = bad = 1.0
    for n, x in enumerate(rewards):
        mean = (sum(rewards[:n]) + bar) / (n + 1)
        bet = (mean - bar) / (bar * (1 - bar))
        good *= 1 + min(max(bet, 0), 0.98 / bar) * (x - bar)
        bad *= 1 + max(min(bet, 0), -0.98 / (1 - bar)) * (x - bar)
    assert np.exp(row) == pytest.approx([good, bad])


@settings(max_examples=40)
@given(REWARDS, st.randoms(use_true_random=False))
def test_fixed_bets_do_not_mind_the_order(rewards, random):
    shuffled = random.sample(rewards, len(rewards))
    assert compute_wealth("betting", 0.4, shuffled) == pytest.approx(
        compute_wealth("betting", 0.4, rewards)
    )


@pytest.mark.parametrize("bar", [1e-6, 0.004, 0.5, 1 - 1e-6])
@pytest.mark.parametrize("n", [1, 1000, 10**7, 10**12])
def test_evidence_from_counts_is_sound(bar, n):
    """Against 60 digits, beside the bar, where the evidence turns."""
    rule = ga.rules.Betting()
    spread = math.sqrt(n * bar * (1 - bar))
    for s in {0, round(n * bar), min(n, round(n * bar + 5 * spread)), n}:
        with mpmath.workdps(60):
            exact_bar = mpmath.mpf(bar)
            wealths = []
            for j in range(16):
                bet = mpmath.mpf(0.95) / exact_bar / 2**j
                won = s * mpmath.log(1 + bet * (1 - exact_bar))
                wealths.append(mpmath.exp(won + (n - s) * mpmath.log(1 - bet * exact_bar)))
            expected = float(mpmath.log(mpmath.fsum(wealths) / 16))
        assert float(rule.log_good(n, s, bar)) == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_both_ways_to_bet_on_coins_are_the_same_rule():
    """0/1 rewards as counts, and as rewards in [0, 1] that happen to be 0 or 1."""
    as_counts = ga.Problem(2, 0.4, 0.05)
    as_wealth = ga.Problem(2, 0.4, 0.05, **BOUNDED)
    algorithm = ga.Algorithm(sampling="kl-moss", identification="betting")
    idents = [ga.Identifier(problem, algorithm, seed=0) for problem in (as_counts, as_wealth)]
    tape = ga.simulation.Tape(as_counts, [0.6, 0.2], seed=3)
    while not idents[0].is_done:
        pulls = [ident.ask() for ident in idents]
        reward = tape.next_reward(pulls[0].arm)
        for ident, pull in zip(idents, pulls, strict=True):
            ident.tell(pull, reward)
        assert pulls[0] == pulls[1]
        assert idents[0].verdict == idents[1].verdict
    assert idents[0].verdict.good == [0]


@pytest.mark.parametrize("rule", ["betting", "kelly"])
def test_live_with_blocks_and_losses_and_back_from_a_document(rule):
    problem = ga.Problem(["a", "b"], 2.5, 0.05, rewards="bounded", low=0, high=5)
    ident = ga.Identifier(problem, ga.Algorithm(sampling="moss", identification=rule), seed=0)
    out = ident.ask_many(6)
    ident.forget(out[0])
    ident.observe("a", [4.0, 3.5, 4.5])
    ident.observe("b", [1.0, 2.0])
    ident.forget(out[1], loss_is_independent=True)
    ident = ga.Identifier.from_dict(json.loads(json.dumps(ident.to_dict())))
    for pull in reversed(out[2:]):
        ident.tell(pull, 4.0 if pull.arm == "a" else 1.5)
    tape = ga.simulation.Tape(problem, [4.0, 1.5], seed=5)
    while not ident.is_done:
        pull = ident.ask()
        ident.tell(pull, tape.next_reward(pull.arm))
        ident = ga.Identifier.from_dict(json.loads(json.dumps(ident.to_dict())))
    assert (ident.verdict.good, ident.verdict.bad) == (["a"], ["b"])
    for report in ident.table():
        assert (report.lower is None) == (rule == "kelly")
        if rule == "betting":
            assert (report.lower >= 2.5) == (report.label == "good")
            assert (report.upper <= 2.5) == (report.label == "bad")
        assert (report.label == "good") == (report.e_good >= 40)
        assert (report.label == "bad") == (report.e_bad >= 40)


def test_a_lost_pull_is_the_worst_case_for_both_sides():
    def told(*rewards):
        problem = ga.Problem(1, 0.4, 0.01, **BOUNDED)
        ident = ga.Identifier(problem, ga.Algorithm(sampling="hdoc", identification="betting"))
        for reward in rewards:
            pull = ident.ask()
            if reward is None:
                ident.forget(pull)
            else:
                ident.tell(pull, reward)
        return ident.explain(0)

    lost = told(0.7, None, 0.6)
    assert lost.e_good == pytest.approx(told(0.7, 0, 0.6).e_good)
    assert lost.e_bad == pytest.approx(told(0.7, 1, 0.6).e_bad)


def test_kelly_takes_no_loss_that_could_be_chosen_after_seeing_a_later_reward():
    """The expected wealth of whoever may choose is above 1, so the choice is refused."""
    algorithm = ga.Algorithm(sampling="round-robin", identification="kelly")
    ident = ga.Identifier(ga.Problem(1, 0.5, 0.05), algorithm, seed=0)
    first, second, third = ident.ask_many(3)
    ident.tell(second, 0)
    before = ident.to_dict()
    with pytest.raises(ga.errors.ProtocolError, match="Pull 1 cannot be given up: later rewards"):
        ident.forget(first)
    assert ident.to_dict() == before
    ident.forget(third)
    ident.forget(first, loss_is_independent=True)
    assert ident.explain(0).pulls == 2


def test_a_damaged_wealth_is_said():
    problem = ga.Problem(2, 0.4, 0.05, **BOUNDED)
    ident = ga.Identifier(problem, ga.Algorithm(sampling="hdoc", identification="kelly"), seed=0)
    ident.ask()
    ident.observe(0, [0.5])
    document = ident.to_dict()
    for wealth in ([1.0], "no", [math.nan, 1.0], None):
        broken = json.loads(json.dumps(document))
        broken["arms"][0]["wealth"] = wealth
        with pytest.raises(ga.errors.SpecError, match="damaged"):
            ga.Identifier.from_dict(broken)
    broken = json.loads(json.dumps(document))
    del broken["arms"][0]["queue"][1]["rewards"]
    with pytest.raises(ga.errors.SpecError, match="does not hold its rewards"):
        ga.Identifier.from_dict(broken)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"gamblers": 0}, "'gamblers' of Betting must be a whole number"),
        ({"gamblers": 2.5}, "'gamblers' of Betting"),
        ({"most": 1.0}, "'most' of Betting must be a number strictly between 0 and 1"),
        ({"most": -0.2}, "'most' of Betting"),
    ],
)
def test_settings_that_make_no_sense_are_refused(keywords, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.rules.Betting(**keywords)


def test_evidence_and_label_agree():
    problem = ga.Problem(2, 0.5, 0.05, **BOUNDED)
    algorithm = ga.Algorithm(sampling="hdoc", identification="betting")
    setup, rule = algorithm.setup(problem), algorithm.rule(problem)
    low = np.full(32, math.log(40) - 0.01)
    assert rule.decide(setup, Tally(9, 6.0, 0.0, low)) == 0
    low[:16] += 0.02
    assert rule.decide(setup, Tally(9, 6.0, 0.0, low)) == 1
    assert rule.evidence(setup, Tally(9, 6.0, 0.0, low))[0] == pytest.approx(math.log(40) + 0.01)
