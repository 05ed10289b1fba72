"""Pulls needed of other rules and rewards: how many hold.

As in ``test_needed_pulls``, with means from the prior or, where rewards are narrow, from an even
part of it. Rewards of which a rule knows the sum alone are taken to vary as much as they could.
"""

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm import Tally
from goodarm.algorithm.algorithm import make_setup
from goodarm.algorithm.needed_pulls import find_needed_pulls
from goodarm.algorithm.warmup import Warmup
from statistical.test_needed_pulls import coins, follow, within

DELTA = 1 / 60
BAR = 0.5


def uniform(rng, means, size):
    """The widest uniform rewards around their mean."""
    room = np.minimum(means, 1 - means)[:, None]
    return means[:, None] + room * rng.uniform(-1, 1, (len(means), size))


def narrow(rng, means, size):
    """Within .1 of their mean."""
    room = np.minimum(np.minimum(means, 1 - means), 0.1)[:, None]
    return means[:, None] + room * rng.uniform(-1, 1, (len(means), size))


def ratings(rng, means, size):
    """From 1 to 5, as 0 to 1."""
    return rng.binomial(4, means[:, None], (len(means), size)) / 4


def normal(rng, means, size):
    """With a standard deviation of 1/2."""
    return rng.normal(means[:, None], 0.5, (len(means), size))


def shares(setup, rule, tally, further):
    """Of arms that have numbers: how many, labelled within the median, within the other."""
    median, likely = find_needed_pulls(setup, rule, tally, (setup.level,) * 2)
    known = np.isfinite(likely)
    return int(known.sum()), *(
        int((further[known] <= found[known]).sum()) for found in (median, likely)
    )


def followed_bets(setup, rule, draw, means, look, last, rng):
    """What a look finds of undecided arms whose rewards are bet on, and their further pulls."""
    bets = np.concatenate(rule.bets(setup))
    half, at = len(bets) // 2, np.full(len(means), np.inf)
    going, wealth, sums, n = np.arange(len(means)), np.zeros((len(means), len(bets))), means * 0, 0
    while len(going) and n < last:
        size = min(64, (look if n < look else last) - n)
        rewards = draw(rng, means[going], size)
        logs = wealth[going, None] + np.cumsum(np.log1p(bets * (rewards[..., None] - BAR)), axis=1)
        won = np.exp(logs + rule.bet_rows(setup)[1])
        most = np.maximum(won[..., :half].sum(axis=-1), won[..., half:].sum(axis=-1))
        labelled = most >= np.exp(setup.level)
        done = labelled.any(axis=1)
        at[going[done]] = n + 1 + labelled.argmax(axis=1)[done]
        wealth[going], n = logs[:, -1], n + size
        sums[going] += rewards.sum(axis=1)
        going = going[~done]
        if n == look:
            seen = Tally(np.full(len(going), n), sums[going], np.zeros(len(going)), wealth[going])
            left = going
    return seen, at[left] - look


@pytest.mark.parametrize(
    "bets",
    [
        ga.rules.Betting(gamblers=10, tilt=0.5, tail=5, widen=True),
        pytest.param(ga.rules.Betting(), marks=pytest.mark.large),
    ],
    ids=["tilted", "equal"],
)
@pytest.mark.parametrize(
    ("draw", "low", "high"),
    [(coins, 0, 1), (uniform, 0, 1), (narrow, 0.2, 0.8), (ratings, 0, 1)],
    ids=lambda draw: getattr(draw, "__name__", ""),
)
@pytest.mark.parametrize("share", [0.3, pytest.param(1.0, marks=pytest.mark.large)])
def test_bets_on_each_reward(draw, low, high, bets, share):
    """Their growth so far is all that is known, and rewards are not 0 or 1: 84 to 94 % hold."""
    problem = ga.Problem(1, BAR, DELTA, rewards="bounded")
    rule = bets.for_problem(problem)
    setup, rng = make_setup(problem, rule), np.random.default_rng(4)
    total = median = likely = 0
    for look, arms in ((15, 600), (30, 1000), (60, 1500)):
        means = rng.uniform(low, high, round(share * arms))
        seen, further = followed_bets(setup, rule, draw, means, look, 20_000, rng)
        # No arm is followed longer, so those that may need more are left out, by what they show.
        few = find_needed_pulls(setup, rule, seen, (setup.level,) * 2)[1] <= 20_000 - look
        tally = seen.of(np.flatnonzero(few))
        found = shares(setup, rule, tally, further[few])
        total, median, likely = total + found[0], median + found[1], likely + found[2]
    assert total > 500 * share
    assert within(likely, total, 0.84, 0.94)
    assert within(median, total, 0.4, 0.6)


