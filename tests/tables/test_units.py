"""Rewards of a raw table averaged by unit: each unit is one pull, whatever its number of rows."""

import json
import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest

import goodarm as ga
from goodarm.tables.units import average_units, find_unfinished
from goodarm.wording import COMMAND_LINE
from tables.test_repeated_cases import as_csv, as_duckdb, as_json

QUESTIONS, EPOCHS = 40, 3
BAR = 0.6


def make_rows(epochs=EPOCHS, questions=QUESTIONS, seed=0):
    """Rows of two arms, question after question, all epochs of it."""
    rng = np.random.default_rng(seed)
    rates = rng.choice([0.2, 1.0], (2, questions))
    passed = rng.random((2, questions, epochs)) < rates[:, :, None]
    arm, question, epoch = (axis.ravel() for axis in np.indices(passed.shape))
    return {
        "arm": [f"p{each}" for each in arm],
        "question": [f"q{each}" for each in question],
        "epoch": epoch.tolist(),
        "reward": passed.ravel().astype(int).tolist(),
    }


ROWS = make_rows()
FORMS = {
    "columns": lambda rows, folder: rows,
    "rows": lambda rows, folder: [
        dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True)
    ],
    "csv": as_csv,
    "jsonl": as_json,
    "pandas": lambda rows, folder: pd.DataFrame(rows),
    "index": lambda rows, folder: pd.DataFrame(rows).set_index(["arm", "question"]),
    "polars": lambda rows, folder: pl.DataFrame(rows),
    "lazy": lambda rows, folder: pl.LazyFrame(rows),
    "duckdb": as_duckdb,
}
ENGINES = ("lazy", "duckdb")
form = pytest.mark.parametrize("form", FORMS)


def check(table, **options):
    return ga.check(table, threshold=BAR, raw=True, unit="question", **options)


def averages(rows):
    """The averages of each arm's questions, in the order begun: computed apart."""
    frame = pd.DataFrame(rows)
    by = frame.groupby(["arm", "question"], sort=False)["reward"].mean()
    return {arm: by[arm].tolist() for arm in dict.fromkeys(rows["arm"])}


def refused(call, *words):
    with pytest.raises(ga.errors.SpecError) as found:
        call()
    for word in words:
        assert word in str(found.value)
    return found.value


@form
def test_a_unit_is_one_reward_the_average_of_its_own(form, tmp_path):
    table = check(FORMS[form](ROWS, tmp_path))
    expected = ga.check(averages(ROWS), threshold=BAR, raw=True, rewards="bounded")
    assert table.unit == "question"
    assert table.rule == "betting"
    assert (table.rewards, table.low, table.high) == ("bounded", 0.0, 1.0)
    for arm in expected.arms:
        mine, own = table.explain(arm), expected.explain(arm)
        assert mine.pulls == QUESTIONS
        assert (mine.label, mine.pulls_needed) == (own.label, own.pulls_needed)
        for name in ("mean", "lower", "upper", "e_good", "e_bad"):
            assert getattr(mine, name) == pytest.approx(getattr(own, name), rel=1e-12), name
    assert "averaged the 3 rewards of each question" in table.read_as


@form
def test_further_epochs_of_the_same_answers_change_nothing(form, tmp_path):
    """The mistake this is about: 40 answers counted as 400 are ten times the evidence."""
    once = make_rows(epochs=1)
    again = {name: [cell for cell in cells for _ in range(10)] for name, cells in once.items()}
    first, tenfold = (check(FORMS[form](rows, tmp_path)) for rows in (once, again))
    assert tenfold.pulls.tolist() == [QUESTIONS] * 2
    assert first == tenfold
    as_pulls = ga.check(
        FORMS[form](again, tmp_path), threshold=BAR, raw=True, repeats="attempts"
    )  # the wrong variant
    assert as_pulls.pulls.tolist() == [10 * QUESTIONS] * 2
    assert first.labels.tolist() == [0, 0]
    assert as_pulls.labels.any()


def test_ratings_are_averaged_in_their_range():
    rows = {**ROWS, "reward": [1 + 4 * each for each in ROWS["reward"]]}
    table = ga.check(
        rows, threshold=3.4, raw=True, unit="question", rewards="bounded", low=1, high=5
    )
    plain = check(ROWS)
    assert table.mean.tolist() == pytest.approx((1 + 4 * plain.mean).tolist())
    assert table.log_good.tolist() == pytest.approx(plain.log_good.tolist())


