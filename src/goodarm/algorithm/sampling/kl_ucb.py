"""KL-UCB: optimism measured by the divergence of 0/1 rewards, which knows that rare is certain."""

from goodarm.algorithm.sampling.rule import IndexRule
from goodarm.kernels import codes

RULE = IndexRule(
    name="kl-ucb",
    code=codes.KL_UCB,
    is_line=False,
    has_clock=True,
    is_stepped=True,
    step_cost=1.0,
    formula="argmax q, the largest with n kl(m, q) <= log(t)",
    reference="Garivier, Cappé 2011; t in steps",
)
