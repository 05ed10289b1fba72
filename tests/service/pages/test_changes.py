"""Changes: each asks once, happens once, and is written down with who did it."""

import pytest

import goodarm as ga
from service.pages.site import run, site_of


def start(site, **options):
    problem = ga.Problem(["red", "green"], threshold=0.5, delta=0.05, arms_planned=3)
    return run(site.store.experiment("banners", problem, seed=1), 20, **options)


def test_pause_resume_and_close(site):
    exp = start(site)
    for verb, status, kind in (
        ("pause", "paused", "paused"),
        ("resume", "running", "resumed"),
        ("close", "closed", "closed"),
    ):
        entries = exp.entries
        assert site.get(f"/experiments/banners/{verb}").status_code == 200
        assert exp.entries == entries  # to look changes nothing
        answer = site.send(f"/experiments/banners/{verb}")
        assert answer.status_code == 303
        assert exp.status == status
        assert (exp.journal()[-1]["kind"], exp.journal()[-1]["by"]) == (kind, "page")
        said = site.page(answer.headers["location"])
        assert said.all("p", role="status", **{"class": "notice"})
    assert "Change it" not in site.page("/experiments/banners").text


def test_who_did_it():
    with site_of() as site:
        exp = start(site)
        secret, _ = site.store.tokens.create("Ann <ann@x>", "admin")
        site.log_in(secret)
        assert "as done by Ann <ann@x>" in site.page("/experiments/banners/pause").text
        site.send("/experiments/banners/pause")
        assert exp.journal()[-1]["by"] == "Ann <ann@x>"
        assert "Ann <ann@x>" in site.page("/experiments/banners/journal").text


def test_a_form_that_is_sent_twice_counts_once(site):
    exp = start(site)
    fields = {**site.fields("/experiments/banners/add"), "arm": "blue"}
    for _ in range(2):
        assert site.post("/experiments/banners/add", fields).status_code == 303
    assert exp.problem.arms == ("red", "green", "blue")
    assert [entry["kind"] for entry in exp.journal()].count("added") == 1


