"""The algorithms of the papers, pull by pull, in plain Python.

Rewards, threshold and margin are in unit rewards (1/2-sub-Gaussian). Each index and bound is
written in the one floating-point form that the project has settled on; ``test_rules`` compares
these forms with the papers' own.
"""

import math
from dataclasses import dataclass

from scipy import special


def hoeffding(n, num_arms, delta):
    return math.sqrt(math.log(4.0 * num_arms * n * n / delta) / (2.0 * n))


def lil(n, num_arms, delta, eps):
    c = (2 + eps) / eps * (1 / math.log1p(eps)) ** (1 + eps)
    inner = math.log(c * num_arms * math.log((1 + eps) * n) / delta)
    return (1 + math.sqrt(eps)) * math.sqrt((1 + eps) / (2 * n) * inner)


def evidence(hits, misses, bar):
    """The mixture's e-value that hits come more often than the bar, as it is defined."""
    total = 0.0
    for weight in (1, 4, 16, 64):
        a = weight * bar / min(bar, 1 - bar)
        b = weight * (1 - bar) / min(bar, 1 - bar)
        log = special.betaln(hits + a, misses + b) - special.betaln(a, b)
        log -= hits * math.log(bar) + misses * math.log(1 - bar)
        cut = special.betaincc(hits + a, misses + b, bar) / special.betaincc(a, b, bar)
        total += math.exp(log) * cut
    return total / 4


@dataclass
class Arm:
    n: int = 0
    s: float = 0.0

    @property
    def mean(self):
        return self.s / self.n


SAMPLING = {
    "hdoc": lambda arm, t, case: arm.mean + math.sqrt(0.5 / arm.n) * math.sqrt(math.log(t)),
    "lucb-g": lambda arm, t, case: arm.mean + hoeffding(arm.n, case.num_arms, case.delta),
    "apt-g": lambda arm, t, case: -math.sqrt(arm.n) * abs(case.threshold - arm.mean),
    "apgai": lambda arm, t, case: math.sqrt(arm.n) * (arm.mean - case.threshold),
    "round-robin": lambda arm, t, case: -arm.n,
}
"""The index of each sampling rule; the largest is pulled, the first of equals."""

BOUND = {
    "hoeffding": lambda n, case: hoeffding(n, case.num_arms, case.delta),
    "lil": lambda n, case: lil(n, case.num_arms, case.delta, case.epsilon),
}


def proven_by_bound(arm, case):
    width = BOUND[case.identification](arm.n, case)
    return arm.mean - width >= case.margin_low, arm.mean + width <= case.margin_high


def proven_by_mixture(arm, case):
    level = case.num_arms / case.delta
    misses = arm.n - arm.s
    good = evidence(arm.s, misses, case.margin_low) >= level
    return good, evidence(misses, arm.s, 1 - case.margin_high) >= level


PROVEN = {"hoeffding": proven_by_bound, "lil": proven_by_bound, "mixture": proven_by_mixture}
"""Whether an arm's counts prove it good, and bad."""


@dataclass
class Case:
    """One problem and one algorithm, in unit rewards."""

    num_arms: int
    threshold: float
    margin_low: float
    margin_high: float
    delta: float
    sampling: str
    identification: str
    epsilon: float
    warmup: int
    identify_during_warmup: bool
    until: int | None
    max_pulls: int | None


@dataclass
class Result:
    pulled: list
    """the arm of each pull"""
    labels: list
    tau: list


def label_of(case, arm):
    """What an arm's own counts prove: 1 good, -1 bad, 0 neither."""
    good, bad = PROVEN[case.identification](arm, case)
    if good and bad:
        return 1 if arm.mean >= case.threshold else -1
    return 1 if good else -1 if bad else 0


def run(case, next_reward):
    """The whole run; ``next_reward(arm)`` returns unit rewards."""
    arms = [Arm() for _ in range(case.num_arms)]
    result = Result(pulled=[], labels=[0] * case.num_arms, tau=[])

    def is_over():
        return (
            all(result.labels)
            or (case.until is not None and len(result.tau) >= case.until)
            or (case.max_pulls is not None and len(result.pulled) >= case.max_pulls)
        )

    def pull(i, is_warmup):
        arms[i].n += 1
        arms[i].s += next_reward(i)
        result.pulled.append(i)
        if not is_warmup or case.identify_during_warmup:
            result.labels[i] = label_of(case, arms[i])
            if result.labels[i] == 1:
                result.tau.append(len(result.pulled))

    for i in range(case.num_arms):
        while not is_over() and result.labels[i] == 0 and arms[i].n < case.warmup:
            pull(i, is_warmup=True)
    while not is_over():
        active = [i for i in range(case.num_arms) if result.labels[i] == 0]
        t = len(result.pulled)
        index = SAMPLING[case.sampling]
        pull(max(active, key=lambda i: index(arms[i], t, case)), is_warmup=False)
    return result
