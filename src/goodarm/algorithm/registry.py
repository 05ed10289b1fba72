"""Registry of named algorithms."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal

from goodarm.algorithm.algorithm import Algorithm
from goodarm.algorithm.identification import Betting, HalfNormal, IdentificationRule
from goodarm.algorithm.warmup import Warmup
from goodarm.errors import invalid_choice
from goodarm.problem import Problem, Rewards

DEFAULT: Final = "e-hdoc"
_DELTA_CORRECT = "any wrong label with probability at most delta"


@dataclass(frozen=True)
class AlgorithmInfo:
    """Named algorithm with its purpose, guarantee and reference.

    Args:
        name: its name.
        finds: what it is for.
        guarantee: what it guarantees.
        reference: the paper.
        algorithm: its form for 0/1 rewards.
        others: its forms for kinds of rewards that need another test.

    >>> algorithms()["hdoc"].algorithm.name
    'hdoc'
    """

    name: str
    finds: str
    guarantee: str
    reference: str
    algorithm: Algorithm
    others: Mapping[Rewards, Algorithm] = field(default_factory=dict)

    def for_rewards(self, rewards: Rewards) -> Algorithm:
        """Return the form for this kind of rewards.

        Args:
            rewards: ``"bernoulli"``, ``"bounded"`` or ``"gaussian"``.
        """
        return self.others.get(rewards, self.algorithm)

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as JSON."""
        others = {
            rewards: {"decides": form.identification.formula, "algorithm": form.to_dict()}
            for rewards, form in self.others.items()
        }
        return {
            "name": self.name,
            "finds": self.finds,
            "guarantee": self.guarantee,
            "reference": self.reference,
            "pulls": self.algorithm.sampling.formula,
            "decides": self.algorithm.identification.formula,
            "algorithm": self.algorithm.to_dict(),
            "others": others,
        }


def _make_info(
    name: str,
    finds: str,
    reference: str,
    sampling: str,
    identification: str,
    warmup: Literal["paper"] | Warmup = "paper",
    others: Mapping[Rewards, IdentificationRule] = MappingProxyType({}),
) -> AlgorithmInfo:
    def form(rule: str | IdentificationRule) -> Algorithm:
        return Algorithm(sampling=sampling, identification=rule, warmup=warmup, name=name)

    forms = {rewards: form(rule) for rewards, rule in others.items()}
    return AlgorithmInfo(name, finds, _DELTA_CORRECT, reference, form(identification), forms)


_KANO = "Kano et al. 2019"
_DEFAULT_TESTS: Final[Mapping[Rewards, IdentificationRule]] = {
    "bounded": Betting(gamblers=10, tilt=0.5, tail=5, widen=True),
    "gaussian": HalfNormal(),
}
"""Tests of the default algorithm for rewards that are not 0 or 1."""
_TEST_FROM_FIRST_PULL = Warmup(1, identify_during_warmup=True)

_REGISTRY: dict[str, AlgorithmInfo] = {
    info.name: info
    for info in (
        _make_info(
            "e-hdoc",
            "the best arms first, with the test that suits the rewards",
            "goodarm: KL-MOSS, and the test that suits",
            "kl-moss",
            "mixture",
            _TEST_FROM_FIRST_PULL,
            _DEFAULT_TESTS,
        ),
        _make_info("hdoc", "the best arms first", _KANO, "hdoc", "hoeffding"),
        _make_info("lucb-g", "arms by upper bound", _KANO, "lucb-g", "hoeffding"),
        _make_info("apt-g", "the least clear arms first", _KANO, "apt-g", "hoeffding"),
        _make_info(
            "lil-hdoc",
            "the best arms first; fewer pulls for small gaps",
            "Tsai, Tsai, Lin, lil'HDoC",
            "hdoc",
            "lil",
        ),
        _make_info(
            "apgai",
            "one good arm, or that there is none",
            "Jourdan, Réda 2023, with the mixture test",
            "apgai",
            "mixture",
            _TEST_FROM_FIRST_PULL,
        ),
        _make_info(
            "cho2025",
            "the best arms first; for any rewards in a range",
            "Cho, Meier, Gan, Kallus 2025, Algorithm 2",
            "moss",
            "kelly",
            _TEST_FROM_FIRST_PULL,
        ),
    )
}


def algorithms() -> dict[str, AlgorithmInfo]:
    """Return the named algorithms, by name.

    Returns:
        A dict from name to `AlgorithmInfo`, which has the paper, the rules and what it finds first.

    >>> algorithms()["hdoc"].finds
    'the best arms first'
    """
    return dict(_REGISTRY)


def find_algorithm(algorithm: object, owner: str, rewards: Rewards = "bernoulli") -> Algorithm:
    """Return the algorithm of this name, or of two rules such as ``kl-moss+betting``.

    An Algorithm is returned unchanged.
    """
    if isinstance(algorithm, Algorithm):
        return algorithm
    if isinstance(algorithm, str) and algorithm in _REGISTRY:
        return _REGISTRY[algorithm].for_rewards(rewards)
    if isinstance(algorithm, str) and "+" in algorithm:
        sampling, _, identification = algorithm.partition("+")
        return Algorithm(sampling=sampling.strip(), identification=identification.strip())
    remedy = "Or give two rules with a plus, such as kl-moss+betting."
    raise invalid_choice("algorithm", owner, _REGISTRY, algorithm, remedy)


def resolve_algorithm(algorithm: object, problem: Problem, owner: str) -> Algorithm:
    """Return the given algorithm, or the default, in the form for the problem's rewards."""
    return find_algorithm(DEFAULT if algorithm is None else algorithm, owner, problem.rewards)


def get_default_test(rewards: Rewards, *, has_sums_only: bool = False) -> IdentificationRule:
    """Return the default algorithm's test for a kind of rewards.

    Betting needs every reward; if only sums are known, bounded rewards get the mixture test.

    >>> get_default_test("bounded").name, get_default_test("bounded", has_sums_only=True).name
    ('betting', 'mixture')
    """
    default = _REGISTRY[DEFAULT]
    if has_sums_only and rewards == "bounded":
        return default.algorithm.identification
    return default.for_rewards(rewards).identification
