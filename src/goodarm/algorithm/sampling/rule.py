"""What a sampling rule is: a name, its code in the kernels and what a reader wants to know."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SamplingRule:
    """Chooses the arm to pull next.

    Args:
        name: how users and documents call it.
        code: its branch in ``kernels.index``.
        formula: the arm it pulls, in the notation of the docs.
        reference: where it comes from.
        can_starve: whether an arm on the threshold can keep it from the other arms for good.
        unknown_gap: the distance from the threshold, in unit rewards, that stands for the mean of
            an arm none of whose pulls has come back yet.
    """

    name: str
    code: int
    formula: str
    reference: str
    can_starve: bool = False
    unknown_gap: float = 0.0
