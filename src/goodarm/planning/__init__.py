"""Plans: the pulls to expect before the first one is made.

======== ====================================================================
family   means that move towards the threshold together
effort   what a run would take, and how many are worth while
forecast runs as the pulls to expect, beside the lower bound
search   the smallest gap that a budget resolves
hint     the hint of the gap that would save most
gaps     pulls against gap, for a picture
question what is asked, checked and answered
======== ====================================================================
"""

from goodarm.planning.effort import TOO_LONG
from goodarm.planning.gaps import GapCurve, GapCurves, pulls_by_gap
from goodarm.planning.question import plan, planned_arms

__all__ = [
    "TOO_LONG",
    "GapCurve",
    "GapCurves",
    "plan",
    "planned_arms",
    "pulls_by_gap",
]
