"""Paper of Cho, Meier, Gan, Kallus: their algorithm and HDoC on two small instances."""

from goodarm.datasets import Instance
from goodarm.papers.lil_theory import LIL_THEORY
from goodarm.papers.paper import Footnote, Paper, PaperExperiment, PublishedRow
from goodarm.results import STOP, tau

_CITATION = "Cho, Meier, Gan, Kallus, AISTATS 2025"


def _make_instance(name: str, means: tuple[float, ...]) -> Instance:
    return Instance(
        name=name,
        means=means,
        threshold=0.5,
        about=f"{len(means)} Bernoulli arms around one half",
        citation=_CITATION,
        terms="none",
    )


FOUR = _make_instance("four", (0.6, 0.55, 0.45, 0.4))
TEN = _make_instance("ten", (0.6, 0.55, *(0.45,) * 4, *(0.4,) * 4))

PAPER = Paper(
    name="cho2025",
    title="Reward Maximization for Pure Exploration: Minimax Optimal Good Arm Identification for "
    "Nonparametric Multi-Armed Bandits",
    reference=_CITATION,
    delta=0.05,
    algorithms=("cho2025", "hdoc"),
    experiments=(
        PaperExperiment(FOUR, runs=4000, quantities=(tau(1), STOP)),
        PaperExperiment(TEN, runs=4000, quantities=(tau(1), STOP)),
    ),
    rows=(
        PublishedRow("four", "cho2025", tau(1), 532.8, None, decimals=1),
        PublishedRow("four", "cho2025", STOP, 3588.6, None, decimals=1),
        PublishedRow("ten", "cho2025", tau(1), 827.4, None, decimals=1),
        PublishedRow("ten", "cho2025", STOP, 10319.4, None, decimals=1),
        PublishedRow("four", "hdoc", STOP, 10729.0, None, decimals=0),
        PublishedRow("ten", "hdoc", STOP, 27999.0, None, decimals=0),
    ),
    footnotes=(
        Footnote("The paper prints no standard deviations; rows are compared by their ratio."),
        Footnote(
            "Our mean over 40,000 runs is 784 ± 3, and two independent programs agree on it. The "
            "sd of a single run is 550: a printed mean of a few hundred runs may be 5 % off.",
            instance="ten",
            algorithm="cho2025",
            but_not=STOP,
        ),
        Footnote("Only these two columns of the paper's table are declared."),
    ),
    theory=LIL_THEORY,
)
