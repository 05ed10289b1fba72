"""Cases that come again under one arm of a raw table: they are not independent pulls."""

import json

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import binom

import goodarm as ga
from goodarm.wording import COMMAND_LINE

ROWS = {
    "arm": ["a"] * 6 + ["b"] * 3,
    "question": [1, 2, 3, 1, 2, 3, 1, 2, 3],
    "reward": [1, 0, 1, 1, 0, 1, 1, 1, 0],
}
WORDS = (
    "The 'question' of .* must name a different case in each row of an arm; "
    "arm 'a' has 6 rows with 3"
)


def as_csv(rows, folder):
    path = folder / "rows.csv"
    path.write_text(pd.DataFrame(rows).to_csv(index=False), encoding="utf-8")
    return path


def as_json(rows, folder):
    path = folder / "rows.jsonl"
    path.write_text(pd.DataFrame(rows).to_json(orient="records", lines=True), encoding="utf-8")
    return path


def as_duckdb(rows, folder):
    frame = pd.DataFrame(rows)
    return duckdb.from_df(frame)


FORMS = {
    "columns": lambda rows, folder: rows,
    "csv": as_csv,
    "jsonl": as_json,
    "pandas": lambda rows, folder: pd.DataFrame(rows),
    "lazy": lambda rows, folder: pl.LazyFrame(rows),
    "duckdb": as_duckdb,
}


@pytest.mark.parametrize("form", FORMS)
def test_repeats_are_refused_with_the_choices(form, tmp_path):
    table = FORMS[form](ROWS, tmp_path)
    with pytest.raises(ga.errors.SpecError, match=WORDS) as refused:
        ga.check(table, threshold=0.5, delta=0.05, raw=True)
    for choice in (
        "To judge each case, make it the arm, with the names of arm and case together in its "
        "column: its repeats are its pulls. ",
        "To judge the average case, give unit='question': ",
        "To judge this set of cases, give unit='question' and pool=NUMBER. ",
        "If a case was drawn at random for each row, give repeats='attempts'.",
    ):
        assert choice in str(refused.value)
    typed = COMMAND_LINE.sentence(refused.value)
    assert "give --unit question and --pool NUMBER" in typed
    assert "--repeats attempts" in typed
    table = FORMS[form](ROWS, tmp_path)
    found = ga.check(table, threshold=0.5, delta=0.05, raw=True, repeats="attempts")
    assert found.pulls.tolist() == [6, 3]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "question",
    [
        [1, 2, 3, 4, 5, 6, 1, 2, 3],  # each case once for an arm
        [7] * 6 + [8] * 3,  # an arm with one case is about that case
        [None, None, None, None, 5, 6, 1, None, None],  # what is not known does not come again
    ],
    ids=["once", "one case", "blank"],
)
def test_what_shows_no_repeats_is_read(form, question, tmp_path):
    rows = {**ROWS, "question": question}
    found = ga.check(FORMS[form](rows, tmp_path), threshold=0.5, delta=0.05, raw=True)
    assert found.pulls.tolist() == [6, 3]


CASES = [
    *(
        "id",
        "idx",
        "index",
        "uid",
        "uuid",
        "row",
        "row_id",
        "sample_idx",
        "Sample Index",
        "case_num",
    ),
    *(
        "prompt",
        "prompt_id",
        "input",
        "query",
        "query_id",
        "url",
        "email",
        "user_email",
        "username",
    ),
    *("test", "test_id", "test_name", "task", "task_id", "scenario", "problem", "session"),
    *("session_id", "cases", "questions", "case_ids", "question_text"),
]
NO_CASES = [
    *("country", "epoch", "run_id", "model_id", "name", "subject", "users", "sessions", "items"),
    *("index_price", "trial", "row_count", "casino", "grid", "piano"),
]


@pytest.mark.parametrize("column", CASES)
def test_columns_that_name_cases(column):
    rows = {column: ROWS["question"], "arm": ROWS["arm"], "reward": ROWS["reward"]}
    with pytest.raises(ga.errors.SpecError, match=WORDS.replace("question", column)):
        ga.check(rows, threshold=0.5, delta=0.05, raw=True)
    numbered = {**rows, column: [*range(6), *range(3)]}  # it begins again in each arm
    assert ga.check(numbered, threshold=0.5, delta=0.05, raw=True).pulls.tolist() == [6, 3]


@pytest.mark.parametrize("column", NO_CASES)
def test_columns_that_name_none(column):
    rows = {column: ROWS["question"], "arm": ROWS["arm"], "reward": ROWS["reward"]}
    assert ga.check(rows, threshold=0.5, delta=0.05, raw=True).pulls.tolist() == [6, 3]


@pytest.mark.parametrize("column", ["prompt", "test", "task", "name", "url", "id"])
def test_the_column_of_arms_names_no_cases(column):
    rows = {column: ROWS["arm"], "reward": ROWS["reward"]}
    said = {"columns": {"arm": column}}
    found = ga.check(rows, threshold=0.5, delta=0.05, raw=True, **said)
    assert found.pulls.tolist() == [6, 3]


