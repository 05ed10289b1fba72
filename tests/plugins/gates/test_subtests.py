"""Subtests are parts of their run; those that are left out must always be the same."""

from types import SimpleNamespace

import pytest

from goodarm.plugins.pytest.subtests import Subtests


def part(name, outcome="passed", **values):
    return SimpleNamespace(
        context=SimpleNamespace(msg=name, kwargs=values),
        outcome=outcome,
        skipped=outcome == "skipped",
        failed=outcome == "failed",
        longrepr=None,
    )


def list_outcomes(*runs):
    """What is said at the end of each run, which is given by its parts and whether it passed."""
    parts, said = Subtests(), []
    for number, (passed, *reports) in enumerate(runs, 1):
        parts.begin(number)
        for report in reports:
            parts.add(None, report)
        said.append(parts.end(passed))
    return said


NET, NET_SKIPPED, NET_FAILED = part("net"), part("net", "skipped"), part("net", "failed")


def test_the_same_parts_may_always_be_left_out():
    assert list_outcomes((True, NET_SKIPPED), (True, NET_SKIPPED)) == [None, None]


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ([NET], [NET_SKIPPED], "The subtest [net] was left out in run 2, but not in run 1."),
        ([NET_SKIPPED], [NET], "The subtest [net] was left out in run 1, but not in run 2."),
        ([], [NET_SKIPPED], "The subtest [net] was left out in run 2, but not in run 1."),
        (
            [part("net", "skipped", port=1)],
            [part("net", "skipped", port=1), part("net", "skipped", port=2)],
            "The subtest [net] (port=2) was left out in run 2, but not in run 1.",
        ),
        (
            [part(None, "skipped")],
            [part(None, "skipped"), part(None, "skipped")],
            "The subtest without a name was left out in run 2, but not in run 1.",
        ),
    ],
)
def test_a_difference_between_runs_that_pass_is_said(first, second, sentence):
    assert list_outcomes((True, *first), (True, *second)) == [None, sentence]


def test_a_run_that_fails_before_a_part_is_reached_has_failed():
    assert list_outcomes((True, NET_SKIPPED), (False,), (True, NET_SKIPPED)) == [None] * 3
    assert list_outcomes((False,), (True, NET_SKIPPED), (True, NET_SKIPPED)) == [None] * 3


def test_a_part_that_fails_must_not_be_left_out_where_runs_pass():
    sentence = "The subtest [net] was left out in run {}, but not in run {}."
    assert list_outcomes((True, NET_SKIPPED), (False, NET_FAILED))[-1] == sentence.format(1, 2)
    assert list_outcomes((False, NET_FAILED), (True, NET_SKIPPED))[-1] == sentence.format(2, 1)
    other = part("disk", "failed")
    assert list_outcomes((True, NET_SKIPPED), (False, NET_SKIPPED, other)) == [None, None]


@pytest.mark.companions
@pytest.mark.parametrize("how", ["pytest.skip('down')", "pytest.xfail('down')"])
def test_a_subtest_that_is_left_out_in_some_runs_is_an_error(suite, how):
    suite.write(
        test_a=f"""
        runs = []

        @pytest.mark.goodarm(threshold=0.5)
        def test_later(subtests):
            runs.append(1)
            with subtests.test("net", port=80):
                if len(runs) > 2:
                    {how}

        @pytest.mark.goodarm(threshold=0.5)
        def test_always(subtests):
            with subtests.test("net", port=80):
                {how}
            with subtests.test("disk"):
                note("disk")
        """
    )
    gates = suite.gates(errors=1, passed=1)
    assert (gates["test_later"]["label"], gates["test_later"]["lost"]) == ("undecided", 1)
    assert gates["test_later"]["error"] == "error in the call of run 3"
    assert gates["test_always"]["label"] == "good"
    result = suite.run(errors=1, passed=1)
    result.stdout.fnmatch_lines(
        [
            "*ERROR at setup of test_later*",
            "The gate ended with an error in the call of run 3, after 2 runs.",
            "The subtest [[]net] (port=80) was left out in run 3, but not in run 1.",
        ]
    )
    assert "test_a.py E. " in result.stdout.str()  # no sign for single subtests


@pytest.mark.companions
def test_a_subtest_of_unittest_that_is_skipped_in_some_runs_is_an_error(suite):
    suite.write(
        test_a="""
        import unittest

        runs = []

        class TestA(unittest.TestCase):
            @pytest.mark.goodarm(threshold=0.5)
            def test_later(self):
                runs.append(1)
                with self.subTest("net"):
                    if len(runs) > 2:
                        self.skipTest("down")

            @pytest.mark.goodarm(threshold=0.5)
            def test_always(self):
                with self.subTest("net"):
                    self.skipTest("down")
        """
    )
    gates = suite.gates(errors=1, passed=1)
    assert gates["test_later"]["error"] == "error in the call of run 3"
    assert gates["test_always"]["label"] == "good"
    suite.run(errors=1, passed=1).stdout.fnmatch_lines(
        ["The subtest [[]net] was left out in run 3*"]
    )


@pytest.mark.companions
def test_a_subtest_that_fails_where_failures_are_expected_is_a_failure(suite):
    suite.write(
        test_a="""
        flip = coin(0.5, 1)

        @pytest.mark.xfail
        @pytest.mark.goodarm(threshold=0.9)
        def test_a(subtests):
            with subtests.test("net"):
                assert flip()
        """
    )
    assert suite.gates(xfailed=1)["test_a"]["label"] == "bad"


SUBTESTS = """
    import unittest

    flip = coin(0.5, 4)

    @pytest.mark.goodarm(threshold=0.9)
    def test_fixture(subtests):
        for part in range(3):
            with subtests.test(part=part):
                assert part < 2 or flip()

    @pytest.mark.goodarm(threshold=0.5)
    def test_mostly(subtests):
        with subtests.test("often"):
            assert coin(0.9, len(runs))() or runs.append(1)

    runs = []

    class TestA(unittest.TestCase):
        @pytest.mark.goodarm(threshold=0.9)
        def test_unittest(self):
            for part in range(3):
                with self.subTest(part=part):
                    self.assertTrue(part < 2 or flip())

        @pytest.mark.goodarm(threshold=0.5)
        def test_good(self):
            for part in range(3):
                with self.subTest(part=part):
                    pass
    """


@pytest.mark.companions
def test_subtests_are_a_part_of_their_run(suite):
    suite.write(test_a=SUBTESTS)
    gates = suite.gates(failed=2, passed=2)
    assert {name: gate["label"] for name, gate in gates.items()} == {
        "test_fixture": "bad",
        "test_mostly": "good",
        "test_unittest": "bad",
        "test_good": "good",
    }
    result = suite.run("--junitxml=report.xml", failed=2, passed=2)
    assert "SUBFAIL" not in result.stdout.str()
    xml = (suite.pytester.path / "report.xml").read_text(encoding="utf-8")
    assert xml.count("<testcase") == 4
    assert 'tests="4"' in xml
    assert 'failures="2"' in xml
