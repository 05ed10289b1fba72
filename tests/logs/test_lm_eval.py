"""Samples that lm-eval 0.4.13 logged, with its dummy model."""

import json

import pytest

import goodarm as ga
from logs.log_files import DATA, counts_by_test

(SUMS,) = (DATA / "lm_eval/dummy").glob("samples_sums_*.jsonl")
(CHOICES,) = (DATA / "lm_eval/dummy").glob("samples_choices_*.jsonl")


def test_every_document_stands_there_once_for_each_filter_so_one_is_chosen():
    assert len(SUMS.read_text(encoding="utf-8").splitlines()) == 8
    with pytest.raises(
        ga.errors.SpecError, match=r"\['flexible-extract', 'strict-match'\].*filter="
    ):
        ga.read_logs(SUMS)
    assert counts_by_test(ga.read_logs(SUMS, filter="flexible-extract")) == {"dummy / sums": (4, 1)}
    assert counts_by_test(ga.read_logs(SUMS, filter="strict-match")) == {"dummy / sums": (4, 0)}
    with pytest.raises(
        ga.errors.SpecError, match="must be one of 'flexible-extract', 'strict-match'"
    ):
        ga.read_logs(SUMS, filter="none")


def test_of_several_metrics_one_is_chosen():
    with pytest.raises(ga.errors.SpecError, match=r"\['acc', 'acc_norm'\].*score="):
        ga.read_logs(CHOICES)
    assert counts_by_test(ga.read_logs(CHOICES, score="acc")) == {"dummy / choices": (4, 3)}
    assert counts_by_test(ga.read_logs(CHOICES, score="acc_norm", by="task")) == {"choices": (4, 1)}
    with pytest.raises(ga.errors.SpecError, match="must be one of 'acc', 'acc_norm'"):
        ga.read_logs(CHOICES, score="f1")


def test_a_second_run_of_the_same_documents_is_no_new_sample(tmp_path):
    """A model that does not sample answers alike; only the user can know."""
    again = tmp_path / "dummy" / CHOICES.name.replace("2026", "2027")
    again.parent.mkdir()
    again.write_bytes(CHOICES.read_bytes().replace(b"-0.1", b"-0.2"))
    with pytest.raises(ga.errors.SpecError, match="must come only once.*does not sample"):
        ga.read_logs([CHOICES, again], score="acc")
    table = ga.read_logs([CHOICES, again], score="acc", repeats="attempts")
    assert counts_by_test(table) == {"dummy / choices": (8, 6)}


def test_fractions_need_a_pass_mark(tmp_path):
    path = tmp_path / "samples_essay_2026-01-01T00-00-00.jsonl"
    rows = [{"doc_id": n, "filter": "none", "metrics": ["f1"], "f1": n / 4} for n in range(5)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match=r"must be 0 or 1; got 0\.25.*pass_at"):
        ga.read_logs(path)
    assert counts_by_test(ga.read_logs(path, pass_at=0.5, by="task")) == {"essay": (5, 3)}


def test_rows_without_documents_are_refused(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text('{"filter": "none"}\n', encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match="line 1 must hold 'doc_id' and 'filter'"):
        ga.read_logs(path, format="lm-eval")


def test_metrics_that_are_no_names_or_no_numbers_of_sense_are_refused(tmp_path):
    row = {"doc_id": 1, "filter": "none", "acc": int("9" * 400), "metrics": ["acc"]}
    path = tmp_path / "samples_x_2026-11-16T22-24-38.556489.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match="line 1 must be 0 or 1; got 999"):
        ga.read_logs(path)
    path.write_text(json.dumps({**row, "metrics": [["acc"]]}), encoding="utf-8")
    with pytest.raises(
        ga.errors.SpecError, match=r"'metrics' of .*line 1 must be one alone; got \[\]"
    ):
        ga.read_logs(path)
