"""Reproduction: finished runs are kept, and the report shows every row and footnote."""

import csv
import dataclasses
import io
import json
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser

import jsonschema
import pytest

import goodarm as ga
from goodarm.datasets import Instance
from goodarm.papers import Footnote, Paper, PaperExperiment, PublishedRow
from goodarm.papers.lil_theory import LIL_THEORY
from goodarm.report import figures, tables, write_report
from goodarm.reproduce import reproduce
from goodarm.results.quantity import STOP, tau
from goodarm.simulation.run_files import FinishedRuns
from helpers import ROOT

SMALL = Paper(
    name="small",
    title="A small paper <for tests>",
    reference="Nobody & Co",
    delta=0.05,
    algorithms=("hdoc", "lil-hdoc"),
    experiments=(
        PaperExperiment(
            Instance("pair", (0.9, 0.8, 0.1), 0.5, "three arms", "nobody", "none"),
            runs=6,
            quantities=(tau(1), tau(2), STOP),
        ),
        PaperExperiment(
            Instance("stuck", (0.9, 0.5, 0.1), 0.5, "one arm on it", "nobody", "none", until=2),
            runs=3,
            quantities=(tau(1), tau(2)),
            max_pulls={"hdoc": 3000, "lil-hdoc": 6000},
        ),
    ),
    rows=(
        PublishedRow("pair", "hdoc", tau(1), 0.7, 0.2, 10, 100),
        PublishedRow("pair", "hdoc", tau(2), 90.0, 0.2, 1, 100),
        PublishedRow("pair", "lil-hdoc", tau(1), 30.0, None, 1, 100),
        PublishedRow("stuck", "hdoc", tau(2), None, None, 1, 100),
    ),
    footnotes=(
        Footnote("On everything."),
        Footnote("On hdoc of pair.", instance="pair", algorithm="hdoc", but_not=STOP),
        Footnote("On stuck.", instance="stuck"),
    ),
    theory=LIL_THEORY,
)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return reproduce(SMALL, folder=tmp_path_factory.mktemp("runs"))


def is_same(a, b):
    return tables.to_json(a) == tables.to_json(b)


def row_of(report, instance, algorithm, quantity):
    section = next(s for s in report.sections if s.name == instance)
    return next(r for r in section.rows if (r.algorithm, r.quantity) == (algorithm, quantity))


def test_rows_are_simulations_beside_what_was_published(report):
    runs = ga.simulate([0.9, 0.8, 0.1], threshold=0.5, delta=0.05, algorithm="hdoc", runs=6, seed=0)
    row = row_of(report, "pair", "hdoc", tau(1))
    assert row.mean == runs.tau[:, 0].mean()
    assert row.sd == pytest.approx(runs.tau[:, 0].std(ddof=1))
    assert (row.printed, row.unit_printed, row.paper_mean, row.paper_sd) == (0.7, 10, 70, 20)
    assert row.ratio == row.mean / 70
    assert row.agreement == "agrees"
    assert row_of(report, "pair", "hdoc", tau(2)).agreement == "differs"
    assert row_of(report, "pair", "lil-hdoc", tau(1)).agreement == "no sd printed"
    assert row_of(report, "pair", "lil-hdoc", tau(2)).agreement == "not printed"


def test_what_the_paper_does_not_reach_and_we_do_not_either(report):
    row = row_of(report, "stuck", "hdoc", tau(2))
    assert row.agreement == "both beyond the limit"
    assert (row.mean, row.limit, row.reached) == (None, 3000, 0)
    shown = tables.make_cells(next(s for s in report.sections if s.name == "stuck"))
    assert ("tau_2", "hdoc [2]", "NA", "> 3,000", "-", "both beyond the limit") in shown


def test_one_run_is_too_few_for_a_test(tmp_path):
    report = reproduce(SMALL, ["pair"], runs=1, folder=tmp_path)
    assert row_of(report, "pair", "hdoc", tau(1)).agreement == "too few runs"
    assert "1 run," in tables.make_caption(report, report.sections[0])


