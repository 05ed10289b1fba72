"""The algorithms of the papers, pull by pull, in plain Python.

Rewards, threshold and margin are in unit rewards (1/2-sub-Gaussian). Each index and bound is
written in the one floating-point form that the project has settled on; ``test_bounds`` compares
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


def evidence(hits, misses, bar, weights=(1, 4, 16, 64)):
    """The mixture's e-value that hits come more often than the bar, as it is defined."""
    total = 0.0
    for weight in weights:
        a = weight * bar / min(bar, 1 - bar)
        b = weight * (1 - bar) / min(bar, 1 - bar)
        log = special.betaln(hits + a, misses + b) - special.betaln(a, b)
        log -= hits * math.log(bar) + misses * math.log(1 - bar)
        cut = special.betaincc(hits + a, misses + b, bar) / special.betaincc(a, b, bar)
        total += math.exp(log) * cut
    return total / len(weights)


def falling(x, k):
    """x (x - 1) ... (x - k + 1)."""
    return math.prod(range(x, x - k, -1))


def evidence_in_pool(hits, misses, size, least, weights=(1, 4, 16, 64)):
    """The e-value that a pool has at least ``least`` hits, a sum over all it can have."""
    if hits >= least:
        return math.inf
    if misses > size - least:
        return 0.0
    centre = (least - 0.5) / size
    total = 0.0
    for weight in weights:
        a = weight * centre / min(centre, 1 - centre)
        b = weight * (1 - centre) / min(centre, 1 - centre)
        logs = {
            s: math.log(math.comb(size, s)) + special.betaln(a + s, b + size - s)
            for s in range(least, size + 1)
        }
        most = max(logs.values())  # each by itself would be too small for a number
        prior = {s: math.exp(log - most) for s, log in logs.items()}
        mass = sum(prior.values())
        under = falling(least - 1, hits) * falling(size - least + 1, misses)
        for s, chance in prior.items():
            ratio = falling(s, hits) * falling(size - s, misses) / under
            total += chance / mass * ratio / len(weights)
    return total


def half_normal(n, total, scales):
    """The e-value of a sum of n rewards less the bar, in sigma: drifts of half-normal size."""
    weights = [1 / ((j + 1) * (j + 2)) for j in range(len(scales))]
    found = 0.0
    for weight, scale in zip(weights, scales, strict=True):
        v = 1 + n * scale**2
        z = total * scale / math.sqrt(v)
        log = z * z / 2 + special.log_ndtr(z) + math.log(2 / math.sqrt(v))
        found += weight / sum(weights) * math.exp(min(log, 300.0))
    return found


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
    cases: int = 0
    """in its pool; 0 without one"""

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
    "lucb-g": lambda arm, t, case: arm.mean + hoeffding(arm.n, case.arms_planned, case.delta),
    "apt-g": lambda arm, t, case: -math.sqrt(arm.n) * abs(case.threshold - arm.mean),
    "apgai": lambda arm, t, case: math.sqrt(arm.n) * (arm.mean - case.threshold),
    "round-robin": lambda arm, t, case: -arm.n,
}
"""The index of each sampling rule; the largest is pulled, the first of equals."""

BOUND = {
    "hoeffding": lambda n, case: hoeffding(n, case.arms_planned, case.delta),
    "lil": lambda n, case: lil(n, case.arms_planned, case.delta, case.epsilon),
}


def proven_by_bound(arm, case):
    width = BOUND[case.identification](arm.n, case)
    return arm.mean - width >= case.margin_low, arm.mean + width <= case.margin_high


def proven_by_mixture(arm, case):
    level = case.arms_planned / case.delta
    misses = arm.n - arm.s
    if arm.cases:
        good, bad = case.least[arm.cases]
        good = evidence_in_pool(int(arm.s), int(misses), arm.cases, good, case.weights)
        bad = evidence_in_pool(
            int(misses), int(arm.s), arm.cases, arm.cases - bad + 1, case.weights
        )
        return good >= level, bad >= level
    good = evidence(arm.s, misses, case.margin_low, case.weights) >= level
    return good, evidence(misses, arm.s, 1 - case.margin_high, case.weights) >= level


