"""Declarations: complete, consistent, and with the units that the spec of the table gives."""

import pytest

import goodarm as ga
from goodarm.papers import PAPERS, find_paper


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_declares_what_it_reports(name):
    paper = PAPERS[name]
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
    assert paper.row("synthetic", "apt-g", "tau_1") is None


@pytest.mark.parametrize(
    ("instance", "algorithm", "quantity", "pulls", "decimals"),
    [
        ("synthetic", "hdoc", "tau_1", 3.92e6, 2),
        ("synthetic", "lil-hdoc", "tau_2", 6.0e6, 2),
        ("synthetic", "hdoc", "tau_stop", 551.13e5, 2),
        ("covertype", "hdoc", "tau_1", 0.14e5, 2),
        ("covertype", "hdoc", "tau_stop", 3225.9e4, 1),
        ("jester", "lil-hdoc", "tau_3", 1.42e6, 2),
        ("jester", "hdoc", "tau_stop", 563.63e6, 2),
        ("movielens", "hdoc", "tau_24", 162.94e6, 2),
    ],
)
def test_rows_in_pulls(instance, algorithm, quantity, pulls, decimals):
    row = find_paper("lil-hdoc").row(instance, algorithm, quantity)
    assert row.pulls == pytest.approx(pulls)
    assert row.decimals == decimals
    assert row.rounding == pytest.approx(0.5 * 10**-decimals * row.unit_consistent)


def test_what_is_not_printed_is_none():
    row = find_paper("lil-hdoc").row("movielens", "lucb-g", "tau_3")
    assert row.pulls is None
    assert row.pulls_sd is None


def test_an_unknown_paper_lists_the_known_ones():
    with pytest.raises(ga.SpecError, match="must be one of 'lil-hdoc', 'cho2025'"):
        find_paper("nobody")
