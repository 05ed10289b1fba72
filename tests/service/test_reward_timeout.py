"""A worker that never answers: who it is, what waits for it, and what the rule makes of it."""

import json
import time

import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli.command_group import app
from goodarm.live import ExperimentSettings
from goodarm.results import ArmReport
from service.in_process import API, client_of
from service.pages.site import site_of

MEANS = {"a": 0.9, "b": 0.1, "c": 0.8}
PROBLEM = ga.Problem(list(MEANS), threshold=0.5, delta=0.05, max_pulls=3000)
HOURS = 7300.0


class Silent:
    """An experiment whose first pull was asked two hours ago, with a lease of a second."""

    def __init__(self, url="memory:", reward_timeout=None, name="coins"):
        self.now = time.time() - HOURS
        self.store = ga.open_store(url)
        self.store._clock = lambda: self.now
        self.exp = self.store.experiment(name, PROBLEM, seed=1, reward_timeout=reward_timeout)
        self.exp.ask("dead", 1.0)
        self.now += 5.0

    def answer_all(self):
        tape = ga.simulation.Tape(PROBLEM, list(MEANS.values()), seed=1)
        while not self.exp.is_done and (pulls := self.exp.ask_many(1, "living", 60.0)):
            self.exp.tell(pulls[0], tape.next_reward(pulls[0].arm))
        self.now += HOURS
        return self


def test_the_other_arms_are_labelled_and_who_holds_up_the_test_is_said():
    found = Silent().answer_all()
    exp = found.exp
    assert exp.pulls < 300
    assert (exp.status, exp.verdict.undecided) == ("running", ["a"])
    waits = exp.explain("a").waits
    assert (waits.pull, waits.worker) == (1, "dead")
    assert waits.rewards == exp.pulls - sum(report.pulls for report in exp.table())
    text = str(exp.table())
    assert f"a: {waits.rewards} rewards wait behind pull 1 (worker dead, asked 2 h ago)." in text
    with pytest.raises(ga.errors.ProtocolError, match="in progress, and their rewards are missing"):
        exp.ask("living")
    exp.verify()
    exp.tell(exp.pull(1), 0)
    assert exp.is_done
    assert exp.explain("a").label == "good"


def test_it_is_said_as_soon_as_the_lease_is_over():
    """And not after a minute only; while the lease lasts the pull is under way."""
    found = Silent()
    found.now = time.time() - 10.0
    found.exp = found.store.experiment("late", PROBLEM, seed=1)
    found.exp.ask("dead", 5.0)
    tape = ga.simulation.Tape(PROBLEM, list(MEANS.values()), seed=1)
    while found.exp.explain("a").waits is None:
        pull = found.exp.ask("living", 60.0)
        found.exp.tell(pull, tape.next_reward(pull.arm))
    waits = found.exp.explain("a").waits
    assert (waits.worker, waits.until) == ("dead", found.now + 5.0)
    assert not waits.is_long(found.now + 4.0)
    assert waits.is_long(found.now + 6.0)
    assert "behind pull 1 (worker dead, asked" in str(found.exp.table())
    found.now += 6.0
    found.exp.tell(found.exp.ask("living"), 0)  # which writes the end of the lease down
    ended = found.exp.explain("a").waits
    assert ended.is_long(found.now)
    assert "until" not in ended.to_dict()
    assert "until" not in found.exp.explain("a").to_dict()["waits"]


def test_an_ask_that_has_nothing_says_that_rewards_wait_though_a_lease_is_live():
    found = Silent()
    exp = found.store.experiment("held", PROBLEM, seed=1)
    exp.ask("slow", 1e9)
    tape = ga.simulation.Tape(PROBLEM, list(MEANS.values()), seed=1)
    while pulls := exp.ask_many(1, "living", 60.0):
        exp.tell(pulls[0], tape.next_reward(pulls[0].arm))
    assert exp.verdict.undecided == ["a"]
    with pytest.raises(ga.errors.ProtocolError, match="in progress, and their rewards are missing"):
        exp.ask("living")


