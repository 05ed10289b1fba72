"""Beside the plugins that people have: each of them on a gate, and on a plain test after it."""

import pytest


def test_parametrized_tests_are_gates_of_their_own(suite):
    suite.write(
        test_a="""
        coins = {rate: coin(rate, 1) for rate in (0.5, 0.99)}

        @pytest.mark.goodarm(threshold=0.9)
        @pytest.mark.parametrize("rate", [0.5, 0.99])
        def test_a(rate):
            assert coins[rate]()
        """
    )
    gates = suite.gates(passed=1, failed=1)
    assert [gate["label"] for gate in gates.values()] == ["bad", "good"]


ASYNC = """
    import asyncio

    flip = coin(0.5, 2)

    {fixture}
    async def own():
        note("+own")
        yield asyncio.get_running_loop()
        note("-own")

    class TestA:
        @pytest.mark.goodarm(threshold=0.5)
        {mark}
        async def test_good(self, own):
            assert own is asyncio.get_running_loop()
            assert not hasattr(self, "state")
            self.state = 1
            await asyncio.sleep(0)

    @pytest.mark.goodarm(threshold=0.9)
    {mark}
    async def test_bad():
        await asyncio.sleep(0)
        assert flip()

    {mark}
    async def test_plain(own):
        pass
    """


@pytest.mark.companions
@pytest.mark.parametrize("plugin", ["asyncio", "anyio"])
def test_async_tests(suite, plugin):
    fixture = "@pytest_asyncio.fixture" if plugin == "asyncio" else "@pytest.fixture"
    text = ASYNC.format(fixture=fixture, mark=f"@pytest.mark.{plugin}")
    more = "import pytest_asyncio\n" if plugin == "asyncio" else ""
    if plugin == "anyio":
        more = "import pytest\n\n@pytest.fixture\ndef anyio_backend():\n    return 'asyncio'\n"
    suite.pytester.makepyfile(made=(suite.pytester.path / "made.py").read_text() + "\n" + more)
    suite.write(test_a=text)
    gates = suite.gates(passed=2, failed=1)
    assert {gate["label"] for gate in gates.values()} == {"good", "bad"}
    assert suite.notes == ["+own", "-own"] * 10


RANDOM = """
    import random

    @pytest.fixture
    def drawn():
        return random.random()

    @pytest.mark.goodarm(threshold=0.5)
    def test_a(drawn):
        note(f"{drawn} {random.random()}")

    def test_plain():
        note(f"plain {random.random()}")
    """


@pytest.mark.companions
def test_with_randomly_repeats_differ_and_the_seed_repeats_them(suite):
    suite.write(test_a=RANDOM)
    drawn = []
    for seed in (7, 7, 8):
        (suite.pytester.path / "notes.txt").unlink(missing_ok=True)
        suite.run(f"--randomly-seed={seed}", "--randomly-dont-reorganize", passed=2)
        drawn.append(suite.notes)
    first, again, other = drawn
    assert first == again != other
    assert len(set(first)) == len(first) == 2 * 9 + 2
    # A plain test draws what it would draw without a gate before it.
    (suite.pytester.path / "notes.txt").unlink()
    suite.run("--randomly-seed=7", "-k", "plain", passed=1, deselected=1)
    assert suite.notes == first[-2:]


@pytest.mark.companions
@pytest.mark.parametrize(
    ("mark", "options", "asker"),
    [
        ("@pytest.mark.flaky(reruns=3)", ["-p", "no:flaky"], "the mark 'flaky'"),
        ("", ["--reruns=3", "-p", "no:flaky"], "--reruns"),
        ("", ["-o", "reruns=3", "-p", "no:flaky"], "the ini setting 'reruns'"),
        ("@flaky(max_runs=3)", ["-p", "no:rerunfailures"], "the decorator 'flaky'"),
        ("@pytest.mark.flaky(max_runs=3)", ["-p", "no:rerunfailures"], "the mark 'flaky'"),
        ("", ["--force-flaky", "-p", "no:rerunfailures"], "--force-flaky"),
    ],
)
def test_gates_are_never_rerun_and_told_off(suite, mark, options, asker):
    suite.write(
        test_a=f"""
        from flaky import flaky

        flip = coin(0.5, 1)

        @pytest.mark.goodarm(threshold=0.9)
        {mark}
        def test_gate():
            note("run")
            assert flip()
        """
    )
    suite.add_ini("    default::goodarm.plugins.pytest.GateWarning")
    gates = suite.gates(*options, failed=1, warnings=1)
    assert len(suite.notes) == gates["test_gate"]["pulls"]
    result = suite.run(*options, failed=1, warnings=1)
    result.stdout.fnmatch_lines([f"*GateWarning: test_a.py::test_gate is a gate, so {asker} *"])


@pytest.mark.companions
def test_plain_tests_are_still_rerun(suite):
    suite.write(
        test_a="""
        runs = []

        @pytest.mark.goodarm(threshold=0.5)
        def test_gate():
            pass

        def test_plain():
            runs.append(1)
            assert len(runs) == 3
        """
    )
    suite.add_ini("    default::goodarm.plugins.pytest.GateWarning")
    result = suite.pytester.runpytest_inprocess("--reruns=3", "-p", "no:flaky", "-p", "no:randomly")
    result.assert_outcomes(passed=2, warnings=1)
    assert result.parseoutcomes()["rerun"] == 2


@pytest.mark.companions
def test_an_error_in_place_of_the_warning_is_one_of_the_gate(suite):
    suite.write(
        test_a="""
        @pytest.mark.goodarm(threshold=0.5)
        @pytest.mark.flaky(reruns=3)
        def test_gate():
            note("run")
        """
    )
    suite.run("-p", "no:flaky", errors=1)
    assert suite.notes == []


def test_libraries_that_raise_assertion_errors_of_their_own(suite):
    suite.write(
        test_a="""
        class Broken(AssertionError):
            pass

        flip, flop = coin(0.5, 5), coin(0.5, 6)

        @pytest.mark.goodarm(threshold=0.9)
        def test_a():
            if flip():
                raise Broken("a soft assertion")

        @pytest.mark.goodarm(threshold=0.9)
        def test_b():
            if flop():
                pytest.fail("in words")
        """
    )
    gates = suite.gates(failed=2)
    assert {gate["label"] for gate in gates.values()} == {"bad"}


def test_exit_first_last_failed_and_durations(suite):
    suite.write(
        test_a="""
        import time

        flip = coin(0.5, 1)

        @pytest.mark.goodarm(threshold=0.5, max_runs=20)
        def test_good():
            time.sleep(0.01)

        @pytest.mark.goodarm(threshold=0.9)
        def test_bad():
            assert flip()

        def test_after():
            note("after")
        """
    )
    result = suite.run("-x", "--durations=1", passed=1, failed=1)
    result.stdout.fnmatch_lines(["*slowest 1 durations*", "?.??s call * test_a.py::test_good"])
    seconds = float(result.stdout.str().partition("slowest 1 durations")[2].split("\n")[1][:4])
    assert seconds >= 0.09  # nine runs of .01 s
    assert suite.notes == []
    gates = suite.gates("--lf", failed=1)
    assert list(gates) == ["test_bad"]
    suite.run("--maxfail=2", passed=2, failed=1)
