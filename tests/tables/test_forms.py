"""Tables as people have them: each form is read, and the reading is said; doubt is an error."""

import codecs
import io
import json
import re

import pandas as pd
import polars as pl
import pytest

import goodarm as ga
from goodarm.wording import COMMAND_LINE

ASKED = {"threshold": 0.8, "delta": 0.05}
CSV = "arm,pulls,successes\na,1500,1460\nb,500,300\nc,40,30\n"


@pytest.fixture(scope="module")
def expected():
    return ga.check({"a": (1500, 1460), "b": (500, 300), "c": (40, 30)}, **ASKED)


def check(text, **options):
    stream = io.BytesIO(text) if isinstance(text, bytes) else io.StringIO(text)
    return ga.check(stream, **ASKED, **options)


def catch_message(text, **options):
    with pytest.raises(ga.errors.SpecError) as caught:
        check(text, **options)
    return str(caught.value)


READ = {
    CSV: "",
    CSV.replace(",", ";"): "columns separated by ';'",
    CSV.replace(",", "\t"): "columns separated by tabs",
    CSV.replace(",", "|"): "columns separated by '|'",
    "sep=;\n" + CSV.replace(",", ";"): "columns separated by ';'",
    CSV.replace("arm,pulls,successes", "variant,visits,conversions"): (
        "read variant as arm, visits as pulls, conversions as successes"
    ),
    CSV.replace("arm,pulls,successes", " Arm,PULLS , Successes"): (
        "read Arm as arm, PULLS as pulls, Successes as successes"
    ),
    CSV.replace("arm,pulls,successes", "Option,Impressions,Clicks"): (
        "read Option as arm, Impressions as pulls, Clicks as successes"
    ),
    CSV.replace("1500", '"1,500"').replace("1460", '"1,460"'): "ignored thousands separators",
    CSV.replace(",", ";").replace("1500", "1.500").replace("1460", "1.460"): (
        "columns separated by ';'; ignored thousands separators"
    ),
    CSV.replace("1500", "1 500").replace("1460", "1'460"): "ignored thousands separators",
    CSV.replace("1500", "1\u00a0500").replace("1460", "1\u202f460"): (
        "ignored thousands separators"
    ),
    CSV.replace(",", ";").replace("1500", "1500,0"): (
        "columns separated by ';'; numbers with a decimal comma"
    ),
    "# made by hand\n\n" + CSV + "# the end\n": "skipped 2 comments (lines 1, 7)",
    "test,passed,failed\na,1460,40\nb,300,200\nc,30,10\n": (
        "read test as arm, passed as successes, passed + failed as pulls"
    ),
    "prompt,n,rate\na,1500,0.97333\nb,500,0.600\nc,40,75%\n": (
        "read prompt as arm, n as pulls, rate x n as successes"
    ),
    "model;n;Accuracy (%)\na;1500;97,333\nb;500;60,0\nc;40;75\n": (
        "columns separated by ';'; read model as arm, n as pulls, "
        "Accuracy (%) x n as successes; numbers with a decimal comma"
    ),
    "\n".join(
        json.dumps({"model": arm, "runs": n, "correct": s, "more": [1]})
        for arm, n, s in (("a", 1500, 1460), ("b", "500", 300), ("c", 40, 30.0))
    ): "read model as arm, runs as pulls, correct as successes",
}


@pytest.mark.parametrize("text", READ)
def test_forms_and_what_is_said_of_them(text, expected):
    found = check(text)
    assert found == expected
    assert found.read_as == READ[text]


@pytest.mark.parametrize(
    ("encoding", "said"),
    [("utf-8", ""), ("utf-8-sig", ""), ("utf-16", "text in UTF-16"), ("utf-32", "text in UTF-32")],
)
def test_encodings_with_a_mark(encoding, said):
    found = check("arm,pulls,successes\nbär,5,3\n".encode(encoding))
    assert (found.arms, found.read_as) == (("bär",), said)


def test_utf_16_of_the_other_order():
    text = codecs.BOM_UTF16_BE + "arm,pulls,successes\nя,5,3\n".encode("utf-16-be")
    assert check(text).arms == ("я",)


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16-le", "mac_roman", "utf-8"])
def test_other_encodings_by_name(encoding):
    assert check("arm,pulls,successes\nbär,5,3\n".encode(encoding), encoding=encoding).arms == (
        "bär",
    )


