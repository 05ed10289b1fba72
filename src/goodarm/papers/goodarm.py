"""Goodarm's own comparison of all named algorithms on all instances; no published rows.

The last instances are made up, and have rewards that are not plain 0/1 ones.
"""

from goodarm.datasets import Instance, load
from goodarm.papers.cho2025 import FOUR, TEN
from goodarm.papers.example_instances import CASES, GAUSSIAN, RATINGS, REVENUE, SCORES
from goodarm.papers.lil_theory import LIL_THEORY
from goodarm.papers.paper import Footnote, Paper, PaperExperiment
from goodarm.results import STOP, tau

_LIMIT = 150_000_000
_FIRST_TO_STOP = (tau(1), tau(2), tau(3), STOP)
_SMALL = (tau(1), tau(2), STOP)
_ANY_REWARDS = ("e-hdoc", "kl-moss+mixture", "cho2025", "lil-hdoc", "hdoc")
_POOLED = ("e-hdoc", "cho2025", "lil-hdoc", "hdoc")


def _make_experiment(
    instance: Instance, runs: int, algorithms: tuple[str, ...] = _ANY_REWARDS
) -> PaperExperiment:
    """Create an experiment whose rewards are not plain 0/1 ones."""
    return PaperExperiment(instance, runs, _SMALL, delta=0.05, algorithms=algorithms)


PAPER = Paper(
    name="goodarm",
    title="The same guarantee with a hundredth of the pulls",
    reference="goodarm: e-hdoc beside the published algorithms",
    delta=0.01,
    algorithms=("e-hdoc", "cho2025", "apgai", "lil-hdoc", "hdoc", "lucb-g", "apt-g"),
    experiments=(
        PaperExperiment(load("synthetic"), runs=1000, quantities=_FIRST_TO_STOP),
        PaperExperiment(load("covertype"), runs=200, quantities=_FIRST_TO_STOP),
        PaperExperiment(load("jester"), runs=20, quantities=(tau(1), tau(12), tau(24), STOP)),
        PaperExperiment(
            load("movielens"),
            runs=20,
            quantities=(tau(1), tau(12), tau(24)),
            max_pulls={"lucb-g": _LIMIT, "apt-g": _LIMIT, "apgai": _LIMIT},
        ),
        PaperExperiment(FOUR, runs=4000, quantities=_SMALL, delta=0.05),
        PaperExperiment(TEN, runs=4000, quantities=_SMALL, delta=0.05),
        _make_experiment(RATINGS, runs=400),
        _make_experiment(SCORES, runs=400),
        _make_experiment(REVENUE, runs=100),
        _make_experiment(GAUSSIAN, runs=2000),
        _make_experiment(CASES, runs=2000, algorithms=_POOLED),
    ),
    rows=(),
    footnotes=(
        Footnote(
            "All algorithms see the same rewards. No algorithm with this delta can go below the "
            "lower bound, even if it knew the means.",
            with_theory=True,
        ),
        Footnote(
            "All algorithms see the same rewards. There are no lower bounds: those of the other "
            "instances are for 0/1 rewards without a pool.",
            with_theory=False,
        ),
        Footnote("Means are over the runs that got there; a wrong label keeps a few runs from it."),
        Footnote(
            "Runs of lucb-g, apt-g and apgai are stopped at 1.5e8 pulls: arms that lie on the "
            "threshold keep them from the others.",
            instance="movielens",
        ),
        Footnote("All cases of all arms are 2,000.", instance="cases"),
    ),
    theory=LIL_THEORY,
)
