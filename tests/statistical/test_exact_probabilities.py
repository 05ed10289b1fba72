"""Validity of the identification rules on 0/1 rewards, computed exactly."""

import pytest

import goodarm as ga
from goodarm.kernels.dispatch import bound
from statistical.exact_probabilities import crossing_probabilities

PULLS = 4000
FEWER = 1000
"""In every run of the tests, where make test-all has the rest."""
RULES = {
    "hoeffding": ga.rules.Hoeffding(),
    "lil": ga.rules.Lil(),
    "lil with epsilon 0.01": ga.rules.Lil(0.01),
    "lil with epsilon 0.5": ga.rules.Lil(0.5),
}
WRONG_VARIANTS_ARE_SEEN_AT = {"num_arms": 10**9, "delta": 0.05, "threshold": 0.5}
"""With so many arms even the widest rule errs often enough once its K is dropped."""


def setup_of(rule, num_arms, delta, threshold):
    """The rule for a number of arms that need not fit in memory."""
    epsilon = c = 0.0
    if isinstance(rule, ga.rules.Lil):
        chosen = None if rule.epsilon == "paper" else rule.epsilon
        parameters = ga.rules.lil_parameters(num_arms, delta, epsilon=chosen)
        epsilon, c = parameters.epsilon, parameters.c
    problem = ga.Problem(2, threshold, delta)
    algorithm = ga.Algorithm(sampling="hdoc", identification=rule)
    setup = algorithm.setup(problem)
    return setup._replace(arms_planned=num_arms, constants=(epsilon, c))


def worst_error(setup, factor=1.0, pulls=PULLS):
    """The larger probability, over both labels, of mislabelling an arm on the threshold."""
    xi = setup.threshold
    return max(crossing_probabilities(lambda n: factor * bound(setup, n), xi, xi, xi, pulls))


@pytest.mark.parametrize("pulls", [FEWER, pytest.param(PULLS, marks=pytest.mark.large)])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("threshold", [0.004, 0.1, 0.5, 0.9])
@pytest.mark.parametrize(("num_arms", "delta"), [(2, 0.3), (6, 0.01), (1000, 0.05)])
def test_an_arm_on_its_threshold_is_mislabelled_with_probability_at_most_delta_over_k(
    rule, threshold, num_arms, delta, pulls
):
    setup = setup_of(RULES[rule], num_arms, delta, threshold)
    assert worst_error(setup, pulls=pulls) <= delta / num_arms


@pytest.mark.parametrize("rule", ["hoeffding", "lil", "lil with epsilon 0.01"])
def test_wrong_variants_are_seen(rule):
    where = WRONG_VARIANTS_ARE_SEEN_AT
    limit = where["delta"] / where["num_arms"]
    setup = setup_of(RULES[rule], **where)
    assert worst_error(setup) <= limit
    assert worst_error(setup, factor=0.5) > limit
    assert worst_error(setup._replace(arms_planned=1)) > limit


def test_the_programme_agrees_with_a_sum_over_all_sequences():
    """Sixteen pulls of a fair coin, each of the 65536 sequences looked at."""
    pulls, xi = 16, 0.5

    def width(n):
        return 1.2 / n**0.5

    good = bad = 0
    for sequence in range(2**pulls):
        successes, is_good, is_bad = 0, False, False
        for n in range(1, pulls + 1):
            successes += (sequence >> (n - 1)) & 1
            is_good |= successes / n - width(n) >= xi
            is_bad |= successes / n + width(n) <= xi
        good += is_good
        bad += is_bad
    found = crossing_probabilities(width, 0.5, xi, xi, pulls)
    assert found == pytest.approx((good / 2**pulls, bad / 2**pulls))
    assert good > 0
