"""Instances of the lil'HDoC paper, from the aggregates shipped with the package.

Only sorted means, class counts and averages are shipped, never the raw data; ``rebuild``
recomputes them from raw files that the user has downloaded from their source.
"""

import csv
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from goodarm.datasets.instance import Instance
from goodarm.errors import invalid_choice

_TSAI = "Tsai, Tsai, Lin, lil'HDoC"


def read_column(name: str, column: str) -> list[float]:
    """Read one column of a shipped table."""
    text = (files("goodarm.datasets") / "data" / f"{name}.csv").read_text(encoding="ascii")
    return [float(row[column]) for row in csv.DictReader(text.splitlines())]


def find_threshold_between(means: list[float], num_above: int) -> float:
    """Return the threshold midway between the ``num_above``-th best mean and the next."""
    ranked = sorted(means, reverse=True)
    return 0.5 * (ranked[num_above - 1] + ranked[num_above])


def _make_synthetic() -> Instance:
    return Instance(
        name="synthetic",
        means=(0.007, 0.006, 0.005, 0.003, 0.002, 0.001),
        threshold=0.004,
        about="six Bernoulli arms with small means and small gaps",
        citation=_TSAI,
        terms="none",
    )


def _make_covertype() -> Instance:
    counts = read_column("covertype", "count")
    means = [count / sum(counts) / 10.0 for count in counts]
    return Instance(
        name="covertype",
        means=tuple(means),
        threshold=find_threshold_between(means, 3),
        about="the frequencies of the seven forest cover types, divided by 10",
        citation="UCI Covertype; Jock A. Blackard and Colorado State University",
        terms="reuse unlimited with retention of the copyright notice",
    )


def _make_jester() -> Instance:
    means = [(rating + 10.0) / 100.0 for rating in read_column("jester", "mean")]
    return Instance(
        name="jester",
        means=tuple(means),
        threshold=find_threshold_between(means, 25),
        about="100 jokes: (average rating + 10) / 100",
        citation="Goldberg, Roeder, Gupta, Perkins: Eigentaste, Information Retrieval 4(2), 2001",
        terms="free for research with citation",
    )


def _make_movielens() -> Instance:
    means = [rating / 100.0 for rating in read_column("movielens", "mean")]
    return Instance(
        name="movielens",
        means=tuple(means),
        threshold=find_threshold_between(means, 168),
        about="1682 movies: average rating / 100; 44 of them sit on the threshold",
        citation="Harper and Konstan: The MovieLens Datasets, ACM TiiS 5(4), 2015",
        terms="research use with citation, no redistribution, no commercial use without permission",
        until=25,
    )


_SHIPPED: dict[str, Callable[[], Instance]] = {
    "synthetic": _make_synthetic,
    "covertype": _make_covertype,
    "jester": _make_jester,
    "movielens": _make_movielens,
}


def list_names() -> list[str]:
    """Return the names of the shipped instances.

    >>> list_names()
    ['synthetic', 'covertype', 'jester', 'movielens']
    """
    return list(_SHIPPED)


@cache
def load(name: str) -> Instance:
    """Return a shipped instance by name.

    >>> load("jester").num_good
    25
    """
    if name not in _SHIPPED:
        raise invalid_choice("name", "datasets.load", _SHIPPED, name)
    return _SHIPPED[name]()
