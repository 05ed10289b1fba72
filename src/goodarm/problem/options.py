"""Functions that take a Problem, or the keywords that make one."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from typing import Any, ParamSpec, TypedDict, TypeVar, get_type_hints

from goodarm.errors import invalid_argument, naming_caller
from goodarm.problem.arms import Arm
from goodarm.problem.pool import CaseOrder
from goodarm.problem.problem import DELTA, Problem
from goodarm.problem.rewards import Rewards

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


class RangeOptions(TypedDict, total=False):
    """Keywords of ``Problem`` that also make sense for counts."""

    margin: float
    low: float | None
    high: float | None
    allow_large_delta: bool


class ProblemOptions(RangeOptions, total=False):
    """Keywords of ``Problem`` except arms, threshold and delta."""

    rewards: Rewards
    sigma: float | None
    until: int | None
    max_pulls: int | None
    pool: int | Iterable[int] | Mapping[Arm, int] | None
    case_order: CaseOrder
    gap: float | None
    arms_planned: int | None
    cost: float | Iterable[float] | Mapping[Arm, float] | None
    max_cost: float | None


def add_problem_keywords(
    options: type,
) -> Callable[[Callable[_Given, _Found]], Callable[_Given, _Found]]:
    """Give a function with ``**options`` a signature that lists them, with Problem's defaults.

    Type checkers read the TypedDict; help, notebooks and the docs read this signature. A keyword
    that is not in it is refused as Python does, with the nearest one, and so is a second argument
    without a name.
    """

    def spell(function: Callable[_Given, _Found]) -> Callable[_Given, _Found]:
        signature = inspect.signature(function)
        own = [
            p.replace(default=DELTA) if p.name == "delta" else p
            for p in signature.parameters.values()
            if p.kind is not p.VAR_KEYWORD
        ]
        types = get_type_hints(options)
        more = [
            parameter.replace(annotation=types[name])
            for name, parameter in inspect.signature(Problem).parameters.items()
            if name in types
        ]
        signature = signature.replace(parameters=[*own, *more])

        @wraps(function)
        def call(*given: _Given.args, **named: _Given.kwargs) -> _Found:
            for name in named:
                if name not in signature.parameters:
                    raise _make_unexpected_error(function.__name__, name, signature.parameters)
            if len(given) > 1:
                raise _make_too_many_error(function.__name__, own)
            return function(*given, **named)

        vars(call)["__signature__"] = signature
        return call

    return spell


def data_first(function: Callable[_Given, _Found]) -> Callable[_Given, _Found]:
    """Make a function refuse a second argument without a name, and say what to write.

    >>> @data_first
    ... def test(data, *, threshold): ...
    >>> test([1, 0], 0.5)
    Traceback (most recent call last):
    TypeError: test() takes 'data' alone without its name; write test(data, threshold=...)
    """
    own = [*inspect.signature(function).parameters.values()]

    @wraps(function)
    def call(*given: _Given.args, **named: _Given.kwargs) -> _Found:
        if len(given) > 1:
            raise _make_too_many_error(function.__name__, own)
        return function(*given, **named)

    return call


def _make_unexpected_error(function: str, name: str, known: Iterable[str]) -> TypeError:
    near = get_close_matches(name, known, n=1)
    hint = f". Did you mean {near[0]!r}?" if near else ""
    return TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def _make_too_many_error(function: str, parameters: Sequence[inspect.Parameter]) -> TypeError:
    first, *others = [parameter.name for parameter in parameters]
    shown = [name for name in others if name in ("threshold", "delta")] or others[:1]
    listing = ", ".join(f"{name}=..." for name in shown)
    return TypeError(
        f"{function}() takes {first!r} alone without its name; write {function}({first}, {listing})"
    )


def resolve_problem(
    owner: str,
    arms: int | Iterable[Arm],
    problem: object,
    threshold: float | None,
    delta: float | None,
    options: Mapping[str, Any],
    arms_from: str = "means",
) -> Problem:
    """Return the given problem, or make one of these arms and keywords; reject both together.

    ``arms_from`` is the argument that has the arms.
    """
    keywords: dict[str, Any] = {"threshold": threshold, "delta": delta, **options}
    if problem is None:
        if threshold is None:
            rule = "be given, or a problem in place of it"
            raise invalid_argument("threshold", owner, rule, None)
        if delta is None:
            keywords["delta"] = DELTA
        with naming_caller(owner, arms=arms_from):
            return Problem(arms, **keywords)
    if not isinstance(problem, Problem):
        raise invalid_argument("problem", owner, "be a Problem", problem)
    for name, value in keywords.items():
        if value is not None:
            remedy = f"Pass it to the problem: Problem(..., {name}={value!r})."
            raise invalid_argument(name, owner, "be left out if a problem is given", value, remedy)
    return problem
