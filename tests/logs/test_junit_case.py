"""How a JUnit test case went, and whether the totals of its suite agree."""

import time

import pytest

import goodarm as ga
from goodarm.logs.junit_names import strip_flakefinder, strip_repeat
from goodarm.wording import COMMAND_LINE
from logs.log_files import DATA, counts_by_test, make_case, make_report


@pytest.fixture
def report(tmp_path):
    def write(text, name="report.xml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def count_outcome(report, inner="", **attributes):
    """(pulls, successes, errors, skipped) of one test case beside one that passes."""
    table = ga.read_logs(
        report(make_report(make_case("x", inner, **attributes), make_case("other")))
    )
    assert not table.notes
    return (*counts_by_test(table).get("t.x", (0, 0)), table.errors, table.skipped)


@pytest.mark.parametrize("attribute", ["status", "result"])
@pytest.mark.parametrize("inner", ["", "<properties/><system-out>Disabled</system-out>"])
@pytest.mark.parametrize(
    "word", ["disabled", "SKIPPED", "Skipped", "ignored", "pending", "notrun", "Not Run", "NOT_RUN"]
)
def test_a_word_for_not_run_is_no_pass(report, attribute, inner, word):
    assert count_outcome(report, inner, **{attribute: word}) == (0, 0, 0, 1)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("FAILED", (1, 0, 0, 0)),
        ("fail", (1, 0, 0, 0)),
        ("Error", (1, 0, 1, 0)),
        ("timed out", (1, 0, 1, 0)),
        ("run", (1, 1, 0, 0)),
        ("PASSED", (1, 1, 0, 0)),
    ],
)
def test_a_word_decides_where_no_element_does(report, word, expected):
    assert count_outcome(report, status=word) == expected
    assert count_outcome(report, "<system-out/>", result=word) == expected
    assert count_outcome(report, "<failure/>", status=word) == (1, 0, 0, 0)
    assert count_outcome(report, "<skipped/>", status=word) == (0, 0, 0, 1)


def test_the_graver_of_status_and_result_decides(report):
    """GoogleTest writes status="run" for tests that were skipped."""
    assert count_outcome(report, status="run", result="skipped") == (0, 0, 0, 1)
    assert count_outcome(report, status="passed", result="failed") == (1, 0, 0, 0)
    assert count_outcome(report, status="run", result="completed") == (1, 1, 0, 0)


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<Failure/>", (1, 0, 0, 0)),
        ('<j:failure xmlns:j="urn:j"/>', (1, 0, 0, 0)),
        ("<ERROR/>", (1, 0, 1, 0)),
        ("<ignored/>", (0, 0, 0, 1)),
        ("<flakyfailure/>", (2, 1, 0, 0)),
        ("<properties/><system-out/><system-err/>", (1, 1, 0, 0)),
        ("<system-out><failure/></system-out>", (1, 1, 0, 0)),
    ],
)
def test_elements_of_any_spelling(report, inner, expected):
    assert count_outcome(report, inner) == expected


@pytest.mark.parametrize("tag", ["warning", "incomplete", "failed", "timeout", "testcase"])
def test_an_element_that_may_say_it_did_not_pass_is_refused(report, tag):
    path = report(make_report(make_case("a"), make_case("b", f"<{tag}/>")))
    with pytest.raises(
        ga.errors.SpecError, match=rf"test case 2 .*failure, error or.*got '<{tag}>'"
    ):
        ga.read_logs(path)
    assert count_outcome(report, f"<failure/><{tag}/>") == (1, 0, 0, 0)
    assert count_outcome(report, f"<{tag}/>", status="passed") == (1, 1, 0, 0)


def test_what_is_unknown_is_pointed_out(report):
    table = ga.read_logs(
        report(make_report(make_case("a", "<poem/>"), make_case("b", status="green")))
    )
    assert counts_by_test(table) == {"t.a": (1, 1), "t.b": (1, 1)}
    (note,) = table.notes
    assert note.startswith("report.xml: ignored <poem>, status='green' in test cases")


