"""goodarm: which of these options are good enough, proven with as few tests as possible?

Ask for the next test, tell the result, and stop as soon as the answer is certain.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from goodarm.version import __version__

if TYPE_CHECKING:
    from goodarm import rewards
    from goodarm.algorithm import (
        Algorithm,
        AlgorithmInfo,
        Betting,
        CountsRule,
        HalfNormal,
        Hoeffding,
        Kelly,
        Lil,
        LilParameters,
        Mixture,
        SamplingRule,
        View,
        Warmup,
        algorithms,
        lil_parameters,
    )
    from goodarm.checking import check
    from goodarm.client import Client
    from goodarm.errors import GoodArmError, MissingExtra, ProtocolError, SpecError
    from goodarm.gate import prove
    from goodarm.live import Experiment, Identifier, Serving, Silence
    from goodarm.logs import LogTable, read
    from goodarm.planning import plan
    from goodarm.problem import Problem
    from goodarm.results import (
        ArmReport,
        ArmTable,
        GateResult,
        Plan,
        Pull,
        Runs,
        Verdict,
    )
    from goodarm.simulation import Tape, simulate
    from goodarm.store import Store, StoredExperiment, open_store

_HOME = {
    "Algorithm": "algorithm",
    "AlgorithmInfo": "algorithm",
    "ArmReport": "results",
    "ArmTable": "results",
    "Betting": "algorithm",
    "Client": "client",
    "CountsRule": "algorithm",
    "Experiment": "live",
    "GateResult": "results",
    "GoodArmError": "errors",
    "HalfNormal": "algorithm",
    "Hoeffding": "algorithm",
    "Identifier": "live",
    "Kelly": "algorithm",
    "Lil": "algorithm",
    "LilParameters": "algorithm",
    "LogTable": "logs",
    "MissingExtra": "errors",
    "Mixture": "algorithm",
    "Plan": "results",
    "Problem": "problem",
    "ProtocolError": "errors",
    "Pull": "results",
    "Runs": "results",
    "SamplingRule": "algorithm",
    "Serving": "live",
    "Silence": "live",
    "SpecError": "errors",
    "Store": "store",
    "StoredExperiment": "store",
    "Tape": "simulation",
    "Verdict": "results",
    "View": "algorithm",
    "Warmup": "algorithm",
    "algorithms": "algorithm",
    "check": "checking",
    "lil_parameters": "algorithm",
    "open_store": "store",
    "plan": "planning",
    "prove": "gate",
    "read": "logs",
    "simulate": "simulation",
}
"""Module of each public name; it is imported when the name is first used."""

_ROOMS = ("rewards",)
"""Packages that are public names themselves."""

__all__ = [
    "Algorithm",
    "AlgorithmInfo",
    "ArmReport",
    "ArmTable",
    "Betting",
    "Client",
    "CountsRule",
    "Experiment",
    "GateResult",
    "GoodArmError",
    "HalfNormal",
    "Hoeffding",
    "Identifier",
    "Kelly",
    "Lil",
    "LilParameters",
    "LogTable",
    "MissingExtra",
    "Mixture",
    "Plan",
    "Problem",
    "ProtocolError",
    "Pull",
    "Runs",
    "SamplingRule",
    "Serving",
    "Silence",
    "SpecError",
    "Store",
    "StoredExperiment",
    "Tape",
    "Verdict",
    "View",
    "Warmup",
    "__version__",
    "algorithms",
    "check",
    "lil_parameters",
    "open_store",
    "plan",
    "prove",
    "read",
    "rewards",
    "simulate",
]


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(f"goodarm.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'goodarm' has no attribute {name!r}")
    value = getattr(import_module(f"goodarm.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