def test_an_average_of_tenths_stays_in_the_range():
    rows = {"arm": ["a"] * 30, "question": [k // 3 for k in range(30)], "reward": [0.1] * 30}
    table = ga.check(
        rows, threshold=0.05, raw=True, unit="question", rewards="bounded", low=0.0, high=0.1
    )
    assert table.pulls.tolist() == [10]
    assert table.mean[0] == pytest.approx(0.1)


@form
def test_a_pool_of_averaged_cases(form, tmp_path):
    """All cases are in, so that the labels are certain; an engine keeps no order and is refused."""
    table = FORMS[form](ROWS, tmp_path)
    if form in ENGINES:
        refused(lambda: check(table, pool=QUESTIONS), "be rows in the order of their cases")
        return
    found = check(table, pool=QUESTIONS)
    means = [np.mean(each) for each in averages(ROWS).values()]
    assert found.labels.tolist() == [1 if mean >= BAR else -1 for mean in means]
    assert "each case counts once" in " ".join(found.notes)
    refused(lambda: check(FORMS[form](ROWS, tmp_path), pool=30), "at most the 30 cases", "got 40")


def test_the_order_in_which_cases_were_begun_counts_in_a_pool():
    epoch_by_epoch = pd.DataFrame(ROWS).sort_values("epoch", kind="stable")
    backwards = pd.DataFrame(ROWS).iloc[::-1]
    found = [check(frame, pool=2 * QUESTIONS) for frame in (ROWS, epoch_by_epoch, backwards)]
    assert found[0] == found[1]
    assert found[0]["p0"].e_good != found[2]["p0"].e_good


@form
def test_unequal_numbers_are_refused_unless_fixed(form, tmp_path):
    rows = {name: cells[:5] + cells[6:] for name, cells in ROWS.items()}
    error = refused(
        lambda: check(FORMS[form](rows, tmp_path)),
        "must have the same number of rewards for each question; got from 2 to 3",
        "repeats='fixed'",
        "retry until it passes",
    )
    assert "use --repeats fixed" in COMMAND_LINE.sentence(error)
    found = check(FORMS[form](rows, tmp_path), repeats="fixed")
    assert found.explain("p0").mean == pytest.approx(np.mean(averages(rows)["p0"]))
    assert "averaged 2 to 3 rewards of each question" in found.read_as


@form
def test_the_unit_begun_last_may_be_unfinished_and_is_left_out(form, tmp_path):
    rows = {name: cells[:-1] for name, cells in ROWS.items()}
    if form in ENGINES:  # which keep no order
        refused(lambda: check(FORMS[form](rows, tmp_path)), "got from 2 to 3")
        return
    table = check(FORMS[form](rows, tmp_path))
    assert table.pulls.tolist() == [QUESTIONS, QUESTIONS - 1]
    assert "left out 1 unfinished question" in table.read_as
    complete = {name: cells[:-EPOCHS] for name, cells in ROWS.items()}
    assert check(FORMS[form](complete, tmp_path)) == table
    refused(
        lambda: check(FORMS[form](rows, tmp_path), control="fdr"),
        "while a question is unfinished",
        "Finish 1 question",
    )


def test_an_arm_with_nothing_but_an_unfinished_unit_has_no_pulls():
    rows = {"arm": ["a"] * 4 + ["b"], "question": [1, 1, 2, 2, 1], "reward": [1, 0, 1, 1, 1]}
    assert check(rows).pulls.tolist() == [2, 0]


@pytest.mark.parametrize(
    ("repeats", "unfinished"),
    [
        ([2, 2, 2], [False, False, False]),
        ([2, 2, 1], [False, False, True]),
        ([2, 1, 2], None),
        ([1, 1, 2], None),
        ([2, 1, 1], None),
        ([], []),
    ],
)
def test_which_units_are_unfinished(repeats, unfinished):
    found = find_unfinished(np.zeros(len(repeats), np.int64), np.array(repeats, np.int64))
    assert (None if found is None else found.tolist()) == unfinished


def test_averages_against_a_plain_loop():
    rng = np.random.default_rng(3)
    arms, units = rng.integers(0, 4, 500), rng.integers(0, 30, 500)
    rewards = rng.random(500)
    known = {}
    for arm, unit, reward in zip(arms, units, rewards, strict=True):
        known.setdefault((arm, unit), []).append(reward)
    found = average_units(arms, units, rewards)
    assert list(zip(found.arms, found.units, strict=True)) == list(known)
    assert found.averages == pytest.approx([np.mean(each) for each in known.values()])
    assert found.repeats.tolist() == [len(each) for each in known.values()]


@form
def test_rows_without_a_unit_are_refused(form, tmp_path):
    rows = {**ROWS, "question": [*ROWS["question"][:-1], None]}
    if form == "index":
        return
    error = refused(lambda: check(FORMS[form](rows, tmp_path)), "question", "name the unit of each")
    assert error.place.source


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"unit": "case"}, "must include 'case'"),
        ({"unit": ""}, "be the name of a column"),
        ({"repeats": "attempts"}, "must not be 'attempts' if unit is given"),
        ({"unit": None, "repeats": "fixed"}, "must not be 'fixed' unless unit is given"),
        ({"raw": False}, "'unit' of check must be left out unless raw is given"),
        ({"rewards": "gaussian", "sigma": 1}, "be left out for gaussian rewards"),
        ({"rule": "hoeffding", "pool": 40}, "one by one, in the order of the cases"),
    ],
)
def test_what_does_not_go_with_a_unit(options, words):
    refused(
        lambda: ga.check(ROWS, threshold=BAR, **{"raw": True, "unit": "question"} | options), words
    )


