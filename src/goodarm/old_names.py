"""Public names that changed before 1.0, and the errors that name the new ones."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, NoReturn, ParamSpec, TypeVar

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")
_Class = TypeVar("_Class", bound=type)

_OF_JOURNALS: Final = {
    "observe_many": "observe",
    "reports": "table",
    "serving": "flag_policy",
    "silence": "reward_timeout",
}
_OF_CREATION: Final = {"serving": "flag_policy", "silence": "reward_timeout"}

NAMES: Final[Mapping[str, str]] = {
    "AlgorithmInfo": "rules.AlgorithmInfo",
    "ArmReport": "results.ArmReport",
    "Betting": "rules.Betting",
    "CheckTable": "ArmTable",
    "CountsRule": "rules.CountsRule",
    "GateResult": "results.GateResult",
    "GoodArmError": "errors.GoodArmError",
    "HalfNormal": "rules.HalfNormal",
    "Hoeffding": "rules.Hoeffding",
    "Kelly": "rules.Kelly",
    "Lil": "rules.Lil",
    "LilParameters": "rules.LilParameters",
    "LogTable": "logs.LogTable",
    "MissingExtra": "errors.MissingExtra",
    "Mixture": "rules.Mixture",
    "Plan": "results.Plan",
    "ProtocolError": "errors.ProtocolError",
    "SamplingRule": "rules.SamplingRule",
    "Serving": "FlagPolicy",
    "Silence": "RewardTimeout",
    "SpecError": "errors.SpecError",
    "Store": "store.Store",
    "StoredExperiment": "store.StoredExperiment",
    "Tape": "simulation.Tape",
    "View": "rules.View",
    "Warmup": "rules.Warmup",
    "lil_parameters": "rules.lil_parameters",
    "read": "read_logs",
    "readers": "logs",
}
"""Names of ``goodarm``, and what they are called in it now."""
ATTRIBUTES: Final[Mapping[str, Mapping[str, str]]] = {
    "Forecast": {"gap": "distance"},
    "GateResult": {"max_pulls": "max_runs"},
    "Identifier": {"observe_many": "observe", "reports": "table"},
    "Plan": {"budget_gap": "budget_distance"},
    "RemoteExperiment": _OF_JOURNALS,
    "RewardTimeout": {"otherwise": "default"},
    "StoredExperiment": _OF_JOURNALS,
}
"""Attributes and methods, by class."""
KEYWORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "Client.experiment": _OF_CREATION,
    "RewardTimeout": {"otherwise": "default"},
    "Store.experiment": _OF_CREATION,
    "prove": {"max_pulls": "max_runs"},
}
"""Arguments, by function."""
OPTIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "reproduce": {"--algorithms": "--algorithm"},
    "simulate": {"--save": "--out"},
}
"""Options, by command."""


def describe_old_name(name: str) -> str:
    """Return the sentence for an old name of ``goodarm``; "" if it is none.

    >>> describe_old_name("SpecError")
    'goodarm.SpecError is now goodarm.errors.SpecError.'
    """
    return f"goodarm.{name} is now goodarm.{NAMES[name]}." if name in NAMES else ""


def refuse_old_option(command: str, option: str) -> str:
    """Return the sentence for an old option of a command; "" if it is none.

    >>> refuse_old_option("simulate", "--save")
    'The option --save is now --out.'
    """
    new = OPTIONS.get(command, {}).get(option)
    return "" if new is None else f"The option {option} is now {new}."


def check_keywords(owner: str, given: Mapping[str, Any]) -> None:
    """Raise a TypeError for an old keyword of a function.

    >>> check_keywords("prove", {"max_pulls": 9})
    Traceback (most recent call last):
    TypeError: The argument 'max_pulls' of prove is now 'max_runs'.
    """
    renamed = KEYWORDS.get(owner, {})
    for name in given:
        if name in renamed:
            raise TypeError(f"The argument {name!r} of {owner} is now {renamed[name]!r}.")


def refuses_old_keywords(
    owner: str,
) -> Callable[[Callable[_Given, _Found]], Callable[_Given, _Found]]:
    """Return a decorator that makes a function name the new keyword for an old one."""

    def decorate(function: Callable[_Given, _Found]) -> Callable[_Given, _Found]:
        @wraps(function)
        def call(*given: _Given.args, **named: _Given.kwargs) -> _Found:
            check_keywords(owner, named)
            return function(*given, **named)

        return call

    return decorate


def refuses_old_fields(decorated: _Class) -> _Class:
    """Make a class name the new keyword for an old one."""
    made: Any = decorated
    made.__init__ = refuses_old_keywords(decorated.__name__)(made.__init__)
    return decorated


class RefusesOldNames:
    """Base class whose missing attributes are looked up in ``ATTRIBUTES`` for the error."""

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers report the name itself

        def __getattr__(self, name: str) -> NoReturn:
            kind = type(self).__name__
            new = ATTRIBUTES.get(kind, {}).get(name)
            hint = "" if new is None else f": it is now {new!r}"
            raise AttributeError(
                f"{kind!r} object has no attribute {name!r}{hint}", name=name, obj=self
            )
