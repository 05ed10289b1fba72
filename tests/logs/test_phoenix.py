"""Experiments that Phoenix 20.26 wrote."""

import json
import shutil

import pytest

import goodarm as ga
from logs.log_files import DATA, counts_by_test, read_counts

REPEAT = DATA / "phoenix/repeat.json"


@pytest.fixture
def edited(tmp_path):
    def write(change, name="edited.json"):
        rows = json.loads(REPEAT.read_text(encoding="utf-8"))
        change(rows)
        path = tmp_path / name
        path.write_text(json.dumps(rows), encoding="utf-8")
        return path

    return write


def test_repetitions_are_pulls_of_an_example():
    table = ga.read_logs(REPEAT, by="example", score="correct")
    assert table.format == "phoenix"
    assert list(counts_by_test(table).values()) == [(3, 3), (3, 3), (3, 2), (3, 0)]


def test_repetitions_under_an_experiment_are_refused_with_the_choices():
    with pytest.raises(ga.errors.SpecError, match="by='experiment,example'"):
        ga.read_logs(REPEAT, score="correct")
    said = ga.read_logs(REPEAT, score="correct", repeats="attempts")
    assert counts_by_test(said) == {"repeat": (12, 8)}


def test_a_run_that_broke_is_an_error_though_its_evaluators_scored_it():
    rows = json.loads((DATA / "phoenix/broken.json").read_text(encoding="utf-8"))
    (broken,) = [row for row in rows if row["error"]]
    assert broken["annotations"][0]["score"] == 0
    assert read_counts("phoenix/broken.json") == {"broken": (4, 2)}
    assert read_counts("phoenix/broken.json", errors="exclude") == {"broken": (3, 2)}


def test_an_answer_that_was_not_judged_is_neither_passed_nor_failed():
    with pytest.raises(ga.errors.SpecError, match="the evaluator broke.*errors='exclude'"):
        read_counts("phoenix/judged.json", score="judge")
    left = read_counts("phoenix/judged.json", score="judge", errors="exclude")
    assert left == {"judged": (2, 2)}
    with pytest.raises(ga.errors.SpecError, match="must have an evaluation; got .*Evaluate"):
        read_counts("phoenix/unjudged.json")


def test_several_evaluators_grades_and_labels_are_refused():
    with pytest.raises(ga.errors.SpecError, match="one alone; .*'length'.*score='NAME'"):
        ga.read_logs(REPEAT)
    with pytest.raises(ga.errors.SpecError, match="one of 'correct', 'length'; got 'corect'"):
        ga.read_logs(REPEAT, score="corect")
    with pytest.raises(ga.errors.SpecError, match="0 or 1; got 5.*before looking.*pass_at=NUMBER"):
        read_counts("phoenix/judged.json", score="grade")
    assert read_counts("phoenix/judged.json", score="grade", pass_at=4) == {"judged": (4, 2)}
    with pytest.raises(ga.errors.SpecError, match="not a label alone; got 'correct'"):
        read_counts("phoenix/judged.json", score="label")


def test_a_copied_answer_is_no_new_sample(edited):
    """The second repetition of an example has the trace of the first."""
    path = edited(lambda rows: rows[1].update(trace_id=rows[0]["trace_id"]))
    with pytest.raises(ga.errors.SpecError, match=r"run 2 must not be that of run 1.*was copied"):
        ga.read_logs(path, by="example", score="correct")


def drop_run(rows):
    del rows[4]


def test_runs_that_are_missing_are_refused(edited):
    path = edited(drop_run)
    with pytest.raises(ga.errors.SpecError, match=r"be 1 to 3 for example .* got \[1, 3\].*Resume"):
        ga.read_logs(path, by="example", score="correct")
    table = ga.read_logs(path, by="example", score="correct", repeats="attempts")
    assert "1 of 12 runs are missing" in table.notes[0]


def test_an_experiment_that_was_downloaded_twice_counts_once(edited, tmp_path):
    again = edited(lambda rows: rows[0].update(latency_ms=1), "repeat.json")
    table = ga.read_logs([REPEAT, again], by="example", score="correct")
    assert (table.attempts, table.duplicates) == (12, 12)
    change = lambda rows: rows[0]["annotations"][0].update(score=0.0)  # noqa: E731
    with pytest.raises(ga.errors.SpecError, match="must have one outcome.*scored again"):
        ga.read_logs([REPEAT, edited(change, "repeat.json")], by="example", score="correct")
    other = edited(lambda rows: rows[0].update(latency_ms=1), "other.json")
    with pytest.raises(ga.errors.SpecError, match="must belong to one arm.*was copied"):
        ga.read_logs([REPEAT, other], score="correct", repeats="attempts")
    shutil.copy(REPEAT, tmp_path / "copy.json")
    assert ga.read_logs([REPEAT, tmp_path / "copy.json"], by="example", score="correct").copies == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[0].pop("example_id"), "must name the example"),
        (lambda rows: rows[0].update(repetition_number=True), "must be 1 or more"),
        (lambda rows: rows[1].update(repetition_number=1), "come once for example"),
        (lambda rows: rows.append(3), "entry 13 is no JSON object but a number"),
        (lambda rows: rows[0]["annotations"].append(rows[0]["annotations"][0]), "Delete all but"),
    ],
)
def test_what_cannot_be_told_apart_is_refused(edited, change, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.read_logs(edited(change), format="phoenix", by="example", score="correct")


def test_csv_is_refused_with_the_remedy():
    with pytest.raises(ga.errors.SpecError, match="Download it as JSON"):
        ga.read_logs(DATA / "phoenix/repeat.csv")
