"""KL-UCB: optimism measured by the divergence of 0/1 rewards, which knows that rare is certain."""

from goodarm.algorithm.sampling.rule import SamplingRule
from goodarm.kernels import codes

RULE = SamplingRule(
    name="kl-ucb",
    code=codes.KL_UCB,
    formula="argmax q, the largest with n kl(m, q) <= log(t)",
    reference="Garivier, Cappé 2011",
)
