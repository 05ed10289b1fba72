"""The bound of the law of the iterated logarithm: the rule, and the parameters of its paper."""

from goodarm.algorithm.identification.lil.parameters import (
    MAX_WARMUP,
    LilParameters,
    lil_parameters,
)
from goodarm.algorithm.identification.lil.rule import Lil

__all__ = ["MAX_WARMUP", "Lil", "LilParameters", "lil_parameters"]
