"""Sampling rules, one file each. A new one: a file, a branch in the kernels, an entry here."""

from goodarm.algorithm.sampling import (
    apgai,
    apt_g,
    hdoc,
    kl_moss,
    kl_ucb,
    lucb_g,
    moss,
    round_robin,
)
from goodarm.algorithm.sampling.rule import SamplingRule

SAMPLING_RULES: dict[str, SamplingRule] = {
    module.RULE.name: module.RULE
    for module in (hdoc, kl_moss, kl_ucb, moss, lucb_g, apt_g, apgai, round_robin)
}

__all__ = ["SAMPLING_RULES", "SamplingRule"]
