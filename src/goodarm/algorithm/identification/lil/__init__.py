"""Law of the iterated logarithm: the rule with its bound, and the parameters of its paper."""

from goodarm.algorithm.identification.lil.parameters import (
    MAX_WARMUP,
    LilParameters,
    lil_parameters,
)
from goodarm.algorithm.identification.lil.rule import Lil

__all__ = ["MAX_WARMUP", "Lil", "LilParameters", "lil_parameters"]
