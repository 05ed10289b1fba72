"""Every error says by its fields what is wrong, whoever raises it."""

import pickle

import numpy as np
import pytest

import goodarm as ga
from goodarm.client.address import check_address, check_token
from goodarm.datasets.recipes import rebuild
from goodarm.gate.gate import Gate
from goodarm.live import ExperimentSettings
from goodarm.live.events import event_from_dict
from goodarm.planning.gaps import simulate_by_gap
from goodarm.rewards import Beta, Discrete, Uniform
from goodarm.runner.experiment_file import read_experiment_file
from goodarm.service import Settings
from goodarm.simulation import Tape
from goodarm.wording import NOT_GIVEN

AT = {"threshold": 0.5, "delta": 0.05}
MEANS = [0.9, 0.1]
RUN_FILE = """
name = "banners"
arms = ["red", "green"]
threshold = 0.5
delta = 0.05
[reward]
command = "true"
"""


def problem(**changes):
    return ga.Problem(**{"arms": ["a", "b"], **AT, **changes})


def make_asked(**changes):
    """An identifier with a pull."""
    ident = ga.Identifier(problem(**changes), seed=7)
    return ident, ident.ask()


def make_stored(**changes):
    return ga.open_store("memory:").experiment("banners", problem(**changes), seed=7)


def twice(verb):
    exp = make_stored()
    getattr(exp, verb)()
    return exp


def table(folder, text, **keywords):
    path = folder / "counts.csv"
    path.write_text(text)
    return ga.check(path, **{**AT, **keywords})


def log(folder, text, name="log.jsonl", **keywords):
    path = folder / name
    path.write_text(text)
    return ga.read_logs(path, **keywords)


def run_file(folder, text):
    path = folder / "banners.toml"
    path.write_text(text)
    return read_experiment_file(path)


def journal(folder, change):
    """Import an exported journal, changed."""
    store = ga.open_store("memory:")
    exp = store.experiment("banners", problem(), seed=7)
    exp.tell(exp.ask(), 1)
    path = folder / "journal.jsonl"
    store.export("banners", path)
    path.write_text(change(path.read_text()))
    return ga.open_store("memory:").import_(path)


HEAD = "arm,pulls,successes\n"

