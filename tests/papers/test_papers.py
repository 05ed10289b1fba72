"""Declarations: complete, consistent, and with the units that the spec of the table gives."""

import json
import subprocess
import sys

import pytest

import goodarm as ga
from goodarm.datasets import Instance
from goodarm.papers import (
    PAPERS,
    Footnote,
    Paper,
    PaperExperiment,
    PublishedRow,
    find_paper,
    registry,
)
from goodarm.results.quantity import STOP, tau


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_declares_what_it_reports(name):
    paper = PAPERS[name]
    assert paper.name == name
    assert find_paper(name) is paper
    instances = {experiment.instance.name for experiment in paper.experiments}
    for row in paper.rows:
        assert row.instance in instances
        assert row.algorithm in paper.algorithms
    for experiment in paper.experiments:
        assert experiment.quantities
        assert experiment.runs > 0
    assert paper.title
    assert paper.reference


def test_every_row_of_the_lil_hdoc_table_is_there():
    paper = find_paper("lil-hdoc")
    assert len(paper.rows) == 12 + 12 + 27 + 24
    for experiment in paper.experiments:
        for algorithm in paper.algorithms:
            for quantity in experiment.quantities:
                assert paper.row(experiment.instance.name, algorithm, quantity) is not None
    assert paper.row("synthetic", "apt-g", tau(1)) is None


@pytest.mark.parametrize(
    ("instance", "algorithm", "quantity", "pulls", "decimals"),
    [
        ("synthetic", "hdoc", tau(1), 3.92e6, 2),
        ("synthetic", "lil-hdoc", tau(2), 6.0e6, 2),
        ("synthetic", "hdoc", STOP, 551.13e5, 2),
        ("covertype", "hdoc", tau(1), 0.14e5, 2),
        ("covertype", "hdoc", STOP, 3225.9e4, 1),
        ("jester", "lil-hdoc", tau(3), 1.42e6, 2),
        ("jester", "hdoc", STOP, 563.63e6, 2),
        ("movielens", "hdoc", tau(24), 162.94e6, 2),
    ],
)
def test_rows_in_pulls(instance, algorithm, quantity, pulls, decimals):
    row = find_paper("lil-hdoc").row(instance, algorithm, quantity)
    assert row.pulls == pytest.approx(pulls)
    assert row.decimals == decimals
    assert row.rounding == pytest.approx(0.5 * 10**-decimals * row.unit_consistent)


def test_what_is_not_printed_is_none():
    row = find_paper("lil-hdoc").row("movielens", "lucb-g", tau(3))
    assert row.pulls is None
    assert row.pulls_sd is None


def test_an_unknown_paper_lists_the_known_ones():
    with pytest.raises(ga.errors.SpecError, match="must be one of 'lil-hdoc', 'cho2025'"):
        find_paper("nobody")


LISTS_NAMES = """
import json, sys
from goodarm.papers import PAPERS, find_paper
names = list(PAPERS), len(PAPERS), "cho2025" in PAPERS, "nobody" in PAPERS
try:
    find_paper("nobody")
except ValueError:
    pass
listed = sorted(sys.modules)
find_paper("cho2025")
print(json.dumps([names, listed, sorted(sys.modules)]))
"""


def test_a_paper_loads_when_it_is_named():
    done = subprocess.run(
        [sys.executable, "-c", LISTS_NAMES], capture_output=True, text=True, check=True
    )
    names, listed, named = json.loads(done.stdout)
    assert names == [list(PAPERS), len(PAPERS), True, False]
    papers = {f"goodarm.papers.{module}" for module in registry._MODULES.values()}
    assert not {*listed} & {*papers, "goodarm.papers.lil_theory", "goodarm.algorithm", "numba"}
    assert {*named} & papers == {"goodarm.papers.cho2025"}


def test_the_papers_cannot_be_changed():
    with pytest.raises(TypeError):
        PAPERS["mine"] = PAPERS["cho2025"]
    with pytest.raises(KeyError):
        PAPERS["nobody"]


