"""One arm, one verdict: a pass rate that is proven to reach a threshold, or not to."""

from goodarm.gate.gate import Gate
from goodarm.gate.hypothesis_seeds import HypothesisSeeds
from goodarm.gate.prove import prove

__all__ = [
    "Gate",
    "HypothesisSeeds",
    "prove",
]
