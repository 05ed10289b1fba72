"""A sigma that is far too small is refused, by a test that hardly ever refuses a right one."""

import itertools

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import integrate
from scipy.stats import chi2

import goodarm as ga
from goodarm.judging.sigma_test import (
    LEVEL,
    VARIANCE_RATIOS,
    Spread,
    log_evidence,
    log_evidence_of_arms,
)
from goodarm.wording import COMMAND_LINE

ASKED = {"threshold": 0.0, "delta": 0.05, "rewards": "gaussian", "raw": True}


def draw_rewards(sd, size=60, seed=0, shift=0.0):
    rng = np.random.default_rng(seed)
    return {arm: (shift + rng.normal(-0.1, sd, size)).tolist() for arm in "abc"}


def as_rows(rewards):
    return {
        "arm": [arm for arm in rewards for _ in rewards[arm]],
        "reward": [reward for each in rewards.values() for reward in each],
    }


FORMS = {
    "arms": lambda rewards: rewards,
    "pandas": lambda rewards: pd.DataFrame(as_rows(rewards)),
    "lazy": lambda rewards: pl.LazyFrame(as_rows(rewards)),
    "duckdb": lambda rewards: duckdb.from_df(pd.DataFrame(as_rows(rewards))),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_sigma_far_too_small_is_refused_with_both_numbers(form):
    rewards = draw_rewards(11.5)
    found = np.sqrt(np.mean([np.var(each, ddof=1) for each in rewards.values()]))
    words = (
        f"'sigma' of check must not be far below the spread of the rewards: 180 of them have a "
        f"standard deviation of {found:.4g} within arms.* at most 1e-06 if sigma is "
        "right; got 1.*trust_sigma=True"
    )
    with pytest.raises(ga.errors.SpecError, match=words) as refused:
        ga.check(FORMS[form](rewards), sigma=1.0, **ASKED)
    assert "--trust-sigma" in COMMAND_LINE.sentence(refused.value)
    trusted = ga.check(FORMS[form](rewards), sigma=1.0, trust_sigma=True, **ASKED)
    assert trusted.pulls.tolist() == [60, 60, 60]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shift", [0.0, 1e9])
def test_a_right_sigma_is_believed_wherever_the_mean_is(form, shift):
    asked = {**ASKED, "threshold": shift}
    assert (
        ga.check(FORMS[form](draw_rewards(11.5, shift=shift)), sigma=11.5, **asked).pulls.tolist()
        == [60] * 3
    )
    with pytest.raises(ga.errors.SpecError, match="'sigma' of check must not be far below"):
        ga.check(FORMS[form](draw_rewards(11.5, shift=shift)), sigma=4.0, **asked)


@pytest.mark.parametrize("form", FORMS)
def test_a_few_wide_arms_are_not_lost_among_many_narrow_ones(form):
    """All together have a standard deviation below sigma; the arm that shows it is named."""
    rng = np.random.default_rng(4)
    narrow = {f"narrow {k}": rng.normal(-0.1, 0.5, 200).tolist() for k in range(30)}
    wide = {f"wide {k}": rng.normal(-0.1, 11.5, 6).tolist() for k in range(4)}
    rewards = {**narrow, **wide}
    squares = sum(len(each) * np.var(each) for each in rewards.values())
    assert squares < sum(map(len, rewards.values()))  # the spread of all is below 1
    widest = max(wide, key=lambda arm: np.var(wide[arm]))
    found = np.std(wide[widest], ddof=1)
    words = f"the 6 of arm '{widest}' have a standard deviation of {found:.4g} around their average"
    with pytest.raises(ga.errors.SpecError, match=words):
        ga.check(FORMS[form](rewards), sigma=1.0, **ASKED)
    assert len(ga.check(FORMS[form](rewards), sigma=11.5, **ASKED).arms) == 34


def test_values_that_are_counted_are_rewards_too():
    asked = {**ASKED, "raw": False, "values": True}
    counts = {"a": {-12.0: 30, 12.0: 30}}
    assert ga.check(counts, sigma=12.0, **asked).pulls.tolist() == [60]
    with pytest.raises(
        ga.errors.SpecError, match="60 of them have a standard deviation of 12.1 within"
    ):
        ga.check(counts, sigma=1.0, **asked)


def test_arms_that_differ_do_not_make_sigma_implausible():
    """The spread is that within arms."""
    rng = np.random.default_rng(1)
    rewards = {str(arm): rng.normal(100.0 * arm, 1.0, 40).tolist() for arm in range(8)}
    assert ga.check(rewards, sigma=1.0, **ASKED).pulls.tolist() == [40] * 8


def test_sums_are_no_single_rewards_and_other_rewards_have_no_sigma():
    asked = {**ASKED, "raw": False}
    assert ga.check({"a": (60, 700.0)}, sigma=1.0, **asked).pulls.tolist() == [60]
    with pytest.raises(
        ga.errors.SpecError, match="'trust_sigma' of check must be left out for bern"
    ):
        ga.check({"a": (60, 7)}, threshold=0.5, delta=0.05, trust_sigma=True)


def test_chunks_add_up_to_the_whole():
    rng = np.random.default_rng(2)
    codes, values = rng.integers(0, 4, 300), rng.normal(1e6, 2.0, 300)
    parts, whole = Spread(), Spread()
    whole.add(codes, values, np.ones(300), 4)
    for start in range(0, 300, 7):
        some = slice(start, start + 7)
        parts.add(
            codes[some], values[some], np.ones(len(codes[some])), int(codes[: start + 7].max()) + 1
        )
    for one, other in zip(parts._parts, whole._parts, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)
    expected = [((values[codes == k] - values[codes == k].mean()) ** 2).sum() for k in range(4)]
    np.testing.assert_allclose(whole._squares, expected, rtol=1e-9)


def expectation(evidence, rewards, num_arms, most=25):
    """Of evidence, where the squares within arms have their distribution under a right sigma.

    Up to exp(most): the evidence has as long a tail as its largest ratio, 1e8.
    """
    law = chi2(rewards - num_arms)

    def density(log):
        return np.exp(evidence(np.exp(log)) + law.logpdf(np.exp(log)) + log)

    edges = np.arange(-60, most + 1)
    parts = [integrate.quad(density, *pair)[0] for pair in itertools.pairwise(edges)]
    return sum(parts)


@pytest.mark.parametrize(("rewards", "num_arms"), [(2, 1), (7, 1), (40, 3), (40, 20)])
def test_under_a_right_sigma_the_evidence_is_at_most_1_on_average(rewards, num_arms):
    """Exact, for Gaussian rewards: each l has (1 - l)^(1/2) for every arm, which is below 1."""
    found = expectation(lambda squares: log_evidence(rewards, squares), rewards, num_arms)
    exact = np.mean([ratio ** (-num_arms / 2) for ratio in VARIANCE_RATIOS])
    assert found == pytest.approx(exact, rel=1e-3)
    assert found < 1

    def best(squares):
        """The wrong variant: the l that fits best, chosen by the rewards themselves."""
        ratio = max(1.0, squares / (rewards - num_arms))
        return 0.5 * (squares * (1 - 1 / ratio) - (rewards - num_arms) * np.log(ratio))

    assert expectation(best, rewards, num_arms, most=6) > 1


def test_under_a_known_mean_the_product_is_a_martingale():
    """What bounds the evidence: with the mean itself each l has exactly 1 on average."""
    for rewards in (1, 5, 30):
        found = expectation(lambda squares, n=rewards: log_evidence(n, squares), rewards, 0)
        assert found == pytest.approx(1.0, rel=1e-3)


def average_evidence(rewards, squares):
    """The log of the evidence that decides, where the last axis is that of arms."""
    together = log_evidence(rewards.sum(-1), squares.sum(-1))
    own = np.logaddexp.reduce(log_evidence(rewards, squares), axis=-1)
    return np.logaddexp(together, own - np.log(rewards.shape[-1])) - np.log(2)


def test_the_two_parts_are_those_of_the_average():
    rewards, squares = np.array([3.0, 40.0, 1.0, 0.0]), np.array([30.0, 41.0, 0.0, 0.0])
    parts = log_evidence_of_arms(rewards, squares)
    assert np.logaddexp(*parts) - np.log(2) == pytest.approx(average_evidence(rewards, squares))


def expectation_of_two(evidence, rewards, freedom, most=22):
    """Of evidence of two arms, whose squares have these degrees of freedom; by quadrature."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    edges = np.arange(-45, most)
    logs = (edges[:, None] + (nodes + 1) / 2).ravel()
    masses = np.tile(weights / 2, len(edges))
    laws = [chi2(each).logpdf(np.exp(logs)) + logs + np.log(masses) for each in freedom]
    first, second = np.meshgrid(np.exp(logs), np.exp(logs), indexing="ij")
    squares = np.stack([first, second], axis=-1)
    shape = np.broadcast_to(np.array(rewards, float), squares.shape)
    return np.exp(evidence(shape, squares) + laws[0][:, None] + laws[1]).sum()


@pytest.mark.parametrize("rewards", [(1, 1), (5, 1), (20, 3)])
def test_the_average_over_arms_is_a_martingale_too(rewards):
    """Exact: with known means it is 1 on average, and less with the arms' own averages.

    The wrong variant is the largest evidence of an arm in place of their mean.
    """

    def largest(rewards, squares):
        return log_evidence(rewards, squares).max(axis=-1)

    assert expectation_of_two(average_evidence, rewards, rewards) == pytest.approx(1.0, rel=2e-3)
    assert expectation_of_two(largest, rewards, rewards) > 1.2
    freedom = [n - 1 for n in rewards]
    if min(freedom) > 0:
        parts = [np.mean([ratio ** (-k / 2) for ratio in VARIANCE_RATIOS]) for k in (1, 2)]
        found = expectation_of_two(average_evidence, rewards, freedom)
        assert found == pytest.approx(np.mean(parts), rel=2e-3)


def test_looking_at_many_arms_after_every_round_does_not_refuse_a_right_sigma():
    """Stopped at the first look that would refuse, at 1/20; the largest of the arms' is wrong."""
    rng = np.random.default_rng(5)
    runs, num_arms, last = 1000, 30, 60
    values = rng.normal(0.0, 1.0, (runs, num_arms, last))
    n = np.arange(1, last + 1)
    squares = np.cumsum(values**2, axis=2) - np.cumsum(values, axis=2) ** 2 / n
    refused, refused_by_largest = np.zeros(runs, bool), np.zeros(runs, bool)
    for k in range(last):
        rewards = np.full((runs, num_arms), n[k], float)
        refused |= average_evidence(rewards, squares[:, :, k]) >= np.log(20)
        own = log_evidence(rewards, squares[:, :, k])
        refused_by_largest |= own.max(axis=1) >= np.log(20)
    assert refused.mean() <= 1 / 20
    assert refused_by_largest.mean() > 0.1


def test_looking_after_every_reward_does_not_refuse_a_right_sigma():
    """Stopped at the first look that would refuse: by Ville at most LEVEL; here at 1/20.

    The wrong variant is a test for a fixed number of rewards, made at every one.
    """
    rng = np.random.default_rng(3)
    runs, last = 4000, 200
    values = rng.normal(0.0, 1.0, (runs, last))
    n = np.arange(1, last + 1)
    squares = np.cumsum(values**2, axis=1) - np.cumsum(values, axis=1) ** 2 / n
    ratios = np.array(VARIANCE_RATIOS)[:, None, None]
    logs = 0.5 * (squares * (1 - 1 / ratios) - n * np.log(ratios))
    averaged = np.logaddexp.reduce(logs, axis=0) - np.log(len(VARIANCE_RATIOS))
    assert averaged[5, 9] == pytest.approx(log_evidence(10, squares[5, 9]))
    refused = (averaged.max(axis=1) >= np.log(20)).mean()
    assert refused <= 1 / 20
    at_each = chi2.sf(squares[:, 1:], n[1:] - 1)
    assert (at_each.min(axis=1) <= 1 / 20).mean() > 0.2


def test_the_level_is_the_stated_one():
    """A sigma is refused exactly where the evidence reaches a million."""
    assert LEVEL == 1e-6
    spread = Spread()
    spread.add_counted(np.array([0]), np.array([9.0]), np.array([0.0]), np.array([1.0]))
    low, high = 1e-3, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        try:
            spread.check_sigma(middle, ["a"])
            high = middle
        except ga.errors.SpecError:
            low = middle
    assert log_evidence(9, 1 / low**2) == pytest.approx(np.log(1e6), abs=1e-6)
