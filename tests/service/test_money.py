"""Money over HTTP and on pages: told with rewards, capped, shown; nothing of it without costs."""

import pytest

import goodarm as ga
from service.in_process import API
from service.pages.site import Tags, cells, site_of

PROBLEM = ga.Problem(["red", "green"], threshold=0.5, cost=[0.25, 1], max_cost=4)
URL = f"{API}/paid"


@pytest.fixture
def paid(store):
    return store.experiment("paid", PROBLEM, seed=7)


def test_costs_are_told_in_every_form(client, paid):
    pulls = client.post(f"{URL}/pulls:ask", json={"count": 4}).json()["pulls"]
    body = {"pulls": pulls[:2], "rewards": [1, 0], "costs": [0.5, None]}
    assert client.post(f"{URL}/pulls:tell", json=body).json() == {"told": 2}
    one = f"{URL}/pulls/{pulls[2]['number']}:tell"
    assert client.post(one, json={"reward": 1, "cost": 0}).json() == {"told": 1}
    line = f'{{"pull": {{"number": {pulls[3]["number"]}}}, "reward": 1, "cost": 0.125}}'
    headers = {"Content-Type": "application/x-ndjson"}
    told = client.post(f"{URL}/pulls:tell", content=line, headers=headers)
    assert told.json() == {"told": 1}
    expected = 0.5 + (0.25 if pulls[1]["arm"] == "red" else 1) + 0.125
    verdict = client.get(f"{URL}/verdict").json()
    assert verdict["cost"] == paid.verdict.cost == expected
    reports = client.get(f"{URL}/arms").json()["reports"]
    assert sum(row["spent"] for row in reports) == expected
    assert [row["cost"] for row in reports] == [0.25, 1.0]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"rewards": [1], "costs": [-1]}, "/costs/0"),
        ({"rewards": [1], "costs": ["1"]}, "/costs/0"),
        ({"rewards": [1], "costs": []}, "/costs"),
        ({"rewards": [1], "cost": 1}, "/cost"),
    ],
)
def test_a_wrong_cost_is_refused_at_its_place(client, paid, body, pointer):
    pulls = client.post(f"{URL}/pulls:ask", json={}).json()["pulls"]
    answer = client.post(f"{URL}/pulls:tell", json={"pulls": pulls, **body})
    assert answer.status_code == 422
    assert [each["pointer"] for each in answer.json()["errors"]] == [pointer]
    assert paid.pulls == 0


def test_asking_stops_with_the_reason(client, paid):
    count = 0
    while pulls := client.post(f"{URL}/pulls:ask", json={"count": 3}).json()["pulls"]:
        count += len(pulls)
        body = {"pulls": pulls, "rewards": [each["number"] % 2 for each in pulls]}
        client.post(f"{URL}/pulls:tell", json=body)
    answer = client.post(f"{URL}/pulls:ask", json={}).json()
    assert answer["status"] == "done"
    assert "allowed is asked for" in answer["why"]
    assert count == paid.pulls
    reports = client.get(f"{URL}/arms").json()["reports"]
    assert {row["reason"] for row in reports} == {"the money is used up"}


def test_an_experiment_is_created_with_costs_and_refused_with_wrong_ones(client):
    problem = {"arms": ["a", "b"], "threshold": 0.5, "delta": 0.05}
    good = {"name": "new", "problem": {**problem, "cost": [0.1, 0.2], "max_cost": 3}}
    assert client.post(API, json=good).status_code == 201
    stored = client.get(f"{API}/new").json()["problem"]
    assert (stored["cost"], stored["max_cost"]) == ([0.1, 0.2], 3.0)
    for wrong, pointer in (
        ({"max_cost": 3}, "/problem/max_cost"),
        ({"cost": [0.1]}, "/problem/cost"),
        ({"cost": 5, "max_cost": 3}, "/problem/max_cost"),
    ):
        answer = client.post(API, json={"name": "bad", "problem": {**problem, **wrong}})
        assert answer.status_code == 422
        assert [each["pointer"] for each in answer.json()["errors"]] == [pointer]


def test_without_costs_no_answer_and_no_page_says_anything_of_them(client, banners):
    banners.tell(banners.ask(), 1)
    for path in ("", "/verdict", "/arms", "/journal", "/export.csv"):
        text = client.get(f"{API}/banners{path}").text
        assert "cost" not in text
        assert "spent" not in text
    with site_of() as site:
        site.store.experiment("one", ga.Problem(2, 0.5), seed=1)
        text = site.get("/experiments/one").text
        assert "Spent" not in text
        assert "Money" not in text


def test_pages_show_what_was_spent():
    with site_of() as site:
        exp = site.store.experiment("paid", PROBLEM, seed=7)
        for _ in range(3):
            exp.tell(exp.ask(), 1, cost=0.5)
        text = site.get("/experiments/paid").text
        table = exp.table()
        for position, row in enumerate(table):
            shown = cells(text, f"arm-{position}")
            expected = dict(zip(table.header, table.cells(position), strict=True))
            assert shown == {name: expected[name] for name in shown}
            assert shown["spent"] == f"{row.spent:.2f}"
            assert "Spent" in site.get(f"/experiments/paid/arms/{position}").text
        assert "Spent: 1.50." in text
        assert "Maximum cost" in text
        assert "cost 0.50" in site.get("/experiments/paid/journal").text
        assert ">Spent<" in site.get("/experiments/paid/report").text


def test_the_form_takes_costs():
    fields = {"name": "new", "arms": "a\nb", "threshold": "0.5", "delta": "0.05"}
    with site_of() as site:
        wrong = site.send("/new", {**fields, "max_cost": "3", "do": "plan"})
        assert "Maximum cost must come with the cost of a pull" in wrong.text
        money = {"cost": "0.02", "max_cost": "3"}
        fields |= {**money, "distance": "0.3"}
        shown = site.send("/new", {**fields, "do": "plan"})
        assert shown.status_code == 200, shown.text
        assert "--cost 0.02 --max-cost 3" in shown.text or "In 9 of 10 runs" in shown.text
        hidden = {
            each["name"]: each["value"] for each in Tags(shown.text).all("input", type="hidden")
        }
        assert site.post("/new", {**hidden, **fields, "do": "create"}).status_code == 303
        found = site.store.experiment("new").problem
        assert (found.cost, found.max_cost) == (0.02, 3.0)