BAD = {
    "Problem arms": lambda _: problem(arms=[]),
    "Problem arm twice": lambda _: problem(arms=["a", "a"]),
    "Problem threshold": lambda _: problem(threshold=85),
    "Problem threshold text": lambda _: problem(threshold="x"),
    "Problem delta": lambda _: problem(delta=5),
    "Problem small delta": lambda _: problem(delta=1e-200),
    "Problem margin": lambda _: problem(margin=0.6),
    "Problem rewards": lambda _: problem(rewards="normal"),
    "Problem low": lambda _: problem(low=1),
    "Problem high": lambda _: problem(rewards="bounded", low=3, high=2, threshold=2.5),
    "Problem sigma": lambda _: problem(rewards="gaussian"),
    "Problem sigma too": lambda _: problem(sigma=1),
    "Problem until": lambda _: problem(until=3),
    "Problem max_pulls": lambda _: problem(max_pulls=0),
    "Problem pool": lambda _: problem(pool={"a": 3}),
    "Problem case_order": lambda _: problem(case_order="own"),
    "Problem gap": lambda _: problem(gap=0.9),
    "Problem arms_planned": lambda _: problem(arms_planned=1),
    "Problem.position": lambda _: problem().position("c"),
    "Problem.from_dict": lambda _: ga.Problem.from_dict({"kind": "problem", "format": 1}),
    "Problem.with_arm": lambda _: problem().with_arm("c"),
    "check threshold": lambda _: ga.check({"a": (9, 5)}, threshold=85, delta=0.05),
    "check nothing": lambda _: ga.check({"a": (9, 5)}, delta=0.05),
    "check both": lambda _: ga.check({"a": (9, 5)}, problem=problem(), delta=0.05),
    "check cell": lambda folder: table(folder, f"{HEAD}a,9,x\n"),
    "check cells": lambda folder: table(folder, f"{HEAD}a,9,x\nb,y,5\n"),
    "check arm twice": lambda folder: table(folder, f"{HEAD}a,9,5\na,9,5\n"),
    "check header": lambda folder: table(folder, "a,b\n1,2\n"),
    "check empty": lambda folder: table(folder, HEAD),
    "check sep": lambda folder: table(folder, f"{HEAD}a,9,5\n", sep="--"),
    "check control": lambda folder: table(folder, f"{HEAD}a,9,5\n", control="x"),
    "check rule": lambda folder: table(folder, f"{HEAD}a,9,5\n", rule="hoeffding", control="fdr"),
    "check two ways": lambda folder: table(
        folder, 'arm,reward\na,"1,500"\n', raw=True, rewards="bounded", high=2000
    ),
    "check kind": lambda _: ga.check(3, **AT),
    "read format": lambda folder: log(folder, '{"arm": "a", "passed": 1}\n', format="xml"),
    "read guess": lambda folder: log(folder, "hello", name="log.dat"),
    "read line": lambda folder: log(folder, '{"arm": "a"\n', format="jsonl"),
    "read score": lambda folder: log(folder, '{"arm": "a", "score": 0.5}\n', format="jsonl"),
    "read key": lambda folder: log(folder, '{"arm": "a"}\n', format="jsonl"),
    "read nothing": lambda _: ga.read_logs([], format="jsonl"),
    "read root": lambda folder: log(folder, "<x/>", name="log.xml", format="junit"),
    "plan means": lambda _: ga.plan(**AT),
    "plan gap": lambda _: ga.plan(num_arms=3, **AT),
    "plan both": lambda _: ga.plan(MEANS, num_arms=3, **AT),
    "plan budget": lambda _: ga.plan(num_arms=3, budget=1, **AT),
    "plan too long": lambda _: ga.plan(num_arms=3, distance=1e-5, algorithm="hdoc", **AT),
    "plan threshold": lambda _: ga.plan(MEANS, threshold=85, delta=0.05),
    "plan endless": lambda _: ga.plan([0.5, 0.9], **AT),
    "pulls_by_gap": lambda _: simulate_by_gap(
        ga.plan([Beta(a=1, b=1)], rewards="bounded", threshold=0.4, delta=0.05, runs=2)
    ),
    "simulate means": lambda _: ga.simulate([], runs=1, seed=0, **AT),
    "simulate mean": lambda _: ga.simulate([2.0], runs=1, seed=0, **AT),
    "simulate arms": lambda _: ga.simulate({}, runs=1, seed=0, **AT),
    "simulate runs": lambda _: ga.simulate(MEANS, runs=0, seed=0, **AT),
    "simulate engine": lambda _: ga.simulate(MEANS, runs=1, seed=0, engine="x", **AT),
    "simulate algorithm": lambda _: ga.simulate(MEANS, runs=1, seed=0, algorithm="x", **AT),
    "simulate endless": lambda _: ga.simulate([0.5], runs=1, seed=0, **AT),
    "simulate rule": lambda _: ga.simulate(
        [0.3], threshold=0, delta=0.05, runs=1, rewards="gaussian", sigma=1, algorithm="apgai"
    ),
    "simulate epsilon": lambda _: ga.simulate([0.9], runs=1, algorithm="lil-hdoc", **AT),
    "Tape seed": lambda _: Tape(problem(), MEANS, seed=-1),
    "Beta": lambda _: Beta(a=1, b=1, low=1),
    "Discrete": lambda _: Discrete([], []),
    "Uniform": lambda _: Uniform(2, 1),
    "Beta.from_dict": lambda _: Beta.from_dict({**Beta(a=1, b=1).to_dict(), "x": 1}),
    "prove run_once": lambda _: ga.prove(3, threshold=0.9),
    "prove threshold": lambda _: ga.prove(lambda: True, threshold=85),
    "prove delta": lambda _: ga.prove(lambda: True, threshold=0.5, delta=0.95),
    "prove cap": lambda _: ga.prove(lambda: True, threshold=0.9, max_runs=2),
    "Gate.tell": lambda _: Gate(problem(arms=["a"])).tell(3, True),
    "Identifier problem": lambda _: ga.Identifier(3),
    "Identifier algorithm": lambda _: ga.Identifier(problem(), algorithm="x"),
    "Identifier seed": lambda _: ga.Identifier(problem(), seed=-1),
    "Identifier.tell reward": lambda _: (lambda ident, pull: ident.tell(pull, 3))(*make_asked()),
    "Identifier.tell pull": lambda _: make_asked()[0].tell("x", 1),
    "Identifier.tell never": lambda _: make_asked()[0].tell(ga.Pull(9, "a", None), 1),
    "Identifier.forget": lambda _: (lambda ident, pull: ident.forget(pull))(
        *make_asked(rewards="gaussian", sigma=1)
    ),
    "Identifier.observe": lambda _: make_asked()[0].observe("c", [1]),
    "Identifier.add_arm": lambda _: make_asked()[0].add_arm("c"),
    "Identifier.from_dict": lambda _: ga.Identifier.from_dict({"kind": "identifier", "format": 2}),
    "RewardTimeout": lambda _: ga.RewardTimeout("reward"),
    "RewardTimeout reward": lambda _: ExperimentSettings.of(
        problem(), reward_timeout=ga.RewardTimeout("reward", 60, default=3)
    ),
    "RewardTimeout lost": lambda _: ExperimentSettings.of(
        problem(rewards="gaussian", sigma=1), reward_timeout=ga.RewardTimeout("lost", 60)
    ),
    "FlagPolicy": lambda _: ga.FlagPolicy(when_done="x"),
    "open_store": lambda _: ga.open_store("mysql://host"),
    "open_store path": lambda _: ga.open_store("goodarm.db"),
    "Store.experiment name": lambda _: ga.open_store("memory:").experiment("a/b", problem()),
    "Store.experiment none": lambda _: ga.open_store("memory:").experiment("a"),
    "Store.experiment flag": lambda _: ga.open_store("memory:").experiment(
        "a", problem(), flag_policy=ga.FlagPolicy()
    ),
    "Store.upgrade": lambda _: ga.open_store("memory:").upgrade(),
    "Store.import_": lambda folder: journal(
        folder, lambda text: text.replace('"number": 1', '"number": 7')
    ),
    "Store.import_ cut": lambda folder: journal(folder, lambda text: text.splitlines()[0]),
    "Store.import_ line": lambda folder: journal(folder, lambda text: f"{text.splitlines()[0]}\nx"),
    "Experiment.ask count": lambda _: make_stored().ask_many(0),
    "Experiment.ask paused": lambda _: twice("pause").ask(),
    "Experiment.ask closed": lambda _: twice("close").ask(),
    "Experiment.note": lambda _: make_stored().note(""),
    "Experiment.take_out": lambda _: make_stored().take_out("c"),
    "Tokens.create": lambda _: ga.open_store("memory:").tokens.create("ann", scope="all"),
    "Tokens.revoke": lambda _: ga.open_store("memory:").tokens.revoke("x"),
    "run file threshold": lambda folder: run_file(
        folder, RUN_FILE.replace("threshold = 0.5", "threshold = 85")
    ),
    "run file key": lambda folder: run_file(folder, f"treshold = 1\n{RUN_FILE}"),
    "run file TOML": lambda folder: run_file(folder, "="),
    "run file missing": lambda folder: read_experiment_file(folder / "none.toml"),
    "run file command": lambda folder: run_file(folder, RUN_FILE.replace('"true"', '"run {arms}"')),
    "run file silence": lambda folder: run_file(
        folder, f'{RUN_FILE}\n[silence]\nmeaning = "lost"\n'
    ),
    "event": lambda _: event_from_dict({"kind": "x", "format": 1}),
    "service settings": lambda _: Settings(max_arms=0),
    "service root_path": lambda _: Settings(root_path="x"),
    "Client url": lambda _: check_address("ftp://host"),
    "Client user": lambda _: check_address("https://ann:secret@host"),
    "Client token": lambda _: check_token("a b"),
    "rebuild": lambda _: rebuild("none", []),
    "rebuild paths": lambda _: rebuild("jester", []),
}


