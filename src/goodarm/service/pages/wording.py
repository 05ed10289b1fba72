"""Wording of the pages' errors."""

from typing import Final

from goodarm.errors import GoodArmError
from goodarm.service.problems import Refusal
from goodarm.wording import FormWording

PAGE_WORDING: Final = FormWording({})
"""Wording of a page without a form."""


def explain_refusal(error: GoodArmError | Refusal, words: FormWording = PAGE_WORDING) -> str:
    """Return the text of an error, in the words of a page."""
    if not isinstance(error, Refusal):
        return words.sentence(error)
    return error.detail if error.error is None else words.sentence(error.error)
