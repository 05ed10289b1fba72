"""A report whose names are full of marks."""

import numpy as np
import pytest

from goodarm.report import ComparisonRow, MeanRow, PaperReport, Section, TauCurve, TheoryPart
from goodarm.results.quantity import tau
from goodarm.results.theory import Fact, Widths

INSTANCE = '=<b>$x$|_y & "z"\\frac'
ALGORITHMS = ("@<i>me</i>", "_low$5")
QUANTITIES = (tau(1), tau(2))


def make_row(algorithm, quantity, *, is_published):
    return ComparisonRow(
        quantity=quantity,
        algorithm=algorithm,
        printed=10.0 if is_published else None,
        unit_printed=1.0 if is_published else None,
        paper_mean=10.0 if is_published else None,
        paper_sd=1.0 if is_published else None,
        mean=11.0,
        sd=1.5,
        reached=3,
        limit=None,
        ratio=1.1 if is_published else None,
        p_value=0.5 if is_published else None,
        agreement="agrees" if is_published else "not printed",
        notes=(1,),
    )


def make_report(*, is_published, name=INSTANCE):
    counts, means = np.array([1, 2]), np.array([10.0, 20.0])
    curves = tuple(
        TauCurve(algorithm, counts, means, means / 10, counts[:1], means[:1], means[:1] / 10)
        for algorithm in ALGORITHMS
    )
    pulls = np.geomspace(10, 1e6, 20)
    lines = {"Hoeffding": 1 / np.sqrt(pulls), "LIL": 1.1 / np.sqrt(pulls)}
    theory = TheoryPart(
        lower_bounds=dict.fromkeys(QUANTITIES, 5.0),
        facts=(Fact("suffices", "pulls <that> suffice", None, "infinite"),),
        widths=Widths("The two confidence bounds", "One & the <other>.", pulls, lines, 100, "T"),
    )
    section = Section(
        instance={
            "name": name,
            "num_arms": 2,
            "threshold": 0.5,
            "num_good": 1,
            "smallest_gap": 0.1,
            "about": "arms <of> a user",
            "citation": "<script>alert(1)</script>",
            "means": [0.6, 0.4],
        },
        delta=0.05,
        runs=3,
        wrong=dict.fromkeys(ALGORITHMS, 0),
        rows=tuple(
            make_row(a, q, is_published=is_published) for q in QUANTITIES for a in ALGORITHMS
        ),
        means=tuple(MeanRow(q, dict.fromkeys(ALGORITHMS, 11.0)) for q in QUANTITIES),
        curves=curves,
        theory=theory,
        footnotes=("On <em>everything</em>.",),
    )
    return PaperReport("odd", "<Title> & 'quotes'", "Nobody", 0.05, 0, "0", ALGORITHMS, (section,))


@pytest.fixture(scope="session")
def odd_report():
    return make_report(is_published=True)


@pytest.fixture(scope="session")
def odd_comparison():
    return make_report(is_published=False)
