"""Labels of arms: words for people, codes for arrays."""

from typing import Final, Literal

Label = Literal["good", "bad", "undecided"]

LABELS: Final[dict[int, Label]] = {1: "good", -1: "bad", 0: "undecided"}
"""Labels by their codes in arrays."""
CODES: Final[dict[Label, int]] = {label: code for code, label in LABELS.items()}
