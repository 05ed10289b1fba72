"""LUCB-G's sampling rule: the highest upper confidence bound (Hoeffding).

The lil'HDoC paper prints the division by delta outside the logarithm; that is a misprint.
"""

from goodarm.algorithm.sampling.rule import IndexRule
from goodarm.kernels import codes

RULE = IndexRule(
    name="lucb-g",
    code=codes.LUCB_G,
    formula="argmax m + sqrt(log(4 K n^2 / delta) / (2 n))",
    reference="Kano et al. 2019, after Kalyanakrishnan, Tewari, Auer, Stone 2012",
)
