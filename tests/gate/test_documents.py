"""What a gate answers: words, truth and documents."""

import copy
import json
import pickle

import pytest

import goodarm as ga
from goodarm.gate import Gate


def answer(passes, failures, lost=0, **options):
    asked = {"threshold": 0.9, "delta": 0.05, **options}
    gate = Gate(ga.Problem(["login"], **asked))
    for outcome in [True] * passes + [False] * failures:
        if gate.is_open:
            gate.tell(gate.begin(), outcome)
    for _ in range(lost):
        gate.lose(gate.begin())
    return gate.result()


GOOD, BAD, OPEN, NONE = answer(53, 0), answer(0, 9), answer(20, 1), answer(0, 0)
LOST, MARGIN, POOL = answer(20, 1, lost=2), answer(53, 0, margin=0.09), answer(20, 0, pool=100)
ALL = [GOOD, BAD, OPEN, NONE, LOST, MARGIN, POOL]


def test_only_good_is_true():
    assert [bool(result) for result in (GOOD, BAD, OPEN, NONE)] == [True, False, False, False]
    assert [result.label for result in (GOOD, BAD, OPEN, NONE)] == [
        "good",
        "bad",
        "undecided",
        "undecided",
    ]


def test_the_sentence_says_what_is_proven():
    assert GOOD.sentence == (
        "good: 53 of 53 runs passed; the pass rate is at least 0.9 (interval 0.9007 to 1)."
    )
    assert BAD.sentence.startswith("bad: 0 of ")
    assert "; the pass rate is below 0.9 (interval 0 to 0." in BAD.sentence
    assert "20 of 21 runs passed; 0.9 lies within the interval" in OPEN.sentence
    assert "20 of 23 runs passed, 2 lost; " in LOST.sentence
    assert "20 of 20 cases passed; " in POOL.sentence
    assert NONE.sentence == "undecided: no run has finished yet."
    assert "; the pass rate is at least 0.81 (interval 0.8" in MARGIN.sentence
    assert "12,000 of 12,001 runs" in answer(12000, 1, threshold=0.99999).sentence
    assert "; 0.99999 lies within" in answer(12, 0, threshold=0.99999).sentence
    assert "; 0.9999999 lies within" in answer(12, 0, threshold=0.9999999).sentence
    assert repr(GOOD) == f"<GateResult of login: {GOOD.sentence}>"


@pytest.mark.parametrize("result", ALL)
def test_the_interval_crosses_the_bar_exactly_with_the_label(result):
    if result is NONE:
        assert result.interval is None
        return
    lower, upper = result.interval
    assert (lower >= result.threshold - result.margin) == (result.label == "good")
    assert (upper <= result.threshold + result.margin) == (result.label == "bad")
    assert result.passes + result.failures + result.lost == result.pulls


@pytest.mark.parametrize("result", ALL)
def test_it_comes_back_from_a_document_and_a_pickle(result):
    text = json.dumps(result.to_dict(), allow_nan=False)
    assert ga.results.GateResult.from_dict(json.loads(text)) == result
    assert pickle.loads(pickle.dumps(result)) == copy.deepcopy(result) == result


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "verdict"}, "The 'kind' of the gate document must be 'gate'"),
        ({"format": 2}, "newer goodarm"),
        ({"pulls": -1}, "The 'pulls' of the gate document"),
        ({"passes": 54}, "The 'passes' of the gate document"),
        ({"lost": 1}, "The 'lost' of the gate document"),
        ({"price": 2.5}, "The gate document has keys unknown to goodarm .*: 'price'"),
        ({"label": "great"}, "The 'label' of the gate document must be one of"),
    ],
)
def test_a_document_that_is_none_is_refused(change, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.results.GateResult.from_dict({**GOOD.to_dict(), **change})


@pytest.mark.parametrize("name", ["pulls", "label", "threshold", "arm", "pool"])
def test_a_document_lacks_nothing(name):
    document = GOOD.to_dict()
    del document[name]
    with pytest.raises(ga.errors.SpecError, match=f"lacks '{name}'"):
        ga.results.GateResult.from_dict(document)


def test_it_is_no_mapping():
    with pytest.raises(ga.errors.SpecError, match="must be a JSON object"):
        ga.results.GateResult.from_dict([1])
