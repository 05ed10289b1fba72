"""Papers with rewards that are not plain 0/1 ones: each instance with what takes its rewards."""

import dataclasses
import json

import jsonschema
import pytest

import goodarm as ga
from goodarm.algorithm import find_algorithm
from goodarm.datasets import Instance
from goodarm.papers import Footnote, Paper, PaperExperiment, find_paper
from goodarm.papers.example_instances import CASES, GAUSSIAN, RATINGS
from goodarm.papers.lil_theory import LIL_THEORY
from goodarm.report import figures, tables, write_report
from goodarm.reproduce import reproduce
from goodarm.results.quantity import STOP, tau
from helpers import ROOT
from report.test_page import Page

COINS = Instance("coins", (0.9, 0.2), 0.5, "two coins", "nobody", "none")
MIXED = Paper(
    name="mixed",
    title="Rewards of any kind",
    reference="Nobody",
    delta=0.05,
    algorithms=("e-hdoc", "cho2025", "hdoc"),
    experiments=(
        *(PaperExperiment(each, 4, (tau(1), STOP)) for each in (COINS, RATINGS, GAUSSIAN)),
        PaperExperiment(CASES, 4, (tau(1), STOP), algorithms=("e-hdoc", "kl-moss+betting")),
    ),
    rows=(),
    footnotes=(
        Footnote("With a bound.", with_theory=True),
        Footnote("Without one.", with_theory=False),
        Footnote("On all."),
    ),
    theory=LIL_THEORY,
)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return reproduce(MIXED, folder=tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def sections(report):
    return {section.name: section for section in report.sections}


def keep_one_experiment(paper, name):
    """The paper with one of its experiments."""
    chosen = [each for each in paper.experiments if each.instance.name == name]
    return dataclasses.replace(paper, experiments=tuple(chosen))


@pytest.mark.parametrize("instance", [RATINGS, GAUSSIAN, CASES])
def test_numbers_are_those_of_a_simulation(sections, instance):
    """With the algorithm in the form that suits the rewards."""
    arms = instance.distributions or instance.means
    runs = ga.simulate(arms, problem=instance.problem(0.05), algorithm="e-hdoc", runs=4, seed=0)
    assert sections[instance.name].means[1].means["e-hdoc"] == runs.stop.mean()
    assert sections[instance.name].wrong["e-hdoc"] == runs.wrong.sum()


def test_what_does_not_take_the_rewards_is_left_out_with_its_reason(report, sections):
    assert {name: list(section.wrong) for name, section in sections.items()} == {
        "coins": ["e-hdoc", "cho2025", "hdoc"],
        "ratings": ["e-hdoc", "cho2025", "hdoc"],
        "gaussian": ["e-hdoc", "hdoc"],
        "cases": ["e-hdoc", "kl-moss+betting"],
    }
    assert report.algorithms == ("e-hdoc", "cho2025", "hdoc", "kl-moss+betting")
    assert sections["gaussian"].footnotes[-1] == (
        "cho2025 is left out. The kelly rule needs rewards in a known range, and Gaussian rewards "
        "have none."
    )


def test_algorithms_given_are_left_out_in_the_same_way(tmp_path):
    report = reproduce(
        keep_one_experiment(MIXED, "cases"), algorithms=("hdoc", "e-hdoc"), folder=tmp_path
    )
    assert report.algorithms == ("e-hdoc",)
    assert report.sections[0].footnotes[-1].startswith("hdoc is left out. The hoeffding rule")


def test_if_nothing_is_left_it_is_an_error_before_any_run(tmp_path):
    paper = keep_one_experiment(MIXED, "cases")
    with pytest.raises(ga.errors.SpecError, match="hold one that takes the rewards of cases"):
        reproduce(paper, algorithms=("hdoc", "cho2025"), folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_with_coins_nothing_is_left_out_silently(tmp_path):
    arm = dataclasses.replace(COINS, means=(0.9,))
    paper = dataclasses.replace(
        MIXED,
        experiments=(PaperExperiment(arm, 2, (STOP,)),),
        algorithms=("lil-hdoc",),
        theory=None,
    )
    with pytest.raises(ga.errors.SpecError, match="single arm"):
        reproduce(paper, folder=tmp_path)


def test_lower_bounds_are_shown_where_they_hold(sections):
    for name, section in sections.items():
        assert (section.theory is not None) == (name == "coins")
        assert ("lower bound" in tables.make_means_header(section)) == (name == "coins")
        assert ("With a bound." in section.footnotes) == (name == "coins")
        assert ("Without one." in section.footnotes) == (name != "coins")
        assert "On all." in section.footnotes


def test_captions_say_what_rewards_are(report):
    captions = [tables.make_caption(report, section) for section in report.sections]
    for caption, words in zip(
        captions,
        (
            "coins: 2 arms, threshold 0.5",
            "ratings: 8 arms, rewards from 1 to 5, threshold 3.5",
            "gaussian: 8 arms, Gaussian rewards with sigma 1, threshold 0",
            "cases: 10 arms, a pool of 200 cases, threshold 0.8",
        ),
        strict=True,
    ):
        assert caption.startswith(words)


def test_the_report_is_whole(report, tmp_path):
    write_report(report, tmp_path)
    schema = json.loads((ROOT / "docs/schemas/reproduction.schema.json").read_text("utf-8"))
    document = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    ratings, cases = document["sections"][1], document["sections"][3]
    assert {"rewards": "bounded", "low": 1.0, "high": 5.0}.items() <= ratings["instance"].items()
    assert (cases["instance"]["pool"], cases["instance"]["num_good"]) == (200, 5)
    assert "measured" in cases
    assert "theory" in document["sections"][0]
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert page.open == []
    assert any("A pool of 200 cases." in text for text in page.texts)


def test_an_algorithm_looks_the_same_in_all_figures(report):
    overview = figures.draw_overview(report)
    names = [text.get_text() for text in overview.legends[0].get_texts()]
    assert names == ["lower bound", *report.algorithms]
    colours = {}
    for section in report.sections:
        (axes,) = figures.draw_taus(section, report.algorithms).axes
        for handle, text in zip(
            axes.get_legend().legend_handles, axes.get_legend().get_texts(), strict=True
        ):
            assert colours.setdefault(text.get_text(), handle.get_color()) == handle.get_color()
    assert len(set(colours.values())) == len(report.algorithms)


def test_means_must_be_those_of_the_distributions():
    with pytest.raises(ga.errors.SpecError, match="'means' of Instance must be those of its dist"):
        dataclasses.replace(RATINGS, means=(3.0,) * 8)


def test_an_arm_on_the_threshold_of_a_pool_is_good():
    assert (CASES.num_good, CASES.num_on_threshold) == (5, 0)
    assert 0.8 in CASES.means


def test_the_comparison_takes_every_kind_with_the_test_that_suits_it():
    paper = find_paper("goodarm")
    kinds = {each.instance.rewards for each in paper.experiments}
    assert kinds == {"bernoulli", "bounded", "gaussian"}
    for experiment in paper.experiments:
        instance = experiment.instance
        for name in paper.algorithms_of(experiment)[:1]:
            suited = find_algorithm(name, "test", instance.rewards)
            assert suited.setup(instance.problem(0.05))
        if not instance.is_plain:
            assert instance.about.endswith("made up")
