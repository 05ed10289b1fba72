"""Conversion of the scores of an Inspect sample to one outcome, for logs and for live runs."""

from typing import Any, Final

from goodarm.errors import invalid_choice
from goodarm.logs.attempts import Outcome
from goodarm.logs.reader import LogOptions, invalid_log
from goodarm.logs.scores import PASS_MARK_REMEDY, find_score_outcome
from goodarm.wording import ErrorPlace, Text

_LETTER_SCORES: Final = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Scores of Inspect's letters: correct, incorrect, partial and no answer."""


def find_scores_outcome(
    scores: dict[str, Any], options: LogOptions, place: ErrorPlace, remedy: Text
) -> Outcome:
    """Return the outcome by the score of the only scorer, or of the one that was named.

    Args:
        scores: a dict with ``value`` for each scorer.
        options: ``score`` names the scorer, or scorer and value as ``"scorer.value"``; ``pass_at``
            is the pass mark.
        place: the place of the scores, for messages.
        remedy: how to name a scorer, for messages.

    Returns:
        ``"pass"``, ``"fail"``, ``"error"`` or ``"skip"``.

    Raises:
        SpecError: there are several scores, or the score is neither pass nor fail.

    >>> from goodarm.wording import Arg, phrase
    >>> choose = phrase("Choose one: {score}.", score=Arg("score", "SCORER"))
    >>> place = ErrorPlace("a.json", "sample", 1)
    >>> find_scores_outcome({"match": {"value": "C"}}, LogOptions(), place, choose)
    'pass'
    """
    scorer, _, inner = (options.score or "").partition(".")
    if not scorer:
        if len(scores) > 1:
            raise invalid_log("scores", place, "be one alone", list(scores), remedy)
        (scorer,) = scores
    if scorer not in scores:
        raise invalid_choice("score", "read_logs", scores, scorer, place=place)
    score = scores[scorer]
    value = score.get("value") if isinstance(score, dict) else None
    if isinstance(value, dict):
        if inner not in value:
            listing = [f"{scorer}.{name}" for name in value]
            raise invalid_log("score", place, "be one value alone", listing, remedy)
        value = value[inner]
    if isinstance(value, str):
        if value not in _LETTER_SCORES:
            raise invalid_choice("score", "read_logs", _LETTER_SCORES, value, place=place)
        if value == "P" and options.pass_at is None:
            raise invalid_log("score", place, "be C, I or N, not partial", value, PASS_MARK_REMEDY)
        value = _LETTER_SCORES[value]
    return find_score_outcome(value, options, place)