@pytest.mark.parametrize("size", [200, pytest.param(2000, marks=pytest.mark.large)])
def test_bets_in_a_pool(size):
    """Numbers are those of a bar that stays, so they hold somewhat too often."""
    problem, rng = ga.Problem(1, BAR, DELTA, rewards="bounded", pool=size), np.random.default_rng(9)
    total = median = likely = left = 0
    for mean in rng.random(300):
        scores, ident, report = (
            ratings(rng, np.array([mean]), size)[0],
            ga.Identifier(problem),
            None,
        )
        while not ident.is_done:
            pull = ident.ask()
            ident.tell(pull, scores[pull.case])
            if pull.number == 10 and not ident.is_done:
                report = ident.table()[0]
        if report is not None:
            further = ident.verdict.pulls - 10
            total, left = total + 1, left + (report.pulls_needed_90 == size - 10)
            median += further <= report.pulls_needed
            likely += further <= report.pulls_needed_90
    assert total > 100
    assert within(likely, total, 0.86, 1.0)
    assert within(median, total, 0.45, 0.8)
    assert left < 0.5 * total


@pytest.mark.parametrize(("draw", "least", "most"), [(coins, 0.88, 0.93), (uniform, 0.9, 1.0)])
def test_bets_that_follow_the_mean(draw, least, most):
    """Their growth is taken to be that of 0/1 rewards, so others hold too often."""
    problem = ga.Problem(1, BAR, DELTA, rewards="bounded")
    rule = ga.rules.Kelly()
    setup, rng, look = make_setup(problem, rule), np.random.default_rng(7), 30
    means = rng.random(1500)
    sums, wealth, at = np.zeros(1500), np.zeros((1500, 2)), np.full(1500, np.inf)
    for n in range(6000):
        going = np.flatnonzero(np.isinf(at))
        bet = ((sums[going] + BAR) / (n + 1) - BAR) / (BAR * (1 - BAR))
        reward = draw(rng, means[going], 1)[:, 0]
        stakes = np.stack([np.clip(bet, 0, 0.98 / BAR), np.clip(bet, -0.98 / BAR, 0)], axis=1)
        wealth[going] += np.log1p(stakes * (reward - BAR)[:, None])
        sums[going] += reward
        at[going[wealth[going].max(axis=1) >= setup.level]] = n + 1
        if n + 1 == look:
            left = np.flatnonzero(np.isinf(at))
            seen = Tally(np.full(len(left), look), sums[left], np.zeros(len(left)), wealth[left])
    few = find_needed_pulls(setup, rule, seen, (setup.level,) * 2)[1] <= 6000 - look
    tally = seen.of(np.flatnonzero(few))
    total, _, likely = shares(setup, rule, tally, at[left[few]] - look)
    assert total > 300
    assert within(likely, total, least, most)


def by_bounds(rule, setup):
    """Whether an arm has a label, from pulls and sums."""

    def is_labelled(n, s):
        pulls = np.broadcast_to(n, s.shape)
        good, bad = rule.proven(setup, Tally(pulls, s, 0.0))
        return (good | bad) & (setup.identify_during_warmup | (pulls > setup.warmup))

    return is_labelled


@pytest.mark.parametrize(
    ("rule", "draw", "warmup", "looks"),
    [
        (ga.rules.Hoeffding(), coins, Warmup(1), (20, 100)),
        (ga.rules.Lil(epsilon=0.05), coins, Warmup(200), (20, 100, 250)),
        (ga.rules.Hoeffding(), normal, Warmup(1), (20, 100)),
    ],
    ids=["hoeffding", "warm-up", "gaussian"],
)
def test_bounds(rule, draw, warmup, looks):
    keywords = {"rewards": "gaussian", "sigma": 0.5} if draw is normal else {}
    setup = make_setup(ga.Problem(1, BAR, DELTA, **keywords), rule, warmup=warmup)
    rng, total, median, likely = np.random.default_rng(5), 0, 0, 0
    for look in looks:
        # Gaussian means are even over a range in which nearly all arms that are undecided lie.
        means = rng.uniform(-1, 2, 1500) if draw is normal else rng.random(900)
        last = look + 100_000
        at, seen = follow(by_bounds(rule, setup), means, look, last, rng, draw)
        left = np.flatnonzero(at > look)
        tally = Tally(np.full(len(left), look), seen[left].astype(float), np.zeros(len(left)))
        found = shares(setup, rule, tally, at[left] - look)
        total, median, likely = total + found[0], median + found[1], likely + found[2]
    assert total > 500
    assert within(likely, total, 0.88, 0.93)
    if rule.name != "lil":  # whose warm-up ends for many arms at once
        assert within(median, total, 0.45, 0.55)


def test_sums_of_narrow_rewards_hold_too_often():
    """The mixture knows no more than sums, which could vary four times as much."""
    problem = ga.Problem(1, BAR, DELTA, rewards="bounded")
    rule = ga.rules.Mixture()
    setup, rng = make_setup(problem, rule), np.random.default_rng(6)
    rows = rule.curves(setup).reach(100_100, 0.0)

    def is_labelled(n, s):
        return (s >= rows["good_sum"][n]) | (s <= rows["bad_sum"][n])

    means = rng.uniform(0.2, 0.8, 1000)
    at, seen = follow(is_labelled, means, 100, 100_100, rng, uniform)
    left = np.flatnonzero(at > 100)
    tally = Tally(np.full(len(left), 100), seen[left], np.zeros(len(left)))
    total, _, likely = shares(setup, rule, tally, at[left] - 100)
    assert total > 300
    assert within(likely, total, 0.9, 0.99)
