"""With workers: the same gates, the same verdicts, the same shares of delta."""

import json

import pytest

pytestmark = pytest.mark.slow

MODES = (
    "worksteal",
    *(
        pytest.param(mode, marks=pytest.mark.large)
        for mode in ("load", "loadscope", "loadfile", "loadgroup")
    ),
)

REAL = {
    "conftest": """
    @pytest.fixture(scope="session")
    def service():
        return {"started": True}

    @pytest.fixture(scope="module")
    def accounts(service):
        assert service["started"]
        return {"ann": 3, "bob": 5}

    @pytest.fixture
    def basket(accounts):
        return dict(accounts)
    """,
    "test_shop": """
    import unittest

    rank = coin(0.97, 11)
    reply = coin(0.6, 12)

    @pytest.mark.parametrize("number", range(12))
    def test_prices(number, basket):
        basket["ann"] += number
        assert basket["ann"] == 3 + number

    @pytest.mark.goodarm(threshold=0.85)
    def test_ranking(basket, service):
        assert basket == {"ann": 3, "bob": 5}
        basket.clear()
        assert rank()

    class TestReplies(unittest.TestCase):
        def setUp(self):
            self.seen = []

        @pytest.mark.goodarm(threshold=0.85)
        def test_reply(self):
            self.assertEqual(self.seen, [])
            self.seen.append(1)
            self.assertTrue(reply())

        def test_empty(self):
            self.assertFalse(self.seen)
    """,
    "test_robot": """
    import random

    grip = {"soft": coin(0.99, 21), "hard": coin(0.3, 22)}
    near = coin(0.9, 23)

    class TestGrip:
        @pytest.fixture(autouse=True)
        def arm(self, tmp_path):
            self.folder = tmp_path

        @pytest.mark.goodarm(threshold=0.9)
        @pytest.mark.parametrize("kind", ["soft", "hard"])
        def test_grip(self, kind):
            assert not list(self.folder.iterdir())
            (self.folder / "log").touch()
            assert grip[kind]()

        @pytest.mark.parametrize("number", range(8))
        def test_reach(self, number):
            assert number < 8

    @pytest.mark.xdist_group("near")
    @pytest.mark.goodarm(threshold=0.9, max_runs=90)
    def test_near(service):
        assert near()

    @pytest.mark.parametrize("number", range(4))
    def test_stop(number):
        pass
    """,
}
"""Thirty tests with fixtures, five of them gates."""
OUTCOMES = {"passed": 27, "failed": 3}


def gates_of(suite, *options):
    path = suite.pytester.path / "gates.json"
    path.unlink(missing_ok=True)
    suite.run_apart(f"--goodarm-report={path}", *options, **OUTCOMES)
    return suite.read_gates()


@pytest.fixture
def serial(suite):
    suite.write(**REAL)
    return suite.gates(**OUTCOMES)


def test_the_suite_alone(serial):
    assert {name: gate["label"] for name, gate in serial.items()} == {
        "test_ranking": "good",
        "test_reply": "bad",
        "test_grip[soft]": "good",
        "test_grip[hard]": "bad",
        "test_near": "undecided",
    }


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_of_distribution_gives_the_same_verdicts(suite, serial, mode):
    assert gates_of(suite, "-n2", f"--dist={mode}") == serial


@pytest.mark.large
def test_each_runs_the_gates_on_every_worker(suite, serial):
    path = suite.pytester.path / "gates.json"
    twice = {name: 2 * count for name, count in OUTCOMES.items()}
    suite.run_apart(f"--goodarm-report={path}", "--tx=2*popen", "--dist=each", **twice)
    document = json.loads(path.read_text(encoding="utf-8"))
    assert len(document["gates"]) == 2 * len(serial)
    assert suite.read_gates() == serial
    options = ("--goodarm-control=suite", "--tx=2*popen", "--dist=each")
    suite.run_apart(f"--goodarm-report={path}", *options, **twice)
    assert {gate["delta"] for gate in suite.read_gates().values()} == {0.05 / (5 * 2)}


