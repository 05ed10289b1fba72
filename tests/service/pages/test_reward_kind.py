"""The remark that another kind of rewards fits, where people watch an experiment."""

from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app
from service.pages.site import site_of


def test_table_page_and_show_have_the_remark(tmp_path):
    """The table of a stored experiment has it; the page and `goodarm show` repeat it."""
    problem = ga.Problem(["a", "b"], threshold=0.5, rewards="gaussian", sigma=1.0)
    address = f"sqlite:///{tmp_path}/kinds.db"
    with ga.open_store(address) as store, site_of() as site:
        for each in (store, site.store):
            exp = each.experiment("coins", problem, seed=1)
            for number in range(30):
                exp.tell(exp.ask(), number % 2)
            remark = exp.table().rewards_note
            assert "All 30 rewards are 0 or 1." in remark
        assert remark in site.page("/experiments/coins").text
    printed = CliRunner().invoke(app, ["show", address, "coins"]).output
    assert "All 30 rewards are 0 or 1." in " ".join(printed.split())
