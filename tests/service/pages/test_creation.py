"""A new experiment: its plan comes first, and what is wrong is said at its field."""

import shlex

import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli.command_group import app
from goodarm.service.pages import new_experiment, plan_preview
from goodarm.service.pages.new_experiment_fields import TITLES
from service.pages.site import Tags, site_of

NEW = {"name": "colours", "arms": "red\n green \n\nblue", "threshold": "0.5", "delta": "0.05"}


def create(site, fields):
    """Look at the plan, and press the button below it."""
    shown = site.send("/new", {**fields, "do": "plan"})
    assert shown.status_code == 200, shown.text
    hidden = {each["name"]: each["value"] for each in Tags(shown.text).all("input", type="hidden")}
    return site.post("/new", {**hidden, **fields, "do": "create"})


def test_create_shows_the_plan_first(site):
    answer = site.send("/new", {**NEW, "do": "plan", "distance": "0.3"})
    assert answer.status_code == 200
    plan = ga.plan(
        problem=ga.Problem(["red", "green", "blue"], threshold=0.5, delta=0.05),
        distance=0.3,
        num_good=2,
        precision=0.05,
    )
    stop = plan["e-hdoc"].stop
    assert f"About <b>{stop.mean:,.0f}</b> pulls" in answer.text
    assert f"In 9 of 10 runs, {stop.quantile:,.0f} are enough" in answer.text
    assert site.store.experiments() == []
    answer = create(site, NEW)
    assert answer.headers["location"] == "/experiments/colours?done=created"
    exp = site.store.experiment("colours")
    assert exp.problem == ga.Problem(["red", "green", "blue"], threshold=0.5, delta=0.05)
    assert "No rewards yet" in site.page("/experiments/colours").text
    assert "already" in site.send("/new", {**NEW, "do": "plan"}).text


@pytest.mark.parametrize(("threshold", "delta"), [("50%", "5 %"), ("0,5", "0,05"), (".5", "5%")])
def test_numbers_as_people_write_them(site, threshold, delta):
    create(site, {**NEW, "threshold": threshold, "delta": delta})
    problem = site.store.experiment("colours").problem
    assert (problem.threshold, problem.delta) == (0.5, 0.05)
    assert {type(problem.threshold), type(problem.delta)} == {float}