def test_what_is_refused_is_said_above_the_form(site):
    exp = start(site)
    answer = site.send("/experiments/banners/add", {"arm": "red"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "&#39;red&#39;" in answer.text
    assert site.send("/experiments/banners/add", {"arm": "blue"}).status_code == 303
    answer = site.send("/experiments/banners/add", {"arm": "white"})
    assert answer.status_code == 422
    assert "no other may join" in answer.text
    exp.close()
    assert site.send("/experiments/banners/pause").status_code == 422


def test_take_an_arm_out(site):
    exp = start(site)
    open_ = exp.verdict.undecided[0]
    position = exp.problem.arms.index(open_)
    answer = site.send(f"/experiments/banners/arms/{position}/take-out")
    assert answer.status_code == 303
    assert exp.explain(open_).reason == "taken out"
    assert "taken out" in site.page(f"/experiments/banners/arms/{position}").text
    assert site.get("/experiments/banners/arms/9/take-out").status_code == 404


@pytest.mark.parametrize("independent", [False, True])
def test_give_up_a_pull(site, independent):
    exp = start(site, keep=2)
    number = exp.out[0].pull.number
    path = f"/experiments/banners/pulls/{number}/give-up"
    answer = site.send(path, {"independent": "yes"} if independent else {})
    assert answer.status_code == 303
    entry = exp.journal()[-1]
    assert entry["kind"] == "forgotten"
    assert entry["pulls"] == [number]
    assert entry.get("is_independent", False) is independent
    assert site.get("/experiments/banners/pulls/999/give-up").status_code == 409


def test_revoke_a_token():
    with site_of() as site:
        secret, _ = site.store.tokens.create("ann", "admin")
        other, token = site.store.tokens.create("bob", "run")
        site.log_in(secret)
        shown = site.get("/tokens").text
        assert secret not in shown
        assert other not in shown
        assert site.send(f"/tokens/{token.id}/revoke").status_code == 303
        assert site.store.tokens.find(other) is None
        own = site.store.tokens.find(secret)
        assert "you will be logged out" in site.page(f"/tokens/{own.id}/revoke").text
        site.send(f"/tokens/{own.id}/revoke")
        assert site.get("/tokens").status_code == 303


NEW = {"name": "colours", "arms": "red\n green \n\nblue", "threshold": "0.5", "delta": "0.05"}


def test_create_shows_the_plan_first(site):
    answer = site.send("/new", {**NEW, "do": "plan", "distance": "0.3"})
    assert answer.status_code == 200
    plan = ga.plan(
        problem=ga.Problem(["red", "green", "blue"], threshold=0.5, delta=0.05),
        gap=0.3,
        num_good=2,
        precision=0.05,
    )
    stop = plan["e-hdoc"].stop
    assert f"About <b>{stop.mean:,.0f}</b> pulls" in answer.text
    assert f"{stop.quantile:,.0f} are enough in nine runs of ten" in answer.text
    assert site.store.experiments() == []
    answer = site.send("/new", {**NEW, "do": "create"})
    assert answer.headers["location"] == "/experiments/colours?done=created"
    exp = site.store.experiment("colours")
    assert exp.problem == ga.Problem(["red", "green", "blue"], threshold=0.5, delta=0.05)
    assert "No rewards yet" in site.page("/experiments/colours").text
    assert "already" in site.send("/new", {**NEW, "do": "plan"}).text


def test_every_field_of_the_form_arrives(site):
    fields = {
        "name": "all",
        "arms": "4",
        "threshold": "3",
        "delta": "0.1",
        "rewards": "bounded",
        "low": "1",
        "high": "5",
        "margin": "0.2",
        "until": "2",
        "max_pulls": "1,000",
        "arms_planned": "6",
        "gap": "0.5",
        "seed": "7",
        "algorithm": "cho2025",
        "silence": "reward",
        "seconds": "60",
        "otherwise": "1",
        "do": "create",
    }
    assert site.send("/new", fields).status_code == 303
    exp = site.store.experiment("all")
    assert exp.problem == ga.Problem(
        4,
        threshold=3,
        delta=0.1,
        rewards="bounded",
        low=1,
        high=5,
        margin=0.2,
        until=2,
        max_pulls=1000,
        arms_planned=6,
        gap=0.5,
    )
    assert (exp.seed, exp.algorithm.name) == (7, "cho2025")
    assert exp.silence == ga.Silence("reward", 60.0, 1.0)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "a b", "name"),
        ("threshold", "1.5", "threshold"),
        ("threshold", "nan", "threshold"),
        ("threshold", "half", "must be a number"),
        ("delta", "0", "delta"),
        ("arms", "red\nred", "red"),
        ("arms", "\n", "arms"),
        ("until", "-1", "whole number"),
        ("distance", "x", "distance"),
        ("algorithm", "none", "algorithm"),
        ("arms", "999999", "at most 200,000 arms"),
    ],
)
def test_what_is_wrong_is_said_and_the_form_keeps_its_fields(site, field, value, said):
    answer = site.send("/new", {**NEW, "do": "plan", field: value})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert said in answer.text
    if field != "name":
        assert 'value="colours"' in answer.text


def test_a_plan_that_would_take_long_is_left_to_the_command_line(site, monkeypatch):
    from goodarm.service.pages import creating

    monkeypatch.setattr(creating, "_SECONDS", 0.0)
    answer = site.send("/new", {**NEW, "do": "plan"})
    assert answer.status_code == 200
    assert "goodarm plan" in answer.text
    assert "Create colours" in answer.text


def test_a_token_creates_within_its_pattern():
    with site_of() as site:
        secret, _ = site.store.tokens.create("ann", "admin", pattern="team-*")
        site.log_in(secret)
        assert site.send("/new", {**NEW, "do": "create"}).status_code == 422
        assert site.send("/new", {**NEW, "name": "team-a", "do": "create"}).status_code == 303
