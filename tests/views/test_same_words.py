"""The command line, the notebook, the picture, the report and the pages say the same."""

import io
import random
import re
from html import unescape

import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app
from goodarm.problem.labels import LABELS
from goodarm.views.figures.arms import draw_arms
from goodarm.views.figures.pictures import write_picture
from service.pages.site import cells, run, site_of


def random_problem(rng):
    arms = [rng.choice([f"arm {k}", f"<b>{k}</b>", k]) for k in range(rng.randint(1, 30))]
    rewards = rng.choice(["bernoulli", "bounded", "gaussian"])
    options = {
        "bernoulli": {"threshold": rng.choice([0.2, 0.5, 0.8])},
        "bounded": {"threshold": 3e5, "low": 1e5, "high": 9e5},
        "gaussian": {"threshold": 0.25, "sigma": rng.choice([0.7, 3000.0])},
    }[rewards]
    if rewards == "bernoulli" and rng.random() < 0.4:
        options["pool"] = rng.choice([40, [rng.randint(20, 60) for _ in arms]])
    return ga.Problem(
        arms,
        delta=rng.choice([0.01, 0.1]),
        margin=rng.choice([0.0, 0.05]),
        rewards=rewards,
        until=rng.choice([None, 2]) if len(arms) > 1 else None,
        **options,
    )


def rows_of_html(text):
    """Each row of a table as texts."""
    rows = re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)
    return [
        [unescape(re.sub(r"<[^>]*>", "", cell)) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in rows
    ]


def lines_of(text, header):
    """The rows of a printed table, by the names of their columns."""
    _, *lines = text[text.index("\n arm ") + 1 :].split("\n\n")[0].splitlines()
    rows = [re.split(r" {2,}", line.strip()) for line in lines[1:]]
    return {row[0]: dict(zip(header, row, strict=True)) for row in rows}


@pytest.mark.parametrize("seed", range(12))
def test_all_show_the_same_numbers_in_the_same_words(seed, tmp_path):
    rng = random.Random(seed)
    url = f"sqlite:///{tmp_path}/store.db"
    with ga.open_store(url) as store:
        exp = run(
            store.experiment("one", random_problem(rng), seed=seed),
            rng.choice([0, 5, 400]),
            seed,
            keep=3,
        )
        table, is_done = exp.table(), exp.is_done
        with site_of(store) as site:
            page = site.get("/experiments/one").text
            report = site.get("/experiments/one/report").text
            remote = ga.Client("http://127.0.0.1:8642", http=site.client).experiment("one").table()
    printed = CliRunner().invoke(app, ["show", url, "one"]).stdout
    notebook = rows_of_html(table._repr_html_())
    drawn = io.BytesIO()
    write_picture(draw_arms(table), drawn, ".svg")

    assert remote == table
    assert repr(remote).splitlines()[: len(table) + 2] == repr(table).splitlines()[: len(table) + 2]
    for text in (printed, repr(table), unescape(table._repr_html_())):
        assert table.summary in text
    assert table.summary in unescape(drawn.getvalue().decode())

    lines = lines_of(printed, table.header)
    shown = {row[0]: dict(zip(notebook[0], row, strict=True)) for row in notebook[1:]}
    for position, arm in enumerate(table.arms):
        expected = dict(zip(table.header, table.cells(position), strict=True))
        assert expected["label"] == LABELS[int(table.labels[position])]
        assert lines[str(arm)] == expected
        if str(arm) in shown:
            assert {k: v for k, v in shown[str(arm)].items() if k != "interval"} == expected
        on_page = cells(page, f"arm-{position}") if f'id="arm-{position}"' in page else {}
        assert on_page == {name: expected[name] for name in on_page}
        if not is_done and on_page:
            assert on_page["pulls needed"] == expected["pulls needed"]
    for row in rows_of_html(report)[1:]:
        if row and row[0] in lines:
            expected = lines[row[0]]
            assert row[2:6] == [expected[name] for name in ("pulls", "mean", "lower", "upper")]
