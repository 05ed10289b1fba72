"""Which arms are asked next: the warm-up in order, then whatever the sampling rule says."""

from goodarm.algorithm import IndexRule, SamplingRule, View
from goodarm.algorithm.sampling.view import checked_choice
from goodarm.errors import ProtocolError
from goodarm.identifier.standings import Standings
from goodarm.kernels.asking import ask, ask_of, may_ask, take_back
from goodarm.kernels.codes import Setup


class Chooser:
    """Chooses arms; each choice counts as a pull of its arm before the next one is made."""

    def __init__(
        self, setup: Setup, sampling: IndexRule | SamplingRule, standings: Standings, seed: int
    ) -> None:
        self._standings = standings
        self._rule = sampling if isinstance(sampling, SamplingRule) else None
        self._max_pulls = setup.max_pulls
        self._seed = seed
        self.add_arm(setup)

    def add_arm(self, setup: Setup) -> None:
        """Look at the arms as they are now."""
        standings = self._standings
        self._awake = standings.active.copy()
        self._view = View(setup, standings.held, standings.means, self._awake, self._seed)

    def choose(self, count: int) -> tuple[int, list[int]]:
        """The number of the first of at most ``count`` pulls that can be asked, and their arms."""
        standings = self._standings
        start = standings.asked
        missing = min(count, self._max_pulls - start)
        while missing > 0:
            room = standings.make_room(missing)
            asked = ask(standings.live, start, room)
            missing -= asked
            if asked < room:
                break
        if self._rule is not None and not standings.is_final:
            self._in_python(self._rule, start, missing)
        return start + 1, standings.log("arm")[start:].tolist()

    def nothing_left(self, is_done: bool) -> ProtocolError:
        """The error that says why nothing can be asked."""
        nothing, standings = "There is nothing left to ask:", self._standings
        if is_done:
            return ProtocolError(
                f"{nothing} the run is over. Read 'verdict', and check 'is_done' before asking."
            )
        if standings.asked < self._max_pulls:
            return ProtocolError(
                f"{nothing} all cases of the undecided arms are out. Tell or forget them."
            )
        return ProtocolError(
            f"{nothing} all {self._max_pulls} pulls of max_pulls are made and "
            f"{standings.progress['out']} of them are not told yet. Tell or forget them."
        )

    def _in_python(self, rule: SamplingRule, start: int, count: int) -> None:
        """Ask at most ``count`` pulls as the rule says, of arms that are not at rest.

        The first of a batch may be of any undecided arm. An error leaves all as it was before.
        """
        standings, view = self._standings, self._view
        try:
            for _ in range(count):
                if not may_ask(standings.live, self._awake, standings.asked == start):
                    break
                standings.make_room(1)
                view.move_to(int(standings.progress["held"]), standings.asked)
                ask_of(standings.live, checked_choice(rule.choose(view), view, rule.name))
        except BaseException:
            take_back(standings.live, start)
            raise
