"""Which arms are asked next: the warm-up in order, then whatever the sampling rule says."""

import numpy as np

from goodarm.algorithm import IndexRule, SamplingRule, View
from goodarm.algorithm.sampling.view import checked_choice
from goodarm.identifier.standings import Standings
from goodarm.kernels.choose import spread
from goodarm.kernels.codes import UNDECIDED, Setup


class Chooser:
    """Chooses arms; each choice counts as a pull of its arm before the next one is made."""

    def __init__(
        self, setup: Setup, sampling: IndexRule | SamplingRule, standings: Standings, seed: int
    ) -> None:
        self._setup = setup
        self._standings = standings
        self._warming = 0
        """no arm before this one lacks pulls of its warm-up"""
        self._sampling = sampling
        self._view = View(setup, standings.held, standings.means, standings.active, seed)

    def choose(self, count: int, asked: int) -> list[int]:
        """The arms of so many pulls, after so many were asked; an error leaves all as it was."""
        warming, chosen = self._warming, self._for_warmup(count)
        try:
            if isinstance(self._sampling, SamplingRule):
                self._in_python(self._sampling, chosen, count, asked)
            else:
                self._by_index(chosen, count)
        except BaseException:
            self._warming = warming
            for arm in chosen:
                self._standings.hold(arm, -1)
            raise
        return chosen

    def reopen(self, arm: int) -> None:
        """A pull of the arm counts as never made: its warm-up may lack one again."""
        if self._standings.held[arm] < self._setup.warmup:
            self._warming = min(self._warming, arm)

    def _for_warmup(self, count: int) -> list[int]:
        """Arms in order, each until it has its warm-up."""
        standings, chosen = self._standings, list[int]()
        start = self._warming
        is_lacking = (standings.held[start:] < self._setup.warmup) & (
            standings.labels[start:] == UNDECIDED
        )
        for arm in (start + np.flatnonzero(is_lacking)).tolist():
            take = min(self._setup.warmup - int(standings.held[arm]), count - len(chosen))
            chosen += [arm] * take
            standings.hold(arm, take)
            if len(chosen) == count:
                self._warming = arm
                return chosen
        self._warming = self._setup.num_arms
        return chosen

    def _by_index(self, chosen: list[int], count: int) -> None:
        standings, rest = self._standings, count - len(chosen)
        if rest <= 0:
            return
        found = np.empty(rest, np.int64)
        spread(
            self._setup,
            standings.alive,
            standings.alive_count,
            standings.level,
            standings.width,
            standings.held,
            standings.means,
            standings.total_held,
            found,
        )
        standings.total_held += rest
        chosen += [int(arm) for arm in found]

    def _in_python(self, rule: SamplingRule, chosen: list[int], count: int, asked: int) -> None:
        standings, view = self._standings, self._view
        while len(chosen) < count:
            view.move_to(standings.total_held, asked + len(chosen))
            arm = checked_choice(rule.choose(view), view, rule.name)
            standings.hold(arm, 1)
            chosen.append(arm)