def test_a_snapshot_knows_the_worker_too(tmp_path):
    url = f"sqlite:///{tmp_path}/silent.db"
    found = Silent(url).answer_all()
    waits = found.exp.explain("a").waits
    found.store.close()
    with ga.open_store(url) as again:
        opened = again.experiment("coins")
        assert opened.explain("a").waits == waits
        opened.verify()


def test_by_the_rule_it_is_lost_after_a_time_and_all_is_labelled():
    found = Silent(reward_timeout=ga.RewardTimeout("lost", 1.0))
    assert found.answer_all().exp.verdict.undecided == []
    exp = found.exp
    assert exp.pulls < 300
    lost = [entry for entry in exp.journal() if entry["kind"] == "forgotten"]
    assert [(entry["pulls"], "is_independent" in entry) for entry in lost] == [([1], False)]
    exp.verify()


def test_the_service_and_its_pages_say_what_waits():
    found = Silent().answer_all()
    rewards = found.exp.explain("a").waits.rewards
    sentence = f"{rewards} rewards wait behind pull 1 (worker dead, asked 2 h ago)"
    with site_of(found.store) as site:
        with client_of(site.app) as client:
            arms = client.get(f"{API}/coins/arms").json()["reports"]
            assert arms[0]["waits"] == {
                "rewards": rewards,
                "pull": 1,
                "worker": "dead",
                "asked_at": found.exp.out[0].asked_at,
            }
            assert "waits" not in arms[1]
            assert ArmReport.from_dict(arms[0]).waits == found.exp.explain("a").waits
            csv = client.get(f"{API}/coins/export.csv").text.splitlines()
            assert csv[0].endswith("reason,waits,waits_behind")
            assert csv[1].endswith(f",{rewards},1")
            asked = client.post(f"{API}/coins/pulls:ask", json={"worker": "living"}).json()
            assert asked["pulls"] == []
            assert "enough pulls of the undecided arms are in progress" in asked["why"]
        page = site.page("/experiments/coins").text
        assert f"a: {sentence}. An arm's test waits for a missing reward." in page
        assert "give up the pull (forget)" in page
        assert "Pulls left unclear" in page
        arm = site.page("/experiments/coins/arms/0").text
        assert f"{sentence}. An arm's test waits for a missing reward." in arm
        assert "Pulls needed waits" in arm
        assert sentence in site.page("/experiments/coins/report").text
        assert "wait behind" not in site.page("/experiments/coins/arms/1").text


def test_show_says_what_waits(tmp_path):
    url = f"sqlite:///{tmp_path}/silent.db"
    found = Silent(url).answer_all()
    waits, asked_at = found.exp.explain("a").waits, found.exp.out[0].asked_at
    found.store.close()
    shown = CliRunner().invoke(app, ["show", url, "coins"])
    assert shown.exit_code == 0
    text = " ".join(shown.stdout.split())
    sentence = f"{waits.rewards} rewards wait behind pull 1 (worker dead, asked 2 h ago)"
    assert f"a: {sentence}. An arm's test waits for a missing reward." in text
    told = json.loads(CliRunner().invoke(app, ["show", url, "coins", "--json"]).stdout)
    assert told["arms"][0]["waits"] == {
        "rewards": waits.rewards,
        "pull": 1,
        "worker": "dead",
        "asked_at": asked_at,
    }
    csv = CliRunner().invoke(app, ["show", url, "coins", "--csv"]).stdout.splitlines()
    assert csv[1].endswith(f",{waits.rewards},1")


def test_show_and_page_warn_of_a_flag_that_waits(tmp_path):
    url = f"sqlite:///{tmp_path}/flag.db"
    with ga.open_store(url) as store:
        start = ExperimentSettings.of(PROBLEM, seed=1, flag_policy=ga.FlagPolicy(default="a"))
        store._recorder.create("flag", json.dumps(start.to_dict()))
        shown = CliRunner().invoke(app, ["show", url, "flag"]).stdout
        assert "may never send one" in " ".join(shown.split())
        with site_of(store) as site:
            assert "may never send one" in site.page("/experiments/flag").text
