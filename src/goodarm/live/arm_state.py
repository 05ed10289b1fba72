"""Arrays over arms: counts that decide labels, and counts that decide which arm is asked next."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import IdentificationRule, Tally
from goodarm.kernels.codes import BERNOULLI, GAUSSIAN, GOOD, NEVER, UNDECIDED, Setup, is_tested
from goodarm.kernels.dispatch import bet
from goodarm.kernels.live.caps import EXTRAPOLATION, MAX_ROWS
from goodarm.kernels.live.next_pulls import compute_indices
from goodarm.kernels.live.records import OUT, PULL, Live, Records, make_live
from goodarm.kernels.live.rewards import is_short_of_rows
from goodarm.kernels.numerics.bets import settle_pool
from goodarm.kernels.tree import make_keys, make_tree

_MAX_NEW_ROWS: Final = 1 << 20
"""Pulls that the log grows by at most at once: much of a large batch may not be asked."""


class ArmState:
    """Arrays over arms that the kernels work on, and their fields by name, in unit rewards.

    For the tests: ``pulls``, ``sums`` and ``lost`` count what has entered, in the order asked, and
    freeze with the label; ``wealth`` has the logs of wealth of a rule that bets. For the sampling
    rule: ``active`` arms have no label yet, ``held`` counts pulls told and out, ``told`` and
    ``told_sums`` the rewards that came in, waiting ones too. An arm of which nothing was told yet
    has a mean that stands ``unknown_gap`` above the threshold.
    """

    def __init__(self, setup: Setup, rule: IdentificationRule, unknown_gap: float) -> None:
        self.rule = rule
        self.setup = setup
        self.taken_out: set[int] = set()
        """arms that were taken out of play"""
        self._unknown_mean = setup.threshold + unknown_gap
        self._take(self._make_arrays())

    def _make_arrays(self) -> Live:
        """Return the arrays before the first pull."""
        setup, rule = self.setup, self.rule
        bets, pools = rule.bet_rows(setup), rule.pools(setup)
        self.bets = bets.size > 0
        live = make_live(setup, bets, pools, self._unknown_mean)
        if setup.has_pool and (curves := rule.curves(setup)) is not None:
            return live._replace(curves=curves.reach(0, 0.0))
        return live

    def add_arm(self, setup: Setup, rule: IdentificationRule) -> None:
        """Add an arm behind the others, without any pulls."""
        old, new_arm = self.live, self.setup.num_arms
        self.setup, self.rule = setup, rule
        fresh = self._make_arrays()
        rows = fresh.arms["first_row"].copy()  # a pool of another size moves the curves of others
        for field in ("arms", "level", "width", "wealth"):
            getattr(fresh, field)[:new_arm] = getattr(old, field)[:new_arm]
        fresh.arms["first_row"] = rows
        alive = int(self.progress["alive"])
        fresh.alive[:alive] = old.alive[:alive]
        fresh.alive[alive] = new_arm
        curves = fresh.curves if setup.has_pool else old.curves
        self._take(fresh._replace(progress=old.progress, log=old.log, curves=curves))
        self.progress["alive"] = alive + 1
        self.progress["clock_end"] = 0  # indices are to be taken anew: some know how many arms

    def _take(self, live: Live) -> None:
        """Take new arrays, and name their fields."""
        self.live = live
        self.wealth = live.wealth[: self.setup.num_arms]
        self.arms = arms = self.live.arms
        self.progress = self.live.progress[0]
        self._asked, self._event = self.live.progress["asked"], self.live.progress["event"]
        self.pulls, self.sums, self.lost = arms["pulls"], arms["sums"], arms["lost"]
        self.labels, self.labelled_at = arms["labels"], arms["labelled_at"]
        self.held, self.told, self.told_sums = arms["held"], arms["told"], arms["told_sums"]
        self.means, self.active = arms["means"], arms["active"]

    @property
    def asked(self) -> int:
        """Number of pulls asked."""
        return int(self._asked[0])

    @property
    def event(self) -> int:
        """Reason why telling has stopped: see ``kernels.live.rewards``."""
        return int(self._event[0])

    def pull(self, number: int) -> tuple[float, int, int, int, int]:
        """Return a pull: reward, arm, the arm's next pull, case and state."""
        found: tuple[float, int, int, int, int] = self.live.log[number - 1].item()
        return found

    @property
    def is_final(self) -> bool:
        """True if no label can change any more."""
        return bool(self.progress["alive"] == 0 or self.progress["good"] >= self.setup.until)

    @property
    def has_worst_case(self) -> bool:
        """True if a lost reward can be counted as the worst one: Gaussian rewards have none."""
        return self.setup.rewards != GAUSSIAN

    def log(self, field: str) -> NDArray[np.generic]:
        """Return one field of all pulls asked, by number less 1."""
        return self.live.log[field][: self.asked]

    def make_room(self, count: int) -> int:
        """Make room in the log for ``count`` pulls; return how many of them fit."""
        asked, room = self.asked, len(self.live.log) - self.asked
        if count > room:
            longer = np.zeros(min(2 * len(self.live.log) + count, 2 * asked + _MAX_NEW_ROWS), PULL)
            longer[:asked] = self.live.log[:asked]
            self.live = self.live._replace(log=longer)
            room = len(longer) - asked
        return min(count, room)

    def enter_block(self, arm: int, size: int, total: float, rewards: tuple[float, ...]) -> None:
        """Count a block in the arm's test.

        All its rewards are bet on with the bets that stood before the block.
        """
        arm_record = self.arms[arm]
        before = (
            int(arm_record["cases"]),
            int(arm_record["pulls"]),
            float(arm_record["sums"]),
            float(arm_record["lost"]),
        )
        for reward in rewards:
            bet(self.setup, self.live.wealth, arm, *before, reward, reward)
        self.pulls[arm] += size
        self.sums[arm] += total
        if self.setup.has_pool and self.setup.keeps_wealth:
            now = before[0], before[1] + size, before[2] + total, before[3]
            settle_pool(self.setup, self.live.wealth, arm, *now)
        self.arms[arm]["most"] = 0

    def label(self, arm: int) -> int:
        """Return the label that the arm's counts prove by the rule."""
        self.extend_curves(arm)
        if not is_tested(self.setup, self.pulls[arm]):
            return UNDECIDED
        return self.rule.decide(self.setup, self.tally(arm))

    def extend_curves(self, arm: int) -> None:
        """Give the kernels the curves as far as this arm needs them."""
        n, total = int(self.pulls[arm]), float(self.sums[arm] + self.lost[arm])
        row = int(total) if self.setup.rewards == BERNOULLI else n
        if not self.setup.has_curves or self.setup.has_pool:
            return
        if not is_short_of_rows(len(self.live.curves), row):
            return
        curves = self.rule.curves(self.setup)
        if curves is not None:
            most = MAX_ROWS - 2
            rows = curves.reach(
                min(EXTRAPOLATION * n, most), min(EXTRAPOLATION * total, float(most))
            )
            self.live = self.live._replace(curves=rows[:MAX_ROWS])

    def tally(self, arm: int) -> Tally:
        """Return what the arm's test looks at."""
        n, total, lost = int(self.pulls[arm]), float(self.sums[arm]), float(self.lost[arm])
        return Tally(n, total, lost, self.wealth[arm], cases=int(self.arms["cases"][arm]))

    def tallies(self, arms: NDArray[np.intp]) -> Tally:
        """Return what the tests of several arms look at, as arrays."""
        n, total, lost = self.pulls[arms], self.sums[arms], self.lost[arms].astype(float)
        return Tally(n, total, lost, self.wealth[arms], cases=self.arms["cases"][arms])

    def is_used_up(self, arm: int) -> bool:
        """Return whether all cases of the arm's pool have entered its test."""
        return bool(self.setup.has_pool and self.pulls[arm] == self.arms["cases"][arm])

    def find_used_up(self, arms: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return whether all cases of each arm's pool have entered its test."""
        if not self.setup.has_pool:
            return np.zeros(len(arms), bool)
        return np.asarray(self.pulls[arms] == self.arms["cases"][arms])

    def isolate(self, arm: int, numbers: NDArray[np.int64]) -> "ArmState":
        """Return a copy that holds this arm alone, as arm 0, to try rewards on.

        ``numbers`` are the pulls that wait to enter its test; they become 1, 2, 3, ...
        """
        live, count = self.live, len(numbers)
        arms, log = live.arms[arm : arm + 1].copy(), live.log[numbers - 1]
        arms["first"], arms["last"] = min(1, count), count
        arms["block"] = NEVER
        log["arm"], log["after"] = 0, np.arange(2, count + 2)
        log["after"][-1:] = 0
        progress = live.progress.copy()
        progress["alive"], progress["asked"], progress["clock_end"] = 1, count, 0
        keys = make_keys(min(1, len(live.keys)))
        alone = object.__new__(ArmState)
        alone.rule, alone.setup, alone.bets = self.rule, self.setup, self.bets
        alone.taken_out = set()
        alone._take(
            live._replace(
                progress=progress,
                arms=arms,
                log=log,
                alive=np.zeros(1, np.int64),
                level=live.level[arm : arm + 1].copy(),
                width=live.width[arm : arm + 1].copy(),
                keys=keys,
                tree=make_tree(keys),
                wealth=live.wealth[[arm, -2, -1]],  # the bets and their shares stand below the arms
            )
        )
        return alone

    def take_log(self, log: Records) -> None:
        """Take the pulls that were asked, each with its arm, reward and state."""
        self.live = self.live._replace(log=log)
        self.progress["asked"] = len(log)

    def by_arm(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the pulls, by number less 1, arm after arm, and where each arm's begin and end."""
        arms = self.log("arm")
        order = np.argsort(arms, kind="stable")
        return order, np.searchsorted(arms[order], np.arange(self.setup.num_arms + 1))

    def restore(self, pulls: int) -> None:
        """Derive all other fields after the counts, the log and the queues were set."""
        log, progress = self.live.log, self.progress
        order, ends = self.by_arm()
        same = np.diff(log["arm"][order]) == 0
        log["after"][order[:-1][same]] = order[1:][same] + 1
        asked = np.flatnonzero(np.diff(ends))
        self.arms["last"][asked] = order[ends[asked + 1] - 1] + 1
        known = self.told > 0
        self.means[known] = self.told_sums[known] / self.told[known]
        self.active[:] = self.labels == UNDECIDED
        if self.setup.has_pool:
            self.active[:] &= self.pulls < self.arms["cases"]
        self.active[list(self.taken_out)] = False
        undecided = np.flatnonzero(self.active)
        self.live.alive[: len(undecided)] = undecided
        progress["alive"], progress["good"] = len(undecided), (self.labels == GOOD).sum()
        progress["held"], progress["out"] = self.held.sum(), (self.log("state") == OUT).sum()
        progress["pulls"] = pulls
        started = undecided[self.pulls[undecided] > 0]
        if len(started):
            for most in (self.pulls, self.sums + self.lost):  # curves reach as far as both
                self.extend_curves(int(started[np.argmax(most[started])]))
        compute_indices(self.live)