@pytest.mark.companions
@pytest.mark.large
def test_any_order_gives_the_same_verdicts(suite, serial):
    """Coins are the tests' own, so that shuffling changes nothing but the order."""
    assert suite.gates("--randomly-seed=3", **OUTCOMES) == serial
    assert gates_of(suite, "-n2", "--randomly-seed=4") == serial


@pytest.mark.large
def test_under_suite_every_worker_shares_delta_by_the_same_number(suite):
    suite.write(**REAL)
    alone = suite.gates("--goodarm-control=suite", **OUTCOMES)
    assert {gate["delta"] for gate in alone.values()} == {0.05 / 5}
    assert gates_of(suite, "--goodarm-control=suite", "-n2") == alone
    planned = suite.gates("--goodarm-control=suite", "--goodarm-planned=9", **OUTCOMES)
    assert {gate["delta"] for gate in planned.values()} == {0.05 / 9}


@pytest.mark.companions
@pytest.mark.large
def test_timeouts_and_reruns_beside_workers(suite, serial):
    suite.add_ini("    default::goodarm.plugins.pytest.GateWarning\ntimeout = 60\n")
    path = suite.pytester.path / "gates.json"
    result = suite.pytester.runpytest_subprocess(
        f"--goodarm-report={path}", "-n2", "--reruns=2", *("-p", "no:flaky", "-p", "no:randomly")
    )
    result.assert_outcomes(**OUTCOMES, warnings=5)
    assert suite.read_gates() == serial


def test_a_bad_mark_is_said_with_workers_too(suite):
    suite.write(
        test_a="""
        @pytest.mark.goodarm(threshold=1.3)
        def test_a():
            note("run")

        def test_plain():
            pass
        """
    )
    result = suite.run_apart("-n2", errors=1, passed=1)
    result.stdout.fnmatch_lines(["*'threshold' * strictly between 0 and 1; got 1.3."])
    assert suite.notes == []


@pytest.mark.large
def test_junit_and_the_trace_come_from_the_workers(suite):
    suite.write(**REAL)
    result = suite.run_apart("-n2", "--junitxml=report.xml", **OUTCOMES)
    result.stdout.fnmatch_lines_random(
        ["bad: * runs passed; *", "*assert grip?kind?()", "*goodarm gates*"]
    )
    xml = (suite.pytester.path / "report.xml").read_text(encoding="utf-8")
    assert xml.count("<testcase") == 30
    assert xml.count('name="goodarm_label"') == 5


def test_a_gate_whose_worker_crashed_is_listed(suite):
    suite.write(
        test_a="""
        import os

        runs = []

        @pytest.mark.goodarm(threshold=0.9)
        def test_crash():
            runs.append(1)
            if len(runs) == 5:
                os._exit(1)

        @pytest.mark.goodarm(threshold=0.9)
        def test_fine():
            pass

        @pytest.mark.goodarm(threshold=0.9)
        @pytest.mark.skip(reason="not here")
        def test_skipped():
            pass
        """
    )
    options = ("-n1", "--goodarm-report=gates.json", "--junitxml=report.xml")
    result = suite.run_apart(*options, failed=1, passed=1, skipped=1)
    result.stdout.fnmatch_lines_random(
        [
            "*goodarm gates*",
            "label    passed  threshold     interval  needed  gate",
            "good      53/53        0.9  0.9007 to 1       0  test_a.py::test_fine",
            "skipped       -          -            -       -  test_a.py::test_skipped",
            "error         -        0.9  did not end       -  test_a.py::test_crash",
        ]
    )
    gates = suite.read_gates()
    assert (gates["test_crash"]["label"], gates["test_crash"]["error"]) == (None, "did not end")
    assert gates["test_fine"]["label"] == "good"
    assert gates["test_skipped"]["skipped"] == "not here"
    xml = (suite.pytester.path / "report.xml").read_text(encoding="utf-8")
    assert xml.count("<testcase") == 3
    assert 'tests="3"' in xml
