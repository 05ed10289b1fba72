"""A gate against its twins: an Identifier of one arm, pull by pull, and check on its counts."""

import json
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.gate import Gate

ARM = "login"
PROBLEMS = {
    "plain": ga.Problem([ARM], threshold=0.6, delta=0.2, max_pulls=60),
    "margin": ga.Problem([ARM], threshold=0.6, delta=0.2, margin=0.15, max_pulls=60),
    "pool": ga.Problem([ARM], threshold=0.6, delta=0.2, pool=25),
    "pool and limit": ga.Problem([ARM], threshold=0.6, delta=0.2, margin=0.1, pool=40, max_pulls=9),
    "high": ga.Problem([ARM], threshold=0.9, delta=0.05, max_pulls=60),
}
OUTCOMES = st.sampled_from(["pass", "fail", "pass", "fail", "pass", "lost"])


def tell_both(gate, ident, number, pull, outcome):
    if outcome == "lost":
        gate.lose(number)
        ident.forget(pull)
    else:
        gate.tell(number, passed=outcome == "pass")
        ident.tell(pull, outcome == "pass")


def list_numbers(report):
    """All numbers but the moment of the label, which an identifier gives in pulls that came in.

    What waits behind workers who are silent is the identifier's own: a gate ends its runs itself.
    """
    return {**asdict(report), "labelled_at": report.labelled_at is not None, "waits": None}


def assert_alike(gate, ident):
    result = gate.result()
    assert list_numbers(result.report) == list_numbers(ident.explain(ARM))
    assert result.label == gate.label
    assert gate.is_done == ident.is_done
    assert bool(result) == (ident.verdict.good == [ARM])


@pytest.mark.parametrize("name", PROBLEMS)
@settings(max_examples=12)
@given(data=st.data())
def test_it_is_an_identifier_of_one_arm(name, data):
    """Whatever the outcomes, and in whatever order they come in."""
    compare_with_an_identifier(PROBLEMS[name], data)


@pytest.mark.large
@pytest.mark.parametrize("name", PROBLEMS)
@settings(max_examples=60)
@given(data=st.data())
def test_it_is_an_identifier_of_one_arm_at_length(name, data):
    compare_with_an_identifier(PROBLEMS[name], data)


def compare_with_an_identifier(problem, data):
    """Tell both the same, of runs that are begun and end as ``data`` has it."""
    gate, ident, out = Gate(problem), ga.Identifier(problem, seed=3), []
    lean = data.draw(st.sampled_from([["pass"], ["fail"], ["pass", "fail"]]), "lean")
    while not gate.is_done:
        is_full = not gate.is_open or len(out) >= 6
        if not out or (not is_full and data.draw(st.booleans(), "begin")):
            asked = ident.ask_many(1)  # none if what came in proves the label, whatever is missing
            if asked:
                out.append((gate.begin(), asked[0]))
                continue
        number, pull = out.pop(data.draw(st.integers(0, len(out) - 1), "which"))
        outcome = data.draw(st.one_of(OUTCOMES, st.sampled_from(lean)), "outcome")
        tell_both(gate, ident, number, pull, outcome)
        assert_alike(gate, ident)


@pytest.mark.parametrize("margin", [0.0, 0.15])
@settings(max_examples=40)
@given(outcomes=st.lists(st.booleans(), min_size=1, max_size=60))
def test_it_is_check_on_its_counts(margin, outcomes):
    gate = Gate(ga.Problem([ARM], threshold=0.6, delta=0.1, margin=margin))
    for outcome in outcomes:
        if gate.is_open:
            gate.tell(gate.begin(), outcome)
    counts = {ARM: (gate.pulls, gate.passes)}
    (row,) = ga.check(counts, threshold=0.6, delta=0.1, margin=margin)
    report = replace(gate.result().report, labelled_at=None, lost=None)  # not in a table of counts
    assert report == row


@settings(max_examples=40)
@given(st.lists(OUTCOMES, min_size=1, max_size=40), st.integers(0, 40))
def test_it_goes_on_from_an_earlier_answer(outcomes, cut):
    """Also from one that went through a JSON document."""
    problem = PROBLEMS["plain"]

    def told(gate, part):
        for outcome in part:
            if gate.is_open:
                number = gate.begin()
                gate.lose(number) if outcome == "lost" else gate.tell(number, outcome == "pass")
        return gate.result()

    whole, first = told(Gate(problem), outcomes), told(Gate(problem), outcomes[:cut])
    written = json.loads(json.dumps(first.to_dict(), allow_nan=False))
    assert ga.results.GateResult.from_dict(written) == first
    assert told(Gate(problem, first), outcomes[cut:]) == whole
    assert told(Gate(problem, ga.results.GateResult.from_dict(written)), outcomes[cut:]) == whole


