"""Arms that are added later: exact error, however the moment of adding depends on the data.

An adversary sees every reward, chooses who is pulled, and adds arms whenever that serves to get a
wrong label. All arms stand on the threshold, where *bad* is wrong and the tests are at their
tightest. What is computed is the largest probability of any wrong label that such a choice can
reach: no samples, no limits.
"""

import copy
import math
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm import Tally

DELTA, BAR = 0.5, 0.5
PLANNED = 4
PULLS = 12
HALF = Fraction(1, 2)


class AllIn(ga.rules.CountsRule):
    """Bets all on each reward: wealth 2^n after n failures and no success, and the mirror image.

    On the threshold it is a martingale that meets a level of 2^m exactly, so nothing of delta is
    left over: an error in how delta is shared cannot hide.
    """

    name = "all-in"

    def log_good(self, n, s, bar):
        return np.asarray(-s * np.log(bar) - 1000.0 * (n - s))

    def log_bad(self, n, s, bar):
        return np.asarray(-(n - s) * np.log(1.0 - bar) - 1000.0 * s)


class Steered(ga.rules.SamplingRule):
    """Pulls whom the adversary wants."""

    name = "steered"
    wanted = 0

    def choose(self, view):
        return Steered.wanted


def labels(rule, planned):
    """By the number of arms there are, pulls and successes; delta is shared by those planned."""
    algorithm = ga.Algorithm(sampling="round-robin", identification=rule)
    found = []
    for count in range(1, PLANNED + 1):
        problem = ga.Problem(count, BAR, DELTA, arms_planned=planned)
        setup, form = algorithm.setup(problem), algorithm.rule(problem)
        found.append(
            [
                [form.decide(setup, Tally(n, float(s))) if n else 0 for s in range(n + 1)]
                for n in range(PULLS + 1)
            ]
        )
    return found


class Adversary:
    """The best that can be done towards a wrong label, by going back from the last pull.

    A state is the counts of the undecided arms, how many arms there are, and the pulls left.
    """

    def __init__(self, table):
        self.table = table
        self.best = lru_cache(maxsize=None)(self._best)

    def _best(self, arms, count, left):
        """The largest chance of a wrong label from here, and the counts of the arm to pull.

        None stands for an arm that is added, and pulled at once.
        """
        options = [(0 * HALF, None)]
        if left > 0:
            options += [(self.chance(arms, own, count, left), own) for own in set(arms)]
            if count < PLANNED:
                options.append((self.chance((*arms, (0, 0)), (0, 0), count + 1, left), None))
        return max(options, key=lambda option: (option[0], option[1] or ()))

    def chance(self, arms, own, count, left):
        rest = list(arms)
        rest.remove(own)
        found = 0
        for reward in (0, 1):
            n, s = own[0] + 1, own[1] + reward
            label = self.table[count - 1][n][s]
            if label == -1:
                found += HALF
            else:
                after = rest if label == 1 else [*rest, (n, s)]
                found += HALF * self.best(tuple(sorted(after)), count, left - 1)[0]
        return found

    @property
    def error(self):
        return self.best((), 0, PULLS)[0]


@pytest.mark.parametrize(
    "rule", [AllIn(), "mixture", "hoeffding", ga.rules.Lil(0.3), ga.rules.Mixture((1,))]
)
def test_no_moment_of_adding_breaks_the_guarantee(rule):
    assert Adversary(labels(rule, PLANNED)).error <= DELTA


def test_the_rule_that_bets_all_reaches_what_it_may():
    """Each of four arms fails three times in a row with probability 1/8 = delta / 4."""
    assert Adversary(labels(AllIn(), PLANNED)).error == 1 - Fraction(7, 8) ** PLANNED


def test_sharing_delta_by_the_arms_of_the_day_breaks_it():
    """The first arm is then tested at delta, the second at half of it, and so on."""
    error = Adversary(labels(AllIn(), None)).error
    assert error == 1 - HALF * Fraction(3, 4) * Fraction(7, 8) ** 2 > DELTA


def test_the_identifier_errs_as_often_as_the_adversary_can_make_it():
    """Every story that the best adversary can meet, told to an Identifier with add_arm."""
    adversary = Adversary(labels(AllIn(), PLANNED))
    algorithm = ga.Algorithm(
        sampling=Steered(),
        identification=AllIn(),
        warmup=ga.rules.Warmup(1, identify_during_warmup=True),
    )

    def errors(ident, arms, left):
        """The chance of a wrong label; ``arms`` are the counts of undecided arms by label."""
        value, own = adversary.best(tuple(sorted(arms.values())), ident.problem.num_arms, left)
        if value == 0:
            return 0
        if own is None:
            arm = ident.problem.num_arms
            ident.add_arm(arm)
            arms = {**arms, arm: (0, 0)}
        else:
            arm = next(arm for arm, counts in arms.items() if counts == own)
        Steered.wanted = arm
        pull = ident.ask()
        assert pull.arm == arm
        found = 0
        for reward in (0, 1):
            other = copy.copy(ident)
            other.tell(pull, reward)
            if other.verdict.bad:
                found += HALF
                continue
            n, s = arms[arm]
            after = {**arms, arm: (n + 1, s + reward)}
            left_over = {each: after[each] for each in after if each in other.verdict.undecided}
            found += HALF * errors(other, left_over, left - 1)
        return found

    first = ga.Identifier(ga.Problem(1, BAR, DELTA, arms_planned=PLANNED), algorithm, seed=0)
    # The first arm is there: what the adversary would add first.
    Steered.wanted = 0
    pull, found = first.ask(), 0
    for reward in (0, 1):
        ident = copy.copy(first)
        ident.tell(pull, reward)
        found += HALF * errors(ident, {0: (1, reward)}, PULLS - 1)
    assert found == adversary.error <= DELTA


@pytest.mark.parametrize("enters", [False, True])
def test_rewards_known_when_an_arm_is_added_must_not_enter_its_test(enters):
    """Of six options that were tried three times each, the one with most failures is added."""
    candidates, tried = 6, 3
    histories = list(product((0, 1), repeat=tried))
    fewest = {}
    for outcome in product(range(tried + 1), repeat=candidates):
        ways = math.prod(math.comb(tried, s) for s in outcome)
        fewest[min(outcome)] = fewest.get(min(outcome), 0) + ways
    found = Fraction(0)
    for s, ways in fewest.items():
        chance = Fraction(ways, 2 ** (candidates * tried))
        wrong = [
            labelled_bad([1] * s + [0] * (tried - s) if enters else [], rewards)
            for rewards in histories
        ]
        found += chance * Fraction(sum(wrong), len(wrong))
    assert (found > DELTA) == enters
    assert found == (1 - Fraction(7, 8) ** candidates if enters else Fraction(1, 8))


def labelled_bad(known, rewards):
    """Whether the arm that is added ends bad, after what was known of it and some pulls."""
    algorithm = ga.Algorithm(sampling="round-robin", identification=AllIn())
    ident = ga.Identifier(ga.Problem(["first"], BAR, DELTA, arms_planned=PLANNED), algorithm, 0)
    ident.take_out("first")
    ident.add_arm("added")
    ident.observe("added", known)
    for reward in rewards:
        if not ident.is_done:
            ident.tell(ident.ask(), reward)
    return ident.verdict.bad == ["added"]
