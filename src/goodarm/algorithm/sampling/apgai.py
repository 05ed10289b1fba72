"""APGAI's sampling rule: the arm that looks surest to be good, else the one nearest to it.

While some mean is above the threshold it pulls the arm with the largest sqrt(n) (m - threshold),
otherwise the arm with the smallest sqrt(n) (threshold - m): one index. An arm beside the threshold
can keep it from the others, and while some mean is above the
threshold a batch goes to one arm, because pulls that are out raise its index.
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
