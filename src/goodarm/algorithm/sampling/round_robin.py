"""Round robin: the arm pulled least often so far."""

from goodarm.algorithm.sampling.rule import IndexRule
from goodarm.kernels import codes

RULE = IndexRule(
    name="round-robin",
    code=codes.ROUND_ROBIN,
    formula="argmin n",
    reference="the plain baseline",
)
