"""Result of a simulation: arrays over runs, with a table to look at and a file format."""

import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.arguments import check_count, check_document
from goodarm.errors import SpecError, invalid_argument
from goodarm.problem import Problem, from_money_units
from goodarm.results.frames import Backend, to_frame
from goodarm.results.quantity import STOP, tau
from goodarm.results.runs_table import RunsTable, summarize_values
from goodarm.views.numbers import format_money
from goodarm.views.problem_text import get_end_name

_KINDS: Final = {"means": "f", "tau": "f", "stop": "i", "pulls": "i", "labels": "i", "wrong": "b"}
_ARRAYS: Final = tuple(_KINDS)

Documents = tuple[Mapping[str, Any] | None, ...]
"""Distributions of an instance, one for each arm, as JSON documents."""

_NOTES: Final = (
    "Pulls of all arms together, over the runs that got there. In Python the rows are called "
    "tau_1, tau_2, ..., tau_stop.",
)
_DAMAGE: Final = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    EOFError,
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
)
"""Exceptions that reading a file of another kind, or a damaged one, can raise."""

_TABLE_SUFFIXES: Final = (".csv", ".json", ".parquet", ".xlsx")
"""Endings of files that ``save`` does not write."""


@dataclass(frozen=True, eq=False, repr=False)
class Runs:
    """Simulated runs of one algorithm on one problem.

    Args:
        problem: what was asked.
        algorithm: the algorithm's JSON document, its parts spelled out.
        seed: with the same seed, run r is the same whatever else is simulated.
        engine: what computed the runs; takes no part in equality.
        means: (K,) the true means.
        tau: (runs, K) pulls when the j-th good arm was output, nan where there was none.
        stop: (runs,) pulls at the end.
        pulls: (runs, K) pulls of each arm.
        labels: (runs, K) 1 good, -1 bad, 0 undecided.
        wrong: (runs,) whether any label was wrong.
        distributions: what each arm's rewards were drawn from, as JSON documents, None for an arm
            that had a mean alone; None where all had.
        arrivals: (K,) pulls of all arms after which each arm was to arrive; None where all were
            there from the start.
        title: the algorithm's name with its rules and settings; takes no part in equality.

    >>> import goodarm as ga
    >>> runs = ga.simulate([0.9, 0.1], threshold=0.5, algorithm="hdoc", runs=3)
    >>> runs.stop.tolist(), runs.labels[0].tolist()
    ([76, 83, 79], [1, -1])
    """

    problem: Problem
    algorithm: Mapping[str, Any]
    seed: int
    engine: str
    means: NDArray[np.float64]
    tau: NDArray[np.float64]
    stop: NDArray[np.int64]
    pulls: NDArray[np.int64]
    labels: NDArray[np.int8]
    wrong: NDArray[np.bool_]
    distributions: Documents | None = None
    arrivals: tuple[int, ...] | None = None
    title: str = ""

    def __len__(self) -> int:
        return len(self.stop)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Runs):
            return NotImplemented
        return (
            self.problem == other.problem
            and self.algorithm == other.algorithm
            and self.seed == other.seed
            and self.distributions == other.distributions
            and self.arrivals == other.arrivals
            and all(
                np.array_equal(getattr(self, name), getattr(other, name), equal_nan=name == "tau")
                for name in _ARRAYS
            )
        )

    @property
    def summary(self) -> str:
        """Outcome in a line."""
        return self.table().summary

    @property
    def cost(self) -> NDArray[np.float64] | None:
        """(runs,) money of all pulls of each run; None without costs."""
        if self.problem.cost_units is None:
            return None
        money = self.pulls.astype(object) @ np.array(self.problem.cost_units, object)
        return np.array([from_money_units(units) for units in money], np.float64)

    @property
    def notes(self) -> tuple[str, ...]:
        """Legend of the table's rows, and the money of a run where pulls have a cost."""
        if self.cost is None:
            return _NOTES
        mean, most = float(self.cost.mean()), float(self.cost.max())
        money = f"Money of a run: {format_money(mean)} on average, {format_money(most)} at most."
        return (*_NOTES, money)

    def table(self) -> RunsTable:
        """Return mean, sd and range of tau_1, tau_2, ... and tau_stop, and the wrong runs."""
        taus = range(self._most_good)
        rows = [summarize_values(tau(j + 1), self.tau[:, j]) for j in taus]
        rows.append(summarize_values(STOP, self.stop.astype(np.float64)))
        title = self.title or str(self.algorithm["name"])
        return RunsTable(
            algorithm=title,
            runs=len(self),
            wrong=int(self.wrong.sum()),
            rows=tuple(rows),
            end_name=get_end_name(self.problem),
            undecided=int((self.labels == 0).any(axis=1).sum()),
        )

    @property
    def _most_good(self) -> int:
        """Largest number of good arms that any run output."""
        return int((~np.isnan(self.tau)).sum(axis=1).max())

    def to_dict(self) -> dict[str, Any]:
        """Return all but the per-run arrays as a JSON document: problem, algorithm and summary."""
        return {
            "kind": "runs",
            "format": 1,
            "problem": self.problem.to_dict(),
            "algorithm": dict(self.algorithm),
            "means": self.means.tolist(),
            "distributions": None if self.distributions is None else list(self.distributions),
            "seed": self.seed,
            "engine": self.engine,
            "summary": self.table().to_dict(),
            **({} if self.arrivals is None else {"arrivals": list(self.arrivals)}),
        }

    def _make_columns(self) -> dict[str, NDArray[Any]]:
        columns: dict[str, NDArray[Any]] = {
            "run": np.arange(len(self)),
            "stop": self.stop,
            "wrong": self.wrong,
            "good": (self.labels == 1).sum(axis=1),
            "bad": (self.labels == -1).sum(axis=1),
            "undecided": (self.labels == 0).sum(axis=1),
        }
        if self.cost is not None:
            columns["cost"] = self.cost
        columns |= {str(tau(j + 1)): self.tau[:, j] for j in range(self._most_good)}
        return columns

    def to_pandas(self) -> Any:
        """Return a pandas frame with a row for each run.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return self._to_frame("pandas")

    def to_polars(self) -> Any:
        """Return a polars frame with a row for each run.

        Raises:
            MissingExtra: polars is not installed.
        """
        return self._to_frame("polars")

    def _to_frame(self, backend: Backend) -> Any:
        return to_frame("Runs", backend, self._make_columns())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the runs to one file, atomically.

        Args:
            path: the file, which is replaced if it exists.

        Raises:
            SpecError: the path is a folder.
        """
        document = {**self.to_dict(), "title": self.title}
        del document["summary"], document["means"]
        target = Path(path)
        if target.suffix.lower() in _TABLE_SUFFIXES:
            remedy = "Write a table by to_pandas() or to_polars(); save keeps all that load reads."
            rule = "not end like a table's"
            raise invalid_argument("path", "Runs.save", rule, os.fspath(path), remedy)
        if not target.name or target.is_dir():
            raise invalid_argument("path", "Runs.save", "be a file, not a folder", os.fspath(path))
        draft = target.with_name(f"{target.name}.{os.getpid()}.part")
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        try:
            with draft.open("wb") as file:
                np.savez_compressed(file, document=np.array(json.dumps(document)), **arrays)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Runs":
        """Read the runs that ``save`` wrote.

        Args:
            path: a file that ``save`` or ``goodarm simulate --out`` wrote.

        Returns:
            The runs.

        Raises:
            SpecError: the file is not one of these, or is damaged.
        """
        with Path(path).open("rb") as file:
            try:
                with np.load(file, allow_pickle=False) as arrays:
                    stored = {name: arrays[name] for name in ("document", *_ARRAYS)}
                document = json.loads(str(stored.pop("document")))
            except (*_DAMAGE, OSError) as error:
                raise _make_file_error(path) from error
        keys = ("problem", "algorithm", "seed", "engine")
        others = ("means", "distributions", "summary", "arrivals", "title")
        fields = check_document(document, "runs", keys, others)
        problem = Problem.from_dict(fields["problem"])
        algorithm = check_document(fields["algorithm"], "algorithm", ("name",))
        runs = cls(
            problem=problem,
            algorithm=algorithm,
            seed=check_count("seed", "the runs document", fields["seed"], least=0),
            engine=str(fields["engine"]),
            distributions=_validate_documents(fields.get("distributions"), problem, path),
            arrivals=_validate_times(fields.get("arrivals"), problem, path),
            title=str(fields.get("title", "")),
            **stored,
        )
        shapes = {name: getattr(runs, name).shape for name in _ARRAYS}
        count, arms = len(runs), problem.num_arms
        expected: dict[str, tuple[int, ...]] = {
            "means": (arms,),
            "tau": (count, arms),
            "stop": (count,),
            "pulls": (count, arms),
            "labels": (count, arms),
            "wrong": (count,),
        }
        kinds = {name: getattr(runs, name).dtype.kind for name in _ARRAYS}
        if count == 0 or shapes != expected or kinds != _KINDS:
            raise _make_file_error(path)
        return runs

    def __repr__(self) -> str:
        return repr(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def _validate_documents(
    given: object, problem: Problem, path: str | os.PathLike[str]
) -> Documents | None:
    """Validate the distributions that ``save`` wrote."""
    if given is None:
        return None
    if not isinstance(given, list) or len(given) != problem.num_arms:
        raise _make_file_error(path)
    if not all(each is None or isinstance(each, Mapping) for each in given):
        raise _make_file_error(path)
    return tuple(given)


def _validate_times(
    given: object, problem: Problem, path: str | os.PathLike[str]
) -> tuple[int, ...] | None:
    """Validate the arrivals that ``save`` wrote."""
    if given is None:
        return None
    if not isinstance(given, list) or len(given) != problem.num_arms:
        raise _make_file_error(path)
    if not all(type(time) is int for time in given):
        raise _make_file_error(path)
    return tuple(given)


def _make_file_error(path: str | os.PathLike[str]) -> SpecError:
    return SpecError(
        f"The file {os.fspath(path)!r} was not written by Runs.save, or is damaged.",
        argument="path",
        owner="Runs.load",
        rule="be a file that Runs.save wrote",
        value=os.fspath(path),
    )
