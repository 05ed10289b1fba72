"""JUnit XML that a run with gates has written, read as the log of another tool."""

import pytest

import goodarm as ga
import goodarm.logs.junit  # inner runs forget what they have loaded

SUITE = """
    flip = coin(0.9, 1)

    @pytest.mark.goodarm(threshold=0.5)
    def test_gate():
        assert flip()

    @pytest.mark.goodarm(threshold=0.5)
    def test_skipped():
        pytest.skip("not today")

    def test_plain():
        pass
    """


def test_a_verdict_is_not_read_as_one_run(suite):
    """The gate's runs are many, and its test case is one."""
    suite.write(test_a=SUITE)
    suite.run("--junitxml=report.xml", "--goodarm-report=gates.json", passed=2, skipped=1)
    gate = suite.read_gates()["test_gate"]
    assert gate["pulls"] > 1
    words = (
        f"test case 'test_a.test_gate' .* must be one run of a test; it is the verdict of a "
        f"goodarm gate on {gate['pulls']} runs, of which {gate['passes']} passed.*goodarm_pulls "
        "and goodarm_passes.*--goodarm-report.*-m 'not goodarm'"
    )
    with pytest.raises(ga.errors.SpecError, match=words):
        ga.read_logs(suite.pytester.path / "report.xml", format="junit")


def test_what_the_message_says_to_do_works(suite):
    suite.write(test_a=SUITE)
    suite.run("--junitxml=report.xml", "-m", "not goodarm", passed=1, deselected=2)
    table = ga.read_logs(suite.pytester.path / "report.xml", format="junit")
    assert (table.arms, table.attempts) == (("test_a.test_plain",), 1)


def test_a_gate_that_was_skipped_is_a_skipped_test(suite):
    suite.write(test_a=SUITE)
    suite.run("--junitxml=report.xml", "-k", "not test_gate", passed=1, skipped=1, deselected=1)
    table = ga.read_logs(suite.pytester.path / "report.xml", format="junit")
    assert (table.arms, table.skipped) == (("test_a.test_plain",), 1)
