"""One JSON object a line."""

import json

import pytest

import goodarm as ga
from logs.log_files import counts_by_test


@pytest.fixture
def rows(tmp_path):
    def write(*found, name="rows.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
        return path

    return write


def test_an_arm_and_a_reward(rows):
    path = rows({"arm": "a", "reward": 1}, {"arm": "a", "reward": 0}, {"arm": 7, "reward": True})
    assert counts_by_test(ga.read_logs(path)) == {"a": (2, 1), "7": (1, 1)}


def test_other_keys_by_name(rows):
    path = rows({"model": "m", "lang": "de", "won": False}, {"model": "m", "lang": "en", "won": 1})
    assert counts_by_test(ga.read_logs(path, by="model,lang", score="won")) == {
        "m / de": (1, 0),
        "m / en": (1, 1),
    }


def test_words_say_how_it_went(rows):
    words = ["passed", "failed", "error", "skipped", "PASS"]
    path = rows(*({"arm": "a", "outcome": word} for word in words))
    table = ga.read_logs(path)
    assert counts_by_test(table) == {"a": (4, 2)}
    assert (table.errors, table.skipped) == (1, 1)
    assert counts_by_test(ga.read_logs(path, errors="exclude")) == {"a": (3, 2)}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"arm": "a"}, "must include one of reward, outcome"),
        (
            {"arm": "a", "reward": 1, "passed": True},
            r"must have the outcome under one key only; got \['reward', 'passed'\].*score='reward'",
        ),
        ({"arm": "a", "score": 1}, r"must have the outcome under 'reward'.*; got \['score'\]"),
        ({"arm": "b", "reward": int("9" * 400)}, r"must be 0 or 1; got 999.*pass_at"),
        ({"arm": "a", "reward": 0.5}, r"must be 0 or 1; got 0\.5.*pass_at"),
        ({"arm": "a", "reward": None}, "must be a finite number; got None"),
        ({"arm": "a", "reward": "maybe"}, "must be 0, 1, true, false, or one of pass"),
        ({"variant": "a", "reward": 1}, r"must include 'arm'; got \['variant', 'reward'\]"),
        ({"arm": ["a"], "reward": 1}, "must include 'arm'"),
    ],
)
def test_rows_that_do_not_say_enough_are_refused(rows, row, message):
    path = rows({"arm": "a", "reward": 1}, row)
    with pytest.raises(ga.errors.SpecError, match=f"line 2 {message}"):
        ga.read_logs(path)


def test_a_pass_mark(rows):
    path = rows(*({"arm": "a", "score": value} for value in (0.2, 0.5, 0.9)))
    assert counts_by_test(ga.read_logs(path, pass_at=0.5)) == {"a": (3, 2)}


@pytest.mark.parametrize("half", [2, 1000])
def test_a_log_that_went_on_is_not_counted_twice(rows, half):
    """The copy was made half way: the whole begins with it."""
    found = [{"arm": "a", "reward": n % 2, "n": n} for n in range(2 * half)]
    early = rows(*found[:half], name="early.jsonl")
    paths = [early, rows(*found, name="late.jsonl")]
    with pytest.raises(ga.errors.SpecError, match="copies='once'"):
        ga.read_logs(paths)
    table = ga.read_logs(paths, copies="once")
    assert counts_by_test(table) == {"a": (2 * half, half)}
    assert table.copies == 1
    assert counts_by_test(ga.read_logs(paths, copies="count")) == {"a": (3 * half, 3 * half // 2)}


def test_a_link_is_no_second_log(rows, tmp_path):
    path = rows({"arm": "a", "reward": 1})
    (tmp_path / "link.jsonl").symlink_to(path)
    table = ga.read_logs(str(tmp_path / "*.jsonl"))
    assert (table.attempts, table.copies) == (1, 1)


def test_names_that_hold_the_sign_between_parts_stay_apart(rows):
    path = rows({"x": "a / b", "y": "c", "reward": 1}, {"x": "a", "y": "b / c", "reward": 0})
    assert len(set(ga.read_logs(path, by="x,y").arms)) == 2


def test_a_key_that_is_chosen_may_stand_beside_others(rows):
    path = rows({"arm": "a", "score": 1, "passed": False}, {"arm": "a", "score": 1})
    assert counts_by_test(ga.read_logs(path, score="score")) == {"a": (2, 2)}
    with pytest.raises(ga.errors.SpecError, match="line 2 must hold 'passed'"):
        ga.read_logs(path, score="passed")


def test_a_score_of_hundreds_of_digits_is_a_number(rows):
    path = rows({"arm": "a", "score": 10**400}, {"arm": "a", "score": -(10**400)})
    assert counts_by_test(ga.read_logs(path, pass_at=0.5)) == {"a": (2, 1)}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (1, "1"),
        ("1", 1),
        ("a", "a "),
        ("a", "\N{ZERO WIDTH SPACE}a"),
        ("a", "\N{NO-BREAK SPACE}a"),
        ("\N{LATIN SMALL LETTER E WITH ACUTE}", "e\N{COMBINING ACUTE ACCENT}"),
    ],
)
def test_arms_that_look_alike_are_refused(rows, first, second):
    found = [{"arm": arm, "lang": "de", "reward": 1} for arm in (first, second)]
    with pytest.raises(ga.errors.SpecError) as refused:
        ga.read_logs(rows(*found))
    message = f"line 2 must differ visibly from {first!r}; got {second!r}. They look alike"
    assert message in str(refused.value)
    with pytest.raises(ga.errors.SpecError, match="'arm' of .* must differ visibly"):
        ga.read_logs(rows(*found), by="lang,arm")
    paths = [rows(found[0], name="a.jsonl"), rows(found[1], name="b.jsonl")]
    with pytest.raises(ga.errors.SpecError, match="must differ visibly"):
        ga.read_logs(paths)
    assert counts_by_test(ga.read_logs(rows(*found), by="lang")) == {"de": (2, 2)}


def test_arms_that_look_unlike_are_two(rows):
    found = ("a", "A", "a b", "ab", 1, 11, "o", "\N{LATIN SMALL LETTER O WITH DIAERESIS}")
    assert len(ga.read_logs(rows(*({"arm": arm, "reward": 1} for arm in found))).arms) == len(found)
