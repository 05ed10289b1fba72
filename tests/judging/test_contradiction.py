"""No label contradicts its interval: random tables, every kind of reward, form and control."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga

KINDS = ("counts", "sums", "ratings", "scores", "gaussian", "pool", "score pool")


def draw(kind, rng, mean, size):
    """Rewards of one arm, in unit rewards."""
    if kind in ("counts", "pool"):
        return (rng.random(size) < mean).astype(float)
    if kind == "gaussian":
        return rng.normal(mean, 0.5, size)
    spread = rng.uniform(0.01, 0.5)
    drawn = np.clip(rng.normal(mean, spread, size), 0.0, 1.0)
    return np.round(drawn * 4) / 4 if kind in ("ratings", "score pool") else drawn


@settings(max_examples=150, deadline=None)
@given(
    kind=st.sampled_from(KINDS),
    control=st.sampled_from(["fwer", "fdr", "per-arm"]),
    order=st.sampled_from(["same", "own"]),
    margin=st.sampled_from([0.0, 0.0, 0.03]),
    delta=st.sampled_from([0.001, 0.05, 0.5]),
    gap=st.sampled_from([None, None, 0.1]),
    has_own=st.booleans(),
    planned=st.sampled_from([None, 30]),
    seed=st.integers(0, 2**32),
)
def test_a_label_never_contradicts_the_interval(
    kind, control, order, margin, delta, gap, has_own, planned, seed
):
    rng = np.random.default_rng(seed)
    num_arms, is_pool = int(rng.integers(1, 7)), kind in ("pool", "score pool")
    low, high = (-2.0, 6.0) if kind in ("sums", "ratings", "scores", "score pool") else (0.0, 1.0)
    most = 60 if is_pool else int(10 ** rng.uniform(0, 3))
    bars = rng.uniform(0.2, 0.8, num_arms)
    sizes = rng.integers(0, most + 1, num_arms)
    means = np.clip(bars + rng.choice([0.0, -0.15, 0.15, 0.5]) * rng.random(), 0.01, 0.99)
    rewards = {
        arm: low + (high - low) * draw(kind, rng, means[arm], sizes[arm]) for arm in range(num_arms)
    }
    bars = low + (high - low) * (bars if has_own else np.full(num_arms, bars[0]))
    asked = {"delta": delta, "margin": margin * (high - low), "control": control}
    asked |= {"arms_planned": planned, "gap": None if gap is None else gap * (high - low)}
    if kind == "gaussian":
        asked |= {"rewards": "gaussian", "sigma": 0.5}
    elif (low, high) != (0.0, 1.0):
        asked |= {"rewards": "bounded", "low": low, "high": high}
    if is_pool:
        asked |= {"pool": {arm: most + int(rng.integers(0, 3)) for arm in rewards}}
        asked |= {"case_order": order}
    table = rewards
    if kind in ("counts", "sums", "gaussian"):
        table = {arm: (len(x), float(np.sum(x))) for arm, x in rewards.items()}
    else:
        asked["raw"] = True
    found = ga.check(table, threshold=dict(enumerate(bars)), **asked)
    for report, bar in zip(found, bars, strict=True):
        judge_one(report, bar, asked["margin"], is_pool)


def judge_one(report, bar, margin, is_pool):
    """The label is the one that the shown interval and the mean give."""
    if report.pulls == 0:
        assert (report.label, report.lower, report.mean) == ("undecided", None, None)
        return
    is_good = report.lower >= bar - margin
    is_bad = report.upper < bar + margin if is_pool else report.upper <= bar + margin
    expected = "bad" if is_bad else "undecided"
    if is_good and (report.mean >= bar or not is_bad):
        expected = "good"
    assert report.label == expected
    assert (report.pulls_needed == 0) == (report.label != "undecided")
