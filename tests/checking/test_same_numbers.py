"""``check`` and Identifier judge by the same rule object: their numbers are the same."""

from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from algorithm.test_traits import OneBet
from goodarm.algorithm import IDENTIFICATION_RULES, TABLE_RULES

RULES = {
    "bernoulli": [
        "mixture",
        "betting",
        "hoeffding",
        "lil",
        ga.rules.Lil(0.3),
        ga.rules.Mixture([2]),
        OneBet(),
    ],
    "bounded": ["mixture", "hoeffding", "lil"],
}


def make_both_reports(problem, rule, rewards):
    """The reports of check and of an identifier that observed the same rewards."""
    counts = {arm: (len(values), float(np.sum(values))) for arm, values in rewards.items()}
    table = ga.check(counts, problem=problem, rule=rule)
    warmup = ga.rules.Warmup(1, identify_during_warmup=True)
    algorithm = ga.Algorithm(sampling="hdoc", identification=rule, warmup=warmup)
    ident = ga.Identifier(problem, algorithm)
    for arm, values in rewards.items():
        ident.observe(arm, values)
    return list(table), list(ident.table())


TABLES = {
    "kind": st.sampled_from(sorted(RULES)),
    "pick": st.integers(0, 6),
    "threshold": st.floats(0.1, 0.9),
    "margin": st.sampled_from([0.0, 0.0, 0.05]),
    "delta": st.floats(1e-4, 0.3),
    "seed": st.integers(0, 2**32),
    "num_arms": st.integers(2, 8),
}


@settings(max_examples=60)
@given(**TABLES)
def test_random_tables_are_judged_the_same_to_the_last_digit(**drawn):
    check_table(**drawn)


@pytest.mark.large
@settings(max_examples=150)
@given(**TABLES)
def test_many_random_tables_are_judged_the_same(**drawn):
    check_table(**drawn)


def check_table(kind, pick, threshold, margin, delta, seed, num_arms):
    """The reports of check are those of an identifier, field by field."""
    rule = RULES[kind][pick % len(RULES[kind])]
    rng = np.random.default_rng(seed)
    low, high = (0.0, 1.0) if kind == "bernoulli" else (-2.0, 6.0)
    keywords = {} if kind == "bernoulli" else {"rewards": "bounded", "low": low, "high": high}
    bar, slack = low + threshold * (high - low), margin * (high - low)
    problem = ga.Problem(num_arms, bar, delta, margin=slack, **keywords)
    rewards = {}
    for arm in range(num_arms):
        size, mean = int(rng.integers(0, 10 ** rng.uniform(0, 3.5))), rng.uniform()
        draws = rng.uniform(size=size) < mean
        rewards[arm] = (low + (high - low) * draws).tolist()
    ours, theirs = make_both_reports(problem, rule, rewards)
    for mine, other in zip(ours, theirs, strict=True):
        unknown = {"labelled_at": 0, "lost": None}  # to a table of counts
        assert asdict(mine) | unknown == asdict(other) | unknown


@pytest.mark.parametrize("rule", ["hoeffding", "lil", OneBet(), "betting"])
def test_other_rules(rule):
    table = ga.check({"a": (4000, 3600), "b": (4000, 100)}, threshold=0.5, delta=0.05, rule=rule)
    assert (table.good, table.bad) == (["a"], ["b"])
    assert table.rule == getattr(rule, "name", rule)
    has_evidence = table[0].e_good is not None
    assert has_evidence == (rule not in ("hoeffding", "lil"))
    assert bool(np.isfinite(table.log_good).any()) == has_evidence


def test_hoeffding_is_wider_than_the_mixture_and_asks_for_more_pulls():
    counts = {"a": (100, 62)}
    narrow = ga.check(counts, threshold=0.5, delta=0.05)[0]
    wide = ga.check(counts, threshold=0.5, delta=0.05, rule="hoeffding")[0]
    assert wide.lower < narrow.lower < narrow.upper < wide.upper
    assert wide.pulls_needed > narrow.pulls_needed
    assert wide.pulls_needed_90 > narrow.pulls_needed_90


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"rule": "kelly"}, "kelly rule depends on the order of rewards.*rule='mixture'"),
        ({"rule": "betting", "rewards": "bounded"}, "betting rule needs single rewards"),
        ({"rule": "hoeffding", "control": "fdr"}, "'fdr' needs e-values, and the hoeffding rule"),
        ({"rule": "mixtur"}, "'rule' of check must be one of .*mean 'mixture'"),
        ({"rule": OneBet(), "rewards": "bounded"}, "one-bet rule is for rewards of 0 or 1"),
    ],
)
def test_rules_that_a_table_has_nothing_for(keywords, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.check({"a": (10, 5)}, threshold=0.5, delta=0.05, **keywords)


def test_an_unknown_rule_is_answered_with_those_that_a_table_can_have():
    orderless = {name for name, rule in IDENTIFICATION_RULES.items() if not rule.depends_on_order}
    assert set(TABLE_RULES) == orderless
    assert "kelly" in IDENTIFICATION_RULES.keys() - orderless
    for name in ("nope", "kely"):
        with pytest.raises(
            ga.errors.SpecError, match="must be one of 'mixture', 'betting'"
        ) as caught:
            ga.check({"a": (10, 5)}, threshold=0.5, delta=0.05, rule=name)
        assert "kelly" not in str(caught.value)


def test_fdr_by_a_rule_of_ones_own():
    counts = {arm: (60, 48 - arm) for arm in range(10)}
    strict = ga.check(counts, threshold=0.5, delta=0.05, rule=OneBet())
    listed = ga.check(counts, threshold=0.5, delta=0.05, rule=OneBet(), control="fdr")
    assert set(strict.good) < set(listed.good)
