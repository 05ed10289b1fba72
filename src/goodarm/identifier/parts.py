"""What an identifier is made of, for the rooms that work on it."""

from typing import NamedTuple

from goodarm.algorithm import Algorithm
from goodarm.identifier.cases import Cases
from goodarm.identifier.entered import Entered
from goodarm.identifier.intake import Intake
from goodarm.identifier.ledger import Ledger
from goodarm.identifier.standings import Standings
from goodarm.problem import Problem


class Parts(NamedTuple):
    """What an identifier is made of."""

    problem: Problem
    algorithm: Algorithm
    seed: int
    standings: Standings
    ledger: Ledger
    entered: Entered
    cases: Cases
    intake: Intake
