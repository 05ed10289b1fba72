"""Default weights of the mixture test's priors."""

from typing import Final

WEIGHTS: Final = (1.0, 4.0, 16.0, 64.0)
"""Weights in observations of the rarer outcome, for few pulls to many."""
