"""Attempts of a log averaged by unit: Inspect's samples, promptfoo's tests, lm-eval's documents."""

import json
import random

import pytest

import goodarm as ga
from goodarm.wording import COMMAND_LINE
from logs.log_files import DATA, make_case, make_report

(SUMS,) = (DATA / "lm_eval/dummy").glob("samples_sums_*.jsonl")


def write_lines(path, rows):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def fixed_answers(cases=200, epochs=10, arms=("a",), rate=0.84, seed=1):
    """Rows of an evaluation whose answers are the same in each epoch."""
    rng = random.Random(seed)
    passed = {(arm, case): rng.random() < rate for arm in arms for case in range(cases)}
    return [
        {"arm": arm, "question": case, "passed": passed[arm, case]}
        for _ in range(epochs)
        for arm in arms
        for case in range(cases)
    ]


def rewards_of(table):
    return {arm: each.tolist() for arm, each in zip(table.arms, table.averages, strict=True)}


def refused(*args, **options):
    with pytest.raises(ga.errors.SpecError) as found:
        ga.read_logs(*args, **options)
    return found.value


def test_ten_epochs_of_200_cases_are_200_pulls(tmp_path):
    path = write_lines(tmp_path / "runs.jsonl", fixed_answers())
    once = write_lines(tmp_path / "once.jsonl", fixed_answers(epochs=1))
    assert "give unit='question'" in str(refused(path))
    table, single = (ga.read_logs(each, unit="question") for each in (path, once))
    assert table.pulls.tolist() == [200]
    assert table.attempts == 2000
    assert rewards_of(table) == rewards_of(single)
    as_pulls = ga.check(ga.read_logs(path, repeats="attempts"), threshold=0.8)  # the wrong variant
    assert (as_pulls["a"].label, as_pulls["a"].pulls) == ("good", 2000)
    found = ga.check(table, threshold=0.8)
    assert (found["a"].label, found["a"].pulls, found.rule) == ("undecided", 200, "betting")
    assert found == ga.check(single, threshold=0.8)


def test_a_log_and_a_raw_table_come_to_the_same(tmp_path):
    path = write_lines(tmp_path / "runs.jsonl", fixed_answers(60, 4, ("a", "b")))
    from_log = ga.check(ga.read_logs(path, unit="question"), threshold=0.8, arms_planned=5)
    from_rows = ga.check(
        path, threshold=0.8, arms_planned=5, raw=True, unit="question", columns={"reward": "passed"}
    )
    assert from_log == from_rows
    problem = ga.Problem(["b", "a", "c"], 0.8, 0.1)
    found = ga.check(ga.read_logs(path, unit="question"), problem=problem)
    assert found.arms == ("b", "a", "c")
    assert found.pulls.tolist() == [60, 60, 0]
    assert (found.delta, found.rewards) == (0.1, "bounded")


@pytest.mark.parametrize(
    ("path", "unit", "options", "pulls", "rewards"),
    [
        ("inspect/epochs.json", "sample", {}, 4, {0.0, 1.0}),
        ("inspect/epochs.json", "case", {"by": "model"}, 4, {0.0, 1.0}),
        ("promptfoo/repeat.json", "test", {}, 3, {2 / 3}),
        ("promptfoo/repeat.jsonl", "case", {"by": "provider"}, 3, {2 / 3}),
        (SUMS, "doc", {"filter": "flexible-extract"}, 4, {0.0, 1.0}),
        (SUMS, ["task", "doc"], {"filter": "strict-match", "by": "model"}, 4, {0.0}),
    ],
)
def test_readers_know_their_unit(path, unit, options, pulls, rewards):
    table = ga.read_logs(DATA / path, unit=unit, **options)
    assert table.pulls.tolist() == [pulls]
    assert set(*rewards_of(table).values()) == rewards
    assert ga.check(table, threshold=0.5).unit == table.unit
    whole = ga.check(table, threshold=0.5, pool=pulls)
    assert whole.labels.tolist() == [1 if whole.mean[0] >= 0.5 else -1]


@pytest.mark.parametrize(
    ("path", "options", "part"),
    [
        ("phoenix/repeat.json", {"score": "correct"}, "example"),
        ("langfuse/items.json", {"score": "correct"}, "item"),
        ("lerobot/pi0/eval_info.json", {"by": "run"}, "task"),
    ],
)
def test_averages_of_other_tools_are_those_of_their_cases(path, options, part):
    """Beside the same log with each case as an arm: its mean is the average of the unit."""
    table = ga.read_logs(DATA / path, unit="case", **options)
    assert table.unit == part
    by = (*table.by, part)
    single = ga.read_logs(DATA / path, **options | {"by": by, "repeats": "attempts"})
    counts = zip(single.arms, single.successes.tolist(), single.pulls.tolist(), strict=True)
    means = {arm: passed / pulls for arm, passed, pulls in counts if pulls}
    for arm, found in rewards_of(table).items():
        own = [mean for name, mean in means.items() if name.startswith(f"{arm} / ")]
        assert sorted(found) == pytest.approx(sorted(own))


