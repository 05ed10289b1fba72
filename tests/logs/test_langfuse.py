"""Langfuse's items of experiments and tables of scores, in their documented forms."""

import json

import pytest

import goodarm as ga
from logs.log_files import DATA, counts_by_test

ITEMS, SCORES = DATA / "langfuse/items.json", DATA / "langfuse/scores.json"


@pytest.fixture
def edited(tmp_path):
    def write(source, change, name="edited.json"):
        document = json.loads(source.read_text(encoding="utf-8"))
        change(document["data"] if source == ITEMS else document)
        path = tmp_path / name
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    return write


def test_an_arm_is_an_experiment():
    table = ga.read_logs(ITEMS, score="correct")
    assert table.format == "langfuse"
    assert counts_by_test(table) == {"prompt-a": (6, 5), "prompt-b": (5, 2)}
    assert table.errors == 1
    assert sum(table.asides.values()) == 1
    assert "left out 1 attempt: without the score" in table.read_as
    passed = counts_by_test(ga.read_logs(ITEMS, score="tone", pass_at=4))
    assert passed["prompt-a"][0] == 6


def test_names_and_sources_of_scores_are_chosen_by_the_user():
    with pytest.raises(ga.errors.SpecError, match="'correct', 'tone'.*score='NAME'"):
        ga.read_logs(ITEMS)
    with pytest.raises(ga.errors.SpecError, match="'ANNOTATION', 'EVAL'.*filter='SOURCE'"):
        ga.read_logs(SCORES, by="name")
    judge = ga.read_logs(SCORES, by="name", filter="EVAL")
    assert counts_by_test(judge) == {"summary": (5, 4), "answer": (5, 5)}
    assert ga.read_logs(SCORES, by="environment", filter="ANNOTATION").pulls.tolist() == [4]
    with pytest.raises(ga.errors.SpecError, match="one of 'ANNOTATION', 'EVAL'; got 'API'"):
        ga.read_logs(SCORES, by="name", filter="API")
    with pytest.raises(ga.errors.SpecError, match="one of 'helpful'; got 'kind'"):
        ga.read_logs(SCORES, by="name", score="kind")


def test_a_trace_that_two_experiments_share_was_copied(edited, tmp_path):
    path = edited(ITEMS, lambda items: items[7].update(traceId="trace-1"))
    with pytest.raises(ga.errors.SpecError, match="entry 8 must not be that of entry 2.*copied"):
        ga.read_logs(path, score="correct")

    def take_over(items):
        del items[1:]
        items[0]["experimentName"] = "prompt-c"

    with pytest.raises(ga.errors.SpecError, match="must belong to one arm; .*'prompt-c' there"):
        ga.read_logs([ITEMS, edited(ITEMS, take_over)], score="correct")


def turn_over(items):
    score = items[0]["scores"][0]
    score["value"] = not score["value"]


@pytest.mark.parametrize("is_first", [True, False])
def test_scores_that_were_replaced_between_exports_are_refused(edited, is_first):
    paths = [ITEMS, edited(ITEMS, turn_over)]
    with pytest.raises(ga.errors.SpecError, match="must have one outcome.*scored again"):
        ga.read_logs(paths if is_first else paths[::-1], score="correct")
    again = edited(ITEMS, lambda items: items[0].update(environment="x"))
    assert ga.read_logs([ITEMS, again], score="correct").duplicates == 11


def score_again(rows):
    rows.append({**rows[0], "id": "score-new", "value": 1 - rows[0]["value"]})


def test_two_scores_of_one_trace_are_refused(edited):
    with pytest.raises(ga.errors.SpecError, match="'trace trace-0' .*only once.*scored twice"):
        ga.read_logs(edited(SCORES, score_again), by="name", filter="EVAL")

    def repeat_score(items):
        items[0]["scores"].append({**items[0]["scores"][0], "value": False, "id": "new"})

    with pytest.raises(ga.errors.SpecError, match=r"have one score 'correct'.*\[True, False\]"):
        ga.read_logs(edited(ITEMS, repeat_score), score="correct")


def test_traces_of_one_user_are_no_independent_pulls(edited):
    def share_user(rows):
        for row in rows[:4]:
            row["userId"] = "user-0"

    with pytest.raises(ga.errors.SpecError, match="user 'user-0'.*not independent"):
        ga.read_logs(edited(SCORES, share_user), by="environment", filter="EVAL")

    def observe(rows):
        for row in rows:
            row.update(traceId="trace-0" if row["source"] == "EVAL" else "t", userId=None)
            row["observationId"] = row["id"]
        rows[0]["traceId"] = "trace-1"

    with pytest.raises(ga.errors.SpecError, match="trace 'trace-0'.*not independent"):
        ga.read_logs(edited(SCORES, observe), by="environment", filter="EVAL")


def test_an_experiment_read_twice_repeats_its_items(edited):
    def run_again(items):
        for number, item in enumerate(items):
            item.update(traceId=f"again-{number}", experimentId=item["experimentId"] + "-2")

    with pytest.raises(ga.errors.SpecError, match="item 'sum-0'.*by='experiment,item'"):
        ga.read_logs([ITEMS, edited(ITEMS, run_again)], score="correct")


@pytest.mark.parametrize(
    ("source", "change", "message"),
    [
        (ITEMS, lambda items: items[0].pop("experimentItemId"), "'experimentItemId' .* be a text"),
        (ITEMS, lambda items: [item.pop("scores") for item in items], "fields=core,scores"),
        (SCORES, lambda rows: rows[0].update(dataType="CATEGORICAL"), "be NUMERIC or BOOLEAN"),
        (SCORES, lambda rows: rows[0].pop("traceId"), "'traceId' .* must be a text"),
        (SCORES, lambda rows: rows[0].update(value=None), "must be a finite number"),
    ],
)
def test_what_says_too_little_is_refused(edited, source, change, message):
    options = {"score": "correct" if source == ITEMS else "helpful", "filter": "EVAL"}
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.read_logs(edited(source, change), format="langfuse", by="environment", **options)


def test_further_pages_are_noted_and_csv_is_refused(tmp_path):
    document = json.loads(ITEMS.read_text(encoding="utf-8"))
    document["meta"]["cursor"] = "next"
    path = tmp_path / "page.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert "there was a further page" in ga.read_logs(path, score="correct").notes[0]
    table = tmp_path / "scores.csv"
    table.write_text('"id","traceId","value","stringValue"\n', encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match="Export it as JSON"):
        ga.read_logs(table)
