"""The algorithms that have a name."""

from dataclasses import dataclass
from typing import Any, Literal

from goodarm.algorithm.compose import Algorithm
from goodarm.algorithm.warmup import Warmup
from goodarm.errors import must_be_one_of
from goodarm.problem import Problem

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
    name: str,
    finds: str,
    reference: str,
    sampling: str,
    identification: str,
    warmup: Literal["paper"] | Warmup = "paper",
) -> AlgorithmInfo:
    parts = Algorithm(sampling=sampling, identification=identification, warmup=warmup, name=name)
    return AlgorithmInfo(name, finds, _DELTA_CORRECT, reference, parts)


_KANO = "Kano et al. 2019"
_TESTED_AT_ONCE = Warmup(1, identify_during_warmup=True)

_REGISTRY: dict[str, AlgorithmInfo] = {
    info.name: info
    for info in (
        _info(
            "e-hdoc",
            "the best arms first; the fewest pulls where rewards are 0 or 1",
            "goodarm: KL-MOSS and the mixture test",
            "kl-moss",
            "mixture",
            _TESTED_AT_ONCE,
        ),
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
        _info(
            "apgai",
            "one good arm, or that there is none",
            "Jourdan, Réda 2023, with the mixture test",
            "apgai",
            "mixture",
            _TESTED_AT_ONCE,
        ),
        _info(
            "cho2025",
            "the best arms first; for any rewards in a range",
            "Cho, Meier, Gan, Kallus 2025, Algorithm 2",
            "moss",
            "kelly",
            _TESTED_AT_ONCE,
        ),
    )
}


def algorithms() -> dict[str, AlgorithmInfo]:
    """The named algorithms, by name.

    >>> list(algorithms())
    ['e-hdoc', 'hdoc', 'lucb-g', 'apt-g', 'lil-hdoc', 'apgai', 'cho2025']
    """
    return dict(_REGISTRY)


def as_algorithm(algorithm: object, owner: str) -> Algorithm:
    """An Algorithm as it is, or the one that has this name."""
    if isinstance(algorithm, Algorithm):
        return algorithm
    if not isinstance(algorithm, str) or algorithm not in _REGISTRY:
        raise must_be_one_of("algorithm", owner, _REGISTRY, algorithm)
    return _REGISTRY[algorithm].algorithm


def chosen_algorithm(algorithm: object, problem: Problem, owner: str) -> Algorithm:
    """The algorithm given, or the default: ``e-hdoc``, for Gaussian rewards ``hdoc``."""
    if algorithm is None:
        algorithm = "hdoc" if problem.rewards == "gaussian" else "e-hdoc"
    return as_algorithm(algorithm, owner)
