"""An identifier to try things on."""

import json

import pytest

import goodarm as ga


def make_identifier(algorithm="hdoc", **changes):
    problem = ga.Problem(**{"arms": ["a", "b", "c"], "threshold": 0.5, "delta": 0.05, **changes})
    return ga.Identifier(problem, algorithm, seed=7)


def assert_refused(ident, error, match, call):
    """The call raises, names what is wrong and changes nothing."""
    before = json.dumps(ident.to_dict())
    with pytest.raises(error, match=match):
        call()
    assert json.dumps(ident.to_dict()) == before
