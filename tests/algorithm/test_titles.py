"""Titles: names of rules and algorithms with the settings that are not the defaults."""

import numpy as np

import goodarm as ga
from goodarm.algorithm import IDENTIFICATION_RULES, make_algorithm_title, make_rule_title


def test_a_rule_is_named_with_what_is_not_usual_of_it():
    for name, rule in IDENTIFICATION_RULES.items():
        shown = rule.always_shown
        assert make_rule_title(rule().to_dict()) == name or shown, name
    assert make_rule_title(ga.rules.Betting().to_dict()) == "betting (16 gamblers)"
    assert (
        make_rule_title(ga.rules.Betting(1, most=0.5).to_dict()) == "betting (1 gambler, most 0.5)"
    )
    assert make_rule_title(ga.rules.Mixture([2, 0.5]).to_dict()) == "mixture (weights 2/0.5)"
    assert make_rule_title(ga.rules.Lil(0.01).to_dict()) == "lil (epsilon 0.01)"
    assert make_rule_title({"rule": "x", "a_b": "red\n", "c": None}) == "x (a b red\\n, c None)"
    assert len(make_rule_title({"rule": "x", "a": "b" * 100})) == 64


def test_algorithms_with_other_settings_have_other_titles():
    def title(algorithm, **options):
        asked = {"threshold": 0.5, "delta": 0.05, "rewards": "bounded", **options}
        return ga.simulate([0.9], algorithm=algorithm, runs=1, **asked).table().algorithm

    assert title("e-hdoc") == "e-hdoc (kl-moss + betting, 10 gamblers, tilt 0.5, tail 5)"
    few = title("e-hdoc", threshold=0.01)
    assert few == "e-hdoc (kl-moss + betting, 15 gamblers, tilt 0.5, tail 5)"
    assert title("kl-moss+betting") == "kl-moss+betting (16 gamblers)"
    fewer = ga.Algorithm(sampling="kl-moss", identification=ga.rules.Betting(gamblers=8))
    assert title(fewer) == "kl-moss+betting (8 gamblers)"
    assert title(fewer, gap=0.1) == "kl-moss+betting (4 gamblers)"
    assert make_algorithm_title({"name": "mine"}) == "mine"


def test_runs_keep_their_title_in_their_file(tmp_path):
    asked = {"threshold": 0.5, "delta": 0.05, "runs": 2}
    runs = ga.simulate([0.9], algorithm="kl-moss+betting", **asked)
    runs.save(tmp_path / "runs.npz")
    assert ga.Runs.load(tmp_path / "runs.npz").table().algorithm == "kl-moss+betting (16 gamblers)"


def test_runs_of_a_file_without_a_title_are_called_by_their_name(tmp_path):
    """Files of earlier versions have none."""
    path = tmp_path / "runs.npz"
    ga.simulate([0.9], threshold=0.5, delta=0.05, algorithm="kl-moss+betting", runs=2).save(path)
    with np.load(path) as arrays:
        kept = dict(arrays)
    text = str(kept["document"])
    kept["document"] = np.array(text.replace(', "title": "kl-moss+betting (16 gamblers)"', ""))
    assert "title" not in str(kept["document"])
    np.savez_compressed(path, **kept)
    assert ga.Runs.load(path).table().algorithm == "kl-moss+betting"
