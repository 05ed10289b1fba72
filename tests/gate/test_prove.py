"""One function, called until its pass rate is proven: its outcomes, errors and arguments."""

import numpy as np
import pytest

import goodarm as ga
from goodarm.gate import Gate


class Tape:
    """Outcomes in a fixed order, as a function without arguments; counts its calls."""

    def __init__(self, outcomes):
        self.outcomes, self.calls = outcomes, 0

    def __call__(self):
        self.calls += 1
        outcome = self.outcomes[self.calls - 1]
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    async def later(self):
        return self()


def rates(rate, seed=0, size=400):
    return (np.random.default_rng(seed).random(size) < rate).tolist()


def prove_by_gate(outcomes, threshold=0.9, **options):
    asked = {"delta": 0.05, "max_pulls": 300, **options}
    gate = Gate(ga.Problem(["Tape"], threshold, **asked))
    for outcome in outcomes:
        if not gate.is_open:
            break
        gate.tell(gate.begin(), outcome)
    return gate.result()


@pytest.mark.parametrize("margin", [0.0, 0.05])
@pytest.mark.parametrize("rate", [1.0, 0.97, 0.9, 0.8, 0.5, 0.0])
def test_it_is_a_gate_that_is_told_what_the_function_returns(rate, margin):
    for seed in range(5):
        tape = Tape(rates(rate, seed))
        result = ga.prove(tape, threshold=0.9, margin=margin)
        assert result == prove_by_gate(tape.outcomes, margin=margin)
        assert tape.calls == result.pulls <= 300


def function():
    return True


def test_one_way_of_answering():
    with pytest.raises(ga.errors.SpecError, match="None in one run and an answer in another"):
        ga.prove(Tape([True, None]), threshold=0.5)
    with pytest.raises(ga.errors.SpecError, match="None in one run and an answer in another"):
        ga.prove(Tape([AssertionError(), None, False]), threshold=0.5)


@pytest.mark.parametrize(
    ("fails_on", "error"),
    [
        ((), AssertionError("no")),
        (TimeoutError, TimeoutError("slow")),
        ([KeyError, TimeoutError], TimeoutError("slow")),
        (LookupError, KeyError("x")),
        ({ValueError}, ValueError()),
        (Exception, ZeroDivisionError()),
        (BaseException, SystemExit()),
    ],
)
@pytest.mark.parametrize("jobs", [1, 3])
def test_exceptions_that_are_failures(fails_on, error, jobs):
    def run_once():
        raise error

    result = ga.prove(run_once, threshold=0.5, fails_on=fails_on, jobs=jobs)
    assert (result.label, result.passes, result.lost) == ("bad", 0, 0)


@pytest.mark.parametrize(
    "error", [ValueError, KeyError, StopIteration, SystemExit, KeyboardInterrupt, GeneratorExit]
)
def test_other_exceptions_come_out_with_what_was_counted(error):
    tape = Tape([True, False, True, error("boom"), True])
    with pytest.raises(error) as raised:
        ga.prove(tape, threshold=0.9)
    so_far = raised.value.so_far
    assert (so_far.pulls, so_far.passes, so_far.failures, so_far.lost) == (4, 2, 1, 1)
    assert any("goodarm, so far: undecided: 2 of 4" in note for note in raised.value.__notes__)
    assert tape.calls == 4


def test_one_goes_on_from_what_was_counted():
    """A run that is lost counts as the worst for either label, and the rest as ever."""
    outcomes = [True] * 20 + [OSError("down")] + [True] * 200
    tape = Tape(outcomes)
    with pytest.raises(OSError, match="down") as raised:
        ga.prove(tape, threshold=0.9)
    result = ga.prove(tape, threshold=0.9, so_far=raised.value.so_far)
    gate = Gate(ga.Problem(["Tape"], 0.9, 0.05, max_pulls=300))
    for outcome in outcomes:
        if gate.is_open:
            number = gate.begin()
            gate.lose(number) if isinstance(outcome, OSError) else gate.tell(number, outcome)
    assert result == gate.result()
    assert (result.label, result.lost, tape.calls) == ("good", 1, result.pulls)


def test_a_labelled_answer_is_not_run_again():
    good = ga.prove(function, threshold=0.5)
    never = Tape([])
    again = ga.prove(never, threshold=0.5, so_far=good)
    assert (again.label, again.pulls, never.calls) == ("good", good.pulls, 0)


def test_more_runs_may_be_allowed_later():
    tape = Tape(rates(0.95, seed=5))
    first = ga.prove(tape, threshold=0.9, max_runs=53)
    assert (first.label, first.pulls) == ("undecided", 53)
    assert ga.prove(tape, threshold=0.9, so_far=first, max_runs=None) == ga.prove(
        Tape(tape.outcomes), threshold=0.9, max_runs=None
    )


def test_progress_is_told_after_each_run():
    seen = []
    result = ga.prove(
        Tape(rates(0.5)), threshold=0.9, progress=lambda *given: seen.append(given), max_runs=77
    )
    assert [runs for runs, _, _ in seen] == list(range(1, result.pulls + 1))
    assert seen[-1] == (result.pulls, result.passes, 77)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_progress_that_raises_loses_nothing(jobs):
    def progress(runs, passes, most):
        if runs >= 3:
            raise RuntimeError("the pipe is closed")

    with pytest.raises(RuntimeError, match="the pipe is closed") as raised:
        ga.prove(function, threshold=0.9, jobs=jobs, progress=progress)
    assert raised.value.so_far.passes >= 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"run_once": None}, "The 'run_once' of prove must be a function"),
        ({"run_once": True}, "The 'run_once' of prove must be a function"),
        ({"threshold": 1.5}, "The 'threshold' of prove"),
        ({"threshold": 1.0}, r"of prove .* between 0 and 1; got 1.0. No number of runs proves"),
        ({"threshold": 90}, r"got 90. Write a pass rate as a fraction: 0.9 is 90 %."),
        ({"threshold": 0}, r"of prove .* between 0 and 1; got 0.$"),
        ({"threshold": "high"}, "The 'threshold' of prove"),
        ({"delta": 0}, "The 'delta' of prove"),
        ({"delta": 1}, "The 'delta' of prove"),
        ({"max_runs": 0}, "The 'max_runs' of prove"),
        ({"max_runs": 2.5}, "The 'max_runs' of prove"),
        ({"margin": -0.1}, "The 'margin' of prove"),
        ({"margin": 0.5}, "The 'margin' of prove"),
        ({"jobs": 0}, "The 'jobs' of prove"),
        ({"jobs": True}, "The 'jobs' of prove"),
        ({"jobs": 5000}, "The 'jobs' of prove"),
        ({"progress": "bar"}, "The 'progress' of prove"),
        ({"so_far": {"pulls": 3}}, "The 'so_far' of prove"),
        ({"fails_on": 5}, "The 'fails_on' of prove must hold classes of exceptions; got 5"),
        ({"fails_on": None}, "The 'fails_on' of prove"),
        ({"fails_on": "ValueError"}, "The 'fails_on' of prove"),
        ({"fails_on": int}, "The 'fails_on' of prove"),
        ({"fails_on": [ValueError()]}, "The 'fails_on' of prove"),
    ],
)
def test_bad_arguments_are_named_before_the_first_run(options, message):
    tape = Tape([])
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.prove(**{"run_once": tape, "threshold": 0.9, **options})
    assert tape.calls == 0


def test_a_text_is_no_exception():
    with pytest.raises(ga.errors.SpecError, match="got 'OSError'"):
        ga.prove(lambda: True, threshold=0.9, fails_on="OSError")
