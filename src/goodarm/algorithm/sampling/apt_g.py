"""APT-G's sampling rule: the arm whose side of the threshold is least clear.

One arm on the threshold can starve the others: its index stays near zero however often it is
pulled, and is exactly zero, in a batch too, while its mean is the threshold. The unknown gap keeps
a batch from going to one arm all of whose pulls are pending.
"""

from goodarm.algorithm.sampling.rule import IndexRule
from goodarm.kernels import codes

RULE = IndexRule(
    name="apt-g",
    code=codes.APT_G,
    formula="argmin sqrt(n) |threshold - m|",
    reference="Kano et al. 2019, after Locatelli, Gutzeit, Carpentier 2016",
    can_starve=True,
    unknown_gap=0.5,
)
