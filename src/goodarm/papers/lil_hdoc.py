"""Paper of Tsai, Tsai, Lin: lil'HDoC on four instances. It states no delta; 0.01 reproduces it."""

import csv
from importlib.resources import files

from goodarm.datasets import load
from goodarm.papers.lil_theory import LIL_THEORY
from goodarm.papers.paper import Footnote, Paper, PaperExperiment, PublishedRow
from goodarm.results import STOP, read_quantity, tau


def _read_rows() -> tuple[PublishedRow, ...]:
    text = (files("goodarm.papers") / "data" / "lil_hdoc.csv").read_text(encoding="ascii")
    lines = list(csv.DictReader(text.splitlines()))
    decimals: dict[tuple[str, str], int] = {}
    for line in lines:
        place = line["instance"], line["tau"]
        digits = len(line["mean"].partition(".")[2])
        decimals[place] = max(decimals.get(place, 0), digits)
    return tuple(
        PublishedRow(
            instance=line["instance"],
            algorithm=line["algorithm"],
            quantity=read_quantity(line["tau"]),
            mean=float(line["mean"]) if line["mean"] else None,
            sd=float(line["sd"]) if line["sd"] else None,
            unit_printed=float(line["unit_printed"]),
            unit_consistent=float(line["unit_consistent"]),
            decimals=decimals[line["instance"], line["tau"]],
        )
        for line in lines
    )


_EVERY_THIRD = tuple(tau(count) for count in range(3, 25, 3))

_FIRST_TO_STOP = (tau(1), tau(2), tau(3), STOP)

PAPER = Paper(
    name="lil-hdoc",
    title="lil'HDoC: An Algorithm for Good Arm Identification under Small Threshold Gap",
    reference="Tzu-Hsien Tsai, Yun-Da Tsai, Shou-De Lin",
    delta=0.01,
    algorithms=("hdoc", "lucb-g", "lil-hdoc"),
    experiments=(
        PaperExperiment(load("synthetic"), runs=10, quantities=_FIRST_TO_STOP),
        PaperExperiment(load("covertype"), runs=25, quantities=_FIRST_TO_STOP),
        PaperExperiment(load("jester"), runs=25, quantities=(*_EVERY_THIRD, STOP)),
        PaperExperiment(
            load("movielens"),
            runs=20,
            quantities=_EVERY_THIRD,
            max_pulls={"lucb-g": 150_000_000, "apt-g": 150_000_000},
        ),
    ),
    rows=_read_rows(),
    footnotes=(
        Footnote("delta is not stated in the paper; 0.01 reproduces its table."),
        Footnote(
            "The tau_1 to tau_3 rows are ten times larger than the unit in the caption says: as "
            "printed they would not agree with tau_stop, which is as printed.",
            instance="synthetic",
            but_not=STOP,
        ),
        Footnote(
            "The tau_1 to tau_3 rows are ten times larger than the unit in the caption says: as "
            "printed they would not agree with tau_stop, which is as printed.",
            instance="covertype",
            but_not=STOP,
        ),
        Footnote(
            "Every row is ten times larger than the unit in the caption says: as printed, lil'HDoC "
            "would output three arms before its own warm-up of 100 x 2785 pulls is over.",
            instance="jester",
        ),
        Footnote(
            "The paper's text leaves several readings of the means; only a spread of 1/100 per "
            "rating point reproduces its table.",
            instance="jester",
        ),
        Footnote(
            "44 movies sit exactly on the threshold and can never be labelled, so a run stops at "
            "25 good arms.",
            instance="movielens",
        ),
        Footnote(
            "LUCB-G is stopped at 1.5e8 pulls, where the paper prints NA.",
            instance="movielens",
            algorithm="lucb-g",
        ),
        Footnote(
            "APT-G is stopped at 1.5e8 pulls: arms on the threshold starve the others.",
            instance="movielens",
            algorithm="apt-g",
        ),
        Footnote(
            "The paper's LUCB-G column is what one gets by finishing one arm after another in a "
            "fixed order. LUCB-G as defined spreads its pulls, which gives other tau rows and the "
            "same tau_stop.",
            algorithm="lucb-g",
        ),
        Footnote(
            "lil'HDoC comes out 2 to 3 % above the print in most rows; a fixed epsilon of .01 "
            "would explain about half of it.",
            algorithm="lil-hdoc",
        ),
        Footnote(
            "lil'HDoC's tau_1 comes out at .17 where .15 is printed: its warm-up alone is .12.",
            instance="covertype",
            algorithm="lil-hdoc",
        ),
    ),
    theory=LIL_THEORY,
)
