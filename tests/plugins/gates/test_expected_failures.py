"""Gates that are expected to fail: by a mark, by a call, and by unittest."""

import pytest

GOOD, BAD = "coin(0.99, 1)", "coin(0.5, 1)"


def test_expected_failures_are_those_of_the_whole_gate(suite):
    suite.write(
        test_a=f"""
        gate = pytest.mark.goodarm(threshold=0.9)
        coins = {{name: {GOOD} for name in "abc"}} | {{name: {BAD} for name in "xyz"}}

        @gate
        @pytest.mark.xfail
        def test_fails():
            assert coins["x"]()

        @gate
        @pytest.mark.xfail
        def test_passes():
            assert coins["a"]()

        @gate
        @pytest.mark.xfail(strict=True)
        def test_strict():
            assert coins["b"]()

        @gate
        @pytest.mark.xfail(raises=KeyError)
        def test_other():
            assert coins["y"]()

        @gate
        @pytest.mark.xfail(run=False)
        def test_not_run():
            note("run")

        @gate
        @pytest.mark.xfail
        def test_always():
            pass

        @gate
        def test_at_once():
            pytest.xfail("known")
        """
    )
    gates = suite.gates(xfailed=3, xpassed=2, failed=2)  # failed: test_strict and test_other
    assert suite.notes == []
    assert {name: gate["label"] for name, gate in gates.items()} == {
        "test_fails": "bad",
        "test_passes": "good",
        "test_strict": "good",
        "test_other": "bad",
        "test_always": "good",
        "test_not_run": None,
        "test_at_once": None,
    }
    assert gates["test_at_once"]["skipped"] == "known"


def test_a_strict_gate_that_is_good_fails_with_the_verdict(suite):
    suite.write(
        test_a="""
        @pytest.mark.goodarm(threshold=0.5)
        @pytest.mark.xfail(strict=True, reason="should be bad")
        def test_a():
            pass
        """
    )
    result = suite.run(failed=1)
    result.stdout.fnmatch_lines(["good: 9 of 9 runs passed; *", "[[]XPASS(strict)] should be bad"])


EXPECTED_FAILURES = """
    import unittest

    gate = pytest.mark.goodarm(threshold=0.9)
    coins = {name: coin(0.5, 1) for name in "ab"}

    class TestMethods(unittest.TestCase):
        @gate
        @unittest.expectedFailure
        def test_fails(self):
            self.fail("no")

        @gate
        @unittest.expectedFailure
        def test_passes(self):
            pass

        @gate
        @unittest.expectedFailure
        def test_mixed(self):
            self.assertTrue(coins["a"]())

        @gate
        @unittest.expectedFailure
        def test_skipped(self):
            self.skipTest("not here")

    @unittest.expectedFailure
    class TestClass(unittest.TestCase):
        @gate
        def test_by_class(self):
            self.assertTrue(coins["b"]())
    """


def test_expected_failures_of_unittest_are_those_of_the_whole_gate(suite):
    suite.write(test_a=EXPECTED_FAILURES)
    gates = suite.gates(xfailed=3, failed=1, skipped=1)
    found = {name: (gate["label"], gate["passes"], gate["pulls"]) for name, gate in gates.items()}
    assert found == {
        "test_fails": ("bad", 0, 5),
        "test_passes": ("good", 53, 53),
        "test_mixed": ("bad", 9, 16),
        "test_skipped": (None, 0, 0),
        "test_by_class": ("bad", 9, 16),
    }
    result = suite.run(xfailed=3, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["Unexpected success", "good: 53 of 53 runs passed; *"])


@pytest.mark.parametrize(
    ("undecided", "outcome"), [("fail", "xfailed"), ("pass", "failed"), ("skip", "skipped")]
)
def test_an_undecided_gate_of_unittest_that_is_expected_to_fail(suite, undecided, outcome):
    """Whether or not a single repeat came out that way."""
    suite.write(
        test_a="""
        import unittest

        runs = []

        class TestA(unittest.TestCase):
            @pytest.mark.goodarm(threshold=0.9, max_runs=53)
            @unittest.expectedFailure
            def test_passes(self):
                runs.append(1)
                assert len(runs) != 2

            @pytest.mark.goodarm(threshold=0.1, max_runs=5)
            @unittest.expectedFailure
            def test_fails(self):
                self.fail("no")
        """
    )
    suite.run(f"--goodarm-undecided={undecided}", **{outcome: 2})
