"""The algorithms of the papers, pull by pull, in plain Python.

Rewards, threshold and margin are in unit rewards (1/2-sub-Gaussian). Each index and bound is
written in the one floating-point form that the project has settled on; ``test_rules`` compares
these forms with the papers' own.
"""

import math
from dataclasses import dataclass, field

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


def kl(m, q):
    """The divergence of 0/1 rewards, in a form in which little cancels for q close to m."""
    head = -m * math.log1p((q - m) / m) if m > 0 else 0.0
    return head - (1 - m) * math.log1p(-(q - m) / (1 - m))


def largest_mean(m, distance, case):
    """The largest q with kl(m, q) <= distance, by bisection; kl is 2 (m - q)^2 for Gaussians."""
    if case.is_gaussian:
        return m + math.sqrt(0.5 * distance)
    if m >= 1 or distance <= 0:
        return m
    if m < 1e-300:
        return -math.expm1(-distance)
    low, high = m, 1.0
    while low < (middle := 0.5 * (low + high)) < high:
        low, high = (middle, high) if kl(m, middle) <= distance else (low, middle)
    return high


def stepped(t):
    """t rounded down to a number of four bits and zeros."""
    power = 1
    while t // power >= 16:
        power *= 2
    return t // power * power


def moss_log(arm, t, case):
    return math.log(max(1.0, t / case.num_arms * (1.0 / arm.n)))


@dataclass
class Arm:
    n: int = 0
    s: float = 0.0
    rewards: list = field(default_factory=list)
    logs: list = field(default_factory=list)
    """the logs of wealth of a rule that bets, as far as ``bet_on`` rewards go"""
    bet_on: int = 0

    @property
    def mean(self):
        return self.s / self.n


SAMPLING = {
    "hdoc": lambda arm, t, case: arm.mean + math.sqrt(0.5 / arm.n) * math.sqrt(math.log(t)),
    "kl-moss": lambda arm, t, case: largest_mean(
        arm.mean, (1.0 / arm.n) * moss_log(arm, stepped(t), case), case
    ),
    "kl-ucb": lambda arm, t, case: largest_mean(
        arm.mean, (1.0 / arm.n) * math.log(stepped(t)), case
    ),
    "moss": lambda arm, t, case: (
        arm.mean + math.sqrt(0.525 * ((1.0 / arm.n) * moss_log(arm, t, case)))
    ),
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


def fixed_bets(arm, case):
    """Sixteen gamblers on good and as many on bad; each holds to one bet."""
    low, high = case.margin_low, case.margin_high
    arm.logs = arm.logs or [0.0] * 32
    for x in arm.rewards[arm.bet_on :]:
        for j in range(16):
            arm.logs[j] += math.log1p(0.95 / low * 0.5**j * (x - low))
            arm.logs[16 + j] += math.log1p(-0.95 / (1 - high) * 0.5**j * (x - high))
    arm.bet_on = len(arm.rewards)
    return arm.logs[:16], arm.logs[16:]


def proven_by_betting(arm, case):
    level = case.num_arms / case.delta
    sides = fixed_bets(arm, case)
    good, bad = (sum(math.exp(min(log, 300)) for log in side) / 16 for side in sides)
    return good >= level, bad >= level


def kelly_bets(arm, case):
    """Cho et al. 2025, Algorithm 2."""
    low, high = case.margin_low, case.margin_high
    arm.logs = arm.logs or [0.0, 0.0]
    for n in range(arm.bet_on, len(arm.rewards)):
        x, s = arm.rewards[n], sum(arm.rewards[:n])
        up = ((s + low) / (n + 1) - low) / (low * (1 - low))
        down = ((s + high) / (n + 1) - high) / (high * (1 - high))
        arm.logs[0] += math.log1p(min(max(up, 0), 0.98 / low) * (x - low))
        arm.logs[1] += math.log1p(max(min(down, 0), -0.98 / (1 - high)) * (x - high))
    arm.bet_on = len(arm.rewards)
    return arm.logs[:1], arm.logs[1:]


def logs_of_wealth(arm, case):
    """Of the gamblers on good, and of those on bad."""
    return (kelly_bets if case.identification == "kelly" else fixed_bets)(arm, case)


def proven_by_kelly(arm, case):
    level = math.log(2 * case.num_arms / case.delta)
    good, bad = kelly_bets(arm, case)
    return good[0] >= level, bad[0] >= level


PROVEN = {
    "hoeffding": proven_by_bound,
    "lil": proven_by_bound,
    "mixture": proven_by_mixture,
    "betting": proven_by_betting,
    "kelly": proven_by_kelly,
}
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
    is_gaussian: bool = False


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
        reward = next_reward(i)
        arms[i].n += 1
        arms[i].s += reward
        arms[i].rewards.append(reward)
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
