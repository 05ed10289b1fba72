"""An identifier as arrays and back: what ``document`` writes as JSON, for a cache of many pulls.

What is read here was written by the same version of goodarm, and is not checked again.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.identifier.ledger import Block
from goodarm.identifier.parts import Parts
from goodarm.kernels.live import PULL

Columns = Mapping[str, NDArray[Any]]

_OF_ARMS: Final = (
    *("pulls", "sums", "lost", "labels", "labelled_at", "held", "told", "told_sums", "first"),
)
_OF_PULLS: Final = ("reward", "arm", "case", "state")


def write(ident: Parts) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The state of an identifier: arrays, and the rest as JSON."""
    standings = ident.standings
    columns = {f"arm_{name}": standings.arms[name] for name in _OF_ARMS}
    columns |= {f"pull_{name}": _narrow(standings.log(name)) for name in _OF_PULLS}
    columns["wealth"] = standings.wealth
    columns["good"] = np.array(ident.intake.good, np.int64)
    seen = [
        (arm, value, times)
        for arm, values in sorted(ident.entered.observed.items())
        for value, times in sorted(values.items())
    ]
    columns["entered"] = np.array(seen, np.float64).reshape(-1, 3)
    observed = sorted(ident.cases.observed.items())
    cases = [(arm, case) for arm, found in observed for case in found]
    columns["observed_cases"] = np.array(cases, np.int64).reshape(-1, 2)
    first, problem = ident.cases.num_first, ident.problem
    pools = problem.pools or (None,) * problem.num_arms
    rest = {
        "added": list(zip(problem.arms[first:], pools[first:], strict=True)),
        "taken_out": sorted(standings.taken_out),
        "pulls": int(standings.progress["pulls"]),
        "blocks": [(arm, behind, *block) for arm, behind, block in ident.ledger.blocks()],
    }
    return columns, rest


def fill(ident: Parts, columns: Columns, rest: Mapping[str, Any]) -> None:
    """Bring a fresh identifier, to which the arms were added, to the state written down."""
    standings = ident.standings
    for name in _OF_ARMS:
        standings.arms[name] = columns[f"arm_{name}"]
    standings.wealth[:] = columns["wealth"]
    standings.taken_out.update(rest["taken_out"])
    ident.intake.good.extend(columns["good"].tolist())
    for arm, value, times in columns["entered"].tolist():
        ident.entered.observed[int(arm)][value] = int(times)
    log = np.zeros(len(columns["pull_arm"]), PULL)
    for name in _OF_PULLS:
        log[name] = columns[f"pull_{name}"]
    standings.take_log(log)
    for arm, behind, size, total, rewards in rest["blocks"]:
        ident.ledger.put(arm, Block(size, total, tuple(rewards)), behind)
    standings.restore(rest["pulls"])
    if ident.problem.pool is not None:
        observed = columns["observed_cases"]
        of_arm = [list[int]() for _ in ident.problem.arms]
        for arm, case in observed.tolist():
            of_arm[arm].append(case)
        ident.cases.restore(of_arm)


def _narrow(values: NDArray[Any]) -> NDArray[Any]:
    """The same numbers in as few bytes as they need: most rewards are 0 or 1, most arms few."""
    if not len(values):
        return values
    low, high = values.min(), values.max()
    kind = np.promote_types(np.min_scalar_type(int(low)), np.min_scalar_type(int(high)))
    if values.dtype.kind == "f" and not (low >= 0 and high <= 1 and (values == (values > 0)).all()):
        return values
    return values.astype(kind)
