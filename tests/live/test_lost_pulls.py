"""Pulls without a reward: the worst case of what they may have been, or forgotten."""

import goodarm as ga
from live.identifiers import assert_refused, make_identifier


def test_lost_pulls_are_the_worst_case_in_both_tests():
    lucky = make_identifier(arms=["a"])
    for pull in lucky.ask_many(100):
        if pull.number % 4:
            lucky.tell(pull, 1)
        else:
            lucky.forget(pull)
    report = lucky.explain("a")
    assert report.label == "undecided"
    assert report.mean == 1.0
    assert report.pulls == 100
    assert report.upper == 1.0
    assert report.lower < 0.5
    unlucky = make_identifier(arms=["a"])
    for pull in unlucky.ask_many(100):
        if pull.number % 4:
            unlucky.tell(pull, 0)
        else:
            unlucky.forget(pull)
    assert unlucky.explain("a").label == "undecided"
    assert unlucky.explain("a").upper > 0.5
    dropped = make_identifier(arms=["a"])
    for pull in dropped.ask_many(100):
        if pull.number % 4:
            dropped.tell(pull, 1)
        else:
            dropped.forget(pull, loss_is_independent=True)
    assert dropped.explain("a").label == "good"


def test_with_a_margin_and_lost_pulls_the_mean_that_is_shown_decides():
    problem = ga.Problem(["a"], 0.3, 0.5, margin=0.25)
    algorithm = ga.Algorithm(sampling="hdoc", identification="hoeffding", warmup=149)
    ident = ga.Identifier(problem, algorithm)
    for pull in ident.ask_many(150):
        if pull.number <= 4:
            ident.forget(pull)
        else:
            ident.tell(pull, int(pull.number <= 47))
    report = ident.explain("a")
    assert report.mean < 0.3
    assert report.label == "bad"


def test_forgetting():
    ident = make_identifier()
    told, lost, dropped = ident.ask_many(3)
    ident.tell(told, 1)
    ident.forget(lost)
    ident.forget(dropped, loss_is_independent=True)
    ident.forget(lost)
    assert_refused(ident, ga.errors.ProtocolError, "was already told", lambda: ident.forget(told))
    assert_refused(ident, ga.errors.ProtocolError, "the other way", lambda: ident.forget(dropped))
    assert_refused(ident, ga.errors.ProtocolError, "was forgotten", lambda: ident.tell(lost, 1))
    assert_refused(ident, ga.errors.ProtocolError, "was forgotten", lambda: ident.tell(dropped, 1))
    assert_refused(
        ident,
        ga.errors.SpecError,
        "True or False",
        lambda: ident.forget(lost, loss_is_independent=1),
    )
    assert ident.ask().arm == dropped.arm, "an arm without a pull is warmed up again"
    gaussian = make_identifier(rewards="gaussian", sigma=1)
    pull = gaussian.ask()
    assert_refused(gaussian, ga.errors.SpecError, "no worst case", lambda: gaussian.forget(pull))
    gaussian.forget(pull, loss_is_independent=True)


def test_a_pull_of_a_labelled_arm_can_be_given_up_where_order_matters():
    ident = ga.Identifier(ga.Problem(1, 0.5, 0.4), "cho2025", seed=0)
    pulls = ident.ask_many(40)
    for pull in pulls[:30]:
        ident.tell(pull, 1)
    assert ident.verdict.good == [0]
    ident.forget(pulls[35])
    ident.tell(pulls[36], 0)
    assert ident.verdict.good == [0]