@pytest.mark.parametrize("what", BAD)
def test_an_error_has_its_fields(what, tmp_path):
    with pytest.raises(ga.errors.GoodArmError) as raised:
        BAD[what](tmp_path)
    error = raised.value
    assert error.argument
    assert error.owner or error.place.file
    assert error.rule
    assert str(error).endswith((".", "?")) or error.errors
    assert " at 0x" not in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert (again.argument, again.owner, again.rule) == (error.argument, error.owner, error.rule)


WITHOUT_VALUE = {
    *("plan too long", "Experiment.ask paused", "Experiment.ask closed", "Store.upgrade"),
    *("pulls_by_gap", "Client user", "Client token", "Problem.from_dict", "Identifier.from_dict"),
}
"""Calls in which nothing was given that could be shown, or which must not be shown."""


@pytest.mark.parametrize("what", sorted(set(BAD) - WITHOUT_VALUE))
def test_an_error_has_the_value(what, tmp_path):
    with pytest.raises(ga.errors.GoodArmError) as raised:
        BAD[what](tmp_path)
    assert raised.value.value is not NOT_GIVEN


def test_a_place_is_told_by_its_parts(tmp_path):
    with pytest.raises(ga.errors.SpecError) as raised:
        table(tmp_path, f"{HEAD}a,9,5\nb,9,x\n")
    place = raised.value.place
    assert (place.source, place.line, place.column) == (
        str(tmp_path / "counts.csv"),
        3,
        "successes",
    )
    with pytest.raises(ga.errors.SpecError) as raised:
        ga.check({"arm": ["a"], "pulls": [9], "successes": [10]}, **AT)
    assert raised.value.place.row == 1
    with pytest.raises(ga.errors.SpecError) as raised:
        journal(tmp_path, lambda text: text.replace('"number": 1', '"number": 7'))
    assert raised.value.place.entry == 1
    with pytest.raises(ga.errors.SpecError) as raised:
        run_file(tmp_path, RUN_FILE.replace("threshold = 0.5", "threshold = 85"))
    assert raised.value.place.file == "banners.toml"