def test_what_the_paper_does_not_reach_but_we_do_differs(tmp_path):
    easy = dataclasses.replace(
        SMALL,
        experiments=(dataclasses.replace(SMALL.experiments[1], quantities=(tau(1),)),),
        rows=(PublishedRow("stuck", "hdoc", tau(1), None, None, 1, 100),),
        footnotes=(),
    )
    report = reproduce(easy, folder=tmp_path)
    assert row_of(report, "stuck", "hdoc", tau(1)).agreement == "differs"
    assert tables.make_cells(report.sections[0])[0][2] == "NA"


def test_holms_correction_is_over_the_instances_rows(report):
    section = report.sections[0]
    tested = [row.p_value for row in section.rows if row.p_value is not None]
    assert len(tested) == 2
    assert all(0 <= p <= 1 for p in tested)


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_number_of_workers_does_not_matter(report, tmp_path, jobs):
    with ThreadPoolExecutor(jobs) as executor:
        assert is_same(reproduce(SMALL, folder=tmp_path, executor=executor), report)


def test_interrupted_and_resumed_equals_uninterrupted(report, tmp_path, monkeypatch):
    kept = []
    keep = FinishedRuns.keep

    def keep_and_stop(self, outcomes):
        keep(self, outcomes)
        kept.extend(outcomes)
        if len(kept) % 4 == 0:
            raise KeyboardInterrupt

    monkeypatch.setattr(FinishedRuns, "keep", keep_and_stop)
    stops = 0
    while True:
        try:
            resumed = reproduce(SMALL, folder=tmp_path)
            break
        except KeyboardInterrupt:
            stops += 1
    assert stops >= 3
    assert is_same(resumed, report)
    assert len(kept) <= 2 * 6 + 2 * 3 + stops


def test_a_repeated_call_runs_nothing(report, tmp_path, monkeypatch):
    reproduce(SMALL, folder=tmp_path)

    def never(*_, **__):
        raise AssertionError("a finished run was made again")

    monkeypatch.setattr("goodarm.simulation.workers.simulate_task", never)
    assert is_same(reproduce(SMALL, folder=tmp_path), report)
    with pytest.raises(AssertionError, match="made again"):
        reproduce(SMALL, folder=tmp_path, seed=1)
    with pytest.raises(AssertionError, match="made again"):
        reproduce(SMALL, folder=tmp_path, runs=7)
    monkeypatch.setattr("goodarm.simulation.run.__version__", "99")
    with pytest.raises(AssertionError, match="made again"):
        reproduce(SMALL, folder=tmp_path)


def test_a_line_that_was_cut_off_is_made_again(report, tmp_path):
    reproduce(SMALL, folder=tmp_path)
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:-25])
    assert is_same(reproduce(SMALL, folder=tmp_path), report)
    assert is_same(reproduce(SMALL, folder=tmp_path), report)


