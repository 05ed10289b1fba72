"""Round robin: the arm pulled least often so far."""

from goodarm.algorithm.sampling.rule import SamplingRule
from goodarm.kernels import codes

RULE = SamplingRule(
    name="round-robin",
    code=codes.ROUND_ROBIN,
    formula="argmin n",
    reference="the plain baseline",
)