@pytest.mark.parametrize("table", [{"a": [1, 0]}, np.array([[0, 1], [0, 1], [1, 0]])])
def test_a_table_without_names_has_no_units(table):
    refused(lambda: check(table), "must be a table with the column 'question'")


def test_an_unnamed_column_may_be_the_unit():
    rows = list(zip(ROWS["arm"], ROWS["question"], ROWS["reward"], strict=True))
    columns = {"arm": "0", "reward": "2"}
    table = ga.check(rows, threshold=BAR, raw=True, unit="1", columns=columns)
    assert table == check(ROWS).__class__.from_dict({**check(ROWS).to_dict(), "unit": "1"})


def test_names_that_look_alike_are_one_unit():
    units = [1, 1.0, "1", " 1 ", "1\u200b", 2]
    rows = {"arm": ["a"] * 6, "unit": units, "reward": [1, 0, 1, 0, 1, 1]}
    table = ga.check(rows, threshold=BAR, raw=True, unit="unit", repeats="fixed")
    assert table.pulls.tolist() == [2]
    assert table.mean[0] == pytest.approx((0.6 + 1) / 2)


def test_negative_numbers_are_units_of_their_own():
    """Python's hashes of -1 and -2 are equal."""
    rows = {"arm": ["a"] * 4, "unit": [-1, -1, -2, -2], "reward": [1, 0, 1, 1]}
    assert ga.check(rows, threshold=BAR, raw=True, unit="unit").pulls.tolist() == [2]


def test_a_unit_may_be_a_list():
    rows = {"arm": ["a"] * 4, "chat": [[1], [1], [2], [2]], "reward": [1, 0, 1, 1]}
    assert ga.check(rows, threshold=BAR, raw=True, unit="chat").pulls.tolist() == [2]


def test_a_unit_whose_name_could_be_an_arm_is_no_arm():
    """prompt, model and test are common names of the column of arms."""
    rows = {"model": ROWS["arm"], "prompt": ROWS["question"], "reward": ROWS["reward"]}
    table = ga.check(rows, threshold=BAR, raw=True, unit="prompt")
    assert table.pulls.tolist() == [QUESTIONS] * 2


def test_a_wide_table_may_have_several_rows_for_a_unit():
    frame = pd.DataFrame(ROWS).pivot_table(
        index=["question", "epoch"], columns="arm", values="reward", sort=False
    )
    wide = frame.reset_index().drop(columns="epoch")
    refused(lambda: ga.check(wide, threshold=BAR, wide="all"), "unit='question'")
    assert ga.check(wide, threshold=BAR, wide="all", unit="question") == check(ROWS)
    renamed = wide.rename(columns={"question": "country"})  # a name that means no case by itself
    found = ga.check(renamed, threshold=BAR, wide="all", unit="country")
    assert found.mean.tolist() == check(ROWS).mean.tolist()


