"""Conversion of values to JSON and back: the library's own documents, and nothing else."""

import json
import math
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

from goodarm.algorithm import Algorithm
from goodarm.errors import invalid_argument
from goodarm.live import ArmHistory, FlagPolicy, Moment, PullInProgress, RewardTimeout
from goodarm.problem import Problem
from goodarm.results import Pull, Verdict


def dump_body(document: Mapping[str, Any], owner: str) -> bytes:
    """Serialize a body, numpy numbers too; raise an error for what JSON cannot represent."""

    def plain(value: object) -> int | float:
        if isinstance(value, Integral):
            return int(value)
        if isinstance(value, Real):
            return float(value)
        raise invalid_argument("body", owner, "hold numbers, texts and lists of them only", value)

    try:
        return json.dumps(document, default=plain, allow_nan=False).encode()
    except ValueError:  # which does not say where
        for name, value in document.items():
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, Real) and not math.isfinite(each):
                    raise invalid_argument(name, owner, "hold finite numbers only", each) from None
        raise invalid_argument("body", owner, "be a document of JSON", document) from None


def write_pull(pull: object, owner: str) -> dict[str, Any]:
    """Return a pull as JSON; raise an error unless it is one that ``ask`` returned."""
    if not isinstance(pull, Pull):
        raise invalid_argument("pull", owner, "be a Pull that 'ask' returned", pull)
    if isinstance(pull.number, bool) or not isinstance(pull.number, Integral):
        raise invalid_argument("pull", owner, "have a whole number", pull)
    found: dict[str, Any] = {"number": int(pull.number), "arm": pull.arm}
    return found if pull.case is None else {**found, "case": pull.case}


def write_settings(
    name: str,
    problem: object,
    algorithm: object,
    seed: int | None,
    reward_timeout: RewardTimeout | None,
    flag_policy: FlagPolicy | None,
) -> dict[str, Any]:
    """Return the settings of a new experiment as JSON; the service chooses what is not given."""
    owner = "Client.experiment"
    if not isinstance(problem, Problem):
        raise invalid_argument("problem", owner, "be a Problem", problem)
    if algorithm is not None and not isinstance(algorithm, str | Algorithm):
        raise invalid_argument("algorithm", owner, "be a name or an Algorithm", algorithm)
    for argument, value, kind in (
        ("reward_timeout", reward_timeout, RewardTimeout),
        ("flag_policy", flag_policy, FlagPolicy),
    ):
        if value is not None and not isinstance(value, kind):
            raise invalid_argument(argument, owner, f"be a {kind.__name__}", value)
    given = {
        "algorithm": algorithm.to_dict() if isinstance(algorithm, Algorithm) else algorithm,
        "seed": seed,
        "silence": None if reward_timeout is None else reward_timeout.to_dict(),
        "serving": None if flag_policy is None else flag_policy.to_dict(),
    }
    present = {key: value for key, value in given.items() if value is not None}
    asked = problem.to_dict()
    if problem.allow_large_delta:
        asked["allow_large_delta"] = True
    return {"name": name, "problem": asked, **present}


def read_pulls(document: Mapping[str, Any]) -> list[Pull]:
    """Read the pulls of an answer."""
    return [read_pull(each) for each in document["pulls"]]


def read_pull(document: Mapping[str, Any]) -> Pull:
    """Read a pull."""
    return Pull(document["number"], document["arm"], document.get("case"))


def read_pull_in_progress(document: Mapping[str, Any]) -> PullInProgress:
    """Read a pull in progress."""
    return PullInProgress(
        read_pull(document["pull"]),
        document["worker"],
        document["asked_at"],
        document["until"],
    )


def read_verdict(document: Mapping[str, Any]) -> Verdict:
    """Read a verdict."""
    fields = {name: document[name] for name in ("good", "bad", "undecided", "pulls")}
    return Verdict(**fields, cost=document.get("cost"))


def read_histories(documents: Sequence[Mapping[str, Any]]) -> list[ArmHistory]:
    """Read the histories of intervals."""
    return [
        ArmHistory(each["arm"], tuple(Moment(**moment) for moment in each["moments"]))
        for each in documents
    ]