def test_repetitions_that_phoenix_lacks_are_declared_as_fixed(tmp_path):
    rows = json.loads((DATA / "phoenix/repeat.json").read_text(encoding="utf-8"))
    path = tmp_path / "short.json"
    path.write_text(json.dumps(rows[:-1]), encoding="utf-8")
    assert "repeats='fixed'" in str(refused(path, format="phoenix", score="correct", unit="case"))
    table = ga.read_logs(path, format="phoenix", score="correct", unit="case", repeats="fixed")
    assert table.num_unfinished == 0


def test_two_runs_of_a_model_that_samples_are_averaged_by_document(tmp_path):
    rows = [
        [
            {"doc_id": n, "filter": "none", "metrics": ["acc"], "acc": int(n % 3 > run)}
            for n in range(6)
        ]
        for run in range(2)
    ]
    logs = [
        write_lines(
            tmp_path / "model" / f"samples_sums_2026-01-0{run + 1}T00-00-00.jsonl", rows[run]
        )
        for run in range(2)
    ]
    assert "the average document (unit doc)" in str(refused(logs))
    table = ga.read_logs(logs, unit="doc")
    assert rewards_of(table) == {"model / sums": [0, 0.5, 1] * 2}


def test_documents_of_two_tasks_are_different_units(tmp_path):
    for task in ("sums", "words"):
        rows = [
            {"doc_id": n, "doc": task, "filter": "none", "metrics": ["acc"], "acc": 1}
            for n in range(3)
        ]
        write_lines(tmp_path / "model" / f"samples_{task}_2026-01-01T00-00-00.jsonl", rows)
    table = ga.read_logs(str(tmp_path / "model/*.jsonl"), unit="doc", by="model")
    assert table.pulls.tolist() == [6]
    assert table.unit == "task and doc"


def write_junit(folder, runs=3):
    for run in range(runs):
        failed = "<failure/>" if run == 1 else ""
        text = make_report(
            *(make_case(name, failed if name == "pay" else "") for name in ("login", "pay")),
            suite=f'<testsuite name="shop" timestamp="2026-11-01T12:00:0{run}">',
        )
        (folder / f"{run}.xml").write_text(text, encoding="utf-8")
    return str(folder / "*.xml")


def test_in_junit_the_test_is_the_arm_itself(tmp_path):
    paths = write_junit(tmp_path)
    for unit in ("case", "name"):
        error = refused(paths, format="junit", unit=unit)
        assert "it is the arm itself, and its repeats are its pulls. Leave out unit" in str(error)
        assert "Leave out --unit; or choose larger arms: --by PARTS" in COMMAND_LINE.sentence(error)
    table = ga.read_logs(paths, format="junit", by="suite", unit="case")
    assert rewards_of(table) == {"shop": [1.0, pytest.approx(2 / 3)]}


def test_tests_that_were_rerun_are_refused_with_units_too():
    paths = DATA / "junit" / "rerunfailures.xml"
    assert "must come only once" in str(refused(paths, by="suite", unit="name"))
    for repeats in ("attempts", "reruns"):
        words = f"must not be {repeats!r} if unit is given"
        assert words in str(refused(paths, by="suite", unit="name", repeats=repeats))
    assert "must not be 'fixed' unless unit" in str(refused(paths, repeats="fixed"))


def test_attempts_that_surefire_retried_make_unequal_numbers(tmp_path):
    """A flaky failure is an attempt of its own: the numbers depend on the results."""
    path = tmp_path / "runs.xml"
    cases = [make_case("a", "<flakyFailure/>"), make_case("b"), make_case("c")]
    path.write_text(make_report(*cases), encoding="utf-8")
    error = refused(path, by="suite", unit="name")
    assert "must have the same number of attempts for each name; got from 1 to 2" in str(error)
    assert "retry until it passes" in str(error)


def test_samples_that_inspect_retried_are_no_equal_numbers():
    retried = DATA / "inspect" / "retried.json"
    attempts = ga.read_logs(retried)
    assert attempts.errors > 0
    assert "must have the same number of attempts for each sample" in str(
        refused(retried, unit="sample")
    )
    left_out = ga.read_logs(retried, unit="sample", errors="exclude")
    assert left_out.pulls.tolist() == (attempts.pulls - attempts.errors).tolist()


def error_rows(*broken):
    rows = fixed_answers(5, 3)
    for place in broken:
        rows[place]["passed"] = "error"
    return rows