def test_what_the_options_may_be():
    for options, rule in (
        ({"sep": ",,"}, "'sep' of check must be one character; got ',,'"),
        ({"sep": "a"}, "be one character"),
        ({"sep": ",", "decimal": ","}, "'sep' of check must differ from decimal; got ','"),
        ({"encoding": "utf-99"}, "'encoding' of check must name an encoding of text"),
        ({"encoding": "hex"}, "name an encoding of text, such as cp1252; got 'hex'"),
        ({"decimal": "'"}, "'decimal' of check must be one of '.', ','"),
        ({"comment": 3}, "'comment' of check must be a text"),
        ({"strict": 1}, "'strict' of check must be True or False; got 1"),
        ({"sum": "yes"}, "'sum' of check must be True or False"),
        ({"columns": {"reward": "x"}}, "'columns' of check must be one of 'arm', 'pulls'"),
    ):
        assert rule in catch_message(CSV, **options)


def test_a_separator_can_be_named(expected):
    for sep in (":", "~"):
        assert check(CSV.replace(",", sep), sep=sep) == expected
    assert check(CSV.replace(",", "\t"), sep="tab").read_as == ""


TWO_READINGS = "arm;pulls;successes\na;1.000;1\nb;2.000;2\n"


def test_two_readings_are_an_error_that_shows_both():
    found = catch_message(TWO_READINGS)
    assert "line 2 can be read in two ways: '1.000' is 1 with a decimal point and 1000" in found
    assert "Choose one: decimal='.' or decimal=','." in found
    assert check(TWO_READINGS, decimal=".").pulls.tolist() == [1, 2]
    assert check(TWO_READINGS, decimal=",").pulls.tolist() == [1000, 2000]


def test_one_cell_of_the_table_settles_its_signs():
    assert check(TWO_READINGS + "c;3.500;3\n").pulls.tolist() == [1000, 2000, 3500]
    assert check(TWO_READINGS + "c;4.0;4\n").pulls.tolist() == [1, 2, 4]
    assert check(TWO_READINGS.replace(";1\n", ";900\n")).pulls.tolist() == [1000, 2000]
    assert "got '3,5'" in catch_message(TWO_READINGS.replace("2.000", "2.0") + "c;3,5;3\n")


def test_the_sign_of_rewards():
    text = "arm;reward\na;3,5\na;1\nb;4,25\n"
    found = check(text, raw=True, rewards="bounded", low=0, high=5)
    assert found.mean.tolist() == [2.25, 4.25]
    assert found.read_as == "columns separated by ';'; numbers with a decimal comma"


def test_rates_that_do_not_fit():
    assert "must have enough digits for one number of successes; 799 and 800" in catch_message(
        "arm,n,rate\na,1500,0.533\n"
    )
    assert "give a whole number when multiplied by pulls" in catch_message(
        "arm,n,rate\na,10,0.55\n"
    )
    for rate in ("1.5", "x", "nan", "-0.1", "1e99"):
        assert "'rate' of standard input, line 2 must be a rate from 0 to 1" in catch_message(
            f"arm,n,rate\na,10,{rate}\n"
        )
    assert ga.check({"arm": ["a"], "n": [3], "rate": [2 / 3]}, **ASKED).mean[0] == 2 / 3


def test_columns_in_doubt():
    found = catch_message("variant,model,visits,conversions\na,x,5,3\n")
    assert (
        "'columns' of standard input must make clear which column is 'arm': 'variant' or 'model'"
        in found
    )
    assert "Choose one: columns={'arm': 'variant'}." in found
    found = catch_message("visits,users,clicks,orders\n1,5,3,2\n")
    assert found.count("\n") == 2
    for part in ("'visits' or 'users'", "'clicks' or 'orders'", "must include 'arm'"):
        assert part in found
    chosen = {"arm": "model", "pulls": "users", "successes": "Orders"}
    table = check("model,visits,users,clicks,orders\na,1,5,3,2\n", columns=chosen)
    assert (table.pulls.tolist(), table.mean.tolist()) == ([5], [0.4])


def test_documented_names_come_first():
    table = check("arm,pulls,successes,model,n,clicks,failed\na,5,3,x,9,9,9\n")
    assert (table.pulls.tolist(), table.read_as) == ([5], "")


