"""APGAI's sampling rule: the arm most surely good, else the arm least surely bad.

While some mean is above the threshold it pulls the arm with the largest sqrt(n) (m - threshold),
otherwise the arm with the smallest sqrt(n) (threshold - m): one index. An arm next to the threshold
can starve the others. While some mean is above the threshold a whole batch goes to one arm, because
pending pulls raise its index.
"""

from goodarm.algorithm.sampling.rule import IndexRule
from goodarm.kernels import codes

RULE = IndexRule(
    name="apgai",
    code=codes.APGAI,
    formula="argmax sqrt(n) (m - threshold)",
    reference="Jourdan, Réda: An Anytime Algorithm for Good Arm Identification, 2023",
    can_starve=True,
)