def test_several_errors_are_kept_one_by_one(tmp_path):
    with pytest.raises(ga.errors.SpecError) as raised:
        table(tmp_path, f"{HEAD}a,9,x\nb,y,5\n")
    assert [(each.argument, each.place.line) for each in raised.value.errors] == [
        ("successes", 2),
        ("pulls", 3),
    ]


@pytest.mark.parametrize("value", [lambda: 1, object(), [object()], np.zeros, ga.check])
def test_no_address_in_memory_is_shown(value):
    for call in (
        lambda: ga.Problem(value, **AT),
        lambda: problem(threshold=value),
        lambda: ga.Identifier(value),
        lambda: ga.check(value, **AT),
        lambda: ga.simulate(MEANS, runs=1, algorithm=value, **AT),
    ):
        with pytest.raises(ga.errors.SpecError) as raised:
            call()
        assert "0x" not in str(raised.value)
        assert "0x" not in str(pickle.loads(pickle.dumps(raised.value)))


def test_a_capitalised_name_is_suggested_by_its_own_spelling():
    known = ("Variant-A", "Variant-B", "control")
    for given in ("variant-a", "Variant-A ", "VARIANT-A"):
        error = ga.errors.invalid_choice("arm", "check", known, given)
        assert error.remedy == "Did you mean 'Variant-A'?"
    assert ga.errors.invalid_choice("arm", "check", known, "CONTROLL").remedy.endswith("'control'?")
    assert ga.errors.invalid_choice("arm", "check", known, "zzz", "Name one.").remedy == "Name one."
