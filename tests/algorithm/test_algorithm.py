"""Algorithms by name and by parts."""

import json

import pytest

import goodarm as ga
from goodarm.algorithm import SAMPLING_RULES
from helpers import IDENTIFICATION, NAMED, SAMPLING


def test_the_papers_algorithms_are_there():
    assert {"e-hdoc", "hdoc", "lucb-g", "apt-g", "lil-hdoc", "apgai", "cho2025"} <= {*NAMED}
    for name, info in ga.algorithms().items():
        assert info.name == info.algorithm.name == name
        assert "at most delta" in info.guarantee
        assert info.reference


def test_warm_ups_of_the_papers():
    problem = ga.Problem(6, 0.004, 0.01)
    warmups = {name: info.algorithm.setup(problem).warmup for name, info in ga.algorithms().items()}
    assert warmups.pop("lil-hdoc") == 1673
    assert set(warmups.values()) == {1}


@pytest.mark.parametrize(
    ("keywords", "rule"),
    [
        ({}, "mixture"),
        ({"pool": 20}, "mixture"),
        ({"rewards": "bounded"}, "betting"),
        ({"rewards": "gaussian", "sigma": 1}, "half-normal"),
    ],
)
def test_the_default_is_ours_with_the_test_that_suits_the_rewards(keywords, rule):
    for algorithm in (None, "e-hdoc"):
        used = ga.Identifier(ga.Problem(2, 0.5, 0.1, **keywords), algorithm).algorithm
        assert (used.name, used.identification.name) == ("e-hdoc", rule)
    if "pool" not in keywords:
        runs = ga.simulate([0.9, 0.1], threshold=0.5, delta=0.1, runs=1, **keywords)
        assert runs.algorithm["name"] == "e-hdoc"
        assert runs.algorithm["identification"]["rule"] == rule


def test_two_rules_with_a_plus_are_an_algorithm():
    runs = ga.simulate([0.9, 0.1], threshold=0.5, delta=0.1, algorithm="kl-moss+betting", runs=3)
    pair = ga.Algorithm(sampling="kl-moss", identification="betting")
    assert runs == ga.simulate([0.9, 0.1], threshold=0.5, delta=0.1, algorithm=pair, runs=3)
    with pytest.raises(
        ga.errors.SpecError, match=r"'identification' of Algorithm must be one of .*'bet'"
    ):
        ga.simulate([0.9, 0.1], threshold=0.5, delta=0.1, algorithm="kl-moss+bet", runs=3)
    with pytest.raises(ga.errors.SpecError, match="Or give two rules with a plus, such as kl-moss"):
        ga.simulate([0.9, 0.1], threshold=0.5, delta=0.1, algorithm="zzz", runs=3)


@pytest.mark.parametrize("sampling", SAMPLING)
@pytest.mark.parametrize("identification", [*IDENTIFICATION, ga.rules.Lil(0.03)])
@pytest.mark.parametrize(
    "warmup", [1, 17, "paper", ga.rules.Warmup("paper", True), ga.rules.Warmup(3, True)]
)
def test_every_combination_comes_back_from_json(sampling, identification, warmup):
    algorithm = ga.Algorithm(sampling=sampling, identification=identification, warmup=warmup)
    document = json.loads(json.dumps(algorithm.to_dict()))
    assert ga.Algorithm.from_dict(document) == algorithm
    described = json.loads(json.dumps(algorithm.describe(ga.Problem(6, 0.5, 0.01))))
    assert ga.Algorithm.from_dict(described) == algorithm


def test_rule_names_and_codes_are_unique():
    assert len({rule.code for rule in SAMPLING_RULES.values()}) == len(SAMPLING_RULES)
    assert all(rule.formula and rule.reference for rule in SAMPLING_RULES.values())


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"sampling": "hdok"}, "'sampling' of Algorithm must be one of 'hdoc'.*mean 'hdoc'"),
        ({"sampling": 3}, "'sampling' of Algorithm must be one of"),
        ({"identification": "hoefding"}, "'identification' of Algorithm.*mean 'hoeffding'"),
        ({"identification": None}, "'identification' of Algorithm must be one of"),
        ({"warmup": 0}, "'pulls' of Warmup must be a whole number from 1 to"),
        ({"warmup": 2.5}, "'pulls' of Warmup must be a whole number"),
        ({"warmup": "papre"}, "'pulls' of Warmup must be a whole number or 'paper'"),
        ({"warmup": True}, "'pulls' of Warmup must be a whole number"),
        (
            {"sampling": SAMPLING_RULES["hdoc"].__class__("mine", 5, "", "")},
            "must be one of 'hdoc'",
        ),
        ({"name": ""}, "'name' of Algorithm must be a text"),
    ],
)
def test_bad_parts_are_named(keywords, message):
    parts = {"sampling": "hdoc", "identification": "lil", **keywords}
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.Algorithm(**parts)


def test_an_unknown_name_lists_the_known_ones_and_the_nearest():
    with pytest.raises(ga.errors.SpecError) as caught:
        ga.Identifier(ga.Problem(2, 0.5, 0.1), "lil_hdoc")
    message = str(caught.value)
    assert all(repr(name) in message for name in NAMED)
    assert message.endswith("Did you mean 'lil-hdoc'?")


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"kind": "algorithm"},
        {"kind": "algorithm", "format": 2},
        {"kind": "algorithm", "format": 1, "name": "x"},
        {"kind": "problem", "format": 1},
    ],
)
def test_a_wrong_document_is_an_error(document):
    with pytest.raises(ga.errors.SpecError):
        ga.Algorithm.from_dict(document)


def test_a_document_with_text_for_a_part_is_an_error():
    document = ga.algorithms()["lil-hdoc"].algorithm.to_dict()
    with pytest.raises(ga.errors.SpecError, match="does not name its parts"):
        ga.Algorithm.from_dict({**document, "identification": "lil"})


@pytest.mark.parametrize("name", NAMED)
def test_a_document_with_an_unknown_key_is_an_error(name):
    for rewards in ("bernoulli", "bounded", "gaussian"):
        algorithm = ga.algorithms()[name].for_rewards(rewards)
        document = json.loads(json.dumps(algorithm.to_dict()))
        assert ga.Algorithm.from_dict(document) == algorithm
        with pytest.raises(ga.errors.SpecError, match=r"keys that Algorithm lacks: \['zzz'\]"):
            ga.Algorithm.from_dict({**document, "zzz": 1})


def test_a_sampling_rule_of_goodarm_has_no_settings():
    document = ga.algorithms()["hdoc"].algorithm.to_dict()
    message = "'sampling' of Algorithm must give the rule hdoc no settings; got {'colour': 'red'}"
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.Algorithm.from_dict({**document, "sampling": {"rule": "hdoc", "colour": "red"}})


def test_a_document_with_an_unknown_setting_is_an_error():
    document = ga.algorithms()["lil-hdoc"].algorithm.to_dict()
    document["identification"]["colour"] = "red"
    with pytest.raises(ga.errors.SpecError, match="does not name its parts"):
        ga.Algorithm.from_dict(document)
