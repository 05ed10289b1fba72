"""Cases that come again under one arm of a log: they are not independent pulls."""

import json
import re

import pytest

import goodarm as ga
from goodarm.wording import COMMAND_LINE
from logs.log_files import DATA, counts_by_test, make_case, make_report

CHOICES = (
    "make it the arm, {by}: its repeats are its pulls. To judge the average case, give "
    "unit={unit!r}: .* To judge this set of cases, give unit={unit!r} and pool=NUMBER. If a case .*"
)


def expect_refusal(*args, **options):
    with pytest.raises(
        ga.errors.SpecError, match="Repeats of one case are not independent"
    ) as found:
        ga.read_logs(*args, **options)
    return found.value


@pytest.mark.parametrize(
    ("path", "by", "part"),
    [
        ("inspect/epochs.json", "model,task", "sample"),
        ("inspect/epochs.json", "model", "sample"),
        ("promptfoo/repeat.json", "provider,prompt", "test"),
    ],
)
def test_epochs_and_repeats_are_refused_with_the_choices(path, by, part):
    error = expect_refusal(DATA / path, by=by)
    assert re.search(CHOICES.format(by=f"by='{by},{part}'", unit=part), str(error))
    assert f"--by {by},{part}" in COMMAND_LINE.sentence(error)
    assert "--repeats attempts" in COMMAND_LINE.sentence(error)
    assert sum(ga.read_logs(DATA / path, by=f"{by},{part}").pulls) == sum(
        ga.read_logs(DATA / path, by=by, repeats="attempts").pulls
    )


def write_runs(folder, *names, runs=3):
    for run in range(runs):
        text = make_report(
            *(make_case(name) for name in names),
            suite=f'<testsuite name="shop" timestamp="2026-11-01T12:00:0{run}">',
        )
        (folder / f"{run}.xml").write_text(text, encoding="utf-8")
    return str(folder / "*.xml")


def test_runs_of_a_test_are_pulls_where_the_test_is_the_arm(tmp_path):
    paths = write_runs(tmp_path, "a", "b")
    assert set(ga.read_logs(paths, format="junit").pulls) == {3}
    assert set(ga.read_logs(paths, format="junit", by="test").pulls) == {3}


@pytest.mark.parametrize("by", ["suite", "class"])
def test_runs_of_several_tests_under_one_arm_are_refused(tmp_path, by):
    paths = write_runs(tmp_path, "a", "b")
    assert f"by='{by},name'" in str(expect_refusal(paths, format="junit", by=by))
    assert ga.read_logs(paths, format="junit", by=by, repeats="attempts").pulls.tolist() == [6]


def test_one_run_of_several_tests_has_no_repeats(tmp_path):
    paths = write_runs(tmp_path, "a", "b", runs=1)
    assert ga.read_logs(paths, format="junit", by="suite").pulls.tolist() == [2]


def test_an_arm_with_one_case_is_about_that_case(tmp_path):
    paths = write_runs(tmp_path, "a")
    assert ga.read_logs(paths, format="junit", by="suite").pulls.tolist() == [3]


def write_lines(folder, rows):
    path = folder / "runs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "key", ["case", "question_id", "userId", "sample", "id", "idx", "prompt", "test", "task", "row"]
)
def test_keys_of_json_lines_that_name_cases(tmp_path, key):
    rows = [{"arm": "a", key: n % 4, "passed": True} for n in range(8)]
    path = write_lines(tmp_path, rows)
    assert f"The {key} 0 of {path}, line 5 must come only once for arm 'a'" in str(
        expect_refusal(path)
    )
    assert counts_by_test(ga.read_logs(path, repeats="attempts")) == {"a": (8, 8)}
    assert set(ga.read_logs(path, by=f"arm,{key}").pulls) == {2}
    assert counts_by_test(ga.read_logs(write_lines(tmp_path, rows[:4]))) == {"a": (4, 4)}


def test_what_names_the_arm_or_the_outcome_names_no_cases(tmp_path):
    rows = [{"prompt": n % 2, "task": n % 4, "problem": int(n % 3 == 0)} for n in range(8)]
    path = write_lines(tmp_path, rows)
    read = ga.read_logs(path, by="prompt,task", score="problem")
    assert set(read.pulls) == {2}
    assert "The task 0 of" in str(expect_refusal(path, by="prompt", score="problem"))


def test_a_task_beside_questions_is_a_group_of_them(tmp_path):
    rows = [{"arm": "a", "task": n % 2, "question": n, "passed": True} for n in range(8)]
    assert counts_by_test(ga.read_logs(write_lines(tmp_path, rows))) == {"a": (8, 8)}
    # The question as the arm leaves the task as its case, once for each question here.
    assert set(ga.read_logs(write_lines(tmp_path, rows), by="question").pulls) == {1}


def test_other_keys_may_come_again(tmp_path):
    rows = [{"arm": "a", "country": n % 4, "passed": True} for n in range(8)]
    assert counts_by_test(ga.read_logs(write_lines(tmp_path, rows))) == {"a": (8, 8)}
