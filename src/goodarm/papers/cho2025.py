"""Cho, Meier, Gan, Kallus: the HDoC column of their table, on two small instances."""

from goodarm.datasets import Instance
from goodarm.papers.paper import Experiment, Footnote, Paper, PublishedRow

_CITATION = "Cho, Meier, Gan, Kallus, AISTATS 2025"


def _instance(name: str, means: tuple[float, ...]) -> Instance:
    return Instance(
        name=name,
        means=means,
        threshold=0.5,
        about=f"{len(means)} Bernoulli arms around one half",
        citation=_CITATION,
        terms="none",
    )


PAPER = Paper(
    name="cho2025",
    title="Reward Maximization for Pure Exploration: Minimax Optimal Good Arm Identification for "
    "Nonparametric Multi-Armed Bandits",
    reference=_CITATION,
    delta=0.05,
    algorithms=("hdoc",),
    experiments=(
        Experiment(
            _instance("four", (0.6, 0.55, 0.45, 0.4)), runs=4000, quantities=("tau_1", "tau_stop")
        ),
        Experiment(
            _instance("ten", (0.6, 0.55, *(0.45,) * 4, *(0.4,) * 4)),
            runs=4000,
            quantities=("tau_1", "tau_stop"),
        ),
    ),
    rows=(
        PublishedRow("four", "hdoc", "tau_stop", 10729.0, None, decimals=0),
        PublishedRow("ten", "hdoc", "tau_stop", 27999.0, None, decimals=0),
    ),
    footnotes=(
        Footnote("The paper prints no standard deviations; rows are compared by their ratio."),
        Footnote("Only the paper's HDoC column is declared."),
    ),
)