def test_names_of_elements_with_a_prefix(report):
    text = '<j:testsuite xmlns:j="urn:j" name="s"><j:testcase name="a"><j:error/></j:testcase>'
    table = ga.read_logs(report(f"{text}</j:testsuite>"), by="suite,name")
    assert counts_by_test(table) == {"s / a": (1, 0)}
    assert table.errors == 1


def test_a_test_case_alone_is_no_report(report):
    with pytest.raises(ga.errors.SpecError, match="got 'testcase'"):
        ga.read_logs(report(make_case("a")))


def suite(totals, *inner):
    return f'<testsuite name="s" {totals}>{"".join(inner)}</testsuite>'


@pytest.mark.parametrize(
    ("totals", "said"),
    [
        ('tests="5" failures="2"', "reports 5 tests and 2 failures and errors"),
        ('tests="2"', "reports 2 tests and 0 failures and errors"),
        ('errors="1" tests="1"', "reports 1 tests and 1 failures and errors"),
        ('failures="1"', "reports no total of tests and 1 failures and errors"),
    ],
)
def test_totals_that_say_more_than_the_cases_are_pointed_out(report, totals, said):
    for text in (
        suite(totals, make_case("a")),
        f"<testsuites {totals}>{make_case('a')}</testsuites>",
    ):
        table = ga.read_logs(report(text))
        assert counts_by_test(table) == {"t.a": (1, 1)}
        (note,) = table.notes
        assert f"{said}, but its test cases show 1 and 0. Tests are missing" in note


def test_a_failure_that_no_case_shows_is_refused(report):
    path = report(suite('tests="2" failures="1"', make_case("a"), make_case("b")))
    with pytest.raises(
        ga.errors.SpecError, match=r"suite 's' of .* must show its failures; it reports 1"
    ):
        ga.read_logs(path)


@pytest.mark.parametrize(
    "totals",
    [
        'tests="2" failures="1" errors="0"',
        'tests="2" failures="0" errors="1"',
        'tests="1" failures="0"',
        'tests="" failures="x"',
        f'tests="{"9" * 5000}"',
    ],
)
def test_totals_that_fit_are_not_mentioned(report, totals):
    """Those of an outer suite may count what is in the suites inside it, or leave it out."""
    inner = suite(totals, make_case("a"), make_case("b", "<failure/>"))
    table = ga.read_logs(report(f"<testsuites {totals}>{suite(totals, inner)}</testsuites>"))
    assert counts_by_test(table) == {"t.a": (1, 1), "t.b": (1, 0)}
    assert not table.notes


def test_a_shortfall_is_said_once_a_file(report):
    inner = suite('tests="2"', make_case("a")), suite('tests="2"', make_case("b"))
    (note,) = ga.read_logs(report(f'<testsuites tests="4">{"".join(inner)}</testsuites>')).notes
    assert "and so on 1 times more" in note


def test_many_notes_are_cut_short(tmp_path):
    for number in range(50):
        text = suite('tests="2"', make_case("a", time=number))
        (tmp_path / f"{number:02}.xml").write_text(text, encoding="utf-8")
    notes = ga.read_logs(str(tmp_path / "*.xml")).notes
    assert len(notes) == 21
    assert notes[-1] == "30 more notes are not shown."


def test_a_suite_that_broke_is_pointed_out(report):
    error = '<error message="setup failed"/>'
    table = ga.read_logs(report(suite('tests="1" errors="1"', error, make_case("a"))))
    assert counts_by_test(table) == {"t.a": (1, 1)}
    (note,) = table.notes
    assert "'s' broke outside of its test cases (error 'setup failed')" in note
    assert not ga.read_logs(
        report(suite("", "<properties><error/></properties>", make_case("a")))
    ).notes


@pytest.mark.parametrize("name", ["pytest", "rerunfailures", "flaky"])
def test_real_reports_have_totals_that_fit(name):
    assert not ga.read_logs(DATA / f"junit/{name}.xml", repeats="attempts").notes


@pytest.mark.parametrize("before", ["\n", "\ufeff", "\ufeff\r\n \t", "\n" * 600_000])
def test_blank_lines_and_byte_marks_may_stand_before_the_document(report, before):
    path = report(f'{before}<?xml version="1.0"?>{make_report(make_case("a"))}')
    assert counts_by_test(ga.read_logs(path)) == {"t.a": (1, 1)}


