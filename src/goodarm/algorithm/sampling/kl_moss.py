"""KL-MOSS: explores like MOSS and measures distance like KL-UCB."""

from goodarm.algorithm.sampling.rule import SamplingRule
from goodarm.kernels import codes

RULE = SamplingRule(
    name="kl-moss",
    code=codes.KL_MOSS,
    formula="argmax q, the largest with n kl(m, q) <= max(0, log(t / (K n)))",
    reference="Ménard, Garivier 2017, kl-UCB++, in the anytime form of MOSS",
)
