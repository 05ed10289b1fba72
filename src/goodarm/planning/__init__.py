"""Plans: the pulls to expect before you make the first one.

========= ===================================================================
family    means that move towards the threshold together
effort    work of a run, and the number of runs that fit
forecast  pulls to expect from simulated runs, beside the lower bound
quantiles quantiles of runs, and how sure they are
counts    counts so far that a plan goes on from
search    the smallest gap that a budget resolves
hint      the hint of the gap that saves most pulls
gaps      pulls against gap, for a figure
planner   ``plan``: its arguments, and the answer
========= ===================================================================
"""

from goodarm.planning.effort import TOO_LONG
from goodarm.planning.gaps import GapCurve, GapCurves, simulate_by_gap
from goodarm.planning.planner import Split, find_planned_arms, plan

__all__ = [
    "TOO_LONG",
    "GapCurve",
    "GapCurves",
    "Split",
    "find_planned_arms",
    "plan",
    "simulate_by_gap",
]
