"""The algorithms that have a name."""

from dataclasses import dataclass
from typing import Any

from goodarm.algorithm.compose import Algorithm
from goodarm.errors import must_be_one_of

_DELTA_CORRECT = "any wrong label with probability at most delta"


@dataclass(frozen=True)
class AlgorithmInfo:
    """What a reader wants to know of a named algorithm, and the algorithm itself."""

    name: str
    finds: str
    guarantee: str
    reference: str
    algorithm: Algorithm

    def to_dict(self) -> dict[str, Any]:
        """The entry as JSON."""
        return {
            "name": self.name,
            "finds": self.finds,
            "guarantee": self.guarantee,
            "reference": self.reference,
            "pulls": self.algorithm.sampling.formula,
            "decides": self.algorithm.identification.formula,
            "algorithm": self.algorithm.to_dict(),
        }


def _info(
    name: str, finds: str, reference: str, sampling: str, identification: str
) -> AlgorithmInfo:
    parts = Algorithm(sampling=sampling, identification=identification, warmup="paper", name=name)
    return AlgorithmInfo(name, finds, _DELTA_CORRECT, reference, parts)


_KANO = "Kano et al. 2019"

_REGISTRY: dict[str, AlgorithmInfo] = {
    info.name: info
    for info in (
        _info("hdoc", "the best arms first", _KANO, "hdoc", "hoeffding"),
        _info("lucb-g", "arms by upper bound", _KANO, "lucb-g", "hoeffding"),
        _info("apt-g", "the least clear arms first", _KANO, "apt-g", "hoeffding"),
        _info(
            "lil-hdoc",
            "the best arms first; fewer pulls for small gaps",
            "Tsai, Tsai, Lin, lil'HDoC",
            "hdoc",
            "lil",
        ),
    )
}


def algorithms() -> dict[str, AlgorithmInfo]:
    """The named algorithms, by name.

    >>> list(algorithms())
    ['hdoc', 'lucb-g', 'apt-g', 'lil-hdoc']
    """
    return dict(_REGISTRY)


def as_algorithm(algorithm: object, owner: str) -> Algorithm:
    """An Algorithm as it is, or the one that has this name."""
    if isinstance(algorithm, Algorithm):
        return algorithm
    if not isinstance(algorithm, str) or algorithm not in _REGISTRY:
        raise must_be_one_of("algorithm", owner, _REGISTRY, algorithm)
    return _REGISTRY[algorithm].algorithm
