"""HDoC's sampling rule: optimism for the best arm."""

from goodarm.algorithm.sampling.rule import IndexRule
from goodarm.kernels import codes

RULE = IndexRule(
    name="hdoc",
    code=codes.HDOC,
    has_clock=True,
    formula="argmax m + sqrt(log(t) / (2 n))",
    reference="Kano, Honda, Sakamaki, Matsuura, Nakamura, Sugiyama 2019, Algorithm 1",
)
