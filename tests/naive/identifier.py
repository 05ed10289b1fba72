"""Ask and tell by the book: everything is worked out again from the whole story at every step."""

import math
from dataclasses import replace

from naive import algorithms as naive

UNKNOWN_GAP = {"apt-g": 0.5}
GROWTH = 32


class NaiveIdentifier:
    """The same answers as goodarm's Identifier, from lists and dicts alone."""

    def __init__(self, problem, case):
        self.problem, self.case = problem, case
        self.asked = []  # the arm of each pull, by number - 1
        self.story = [
            [] for _ in range(case.num_arms)
        ]  # per arm: pull numbers and blocks, in order
        self.told, self.lost, self.dropped = {}, set(), set()
        self.told_sum = [0.0] * case.num_arms
        self.told_count = [0] * case.num_arms
        self.labels = [0] * case.num_arms
        self.good = []
        self.entered = [0] * case.num_arms
        self.seen = [(naive.Arm(), naive.Arm(), 0)] * case.num_arms  # for good, for bad, lost
        self.most = [math.inf] * case.num_arms  # pulls an arm may hold until one is told
        self.taken_out = set()
        self.pulls = 0

    def add_arm(self):
        """One more arm; nothing was asked of it."""
        self.case = replace(self.case, num_arms=self.case.num_arms + 1)
        self.story.append([])
        for numbers in (self.told_sum, self.told_count, self.labels, self.entered):
            numbers.append(0)
        self.seen.append((naive.Arm(), naive.Arm(), 0))
        self.most.append(math.inf)

    @property
    def active(self):
        return [
            arm for arm, label in enumerate(self.labels) if label == 0 and arm not in self.taken_out
        ]

    @property
    def is_ended(self):
        """Whether the run is over for another reason than that all arms are settled."""
        return self.is_done and bool(
            self.has_enough
            or (self.case.max_pulls is not None and len(self.asked) >= self.case.max_pulls)
        )

    def unit(self, reward):
        return (reward - self.problem.offset) / self.problem.scale

    def is_out(self, number):
        return number not in self.told and number not in self.lost | self.dropped

    @property
    def out(self):
        return [n for n in range(1, len(self.asked) + 1) if self.is_out(n)]

    @property
    def is_final(self):
        return not self.active or self.has_enough

    @property
    def has_enough(self):
        return self.case.until is not None and len(self.good) >= self.case.until

    @property
    def is_done(self):
        budget = self.case.max_pulls
        return self.is_final or (budget is not None and len(self.asked) >= budget and not self.out)

    def held(self, arm):
        """Pulls told, observed, lost or out."""
        blocks = sum(len(item) for item in self.story[arm] if isinstance(item, list))
        kept = [n for n, a in enumerate(self.asked, 1) if a == arm and n not in self.dropped]
        return blocks + len(kept)

    def next_arm(self, is_first):
        active = self.active
        for arm in active:
            if self.held(arm) < self.case.warmup:
                return arm
        awake = [arm for arm in active if not self.rests(arm)]
        if not awake and is_first:
            awake = [arm for arm in active if not self.is_settled(arm)]
        if not awake:
            return None
        t = sum(self.held(arm) for arm in range(self.case.num_arms))

        def index(arm):
            gap = UNKNOWN_GAP.get(self.case.sampling, 0.0)
            mean = self.case.threshold + gap
            if self.told_count[arm]:
                mean = self.told_sum[arm] / self.told_count[arm]
            seen = _Seen(self.held(arm), mean)
            return naive.SAMPLING[self.case.sampling](seen, t, self.case)

        return max(awake, key=index)

    def rests(self, arm):
        """It holds half of what it needs for a label, or many for its pulls and its share."""
        n, held = self.entered[arm], self.held(arm)
        if held == n or (n == 0 and self.told_count[arm] == 0):
            return False
        share = 1 + len(self.out) // len(self.active)
        return held >= self.most[arm] or held - n >= max(1 + n // GROWTH, 8 * share)

    def pulls_to_go(self, arm):
        """Further pulls until a label on the straight path of the mean, seen 4 times as far."""
        seen, high, _ = self.seen[arm]
        n, case = seen.n, self.case
        end = max(4 * n, 255)
        above, below = seen.mean - case.margin_low, case.margin_high - high.mean
        mean = seen.mean if above >= below else high.mean
        before = n if case.identify_during_warmup else max(n, case.warmup)
        step = 1
        while max(above, below) > 0 and before < end:
            after = min(before + step, end)
            if self.is_proven(arm, mean, after, above >= below):
                while after - before > 1:
                    middle = (before + after) // 2
                    if self.is_proven(arm, mean, middle, above >= below):
                        after = middle
                    else:
                        before = middle
                return after - n
            before = after
            step *= 2
        return max(end, before + 1) - n

    def is_proven(self, arm, mean, n, is_good):
        """Whether n pulls with this mean prove the label; wealth goes on growing as it did."""
        rule, is_whole = self.case.identification, self.problem.rewards == "bernoulli"
        if rule == "kelly" or (rule == "betting" and not is_whole):
            seen = self.seen[arm][0 if is_good else 1]
            logs = naive.logs_of_wealth(seen, self.case)[0 if is_good else 1]
            level = self.case.arms_planned / self.case.delta * (2 if rule == "kelly" else 1)
            return naive.won(logs, self.case, n / seen.n) >= level
        total = math.floor(mean * n) if is_whole and rule in ("mixture", "betting") else mean * n
        ones = [1.0] * int(total)
        path = naive.Arm(n, total, ones + [0.0] * (n - len(ones)))
        return naive.PROVEN[rule](path, self.case)[0 if is_good else 1]

    def ask_many(self, count):
        chosen = []
        budget = math.inf if self.case.max_pulls is None else self.case.max_pulls
        while len(chosen) < count and not self.is_final and len(self.asked) < budget:
            arm = self.next_arm(is_first=not chosen)
            if arm is None:
                break
            self.asked.append(arm)
            self.story[arm].append(len(self.asked))
            chosen.append((len(self.asked), arm))
        return chosen

    def tell_many(self, rewards):
        for number, reward in sorted(rewards.items()):
            if number in self.told:
                continue
            arm = self.asked[number - 1]
            self.told[number] = reward
            self.told_sum[arm] += self.unit(reward)
            self.told_count[arm] += 1
            self.pulls += 1
            self.enter(arm)

    def forget(self, number, loss_is_independent):
        if not self.is_out(number):
            return
        (self.dropped if loss_is_independent else self.lost).add(number)
        self.pulls += not loss_is_independent
        self.enter(self.asked[number - 1])

    def observe(self, arm, rewards):
        if not rewards:
            return
        self.story[arm].append(list(rewards))
        self.told_sum[arm] += math.fsum(map(self.unit, rewards))
        self.told_count[arm] += len(rewards)
        self.pulls += len(rewards)
        self.enter(arm)

    def is_settled(self, arm):
        """Rewards wait behind a missing one, and prove a label whatever the missing ones are."""
        seen, _, lost = self.seen[arm]
        if self.told_count[arm] == seen.n - lost:
            return False
        if self.problem.rewards == "gaussian":
            mean = self.told_sum[arm] / self.told_count[arm]
            return self.read(arm, mean - 2.0)[3] == 1 or self.read(arm, mean + 2.0)[3] == -1
        return self.read(arm, "lost")[3] != 0

    def enter(self, arm):
        """Read the arm's story from its beginning up to the first reward that is missing."""
        if self.is_final or arm not in self.active:
            return
        seen, high, lost, label = self.read(arm)
        if label:
            self.labels[arm] = label
        if label == 1:
            self.good.append(arm)
        self.entered[arm], self.seen[arm] = seen.n, (seen, high, lost)
        if seen.n:
            self.most[arm] = seen.n + max(seen.n // GROWTH, math.ceil(0.5 * self.pulls_to_go(arm)))

    def read(self, arm, missing=None):
        """What has entered the arm's test, and its label; missing rewards are lost, or this one."""
        seen, lost = naive.Arm(), 0
        high = naive.Arm()  # as a bet on bad sees it: lost pulls are successes
        for item in self.story[arm]:
            rewards, worst = [], 0
            if isinstance(item, list):
                rewards = list(map(self.unit, item))
            elif item in self.told:
                rewards = [self.unit(self.told[item])]
            elif item in self.lost:
                worst = 1
            elif item in self.dropped:
                continue
            elif missing == "lost":
                worst = 1
            elif missing is not None:
                rewards = [missing]
            else:
                break
            total = math.fsum(rewards)
            seen.n, seen.s = seen.n + len(rewards) + worst, seen.s + total
            high.n, high.s = seen.n, high.s + total + worst
            seen.rewards += rewards + [0.0] * worst
            high.rewards += rewards + [1.0] * worst
            lost += worst
            if seen.n > self.case.warmup or self.case.identify_during_warmup:
                label = self.label(seen, high, lost)
                if label:
                    return seen, high, lost, label
        return seen, high, lost, 0

    def label(self, seen, high, lost):
        proven = naive.PROVEN[self.case.identification]
        good, bad = proven(seen, self.case)[0], proven(high, self.case)[1]
        if good and bad:
            told = max(seen.n - lost, 1)
            return 1 if seen.s / told >= self.case.threshold else -1
        return 1 if good else -1 if bad else 0


class _Seen:
    def __init__(self, n, mean):
        self.n, self.mean = n, mean