def test_progress_ends_at_the_whole(tmp_path):
    seen = []
    reproduce(SMALL, folder=tmp_path, progress=lambda *told: seen.append(told))
    assert all(0 <= part <= 1 + 1e-9 for _, part, _ in seen)
    assert {stage for stage, _, _ in seen} >= {"pair hdoc", "stuck lil-hdoc"}


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"instances": ["pear"]}, "must be one of 'pair', 'stuck', 'all'.*mean 'pair'"),
        ({"algorithms": ["hdok"]}, "'algorithm' of reproduce must be one of"),
        ({"runs": 0}, "'runs' of reproduce must be a whole number"),
        ({"seed": -1}, "'seed' of reproduce must be a whole number"),
    ],
)
def test_bad_arguments(tmp_path, keywords, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        reproduce(SMALL, **{"folder": tmp_path, **keywords})
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_a_file_is_refused_before_any_run(tmp_path):
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(
        ga.errors.SpecError, match="'folder' of reproduce must be a folder that can be"
    ):
        reproduce(SMALL, folder=path)


@pytest.fixture(scope="module")
def folder(report, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    paths = write_report(report, folder)
    assert paths[0] == folder / "report.html"
    assert sorted(paths) == sorted(folder.iterdir())
    return folder


def test_every_format_is_written(folder):
    expected = {"report.html", "report.json"}
    for name in ("pair", "stuck"):
        expected |= {f"{name}.{kind}" for kind in ("csv", "md", "tex", "png", "svg")}
        expected |= {f"{name}-bounds.{kind}" for kind in ("png", "svg")}
    assert {path.name for path in folder.iterdir()} == expected


class Text(HTMLParser):
    """The text of a page, and the tags it uses."""

    def __init__(self, page):
        super().__init__()
        self.text, self.tags, self.links = "", [], []
        self.feed(page)

    def handle_data(self, data):
        self.text += data

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [v for k, v in attributes if k in ("src", "href", "xlink:href")]


def test_tables_contain_every_row_and_footnote(report, folder):
    page = Text((folder / "report.html").read_text(encoding="utf-8"))
    for section in report.sections:
        markdown = (folder / f"{section.name}.md").read_text(encoding="utf-8")
        latex = (folder / f"{section.name}.tex").read_text(encoding="utf-8")
        for cells in tables.make_cells(section):
            assert "| " + " | ".join(cells) + " |" in markdown
            assert cells[3] in page.text
            assert cells[3].replace("±", r"$\pm$").replace(">", "$>$") in latex
        for note in section.footnotes:
            assert note in markdown
            assert note in latex
            assert note in page.text
        text = (folder / f"{section.name}.csv").read_text(encoding="utf-8")
        rows = list(csv.DictReader(io.StringIO(text)))
        assert [float(row["mean"]) if row["mean"] else None for row in rows] == [
            row.mean for row in section.rows
        ]
    assert report.sections[0].footnotes == ("On everything.", "On hdoc of pair.")
    assert report.sections[1].footnotes == ("On everything.", "On stuck.")


def test_the_page_is_self_contained(report, folder):
    page = Text((folder / "report.html").read_text(encoding="utf-8"))
    assert "script" not in page.tags
    assert page.tags.count("svg") == 2 * len(report.sections)
    assert all(link.startswith("#") for link in page.links)
    assert "A small paper <for tests>" in page.text


def test_ids_on_the_page_are_unique(folder):
    import re

    page = (folder / "report.html").read_text(encoding="utf-8")
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for target in re.findall(r'href="#([^"]+)"', page):
        assert target in ids


def test_figures_have_labelled_axes_and_a_line_for_each_algorithm(report):
    for section in report.sections:
        figure = figures.draw_taus(section)
        (axes,) = figure.axes
        assert axes.get_xlabel() == "number of good arms identified"
        assert axes.get_ylabel() == "pulls"
        lines = [c.algorithm for c in section.curves]
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        assert [label for label in labels if "paper" not in label] == lines
        bounds = figures.draw_widths(section.theory.widths, "bounds").axes[0]
        assert "pulls n" in bounds.get_xlabel()
        assert "U(n)" in bounds.get_ylabel()
        assert len(bounds.get_lines()) == 3


def test_pictures_are_pictures(folder):
    for path in folder.glob("*.svg"):
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
    for path in folder.glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG")


def test_the_json_fits_its_schema(report, folder):
    schema = json.loads((ROOT / "docs/schemas/reproduction.schema.json").read_text("utf-8"))
    document = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
    broken = {**document, "sections": [{**document["sections"][0], "rows": [{}]}]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema)


def test_the_bounds_cross_at_the_warm_up(report):
    for section in report.sections:
        widths = section.theory.widths
        after = widths.pulls >= widths.crossing
        hoeffding, lil = widths.lines["Hoeffding"], widths.lines["LIL"]
        assert (lil[after] <= hoeffding[after]).all()
        assert (lil[~after] > hoeffding[~after]).all()
