"""An algorithm: a sampling rule, an identification rule and a warm-up under one name."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from goodarm.algorithm.identification import IDENTIFICATION_RULES, IdentificationRule
from goodarm.algorithm.sampling import SAMPLING_RULES, SamplingRule
from goodarm.algorithm.warmup import Warmup
from goodarm.checks import check_document
from goodarm.errors import SpecError, must, must_be_one_of
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem

_REWARD_CODES = {
    "bernoulli": codes.BERNOULLI,
    "bounded": codes.BOUNDED,
    "gaussian": codes.GAUSSIAN,
}


def _is_rule(value: object) -> bool:
    return type(value) in IDENTIFICATION_RULES.values()


def _rule_class(name: object) -> type[IdentificationRule]:
    if not isinstance(name, str) or name not in IDENTIFICATION_RULES:
        raise must_be_one_of("identification", "Algorithm", IDENTIFICATION_RULES, name)
    return IDENTIFICATION_RULES[name]


@dataclass(frozen=True, init=False)
class Algorithm:
    """Any combination of the three parts.

    Args:
        sampling: which arm next: ``"hdoc"``, ``"kl-moss"``, ``"kl-ucb"``, ``"moss"``, ``"lucb-g"``,
            ``"apt-g"``, ``"apgai"`` or ``"round-robin"``.
        identification: when an arm is decided: ``"hoeffding"``, ``"lil"``, ``"mixture"``,
            ``"betting"``, ``"kelly"``, or a rule with settings such as ``Lil(epsilon=0.01)``.
        warmup: pulls of each arm at the start: a number, ``"paper"``, or a ``Warmup``.
        name: how results call it; made from the parts unless given.

    >>> Algorithm(sampling="round-robin", identification="lil", warmup=10).name
    'round-robin+lil'
    """

    name: str
    sampling: SamplingRule
    identification: IdentificationRule
    warmup: Warmup

    def __init__(
        self,
        *,
        sampling: str | SamplingRule,
        identification: str | IdentificationRule,
        warmup: int | Literal["paper"] | Warmup = 1,
        name: str | None = None,
    ) -> None:
        owner = "Algorithm"
        if not isinstance(sampling, SamplingRule) or sampling not in SAMPLING_RULES.values():
            if not isinstance(sampling, str) or sampling not in SAMPLING_RULES:
                raise must_be_one_of("sampling", owner, SAMPLING_RULES, sampling)
            sampling = SAMPLING_RULES[sampling]
        if isinstance(identification, str) or not _is_rule(identification):
            identification = _rule_class(identification)()
        if not isinstance(warmup, Warmup):
            warmup = Warmup(warmup)
        if name is None:
            name = f"{sampling.name}+{identification.name}"
        elif not isinstance(name, str) or not name:
            raise must("name", owner, "be a text that is not empty", name)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "sampling", sampling)
        object.__setattr__(self, "identification", identification)
        object.__setattr__(self, "warmup", warmup)

    def setup(self, problem: Problem) -> Setup:
        """The problem and this algorithm as the kernels need them."""
        code, epsilon, c = self.identification.parameters(problem)
        low, high = problem.reward_range or (-math.inf, math.inf)

        return Setup(
            sampling=self.sampling.code,
            identification=code,
            rewards=_REWARD_CODES[problem.rewards],
            num_arms=problem.num_arms,
            delta=problem.delta,
            threshold=problem.to_unit(problem.threshold),
            good_bar=problem.to_unit(problem.threshold - problem.margin),
            bad_bar=problem.to_unit(problem.threshold + problem.margin),
            offset=problem.offset,
            scale=problem.scale,
            low=low,
            high=high,
            sigma=0.0 if problem.sigma is None else problem.sigma,
            epsilon=epsilon,
            c=c,
            warmup=self.warmup.resolve(problem, self.identification),
            identify_during_warmup=self.warmup.identify_during_warmup,
            until=codes.NEVER if problem.until is None else problem.until,
            max_pulls=codes.NEVER if problem.max_pulls is None else problem.max_pulls,
        )

    def to_dict(self) -> dict[str, Any]:
        """The algorithm as a JSON document, its parts spelled out."""
        return {
            "kind": "algorithm",
            "format": 1,
            "name": self.name,
            "sampling": {"rule": self.sampling.name},
            "identification": self.identification.to_dict(),
            "warmup": self.warmup.to_dict(),
        }

    def describe(self, problem: Problem) -> dict[str, Any]:
        """``to_dict`` with the numbers that the parts take on this problem."""
        setup = self.setup(problem)
        numbers = {"epsilon": setup.epsilon, "c": setup.c, "warmup": setup.warmup}
        return {**self.to_dict(), "parameters": numbers}

    @classmethod
    def from_dict(cls, document: object) -> "Algorithm":
        """The algorithm a JSON document describes."""
        keys = ("name", "sampling", "identification", "warmup")
        fields: Mapping[str, Any] = check_document(document, "algorithm", keys)
        try:
            settings = dict(fields["identification"])
            rule = settings.pop("rule")
            return cls(
                sampling=fields["sampling"]["rule"],
                identification=_rule_class(rule)(**settings),
                warmup=Warmup(**fields["warmup"]),
                name=fields["name"],
            )
        except (TypeError, KeyError, ValueError) as error:
            if isinstance(error, SpecError):
                raise
            raise SpecError(f"The algorithm document does not name its parts: {error}.") from error
