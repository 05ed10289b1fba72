"""KL-MOSS: the exploration of MOSS with the divergence of KL-UCB."""

from goodarm.algorithm.sampling.rule import IndexRule
from goodarm.kernels import codes

RULE = IndexRule(
    name="kl-moss",
    code=codes.KL_MOSS,
    is_linear=False,
    has_clock=True,
    is_stepped=True,
    step_cost=1.0,
    formula="argmax q, the largest with n kl(m, q) <= max(0, log(t / (K n)))",
    reference="Ménard, Garivier 2017, kl-UCB++, in the anytime form of MOSS; t in steps",
)
