"""KL-UCB: optimism by the divergence of 0/1 rewards, which vary little if their mean is near 0."""

from goodarm.algorithm.sampling.rule import IndexRule
from goodarm.kernels import codes

RULE = IndexRule(
    name="kl-ucb",
    code=codes.KL_UCB,
    is_linear=False,
    has_clock=True,
    is_stepped=True,
    step_cost=1.0,
    formula="argmax q, the largest with n kl(m, q) <= log(t)",
    reference="Garivier, Cappé 2011; t in steps",
)
