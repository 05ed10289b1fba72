"""Columns of failures: never read as successes, and read as failures where that is clear."""

import io

import polars as pl
import pytest

import goodarm as ga
from goodarm.errors import SpecError

FAILURES = "prompt,n,failures\nA,500,26\nB,510,190\n"


def check(text, **options):
    return ga.check(io.StringIO(text), **{"threshold": 0.9, **options})


def catch_message(text, **options):
    with pytest.raises(SpecError) as caught:
        check(text, **options)
    return str(caught.value)


@pytest.mark.parametrize("name", ["failures", "failed", "Fails", "losses"])
def test_failures_beside_pulls_leave_successes(name):
    table = check(FAILURES.replace("failures", name))
    assert table == check("arm,pulls,successes\nA,500,474\nB,510,320\n")
    assert table.read_as == f"read prompt as arm, n as pulls, n - {name} as successes"
    assert "share of at least 0.9 succeeds, so that at most 0.1 fail" in repr(table)


def test_failures_may_not_exceed_pulls():
    message = catch_message(FAILURES.replace("26", "501"))
    assert "'failures' of standard input, line 2 must be a whole number from 0" in message


def test_lost_tests_beside_failures_are_asked_for():
    text = "test,runs,failed,skipped\na,10,2,3\n"
    assert "must make clear whether 'skipped' counts as failed" in catch_message(text)
    assert check(text, columns={"failed": "failed"})["a"].mean == 0.8


def test_a_rate_beside_failures_must_fit():
    text = "arm,n,rate,failed\na,200,0.950,{}\n"
    assert check(text.format(10))["a"].mean == 0.95
    assert "must be pulls minus successes, 10" in catch_message(text.format(190))


@pytest.mark.parametrize(
    "name", ["failing", "errors", "bounces", "rejected", "n_lost", "timeouts", "Error count"]
)
def test_failures_are_never_suggested_as_successes(name):
    text = f"prompt,n,{name}\nA,500,26\n"
    message = catch_message(text)
    assert f"columns={{'failed': '{name}'}}" in message
    assert "'successes':" not in message
    assert check(text, columns={"failed": name})["A"].mean == 474 / 500


@pytest.mark.parametrize("name", ["error rate", "bounced %"])
def test_failure_rates_are_never_suggested_as_successes(name):
    message = catch_message(f"prompt,n,{name}\nA,500,5.2%\n")
    assert f"'{name}' seems to say what failed" in message
    assert "columns=" not in message
    message = catch_message("arm,crashed\na,1\n", raw=True)
    assert "'crashed' seems to say what failed" in message


def test_other_columns_are_suggested_as_before():
    assert "columns={'successes': 'buys'}" in catch_message("prompt,n,buys\nA,500,26\n")


def test_failures_that_were_named_successes_are_noted():
    table = check(FAILURES, columns={"successes": "failures"})
    assert "Good means a mean of failures of at least 0.9." in repr(table)
    assert "Good means" not in repr(check("arm,n,clicks\nA,500,26\n"))


def test_failures_in_frames_and_lazy_tables():
    expected = check("arm,pulls,successes\nA,500,474\nB,510,320\n")
    columns = {"arm": ["A", "B"], "n": [500, 510], "failures": [26, 190]}
    for table in (columns, pl.DataFrame(columns), pl.LazyFrame(columns)):
        assert ga.check(table, threshold=0.9) == expected


def test_a_rate_stands_alone_where_it_is_unclear_which_failures_it_leaves():
    text = "arm,n,rate,failures,fails\na,200,0.950,190,3\n"
    assert check(text)["a"].mean == 0.95