def proven_by_half_normal(arm, case):
    level = case.arms_planned / case.delta
    above, below = arm.s - arm.n * case.margin_low, arm.n * case.margin_high - arm.s
    good = half_normal(arm.n, 2 * above, case.scales) >= level
    return good, half_normal(arm.n, 2 * below, case.scales) >= level


def fixed_bets(arm, case):
    """Gamblers on good and as many on bad; each holds to one bet, or to one part in a pool."""
    low, high = case.margin_low, case.margin_high
    parts = [0.95 * 0.5**j for j in range(case.gamblers)]
    parts += [parts[-1] / 4 ** (k + 1) for k in range(case.tail)]
    count = len(parts)
    arm.logs = arm.logs or [0.0] * (2 * count)
    for k in range(arm.bet_on, len(arm.rewards)):
        x, s = arm.rewards[k], sum(arm.rewards[:k])
        for j, part in enumerate(parts):
            if arm.cases:
                arm.logs[j] += bet_in_pool(part, x, s, k, arm.cases, low, is_strict=True)
                misses = (part, 1 - x, k - s, k, arm.cases, 1 - high)
                arm.logs[count + j] += bet_in_pool(*misses, is_strict=False)
            else:
                arm.logs[j] += math.log1p(part / low * (x - low))
                arm.logs[count + j] += math.log1p(-part / (1 - high) * (x - high))
    arm.bet_on = len(arm.rewards)
    return arm.logs[:count], arm.logs[count:]


def bet_in_pool(part, x, s, n, size, bar, *, is_strict):
    """The log of what a part makes, bet on more than the rest of the pool may have.

    The null is that the pool's sum does not reach the bar, or does not exceed it.
    """
    hair = size * bar * 2.0**-50 if is_strict else -size * (1 - bar) * 2.0**-50
    rest = (size * bar - hair - s) / (size - n)
    if rest < 0 or (rest == 0 and (is_strict or x > 0)):
        return 1e6
    gain = 0.0 if rest >= 1 or rest == 0 else math.log1p(part * (x / rest - 1))
    total = s + x
    is_over = total >= size * bar - hair if is_strict else total > size * bar - hair
    return 1e6 if is_over else gain


def shares(case):
    weights = [(j + 1) ** -case.tilt for j in range(case.gamblers)]
    main = 0.95 if case.tail else 1.0
    tail = [0.05 / case.tail for _ in range(case.tail)]
    return [main * weight / sum(weights) for weight in weights] + tail


def won(logs, case, times=1.0):
    """What gamblers have together, if their log gains grow ``times``-fold."""
    pairs = zip(shares(case) if len(logs) > 1 else [1.0], logs, strict=True)
    return sum(share * math.exp(min(times * log, 300)) for share, log in pairs)


def proven_by_betting(arm, case):
    level = case.arms_planned / case.delta
    good, bad = (won(side, case) for side in fixed_bets(arm, case))
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
    level = math.log(2 * case.arms_planned / case.delta)
    good, bad = kelly_bets(arm, case)
    return good[0] >= level, bad[0] >= level


PROVEN = {
    "hoeffding": proven_by_bound,
    "lil": proven_by_bound,
    "mixture": proven_by_mixture,
    "betting": proven_by_betting,
    "kelly": proven_by_kelly,
    "half-normal": proven_by_half_normal,
}
"""Whether an arm's counts prove it good, and bad."""


@dataclass
class Case:
    """One problem and one algorithm, in unit rewards."""

    num_arms: int
    """those there are, which sampling rules know"""
    arms_planned: int
    """those that delta is shared by"""
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
    weights: tuple = (1, 4, 16, 64)
    gamblers: int = 16
    tilt: float = 0.0
    tail: int = 0
    scales: tuple = tuple(2.0**-j for j in range(10))
    pools: tuple | None = None
    least: dict = field(default_factory=dict)
    """the least successes that reach the bars of good and of bad, by size of pool"""
    settings: dict = field(default_factory=dict)
    """the identification rule's own, by name"""


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
    arms = [Arm(cases=case.pools[i] if case.pools else 0) for i in range(case.num_arms)]
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
