"""goodarm: which of these options are good enough, proven with as few tests as possible?

Ask for the next test, tell the result, and stop as soon as the answer is certain.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from goodarm.version import __version__

if TYPE_CHECKING:
    from goodarm import errors, results, rewards, rules
    from goodarm import logs as logs
    from goodarm import simulation as simulation
    from goodarm import store as store
    from goodarm.algorithm import Algorithm, algorithms
    from goodarm.checking import check
    from goodarm.client import Client
    from goodarm.gate import boundary, prove
    from goodarm.live import Experiment, FlagPolicy, Identifier, RewardTimeout
    from goodarm.logs import read_logs
    from goodarm.planning import plan
    from goodarm.problem import Problem
    from goodarm.results import ArmTable, Pull, Runs, Verdict
    from goodarm.simulation import simulate
    from goodarm.store import open_store

_HOME = {
    "Algorithm": "algorithm",
    "ArmTable": "results",
    "Client": "client",
    "Experiment": "live",
    "FlagPolicy": "live",
    "Identifier": "live",
    "Problem": "problem",
    "Pull": "results",
    "RewardTimeout": "live",
    "Runs": "results",
    "Verdict": "results",
    "algorithms": "algorithm",
    "boundary": "gate",
    "check": "checking",
    "open_store": "store",
    "plan": "planning",
    "prove": "gate",
    "read_logs": "logs",
    "simulate": "simulation",
}
"""Module of each public name; it is imported when the name is first used."""

_MODULES = ("errors", "results", "rewards", "rules")
"""Modules that are public names themselves."""
_PACKAGES = ("logs", "simulation", "store")
"""Packages that are loaded when they are first used, and not listed."""

__all__ = [
    "Algorithm",
    "ArmTable",
    "Client",
    "Experiment",
    "FlagPolicy",
    "Identifier",
    "Problem",
    "Pull",
    "RewardTimeout",
    "Runs",
    "Verdict",
    "__version__",
    "algorithms",
    "boundary",
    "check",
    "errors",
    "open_store",
    "plan",
    "prove",
    "read_logs",
    "results",
    "rewards",
    "rules",
    "simulate",
]


def __getattr__(name: str) -> object:
    if name in _MODULES or name in _PACKAGES:
        return import_module(f"goodarm.{name}")
    if name in _HOME:
        value = getattr(import_module(f"goodarm.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    missing = f"module 'goodarm' has no attribute {name!r}"
    if name.startswith("__"):
        raise AttributeError(missing)
    from goodarm.old_names import describe_old_name

    renamed = describe_old_name(name)
    if renamed and sys._getframe(1).f_code.co_name == "_handle_fromlist":
        raise ImportError(renamed, name=__name__)  # Python would drop an AttributeError's message
    raise AttributeError(renamed or missing, name=name)


def __dir__() -> list[str]:
    return sorted(__all__)
