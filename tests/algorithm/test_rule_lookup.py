"""Rules of other packages, by entry points."""

import sys

import pytest

import goodarm as ga

MODULE = """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import goodarm as ga


class Least(ga.rules.SamplingRule):
    name = "least"

    def choose(self, view):
        return int(np.where(view.active, view.pulls, np.inf).argmin())


@dataclass(frozen=True)
class Half(ga.rules.CountsRule):
    name: ClassVar[str] = "half"
    has_e_values: ClassVar[bool] = True
    part: float = 0.5

    def log_good(self, n, s, bar):
        return s * np.log1p(self.part / bar * (1.0 - bar)) + (n - s) * np.log1p(-self.part)

    def log_bad(self, n, s, bar):
        return self.log_good(n, n - s, 1.0 - bar)


THIRD = Half(1 / 3)
THIEF = type("Thief", (Least,), {"name": "hdoc"})
NOTHING = 3
"""
POINTS = """
[goodarm.sampling_rules]
least = someones_rules:Least
hdoc = someones_rules:Least
thief = someones_rules:THIEF
nothing = someones_rules:NOTHING
gone = someones_rules:Gone

[goodarm.identification_rules]
half = someones_rules:Half
third = someones_rules:THIRD
"""


@pytest.fixture(autouse=True)
def _package(tmp_path, monkeypatch):
    (tmp_path / "someones_rules.py").write_text(MODULE, encoding="utf-8")
    folder = tmp_path / "someones_rules-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: someones-rules\nVersion: 1.0\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("someones_rules", None)


def test_they_work_by_name():
    algorithm = ga.Algorithm(sampling="least", identification="half")
    assert algorithm.name == "least+half"
    runs = ga.simulate([0.9, 0.1], threshold=0.5, delta=0.05, algorithm=algorithm, runs=3)
    assert runs.engine == "reference"
    assert not runs.wrong.any()
    assert ga.check({"a": (50, 49)}, threshold=0.5, delta=0.05, rule="half").good == ["a"]


def test_documents_name_them_with_their_settings():
    algorithm = ga.Algorithm(sampling="least", identification="half")
    settled = ga.Algorithm.from_dict(
        algorithm.to_dict() | {"identification": {"rule": "half", "part": 0.25}}
    )
    assert settled.identification.part == 0.25
    assert ga.Algorithm.from_dict(settled.to_dict()) == settled
    ident = ga.Identifier(ga.Problem(2, 0.5, 0.05), settled, seed=3)
    ident.tell(ident.ask(), 1)
    assert ga.Identifier.from_dict(ident.to_dict()).to_dict() == ident.to_dict()


def test_an_object_is_taken_as_it_is():
    rule = ga.Algorithm(sampling="hdoc", identification="third").identification
    assert (rule.name, rule.part) == ("half", 1 / 3)


def test_names_of_goodarms_own_cannot_be_taken():
    assert ga.Algorithm(sampling="hdoc", identification="lil").sampling.code == 0
    with pytest.raises(
        ga.errors.SpecError, match="'name' of Thief must not be that of one of goodarm's"
    ):
        ga.Algorithm(sampling="thief", identification="lil")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lest", "'sampling' of Algorithm must be one of .*'round-robin'.*'least'.*mean 'least'"),
        ("nothing", "'nothing' of the entry points of rules must be a SamplingRule; got 3"),
        (
            ga.rules.SamplingRule,
            r"'sampling' of Algorithm must be a rule or its name.*Pass SamplingRule",
        ),
        ("gone", r"rule 'gone' \(someones_rules:Gone\) does not load: AttributeError"),
    ],
)
def test_what_does_not_load(name, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.Algorithm(sampling=name, identification="half")