def test_errors_that_are_left_out_need_no_declaration(tmp_path):
    path = write_lines(tmp_path / "runs.jsonl", error_rows(1, 6, 11, 4))
    kept = ga.read_logs(path, unit="question", errors="exclude")
    assert kept.pulls.tolist() == [4]  # the second question broke each time
    assert "averaged 2 to 3 attempts of each question" in kept.read_as
    counted = ga.read_logs(path, unit="question")
    assert counted.pulls.tolist() == [5]
    assert counted.averages[0][1] == 0.0


@pytest.mark.parametrize("order", ["epochs", "cases"])
def test_unequal_numbers_are_refused_unless_fixed(tmp_path, order):
    rows = fixed_answers(5, 3)
    if order == "cases":
        rows.sort(key=lambda row: row["question"])
    path = write_lines(tmp_path / "runs.jsonl", rows[:-5] + rows[-3:])
    error = refused(path, unit="question")
    assert "The lines of the logs must have the same number of attempts for each question" in str(
        error
    )
    table = ga.read_logs(path, unit="question", repeats="fixed")
    assert table.pulls.tolist() == [5]
    assert table.num_unfinished == 0


def test_the_case_begun_last_may_be_unfinished(tmp_path):
    rows = sorted(fixed_answers(5, 3), key=lambda row: row["question"])
    path = write_lines(tmp_path / "runs.jsonl", rows[:-1])
    table = ga.read_logs(path, unit="question")
    assert (table.pulls.tolist(), table.num_unfinished) == ([4], 1)
    assert "left out 1 unfinished question" in table.read_as
    assert ga.check(table, threshold=0.5).pulls.tolist() == [4]
    with pytest.raises(ga.errors.SpecError, match="while a question is unfinished"):
        ga.check(table, threshold=0.5, control="fdr")


def test_names_of_units_that_look_alike_are_one(tmp_path):
    rows = [{"arm": "a", "id": name, "passed": True} for name in ("1", 1, "1 ", 2, "2", "2")]
    assert ga.read_logs(write_lines(tmp_path / "a.jsonl", rows), unit="id").pulls.tolist() == [2]


@pytest.mark.parametrize(
    ("unit", "words"),
    [
        ("epoch", "'unit' of read_logs must be one of 'model', 'task', 'sample'; got 'epoch'"),
        ("", "name one or more parts, each once"),
        (7, "name one or more parts"),
        ("model", "it is the arm itself"),
    ],
)
def test_what_is_no_unit(unit, words):
    assert words in str(refused(DATA / "inspect/epochs.json", unit=unit))


def test_a_key_that_a_line_lacks(tmp_path):
    path = write_lines(tmp_path / "a.jsonl", [{"arm": "a", "passed": True}])
    error = refused(path, unit="question")
    assert "must include 'question'" in str(error)
    assert "unit='PART'" in str(error)


def test_the_averages_go_with_no_other_form_of_table():
    table = ga.read_logs(DATA / "inspect/epochs.json", unit="sample")
    for options in ({"raw": True}, {"unit": "sample"}, {"rewards": "bounded"}, {"values": True}):
        with pytest.raises(ga.errors.SpecError, match="they are averages by sample"):
            ga.check(table, threshold=0.5, **options)


def test_the_table_shows_and_writes_what_was_averaged():
    table = ga.read_logs(DATA / "promptfoo/repeat.json", unit="test")
    assert list(table) == ["arm", "pulls", "sum"]
    assert table["sum"].tolist() == [2.0]
    assert table.successes.tolist() == [6]
    assert "sum" in repr(table)
    assert "successes" not in repr(table)
    document = json.loads(json.dumps(table.to_dict()))
    assert (document["unit"], document["unfinished_units"]) == ("test", 0)
    assert document["arms"] == [{"arm": table.arms[0], "pulls": 3, "sum": 2.0}]
    plain = ga.read_logs(DATA / "promptfoo/repeat.json", by="test")
    assert "unit" not in plain.to_dict()
    assert list(plain) == ["arm", "pulls", "successes"]
    assert table.to_pandas()["sum"].tolist() == [2.0]
    assert table.to_polars()["pulls"].to_list() == [3]


def test_a_reader_of_another_package_has_units_too(tmp_path):
    def read_pairs(path, options):
        for case in (1, 2, 1, 2):
            yield ga.logs.Attempt({"model": "m", "case": case}, "pass" if case == 1 else "fail")

    path = tmp_path / "pairs.txt"
    path.write_text("", encoding="utf-8")
    table = ga.read_logs(path, format=read_pairs, by="model", unit="case")
    assert rewards_of(table) == {"m": [1.0, 0.0]}