def test_only_blanks_are_an_empty_file(report):
    with pytest.raises(ga.errors.SpecError, match="it is empty"):
        ga.read_logs(report(" \n" * 10))


def test_a_repeat_is_told_by_the_numbers_of_its_test_cases(report):
    with pytest.raises(
        ga.errors.SpecError, match=r"test case 4 must come only once; it came in test case 2, too"
    ):
        ga.read_logs(
            report(make_report(make_case("a"), make_case("b"), make_case("c"), make_case("b")))
        )


@pytest.mark.parametrize(
    ("first", "second", "by"),
    [
        ('name="chrome"', 'name="firefox"', "suite,name"),
        ('name="x" hostname="chrome"', 'name="x" hostname="firefox"', "host,name"),
    ],
)
def test_a_repeat_in_another_suite_has_its_own_remedy(report, first, second, by):
    inner = (f"<testsuite {one}>{make_case('a')}</testsuite>" for one in (first, second))
    path = report(f"<testsuites>{''.join(inner)}</testsuites>")
    with pytest.raises(ga.errors.SpecError) as refused:
        ga.read_logs(path)
    assert f"'chrome' and 'firefox'. To make them two arms, pass by='{by}'" in str(refused.value)
    assert f"To make them two arms, use --by {by}." in COMMAND_LINE.sentence(refused.value)
    assert "rerunfailures" not in str(refused.value)
    assert counts_by_test(ga.read_logs(path, by=by)) == {
        "chrome / t.a": (1, 1),
        "firefox / t.a": (1, 1),
    }


def test_a_repeat_in_a_suite_of_the_same_name_may_be_another_run(report):
    with pytest.raises(
        ga.errors.SpecError, match="two suites of the same name.*several runs.*repeats="
    ):
        ga.read_logs(report(f"<testsuites>{suite('', make_case('a')) * 2}</testsuites>"))


def test_repeats_of_flakefinder_are_pointed_out(report):
    table = ga.read_logs(DATA / "junit/flakefinder.xml")
    assert len(table.arms) == 21
    (note,) = table.notes
    assert note.startswith("21 names are numbered like those of flakefinder")
    assert "by='flakefinder' (--by flakefinder)" in note
    assert not ga.read_logs(DATA / "junit/flakefinder.xml", by="flakefinder").notes
    numbers = [make_case(f"a[{n}]") for n in (1, 2, 3)], [make_case(f"b[{n}]") for n in (0, 1)]
    assert not ga.read_logs(report(make_report(*numbers[0], *numbers[1]))).notes


@pytest.mark.parametrize(
    ("name", "repeat", "flakefinder"),
    [
        ("a", "a", "a"),
        ("a[x]", "a[x]", "a[x]"),
        ("a[1-3]", "a", "a[3]"),
        ("a[x[y]-1-3]", "a[x[y]]", "a[x[y]-1-3]"),
        ("a[0-x[1-2]]", "a[0-x[1-2]]", "a[x[1-2]]"),
        ("a[-1-3]", "a[]", "a[-1-3]"),
        ("a[1-3", "a[1-3", "a[1-3"),
        (f"a[1-{'9' * 5000}]", f"a[1-{'9' * 5000}]", f"a[{'9' * 5000}]"),
        (f"a[{'9' * 5000}]", f"a[{'9' * 5000}]", f"a[{'9' * 5000}]"),
        ("a[1-\N{SUPERSCRIPT THREE}]", "a[1-\N{SUPERSCRIPT THREE}]", "a[\N{SUPERSCRIPT THREE}]"),
    ],
)
def test_numbers_in_names(name, repeat, flakefinder):
    assert strip_repeat(name) == repeat
    assert strip_flakefinder(name) == flakefinder


@pytest.mark.speed
def test_long_names_take_no_time():
    name = "[" * 500_000 + "1-" * 500_000
    start = time.process_time()
    for ending in ("", "]", "1]"):
        strip_repeat(name + ending)
        strip_flakefinder(name + ending)
    assert time.process_time() - start < 1
