"""The interval shown is the one that decides: it never contradicts a label."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga

KINDS = {
    "ratings": ({"rewards": "bounded", "low": 1, "high": 5}, lambda r: r.randint(1, 5)),
    "many values": ({"rewards": "bounded", "low": -1, "high": 2}, lambda r: r.uniform(-1, 2)),
    "gaussian": ({"rewards": "gaussian", "sigma": 0.7}, lambda r: r.gauss(0.5, 0.7)),
    "coins": ({}, lambda r: r.randint(0, 1)),
    "pool": ({"pool": 90}, lambda r: r.randint(0, 1)),
    "pool of scores": ({"pool": 90, "rewards": "bounded"}, lambda r: r.choice([0, 0.4, 1])),
}


STORIES = {
    "place": st.sampled_from([0.3, 0.5, 0.6]),
    "delta": st.sampled_from([0.05, 0.5]),
    "has_margin": st.booleans(),
    "algorithm": st.sampled_from([None, "kl-moss+betting"]),
    "seed": st.integers(0, 2**32),
}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=5)
@given(**STORIES)
def test_it_never_contradicts_a_label(kind, **drawn):
    check_story(kind, **drawn)


@pytest.mark.large
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12)
@given(**STORIES)
def test_it_never_does_in_many_stories(kind, **drawn):
    check_story(kind, **drawn)


def check_story(kind, place, delta, has_margin, algorithm, seed):
    """At every seventh pull, intervals and labels fit together."""
    keywords, draw = KINDS[kind]
    if kind in ("gaussian", "pool"):
        algorithm = None
    low, high = keywords.get("low", 0), keywords.get("high", 1)
    threshold, margin = low + place * (high - low), 0.05 * (high - low) * has_margin
    problem = ga.Problem(2, threshold, delta, margin=margin, **keywords)
    ident, rng = ga.Identifier(problem, algorithm, seed=1), random.Random(seed)
    hair = 1e-12 * max(abs(threshold), 1)
    for number in range(80):
        if ident.is_done:
            break
        pull = ident.ask()
        lost = rng.random()
        if lost < 0.05 and kind != "gaussian":
            ident.forget(pull)
        else:
            ident.tell(pull, draw(rng))
        if number % 7:
            continue
        for report in ident.table():
            if report.lower is None:
                continue
            assert report.lower <= report.upper + hair
            is_good = report.lower >= threshold - margin - hair
            is_bad = report.upper < threshold + margin + hair
            assert report.label != "good" or is_good
            assert report.label != "bad" or is_bad
            if margin == 0 and not kind.startswith("pool"):
                assert report.label != "undecided" or not (is_good or report.upper < threshold)
    again = ga.Identifier.from_dict(json.loads(json.dumps(ident.to_dict())))
    assert again.table() == ident.table()