def test_its_numbers_freeze_with_the_label():
    gate = Gate(PROBLEMS["plain"])
    ahead = [gate.begin() for _ in range(40)]
    for number in ahead:
        gate.tell(number, passed=True)
    result = gate.result()
    assert result.label == "good"
    assert result.pulls == result.passes < 40
    for number in range(result.pulls + 1, 41):
        gate.tell(number, passed=True)
    gate.lose_all()
    assert gate.result() == result
    assert not gate.is_open
    with pytest.raises(ga.errors.ProtocolError, match="is_open"):
        gate.begin()


def test_an_outcome_waits_for_its_predecessors():
    gate = Gate(PROBLEMS["plain"])
    first, second, third = (gate.begin() for _ in range(3))
    gate.tell(third, passed=True)
    gate.tell(second, passed=False)
    assert (gate.pulls, gate.num_in_progress) == (0, 3)
    gate.tell(first, passed=True)
    assert (gate.pulls, gate.passes, gate.num_in_progress) == (3, 2, 0)


def test_what_is_out_can_be_given_up_as_a_whole():
    gate = Gate(PROBLEMS["plain"])
    numbers = [gate.begin() for _ in range(4)]
    gate.tell(numbers[2], passed=True)
    gate.lose_all()
    result = gate.result()
    assert (result.pulls, result.passes, result.lost, result.failures) == (4, 1, 3, 0)
    assert "1 of 4 runs passed, 3 lost" in result.sentence


@pytest.mark.parametrize("is_entered", [True, False])
def test_an_outcome_is_told_once(is_entered):
    gate = Gate(PROBLEMS["plain"])
    first, second = gate.begin(), gate.begin()
    number = first if is_entered else second
    gate.tell(number, passed=True)
    before = gate.result()
    gate.tell(number, passed=True)
    with pytest.raises(
        ga.errors.ProtocolError, match=f"Repeat {number} has another outcome already"
    ):
        gate.tell(number, passed=False)
    with pytest.raises(ga.errors.ProtocolError, match="another outcome"):
        gate.lose(number)
    assert gate.result() == before


@pytest.mark.parametrize("number", [-1, 0, 2, 99])
def test_a_repeat_must_have_begun(number):
    gate = Gate(PROBLEMS["plain"])
    gate.begin()
    with pytest.raises(ga.errors.ProtocolError, match=f"Repeat {number} has not begun"):
        gate.tell(number, passed=True)


def test_a_repeat_of_the_earlier_answer_is_not_told_again():
    gate = Gate(PROBLEMS["plain"])
    gate.tell(gate.begin(), passed=True)
    later = Gate(PROBLEMS["plain"], gate.result())
    with pytest.raises(ga.errors.ProtocolError, match="Repeat 1 has not begun"):
        later.tell(1, passed=False)
    assert later.begin() == 2


def test_a_pool_is_used_up_and_says_so():
    gate = Gate(ga.Problem([ARM], threshold=0.5, delta=0.05, pool=4))
    for _ in range(4):
        gate.lose(gate.begin())
    result = gate.result()
    assert (gate.is_done, result.label, result.pulls_needed) == (True, "undecided", None)
    assert result.sentence == (
        "undecided: 0 of 4 cases passed, 4 lost; 0.5 lies within the interval 0 to 1; "
        "all its cases are used, and some were lost."
    )


@pytest.mark.parametrize(
    "problem",
    [
        ga.Problem(2, 0.5, 0.05),
        ga.Problem(1, 0.5, 0.05, rewards="bounded"),
        ga.Problem(1, 0.5, 0.05, rewards="gaussian", sigma=1.0),
        {"threshold": 0.5},
        None,
    ],
)
def test_it_has_one_arm_that_passes_or_fails(problem):
    with pytest.raises(ga.errors.SpecError, match="must have one arm, and rewards of 0 or 1"):
        Gate(problem)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"threshold": 0.7}, "threshold"),
        ({"delta": 0.1}, "delta"),
        ({"margin": 0.1}, "margin"),
        ({"pool": 30}, "pool"),
    ],
)
def test_the_question_stays_what_it_was(change, name):
    asked = {"threshold": 0.6, "delta": 0.2}
    so_far = Gate(ga.Problem([ARM], **asked)).result()
    with pytest.raises(ga.errors.SpecError, match=f"The '{name}' of Gate"):
        Gate(ga.Problem([ARM], **{**asked, **change}), so_far)


def test_the_limit_counts_earlier_runs_too():
    so_far = Gate(PROBLEMS["plain"])
    for _ in range(5):
        so_far.tell(so_far.begin(), passed=True)
    asked = {"threshold": 0.6, "delta": 0.2}
    for most, is_open in [(4, False), (5, False), (6, True), (None, True)]:
        gate = Gate(ga.Problem([ARM], **asked, max_pulls=most), so_far.result())
        assert gate.is_open is is_open
        assert gate.is_done is not is_open
