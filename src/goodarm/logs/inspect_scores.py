"""Scores that Inspect's scorers give a sample, to one outcome: for its logs and while it runs."""

from typing import Any, Final

from goodarm.errors import Hint, must, must_be_one_of
from goodarm.logs.attempt import Outcome
from goodarm.logs.reader import Options
from goodarm.logs.scores import PASS_MARK, outcome_of

_LETTERS: Final = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Inspect's correct, incorrect, partial and no answer."""


def outcome_of_scores(
    scores: dict[str, Any], options: Options, place: str, remedy: Hint
) -> Outcome:
    """By the score of the one scorer, or of the one that was named.

    Args:
        scores: of each scorer, what it wrote: a dict with ``value``.
        options: ``score`` names the scorer, or the value within its values; ``pass_at`` the mark.
        place: where the scores stand, for messages.
        remedy: how to name a scorer there.

    >>> choose = Hint("Choose one: score='SCORER'.", "Choose one: --score SCORER.")
    >>> outcome_of_scores({"match": {"value": "C"}}, Options(), "a.json, sample 1", choose)
    'pass'
    """
    scorer, _, inner = (options.score or "").partition(".")
    if not scorer:
        if len(scores) > 1:
            raise must("scores", place, "be one alone", list(scores), remedy)
        (scorer,) = scores
    if scorer not in scores:
        raise must_be_one_of("score", place, scores, scorer)
    score = scores[scorer]
    value = score.get("value") if isinstance(score, dict) else None
    if isinstance(value, dict):
        if inner not in value:
            listing = [f"{scorer}.{name}" for name in value]
            raise must("score", place, "be one value alone", listing, remedy)
        value = value[inner]
    if isinstance(value, str):
        if value not in _LETTERS:
            raise must_be_one_of("score", place, _LETTERS, value)
        if value == "P" and options.pass_at is None:
            raise must("score", place, "be C, I or N, not partial", value, PASS_MARK)
        value = _LETTERS[value]
    return outcome_of(value, options, place)