def test_decimal_commas_are_read_before_averaging(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(
        "arm;question;reward\n" + "".join(f"a;{k // 2};0,5\na;{k // 2};0,25\n" for k in range(4)),
        encoding="utf-8",
    )
    table = ga.check(path, threshold=BAR, raw=True, unit="question", rewards="bounded")
    assert (table.pulls.tolist(), table.mean.tolist()) == ([2], [0.375])


def test_thresholds_of_the_arms(tmp_path):
    rows = {**ROWS, "bar": [0.3 if arm == "p0" else 0.8 for arm in ROWS["arm"]]}
    expected = ga.check(
        averages(ROWS), threshold={"p0": 0.3, "p1": 0.8}, raw=True, rewards="bounded"
    )
    for name in ("columns", "lazy", "duckdb"):
        found = ga.check(
            FORMS[name](rows, tmp_path), raw=True, unit="question", columns={"threshold": "bar"}
        )
        assert found.log_good.tolist() == pytest.approx(expected.log_good.tolist())


def test_many_distinct_averages_in_an_engine(tmp_path):
    """Beyond a few hundred distinct values an engine counts bins and sums logs: of averages."""
    rng = np.random.default_rng(5)
    rows = {
        "arm": ["a"] * 6000,
        "question": [k // 3 for k in range(6000)],
        "reward": rng.random(6000).tolist(),
    }
    options = {"threshold": 0.48, "raw": True, "unit": "question", "rewards": "bounded"}
    plain = ga.check(rows, **options)
    for name in ENGINES:
        found = ga.check(FORMS[name](rows, tmp_path), **options)
        assert found.pulls.tolist() == [2000]
        assert found.log_good.tolist() == pytest.approx(plain.log_good.tolist(), rel=1e-9)


def test_a_table_of_counts_notes_a_column_that_names_cases():
    rows = {"variant": ["a", "b"], "visits": [500, 400], "orders": [300, 90], "user_id": [7, 8]}
    table = ga.check(rows, threshold=0.5)
    assert "ignored user_id: if it names cases or people who come again" in table.read_as
    del rows["user_id"]
    assert "ignored" not in ga.check(rows, threshold=0.5).read_as


def test_documents_keep_the_unit_and_others_have_none():
    table = check(ROWS)
    document = json.loads(json.dumps(table.to_dict()))
    assert document["unit"] == "question"
    assert ga.results.ArmTable.from_dict(document) == table
    assert ga.results.ArmTable.from_dict(document).unit == "question"
    assert "unit" not in ga.check({"a": (5, 3)}, threshold=0.5).to_dict()
    assert table != ga.results.ArmTable.from_dict({**document, "unit": None})
    assert table[:1].unit == "question"


def test_notes_say_what_a_pull_is():
    assert "A pull is one question, with the average of its rewards." in " ".join(check(ROWS).notes)
    assert "Test: betting" in " ".join(check(ROWS).notes)
    once = check(make_rows(epochs=1))  # averages of one reward each are 0 or 1: that is no mistake
    assert not once.rewards_note
    assert "bernoulli" not in " ".join(once.notes)
    assert "A pull is" not in " ".join(ga.check({"a": (5, 3)}, threshold=0.5).notes)


def test_rows_take_little_memory():
    """Three numbers are kept of each row, and the name of each unit once."""
    units = np.repeat(np.arange(50_000), 4)
    rows = {"arm": ["a"] * len(units), "unit": units, "reward": units % 2}
    tracemalloc.start()
    ga.check(rows, threshold=BAR, raw=True, unit="unit")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 400 * len(units)


def test_a_changed_unit_is_another_question():
    """Labels of earlier looks stay for the same unit only."""
    half = {name: cells[: len(cells) // 4] for name, cells in ROWS.items()}
    first = check(half)
    assert check(half, previous=first).e_good.tolist() == first.e_good.tolist()
    rows = {**half, "epoch": half["question"]}
    with pytest.raises(ga.errors.SpecError, match="unit was 'question' and is 'epoch'"):
        ga.check(rows, threshold=BAR, raw=True, unit="epoch", previous=first)
    longer = {name: cells + cells for name, cells in half.items()}  # epochs that were added later
    longer["reward"] = half["reward"] + [1 - each for each in half["reward"]]
    with pytest.raises(ga.errors.SpecError, match="not those of the previous look and more"):
        check(longer, previous=first)


def test_one_look_has_no_exact_test_of_averages():
    with pytest.raises(ga.errors.SpecError, match="no exact test for one look"):
        check(ROWS, looks="once")