@pytest.mark.parametrize(
    ("declare", "what"),
    [
        (lambda: PublishedRow("a", "hdoc", "tau_1", 1.0, None), "'quantity' of PublishedRow"),
        (lambda: Footnote("On it.", but_not="tau_stop"), "'but_not' of Footnote"),
        (
            lambda: PaperExperiment(Instance("a", (0.5,), 0.4, "", "", ""), 1, ("tau_1",)),
            "'quantities' of PaperExperiment",
        ),
    ],
)
def test_the_text_of_a_quantity_is_refused(declare, what):
    with pytest.raises(ga.errors.SpecError, match=rf"{what} must be a Quantity, such as tau\(3\)"):
        declare()


def test_a_paper_that_says_nothing_of_theory_has_none():
    assert Paper("a", "A", "Nobody", 0.1, ("hdoc",), (), ()).theory is None


ONE = Instance("one", (0.7,), 0.5, "", "", "")


def declare(**changed):
    """A small paper, with some of its parts changed."""
    parts = {
        "name": "mine",
        "title": "Mine",
        "reference": "Nobody",
        "delta": 0.1,
        "algorithms": ("hdoc", "kl-moss+betting"),
        "experiments": (PaperExperiment(ONE, 10, (tau(1), STOP)),),
        "rows": (PublishedRow("one", "hdoc", STOP, 150.0, None),),
    }
    return Paper(**parts | changed)


def row(instance="one", algorithm="hdoc", quantity=STOP):
    return PublishedRow(instance, algorithm, quantity, 150.0, None)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"rows": (row(instance="on"),)},
            "'instance' of a published row of mine must be one of 'one'; got 'on'. Did you mean",
        ),
        (
            {"rows": (row(algorithm="hdok"),)},
            "'algorithm' of a published row of mine must be one of 'hdoc', .* Did you mean 'hdoc'",
        ),
        ({"rows": (row(algorithm="apt-g"),)}, "'algorithm' of a published row of mine must be one"),
        ({"rows": (row(quantity=tau(2)),)}, "'quantity' of a published row .*'tau_1', 'tau_stop'"),
        ({"rows": (row(), row())}, "'rows' of Paper must have each row once; got 'one, hdoc, tau_"),
        (
            {"delta": 2},
            "'delta' of Paper must be a number strictly between 0 and 1; got 2. Did you",
        ),
        ({"delta": 0}, "'delta' of Paper must be a number strictly between 0 and 1; got 0"),
        ({"algorithms": ("hdok",)}, "'algorithm' of the paper mine must be one of .*mean 'hdoc'"),
        (
            {"experiments": (PaperExperiment(ONE, 10, (STOP,), algorithms=("hdok",)),)},
            "'algorithm' of the experiment one must be one of .*mean 'hdoc'",
        ),
        (
            {"experiments": (PaperExperiment(ONE, 10, (STOP,), max_pulls={"hdok": 9}),)},
            "'algorithm' of max_pulls of the experiment one must be one of .*mean 'hdoc'",
        ),
        (
            {"experiments": (PaperExperiment(ONE, 10, (STOP,)), PaperExperiment(ONE, 20, (STOP,)))},
            r"'experiments' of Paper must have each instance once; got \['one', 'one'\]",
        ),
        (
            {"footnotes": (Footnote("Odd.", instance="two"),)},
            "'instance' of a footnote of mine must be one of 'one'",
        ),
        (
            {"footnotes": (Footnote("Odd.", algorithm="hdok"),)},
            "'algorithm' of a footnote of mine must be one of .*mean 'hdoc'",
        ),
    ],
)
def test_a_paper_that_contradicts_itself_is_refused(changed, message):
    assert declare().rows
    with pytest.raises(ga.errors.SpecError, match=message):
        declare(**changed)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"runs": 0}, "'runs' of PaperExperiment must be a whole number of at least 1; got 0"),
        ({"quantities": ()}, "'quantities' of PaperExperiment must have at least one"),
        ({"delta": 5}, "'delta' of PaperExperiment must be a number strictly between 0 and 1"),
        ({"max_pulls": {"hdoc": 0.5}}, "'max_pulls' of PaperExperiment must be a whole number"),
    ],
)
def test_an_experiment_is_checked(changed, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        PaperExperiment(**{"instance": ONE, "runs": 10, "quantities": (STOP,)} | changed)


def test_a_paper_may_have_an_algorithm_of_ones_own():
    mine = ga.Algorithm(sampling="hdoc", identification="lil", name="mine")
    paper = declare(algorithms=(mine,), rows=(row(algorithm="mine"),))
    assert paper.row("one", "mine", STOP).mean == 150.0
