"""Exports that promptfoo 0.121 wrote."""

import json

import pytest

import goodarm as ga
from goodarm.wording import COMMAND_LINE
from logs.log_files import DATA, counts_by_test, read_counts

PROMPT = "What is the capital of {{country}}?"


@pytest.fixture
def edited(tmp_path):
    """An export with something changed in it."""

    def write(change, name="edited.json"):
        document = json.loads((DATA / "promptfoo/repeat.json").read_text(encoding="utf-8"))
        change(document["results"])
        path = tmp_path / name
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    return write


def test_an_arm_is_a_provider_with_a_prompt():
    said = {"repeats": "attempts"}
    assert read_counts("promptfoo/repeat.json", **said) == {f"small / {PROMPT}": (9, 6)}
    assert read_counts("promptfoo/repeat.json", by="provider", **said) == {"small": (9, 6)}


def test_repeats_are_grouped_by_description_variables_and_assertions():
    """Each repeat has a testIdx of its own; two tests differ in their assertions alone."""
    expected = {
        "country=France: contains Paris": (3, 2),
        "country=France: contains Lyon": (3, 2),
        "no such place: country=Mars: contains no idea": (3, 2),
    }
    assert read_counts("promptfoo/repeat.json", by="test") == expected
    assert read_counts("promptfoo/repeat.jsonl", by="test") == expected


def test_long_tests_are_cut_and_still_told_apart(edited):
    def change(results):
        for number, row in enumerate(results["results"]):
            row["testCase"]["vars"] = {"text": "x" * 500 + str(number % 2)}
            row["testCase"]["description"] = None

    table = ga.read_logs(edited(change), by="test")
    assert all(len(arm) < 120 for arm in table.arms)
    assert len(table.arms) == 6


@pytest.mark.parametrize(
    "change",
    [
        lambda row, n: row["testCase"]["vars"].update(n=1 if n % 2 else "1"),
        lambda row, n: row["testCase"]["assert"][0].update(threshold=n % 2),
    ],
    ids=["a number and its text", "thresholds"],
)
def test_tests_that_would_look_alike_are_told_apart(edited, change):
    def change_all(results):
        for n, row in enumerate(results["results"]):
            change(row, n)

    table = ga.read_logs(edited(change_all), by="test")
    assert len(table.arms) == 6
    assert sum("#" in arm for arm in table.arms) >= 3


def test_errors_are_told_from_failed_assertions():
    table = ga.read_logs(DATA / "promptfoo/repeat.json", errors="exclude", by="test")
    assert counts_by_test(table)["no such place: country=Mars: contains no idea"] == (2, 2)
    assert counts_by_test(table)["country=France: contains Paris"] == (3, 2)


def test_answers_from_a_cache_are_refused_or_left_out():
    with pytest.raises(ga.errors.SpecError, match="must be new; it came from a cache") as refused:
        ga.read_logs(DATA / "promptfoo/cached.json")
    assert "--cached exclude" in COMMAND_LINE.sentence(refused.value)
    table = ga.read_logs(
        [DATA / "promptfoo/fresh.json", DATA / "promptfoo/cached.json"], cached="exclude"
    )
    assert (table.attempts, sum(table.asides.values())) == (1, 1)
    assert "answers from a cache" in table.read_as


def test_one_evaluation_exported_twice_counts_once(edited):
    """A resumed evaluation is exported again, with the results it had and new ones."""
    early = edited(lambda results: results.update(results=results["results"][:4]))
    table = ga.read_logs([early, DATA / "promptfoo/repeat.json"], repeats="attempts")
    assert (table.attempts, table.duplicates) == (9, 4)


@pytest.mark.parametrize("version", [2, 4, None, "3"])
def test_other_versions_are_refused_with_the_remedy(edited, version):
    path = edited(lambda results: results.update(version=version))
    with pytest.raises(
        ga.errors.SpecError, match=r"'results\.version'.* must be 3.*promptfoo export"
    ):
        ga.read_logs(path)


@pytest.mark.parametrize(
    ("success", "reason"), [(True, 1), (False, 0), (False, None), (None, 0), (1, 0)]
)
def test_results_that_contradict_themselves_are_refused(edited, success, reason):
    def change(results):
        results["results"][0].update(success=success, failureReason=reason)

    with pytest.raises(ga.errors.SpecError, match="'success and failureReason' of .*result 1"):
        ga.read_logs(edited(change))


@pytest.mark.parametrize("value", [5, "x", {"type": "contains"}, [5]])
def test_assertions_of_another_kind_still_tell_tests_apart(edited, value):
    def change(results):
        results["results"][0]["testCase"]["assert"] = value

    assert len(ga.read_logs(edited(change), by="test").arms) == 4
