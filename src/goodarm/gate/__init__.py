"""Gate: one arm and one verdict, whether its pass rate reaches a threshold."""

from goodarm.gate.boundaries import boundary
from goodarm.gate.gate import Gate
from goodarm.gate.hypothesis_seeds import HypothesisSeeds
from goodarm.gate.proof import prove

__all__ = [
    "Gate",
    "HypothesisSeeds",
    "boundary",
    "prove",
]
