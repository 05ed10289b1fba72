"""Choice of the algorithms for an experiment, each in the form that suits its rewards."""

from collections.abc import Sequence
from typing import NamedTuple

from goodarm.algorithm import Algorithm, find_algorithm
from goodarm.errors import SpecError, invalid_argument
from goodarm.papers import Paper, PaperExperiment

_OWNER = "reproduce"


class AlgorithmChoice(NamedTuple):
    """Algorithms of an experiment, and a sentence on each whose test cannot take its rewards."""

    algorithms: tuple[Algorithm, ...]
    left_out: tuple[str, ...]


def choose_algorithms(
    paper: Paper, experiment: PaperExperiment, given: Sequence[str | Algorithm] | None
) -> AlgorithmChoice:
    """Return those of the algorithms given, or of the paper's, that can take the rewards.

    All algorithms can take 0/1 rewards without a pool, so there one that cannot is an error.
    """
    names = paper.algorithms_of(experiment) if given is None else given
    instance = experiment.instance
    problem = instance.problem(paper.delta_of(experiment))
    parts = [find_algorithm(name, _OWNER, instance.rewards) for name in names]
    if len({algorithm.name for algorithm in parts}) < len(parts):
        raise invalid_argument("algorithms", _OWNER, "name every algorithm once", names)
    fitting, left_out = list[Algorithm](), list[str]()
    for algorithm in parts:
        try:
            algorithm.setup(problem)
        except SpecError as error:
            if instance.is_plain:
                raise
            reason = error.replace_fields(remedy="")
            left_out.append(f"{algorithm.name} is left out. {reason}")
        else:
            fitting.append(algorithm)
    if not fitting:
        rule = f"hold one that takes the rewards of {instance.name}"
        raise invalid_argument("algorithms", _OWNER, rule, [algorithm.name for algorithm in parts])
    return AlgorithmChoice(tuple(fitting), tuple(left_out))
