"""Changes: each asks once, happens once, and is written down with who did it."""

import pytest

import goodarm as ga
from service.pages.site import Tags, run, site_of


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
    assert "Manage this experiment" not in site.page("/experiments/banners").text


def test_who_did_it():
    with site_of() as site:
        exp = start(site)
        secret, _ = site.store.tokens.create("Ann <ann@x>", "admin")
        site.log_in(secret)
        assert "under the name Ann <ann@x>" in site.page("/experiments/banners/pause").text
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
    shown = Tags(answer.text)
    assert shown.all("p", role="alert")
    assert "An arm named 'red' already exists. Choose another name." in shown.text
    (wrong,) = shown.all("input", name="arm")
    assert (wrong["aria-invalid"], wrong["aria-describedby"]) == ("true", "arm-hint wrong")
    assert "autofocus" in wrong
    nameless = site.send("/experiments/banners/add", {"arm": " "})
    assert "Enter a name for the arm." in nameless.text
    fields = site.fields("/experiments/banners/add")
    assert site.send("/experiments/banners/add", {"arm": "blue"}).status_code == 303
    answer = site.post("/experiments/banners/add", {**fields, "arm": "white"})
    assert answer.status_code == 422
    assert "cannot add another" in answer.text
    exp.close()
    assert site.send("/experiments/banners/pause").status_code == 422


def test_where_no_arm_may_join_there_is_no_form(site):
    exp = start(site)
    assert site.page("/experiments/banners/add").all("input", name="arm")
    exp.add_arm("blue")
    shown = site.page("/experiments/banners/add")
    assert "cannot add another" in shown.text
    assert shown.all("input", name="arm") == []
    assert shown.all("form", **{"class": "stack"}) == []


def test_what_was_done_is_said_only_if_it_is_so(site):
    exp = start(site, keep=1)

    def said(word):
        return site.page(f"/experiments/banners?done={word}").all("p", **{"class": "notice"}) != []

    words = ("paused", "closed", "added", "taken-out", "given-up", "created", "nonsense")
    for word in words:
        assert not said(word), word
    assert said("resumed")
    exp.add_arm("blue")
    exp.take_out("blue")
    exp.forget(exp.waiting[0])
    exp.pause()
    assert [word for word in words if said(word)] == ["paused", "added", "taken-out", "given-up"]
    assert not said("resumed")
    exp.close()
    assert said("closed")
    assert not said("paused")


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


def test_revoke_a_token(caplog):
    with site_of() as site:
        assert "is revoked" not in site.page("/tokens?done=revoked").text
        secret, _ = site.store.tokens.create("ann", "admin")
        other, token = site.store.tokens.create("bob", "run")
        site.log_in(secret)
        shown = site.get("/tokens").text
        assert secret not in shown
        assert other not in shown
        assert "written down" not in site.page(f"/tokens/{token.id}/revoke").text
        assert site.send(f"/tokens/{token.id}/revoke").status_code == 303
        assert "is revoked" in site.page("/tokens?done=revoked").text
        assert f"ann has revoked token {token.id} of bob." in caplog.text
        assert site.store.tokens.find(other) is None
        own = site.store.tokens.find(secret)
        assert "you will be logged out" in site.page(f"/tokens/{own.id}/revoke").text
        site.send(f"/tokens/{own.id}/revoke")
        assert site.get("/tokens").status_code == 303