def test_a_task_beside_questions_is_a_group_of_them():
    rows = {**ROWS, "task": ["math", "code"] * 4 + ["math"], "question": list(range(9))}
    assert ga.check(rows, threshold=0.5, delta=0.05, raw=True).pulls.tolist() == [6, 3]
    del rows["question"]
    with pytest.raises(ga.errors.SpecError, match="'task' of the dict must name a different case"):
        ga.check(rows, threshold=0.5, delta=0.05, raw=True)


def test_a_number_of_the_row_does_not_hide_repeats():
    rows = {**ROWS, "id": list(range(9)), "task": ROWS["question"]}
    del rows["question"]
    with pytest.raises(ga.errors.SpecError, match=WORDS.replace("question", "task")):
        ga.check(rows, threshold=0.5, delta=0.05, raw=True)


def test_a_case_may_be_a_list_and_may_be_missing():
    """Messages of a chat as lists or arrays; pandas' own sign for nothing."""
    chats = [[k, k + 1] for k in ROWS["question"]]
    for prompt in (chats, [np.array(chat) for chat in chats]):
        frame = pd.DataFrame({"arm": ROWS["arm"], "reward": ROWS["reward"], "prompt": prompt})
        with pytest.raises(ga.errors.SpecError, match=WORDS.replace("question", "prompt")):
            ga.check(frame, threshold=0.5, delta=0.05, raw=True)
    frame = frame.assign(prompt=pd.array([pd.NA] * 8 + [1], dtype="Int64"))
    assert ga.check(frame, threshold=0.5, delta=0.05, raw=True).pulls.tolist() == [6, 3]


def test_every_column_that_names_cases_is_looked_at():
    rows = {"sample_id": list(range(9)), **ROWS}
    with pytest.raises(ga.errors.SpecError, match=WORDS):
        ga.check(rows, threshold=0.5, delta=0.05, raw=True)


def test_other_columns_may_repeat():
    rows = {**ROWS, "country": ROWS["question"]}
    del rows["question"]
    assert ga.check(rows, threshold=0.5, delta=0.05, raw=True).pulls.tolist() == [6, 3]


def test_a_line_of_json_may_lack_its_case(tmp_path):
    path = tmp_path / "rows.jsonl"
    rows = [{"arm": "a", "question": 1, "reward": 1}, {"arm": "a", "reward": 0}]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    assert ga.check(path, threshold=0.5, delta=0.05, raw=True).pulls.tolist() == [2]


def test_repeats_are_of_raw_rewards():
    with pytest.raises(ga.errors.SpecError, match="'repeats' of check must be left out unless raw"):
        ga.check({"a": (3, 2)}, threshold=0.5, delta=0.05, repeats="attempts")
    with pytest.raises(ga.errors.SpecError, match="'repeats' of check must be one of 'refuse'"):
        ga.check({"a": [1, 0]}, threshold=0.5, delta=0.05, raw=True, repeats="reruns")


ARMS, CASES, EPOCHS, RATE, BAR, DELTA = 6, 200, 10, 0.84, 0.85, 0.05


def wrong_good(labels):
    """The probability that any of six prompts at .84 is good, where answers are fixed by case.

    ``labels`` are those of an arm by its number of cases that are answered right.
    """
    one = binom.pmf(np.arange(CASES + 1), CASES, RATE)[np.array(labels) == 1].sum()
    return 1 - (1 - one) ** ARMS


def check_labels(counts, **options):
    """Labels by the number of cases answered right: per arm, at the share of delta of six arms."""
    table = ga.check(
        {f"{right}": each for right, each in enumerate(counts)},
        threshold=BAR,
        delta=DELTA / ARMS,
        control="per-arm",
        **options,
    )
    return table.labels.tolist()


def test_ten_epochs_of_fixed_answers_prove_what_is_wrong_and_the_choices_do_not():
    """Exact: what is known of an arm is how many of its 200 cases are answered right."""
    right = range(CASES + 1)
    as_pulls = check_labels([(EPOCHS * CASES, EPOCHS * n) for n in right])
    assert wrong_good(as_pulls) > 0.3  # the wrong variant
    averaged = check_labels(
        [[1.0] * n + [0.0] * (CASES - n) for n in right], raw=True, rewards="bounded"
    )
    assert 0 < wrong_good(averaged) <= DELTA
    # Of a pool the share itself is judged, and of a case its own rate, 0 or 1 here.
    pooled = check_labels([(CASES, n) for n in right], pool=CASES)
    assert [label == 1 for label in pooled] == [n >= BAR * CASES for n in right]
    by_case = ga.check(
        {"right": (EPOCHS, EPOCHS), "wrong": (EPOCHS, 0)}, threshold=BAR, delta=DELTA
    )
    assert by_case.labels.tolist() == [0, -1]
