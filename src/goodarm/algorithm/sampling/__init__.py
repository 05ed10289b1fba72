"""Sampling rules, one file each.

A rule in Python is a subclass of ``SamplingRule``. A rule for the compiled engines is an
``IndexRule``: a file, its branches in ``kernels.dispatch``, and its entry in ``SAMPLING_RULES``.
"""

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
from goodarm.algorithm.sampling.rule import IndexRule, SamplingRule
from goodarm.algorithm.sampling.view import View

SAMPLING_RULES: dict[str, IndexRule] = {
    module.RULE.name: module.RULE
    for module in (hdoc, kl_moss, kl_ucb, moss, lucb_g, apt_g, apgai, round_robin)
}
"""List of all of goodarm's sampling rules, by name."""

__all__ = ["SAMPLING_RULES", "IndexRule", "SamplingRule", "View"]
