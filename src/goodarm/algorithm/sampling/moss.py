"""MOSS-anytime: optimism that fades for arms with more than their share of pulls."""

from goodarm.algorithm.sampling.rule import IndexRule
from goodarm.kernels import codes

RULE = IndexRule(
    name="moss",
    code=codes.MOSS,
    is_linear=False,
    has_clock=True,
    formula="argmax m + sqrt(.525 max(0, log(t / (K n))) / n)",
    reference="Degenne, Perchet 2016, with the constant of Cho, Meier, Gan, Kallus 2025",
)
