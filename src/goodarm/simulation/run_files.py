"""Finished runs on disk: an interrupted simulation resumes, a repeated one is quick.

There is one file for each problem, algorithm, seed and package version; its name is a digest of
them. Each line holds one run. A line cut off when the machine stopped is ignored, and its run is
made again.
"""

import hashlib
import inspect
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from goodarm.errors import invalid_argument
from goodarm.simulation.engine import SimulatedOutcome


def check_folder(argument: str, owner: str, folder: object) -> Path:
    """Validate a folder: create it if it does not exist, and check that it can be written to.

    Args:
        argument: the argument that an error names.
        owner: the function that an error names.
        folder: the path.

    Returns:
        The folder's path.

    Raises:
        SpecError: it is no path, or cannot be created or written to.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     check_folder("keep", "simulate", f"{folder}/runs").is_dir()
    True
    """
    rule = "be a folder that can be written to"
    if not isinstance(folder, str | os.PathLike):
        raise invalid_argument(argument, owner, rule, folder)
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return path
    except OSError as error:
        raise invalid_argument(argument, owner, rule, str(path)) from error


def find_rule_sources(*rules: object) -> dict[str, Any]:
    """Return the sources of user-written rules, so that a changed rule gets runs of its own.

    The source of a rule is that of its whole module, with its constants and helpers; code that the
    module imports is no part of it.
    """
    own = [type(rule) for rule in rules if not type(rule).__module__.startswith("goodarm.")]
    return {"texts": [_find_source(kind) for kind in own]} if own else {}


def _find_source(kind: type) -> str:
    name = f"{kind.__module__}.{kind.__qualname__}"
    for part in (inspect.getmodule(kind), kind):
        try:
            return f"{name}\n{inspect.getsource(part)}"  # type: ignore[arg-type]
        except (OSError, TypeError):  # a notebook's module has none, nor an interpreter's class
            continue
    return name


class FinishedRuns:
    """File of the outcomes for one problem, algorithm, seed and version."""

    def __init__(self, folder: Path, key: dict[str, Any]) -> None:
        text = json.dumps(key, sort_keys=True)
        self.path = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.jsonl"
        self._header = {"kind": "finished-runs", "format": 1, "key": json.loads(text)}

    def load(self) -> dict[int, SimulatedOutcome]:
        """Read the finished runs, by run number."""
        if not self.path.exists():
            return {}
        found: dict[int, SimulatedOutcome] = {}
        for line in self.path.read_bytes().splitlines():
            outcome = _decode(line)
            if outcome is not None:
                found[outcome.run] = outcome
        return found

    def keep(self, outcomes: Sequence[SimulatedOutcome]) -> None:
        """Append finished runs to the file."""
        lines = [_encode(outcome) for outcome in outcomes]
        if not self.path.exists():
            lines.insert(0, json.dumps(self._header))
        with self.path.open("ab") as file:
            # Begin with a newline, or a line that was cut off would swallow the next one.
            file.write(("\n" + "\n".join(lines) + "\n").encode())


def _encode(outcome: SimulatedOutcome) -> str:
    tau = outcome.tau[~np.isnan(outcome.tau)].astype(np.int64)
    return json.dumps(
        {
            "run": outcome.run,
            "stop": outcome.stop,
            "pulls": outcome.pulls.tolist(),
            "labels": outcome.labels.tolist(),
            "tau": tau.tolist(),
        }
    )


def _decode(line: bytes) -> SimulatedOutcome | None:
    """Parse the run in a line; return None for the header and for a line that was cut off."""
    try:
        fields = json.loads(line)
        pulls = np.array(fields["pulls"], np.int64)
        tau = np.full(len(pulls), np.nan)
        tau[: len(fields["tau"])] = fields["tau"]
        labels = np.array(fields["labels"], np.int8)
        return SimulatedOutcome(fields["run"], fields["stop"], pulls, labels, tau)
    except (ValueError, KeyError, TypeError):
        return None