def test_pulls_passed_and_failed_must_fit():
    text = "test,runs,passed,failed\na,10,7,2\n"
    assert "'failed' of standard input, line 2 must be pulls minus successes, 3" in catch_message(
        text
    )
    both = {"pulls": "runs", "successes": "passed"}
    assert check(text, columns=both).pulls.tolist() == [10]
    assert check(text.replace(",2", ",3")).pulls.tolist() == [10]


def test_errors_beside_passed_and_failed_are_asked_for():
    text = "test,passed,failed,errors\na,7,2,1\n"
    assert "must make clear whether 'errors' counts as failed" in catch_message(text)
    assert check(text, columns={"failed": "failed"}).pulls.tolist() == [9]


def test_several_rows_of_an_arm():
    text = CSV + "a,10,5\n"
    assert "arm 'a' of standard input appears in several rows (lines 2, 5)." in catch_message(text)
    table = check(text, sum=True)
    assert table.pulls.tolist() == [1510, 500, 40]
    assert table.read_as.startswith("added up ")
    assert "got 1500000000000" in catch_message(
        "arm,pulls,successes\n" + "a,5e11,0\n" * 3, sum=True
    )


TOTAL = CSV + "Total,2040,1790\n"


def test_a_total_is_no_arm(expected):
    found = catch_message(TOTAL)
    assert "line 5 must be an arm, not the total of the other rows; got 'Total'" in found
    assert "keep_total=True" in found
    assert check(TOTAL, keep_total=True).arms == ("a", "b", "c", "Total")
    frame = pl.read_csv(io.StringIO(TOTAL))
    with pytest.raises(ga.errors.SpecError, match="the frame, row 4 must be an arm"):
        ga.check(frame, **ASKED)
    assert "got 'all'" in catch_message("arm,pulls,successes\na,5,3\nall,5,3\n")


def test_rows_that_only_look_like_totals():
    assert len(check("arm,pulls,successes\na,5,3\nb,5,3\n")) == 2
    assert len(check("arm,pulls,successes\na,5,3\nb,0,0\nc,5,3\n")) == 3
    assert len(check("arm,pulls,successes\na,5,3\nb,4,3\nc,9,5\n")) == 3
    assert len(ga.check({"a": (2, 1), "b": (1, 0), "c": (1, 1)}, **ASKED)) == 3


def test_remarks_and_rows_that_begin_alike():
    text = CSV + "#d,5,3\n"
    assert "'row' of standard input, line 5 must be clearly a row or a comment" in catch_message(
        text
    )
    assert check(text, comment="").arms == ("a", "b", "c", "#d")
    assert check(text, comment="#").arms == ("a", "b", "c")
    assert check("% x\n" + CSV, comment="%").read_as == "skipped 1 comment (line 1)"


@pytest.mark.parametrize(
    "words", [("true", "FALSE"), ("Yes", "no"), ("pass", "fail"), ("PASSED", "Failed"), ("1", "no")]
)
def test_rewards_in_words(words):
    text = "test,result\n" + "".join(f"a,{word}\n" for word in words)
    table = check(text, raw=True)
    assert (table.pulls.tolist(), table.mean.tolist()) == ([2], [0.5])
    assert table.read_as == "read test as arm, result as reward; read words as 0 and 1"
    frame = pl.DataFrame({"arm": ["a"] * 2, "reward": ["pass", "fail"]})
    assert ga.check(frame, **ASKED, raw=True).mean.tolist() == [0.5]


def test_words_are_for_0_and_1_only():
    text = "arm,reward\na,pass\n"
    assert "must be a number from" in catch_message(
        text, raw=True, rewards="bounded", low=0, high=2
    )
    assert "must be 0 or 1 for arm 'a'; got 'skipped'" in catch_message(
        "arm,reward\na,skipped\n", raw=True
    )


STRICT = [
    CSV.replace(",", ";"),
    CSV.replace("arm", "Arm"),
    CSV.replace("pulls", "visits"),
    CSV.replace("1500", '"1,500"'),
    "# remark\n" + CSV,
    CSV + "# remark\n",
    "sep=,\n" + CSV,
    CSV.encode("utf-16"),
    CSV + "a,10,5\n",
    TOTAL,
    "arm,successes,failed\na,7,2\n",
    "arm,pulls,rate\na,10,.5\n",
]