def test_a_percentage_of_another_range_is_refused(site):
    scores = {"rewards": "bounded", "low": "0", "high": "10", "threshold": "50%"}
    answer = site.send("/new", {**NEW, **scores, "do": "plan"})
    assert answer.status_code == 422
    assert "Threshold must be a number on the scale of the rewards" in answer.text


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
        "cost": "0,02",
        "max_cost": "30",
        "seed": "7",
        "algorithm": "cho2025",
        "silence": "reward",
        "seconds": "60",
        "otherwise": "1",
    }
    assert set(fields) | {"sigma", "pool", "distance", "num_good"} == set(TITLES)
    assert create(site, fields).status_code == 303
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
        cost=0.02,
        max_cost=30,
    )
    assert (exp.seed, exp.algorithm.name) == (7, "cho2025")
    assert exp.reward_timeout == ga.RewardTimeout("reward", 60.0, 1.0)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "a b", "Name must be 1 to 64 letters, digits"),
        ("name", "", "Enter a name."),
        (
            "threshold",
            "1.5",
            "Threshold must be strictly between 0 and 1. For other rewards, set Rewards to",
        ),
        ("threshold", "85", "Threshold must be strictly between 0 and 1. Did you mean 0.85?"),
        ("delta", "5", "strictly between 0 and 1. Did you mean 0.05?"),
        ("delta", "0.95", "Delta must be at most 0.5. 95 % confidence is delta 0.05."),
        ("threshold", "nan", "Enter a number such as 0.05, with a decimal point."),
        ("delta", "95%", "Delta must be at most 0.5. 95 % confidence is delta 0.05."),
        ("seconds", "5%", "Enter a number without a percent sign."),
        ("high", "50%", "Enter a number without a percent sign."),
        ("threshold", "1,500", "Enter a number such as 0.05, with a decimal point."),
        ("threshold", "half", "Enter a number such as 0.05, with a decimal point."),
        ("threshold", "", "Enter the mean reward that a good arm reaches."),
        ("delta", "0", "Delta must be a number strictly between 0 and 1."),
        ("delta", "1e-200", "Delta must be at least 1e-100."),
        (
            "arms",
            "red\nred",
            "Arms must have every label only once (1 and '1' are the same); got red.",
        ),
        ("arms", "\n", "Enter at least one arm."),
        ("arms", "999999", "at most 200,000 arms"),
        (
            "low",
            "1",
            "Lowest reward must be left out for bernoulli rewards. "
            "For rewards in a range, set Rewards to bounded.",
        ),
        (
            "sigma",
            "1",
            "Sigma must be left out for bernoulli rewards. "
            "For rewards with a known standard deviation, set Rewards to gaussian.",
        ),
        ("until", "-1", "Enter a whole number such as 1000."),
        ("until", "4", "Good arms to find must be a whole number from 1 to 3."),
        ("max_pulls", "0", "Maximum pulls must be a whole number from 1"),
        ("margin", "0.5", "Margin must leave threshold - margin and threshold + margin"),
        ("arms_planned", "2", "Arms planned must be at least the number of arms, 3."),
        ("gap", "0.9", "Gap hint must be below 0.5"),
        ("distance", "x", "Enter a number such as 0.05, with a decimal point."),
        ("distance", "0.9", "Distance from the threshold must be above 0 and at most 0.5"),
        ("num_good", "4", "Expected good arms must be at most 3, the number of arms."),
        ("algorithm", "none", "Algorithm must be one of"),
        ("rewards", "gaussian", "Sigma must be given for gaussian rewards."),
        ("rewards", "none", "Rewards must be one of 'bernoulli'"),
        ("silence", "lost", "Timeout in seconds must be a number above 0."),
        (
            "seconds",
            "5",
            "Timeout in seconds must be left out if a missing reward is waited for.",
        ),
        (
            "otherwise",
            "1",
            "Default reward must be given if a missing reward counts as one",
        ),
        ("seed", "99999999999999999999", "Seed must be a whole number from 0 to"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(site, field, value, said):
    answer = site.send("/new", {**NEW, "do": "plan", field: value})
    assert answer.status_code == 422
    shown = Tags(answer.text)
    assert said in shown.text
    assert "problem." not in shown.text
    assert "pattern" not in shown.text
    where = {("rewards", "gaussian"): "sigma", ("silence", "lost"): "seconds"}
    name = where.get((field, value), field)
    boxes = [*shown.all("input"), *shown.all("select"), *shown.all("textarea")]
    (wrong,) = [each for each in boxes if each.get("aria-invalid") == "true"]
    assert wrong["id"] == name
    assert "autofocus" in wrong
    assert wrong["aria-describedby"] == f"{name}-hint {name}-wrong"
    assert shown.all("p", id=f"{name}-wrong")
    assert shown.all("p", role="alert")
    assert f'<a href="#{name}">{TITLES[name]}</a>' in answer.text
    if field != "name":
        assert 'value="colours"' in answer.text
    assert ("open" in shown.all("details")[0]) == (name in new_experiment.FOLDED_FIELDS)


def test_all_that_is_wrong_is_said_at_once(site):
    answer = site.send("/new", {**NEW, "do": "plan", "name": "", "threshold": "2", "until": "x"})
    assert answer.text.count('aria-invalid="true"') == 3
    assert answer.text.count("autofocus") == 1


@pytest.mark.parametrize("rewards", [{}, {"rewards": "bounded", "low": "0", "high": "1"}])
@pytest.mark.parametrize("threshold", ["0.004", "0.05", "0.1", "0.97"])
def test_a_threshold_near_the_end_of_the_range_has_a_plan(site, threshold, rewards):
    answer = site.send("/new", {**NEW, **rewards, "do": "plan", "threshold": threshold})
    assert answer.status_code == 200
    assert "pulls until the experiment is done" in answer.text or "goodarm plan" in answer.text


@pytest.mark.parametrize(
    ("arms", "num_good", "said"),
    [
        ("2", "1", "that 1 arm of 2 lies 0.1 above the threshold and 1 arm lies 0.1 below it."),
        ("5", "2", "that 2 arms of 5 lie 0.1 above the threshold and 3 arms lie 0.1 below it."),
        ("2", "0", "that 2 arms lie 0.1 below it."),
        ("2", "2", "that 2 arms of 2 lie 0.1 above the threshold."),
    ],
)
def test_a_plan_says_what_it_supposes(site, arms, num_good, said):
    fields = {**NEW, "arms": arms, "num_good": num_good, "do": "plan"}
    assert said in Tags(site.send("/new", fields).text).text


def test_only_what_was_planned_is_created(site):
    shown = site.send("/new", {**NEW, "do": "plan"})
    hidden = {each["name"]: each["value"] for each in Tags(shown.text).all("input", type="hidden")}
    sent = {**hidden, **NEW, "do": "create", "threshold": "0.9"}
    answer = site.post("/new", sent)
    assert answer.status_code == 200
    assert site.store.experiments() == []
    assert "You changed the form after its plan was shown" in answer.text
    again = {each["name"]: each["value"] for each in Tags(answer.text).all("input", type="hidden")}
    assert again["planned"] != hidden["planned"]
    assert site.post("/new", {**sent, **again}).status_code == 303
    assert site.store.experiment("colours").problem.threshold == 0.9
    lines = {"arms": NEW["arms"].replace("\n", "\r\n")}  # as browsers send them
    shown = site.send("/new", {**NEW, "name": "other", "do": "plan"})
    hidden = {each["name"]: each["value"] for each in Tags(shown.text).all("input", type="hidden")}
    sent = {**hidden, **NEW, **lines, "name": "other", "do": "create"}
    for _ in range(2):  # a form that is sent twice counts once
        assert site.post("/new", sent).status_code == 303
    taken = site.store.experiment("other")
    site.store.delete("other")
    site.store.experiment("other", ga.Problem(2, threshold=0.1, delta=0.05))
    assert "An experiment named other already exists" in site.post("/new", sent).text
    assert taken.name == "other"


def test_the_journal_says_who_created_it(site, tmp_path):
    assert create(site, NEW).status_code == 303
    (entry,) = site.store.experiment("colours").journal()
    assert (entry["kind"], entry["format"], entry["by"]) == ("noted", 1, "page")
    text = site.page("/experiments/colours/journal").text
    assert "The experiment was created page" in text
    site.store.export("colours", tmp_path / "colours.jsonl")
    with ga.open_store(f"sqlite:///{tmp_path / 'other.db'}") as other:
        exp = other.import_(tmp_path / "colours.jsonl")
        assert exp.verify().entries == 1
        assert exp.journal()[0]["by"] == "page"


def test_the_journal_says_whose_token_created_it():
    body = {"problem": {"arms": 2, "threshold": 0.5, "delta": 0.05, "kind": "problem"}}
    with site_of() as site:
        site.store.experiment("old", ga.Problem(2, threshold=0.5, delta=0.05)).pause()
        secret, _ = site.store.tokens.create("ann", "admin")
        headers = {"Authorization": f"Bearer {secret}"}
        for name, count in (("new", 1), ("new", 1), ("old", 1)):
            sent = site.client.post(
                "/api/v1/experiments", json={"name": name, **body}, headers=headers
            )
            assert sent.json()["entries"] == count
        assert [each["by"] for each in site.store.experiment("new").journal()] == ["ann"]
        assert [each["kind"] for each in site.store.experiment("old").journal()] == ["paused"]
        site.log_in(secret)
        assert create(site, NEW).status_code == 303
        assert "The experiment was created ann" in site.page("/experiments/colours/journal").text


FULL = {
    **NEW,
    "rewards": "bounded",
    "low": "-1",
    "high": "4",
    "margin": "0.1",
    "until": "1",
    "max_pulls": "900",
    "arms_planned": "5",
    "algorithm": "hdoc",
}


@pytest.mark.parametrize("fields", [NEW, FULL, {**NEW, "pool": "60"}])
def test_a_plan_that_would_take_long_is_left_to_the_command_line(site, monkeypatch, fields):
    """The command is given in full, and makes the plan."""
    monkeypatch.setattr(plan_preview, "MAX_PLAN_SECONDS", 0.0)
    monkeypatch.setattr(
        new_experiment, "preview_plan", lambda *given: plan_preview.preview_plan(*given, 0.0)
    )
    answer = site.send("/new", {**fields, "do": "plan"})
    assert answer.status_code == 200
    assert "Create colours" in answer.text
    command = (
        Tags(answer.text).text.partition("Run it on the command line: ")[2].partition(" Create ")[0]
    )
    assert command.startswith("goodarm plan --num-arms 3 --num-good 2 --distance 0.")
    found = CliRunner().invoke(app, [*shlex.split(command)[1:], "--runs", "2"])
    assert found.exit_code == 0, found.output


def test_a_plan_is_not_hurried_while_kernels_are_compiled(site, monkeypatch):
    """The clock starts at the first pull, however long it takes until then."""
    now = [0.0]
    made = ga.plan(num_arms=2, distance=0.4, threshold=0.5, delta=0.4, runs=2)

    def plan(progress, **_):
        for seconds, pulls in ((0, 0), (15, 0), (0, 3), (1, 9)):
            now[0] += seconds
            progress("e-hdoc", 0.1, pulls)
        return made

    monkeypatch.setattr(plan_preview.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(plan_preview, "plan", plan)
    answer = site.send("/new", {**NEW, "do": "plan"})
    assert "pulls until the experiment is done" in answer.text


def test_a_plan_of_very_many_pulls_is_left_to_the_command_line(site):
    answer = site.send("/new", {**NEW, "do": "plan", "distance": "0.00001"})
    assert answer.status_code == 200
    assert "would take too long" in answer.text
    assert "--runs 20" in answer.text


def test_a_token_creates_within_its_pattern():
    with site_of() as site:
        secret, _ = site.store.tokens.create("ann", "admin", pattern="team-*")
        site.log_in(secret)
        refused = site.send("/new", {**NEW, "do": "plan"})
        assert refused.status_code == 422
        assert "Your token only allows experiments with names like team-*" in refused.text
        assert create(site, {**NEW, "name": "team-a"}).status_code == 303