@pytest.mark.parametrize("text", STRICT, ids=range(len(STRICT)))
def test_strict_takes_the_documented_form_alone(text, expected):
    assert catch_message(text, strict=True)
    assert check(CSV, strict=True) == expected


def test_strict_takes_what_is_said(expected):
    renamed = CSV.replace("arm", "model").replace(",", ";").replace("1500", "1500,0")
    options = {"columns": {"arm": "model"}, "sep": ";", "decimal": ","}
    assert check(renamed, strict=True, **options) == expected
    assert "must be 0 or 1 for arm 'a'; got 'yes'" in catch_message(
        "arm,reward\na,yes\n", raw=True, strict=True
    )


def test_all_errors_at_once():
    text = "arm,pulls,successes\n,5,3\nb,x,3\nc,5\nd,5,9\nb,5,3\ne,5,3\nf,,\n"
    lines = catch_message(text).splitlines()
    assert lines[0] == "The table of standard input has 7 errors:"
    places = [re.search(r"lines? ([\d, ]*\d)", line)[1] for line in lines[1:]]
    assert places == ["2", "3", "4", "5", "3, 6", "8", "8"]


def test_blank_arms_are_not_called_repeated():
    found = catch_message("arm,pulls,successes\na,5,3\n,5,3\n ,5,3\n")
    assert found == "The 'arm' of standard input, line 3 must not be blank; got ''."


def test_equal_errors_of_whole_lines_are_one_sentence():
    assert catch_message("arm,pulls,successes\n" + "a,3\n" * 4).startswith(
        "4 rows in standard input must have 3 cells, as the header has (lines 2, 3, 4, 5)"
    )
    assert catch_message(CSV + "#d,5,3\n" * 4).startswith(
        "4 rows in standard input must be clearly rows or comments; they begin with '#' (lines 5,"
    )
    first = '{"arm": "a", "pulls": 5, "successes": 3}\n'
    assert catch_message(first + '{"arm": "b"}\n' * 4).startswith(
        "4 lines in standard input must include 'pulls', 'successes' (lines 2, 3, 4, 5)"
    )
    assert catch_message(first + "[1]\n" * 4).startswith("4 lines in standard input must be a JSON")


def test_up_to_twenty_errors():
    text = "arm,pulls,successes\n" + "".join(f"a{k},5,9\n" for k in range(5000))
    assert catch_message(text).startswith(
        "More than 20 cells of column 'successes' in standard input must be a whole number from 0 "
        "to the arm's pulls (lines 2, 3, 4, 5, 6, ...); got '9'. For rewards other than 0 and 1"
    )
    twenty = "".join(text.splitlines(keepends=True)[:21])
    assert catch_message(twenty).startswith("20 cells of column 'successes'")
    three = "".join(text.splitlines(keepends=True)[:4])
    lines = catch_message(three).splitlines()
    assert lines[0] == "The table of standard input has 3 errors:"
    assert len(lines) == 4
    assert sum("rewards='bounded'" in line for line in lines) == 1


def test_errors_on_the_command_line_speak_of_options():
    with pytest.raises(ga.errors.SpecError) as caught:
        check(CSV + "a,10,5\nd,5,9\n")
    assert "--sum" in COMMAND_LINE.sentence(caught.value)
    assert "--rewards bounded" in COMMAND_LINE.sentence(caught.value)
    assert "sum=True" not in COMMAND_LINE.sentence(caught.value)


def test_frames_and_dicts_with_usual_names(expected):
    columns = {"Variant": ["a", "b", "c"], "visits": [1500, 500, 40], "wins": [1460, 300, 30]}
    for table in (columns, pd.DataFrame(columns), pl.DataFrame(columns)):
        assert ga.check(table, **ASKED) == expected
        assert ga.check(table, **ASKED).read_as.startswith("read Variant as arm")
        with pytest.raises(ga.errors.SpecError):
            ga.check(table, **ASKED, strict=True)
    with pytest.raises(ga.errors.SpecError, match="be a dict of columns or of arms"):
        ga.check({"model": (5, 3), "n": (5, 3), "wins": (5, 3)}, **ASKED)


def test_parquet_with_usual_names(tmp_path, expected):
    frame = pl.read_csv(io.StringIO(CSV)).rename({"arm": "Model", "pulls": "N"})
    frame.write_parquet(tmp_path / "t.parquet")
    assert ga.check(tmp_path / "t.parquet", **ASKED) == expected
