"""Opening of a file's experiment in its store, and the names of its workers."""

import re
import socket
from typing import Any, Final, Protocol, TypeVar

from goodarm.algorithm import Algorithm
from goodarm.arguments import check_name
from goodarm.errors import NAME_TAKEN, NotAllowed, SpecError
from goodarm.live import RewardTimeout
from goodarm.problem import Arm, Problem
from goodarm.runner.experiment_file import ExperimentFile, locate_error
from goodarm.store import ListedExperiment
from goodarm.wording import ErrorPlace

LOCAL_WORKER: Final = "local"
"""Worker's name where the store is a file: it stays the same if the machine is renamed."""

_REMEDY: Final = (
    "Undo the change in the file, or set another 'name' for a new experiment. [reward] "
    "may change at any time."
)


class OpenedExperiment(Protocol):
    """Interface that opening needs of an experiment, in a store or behind a service."""

    @property
    def problem(self) -> Problem:
        """The experiment's problem."""

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm that it runs."""

    @property
    def reward_timeout(self) -> RewardTimeout:
        """Rule for pulls whose reward is never told."""

    def journal(self) -> list[dict[str, Any]]:
        """Return all events of the experiment."""

    def add_arm(self, arm: Arm, *, cost: float | None = None) -> None:
        """Add an arm."""


_OpenedExperiment = TypeVar("_OpenedExperiment", bound=OpenedExperiment, covariant=True)


class ExperimentStore(Protocol[_OpenedExperiment]):
    """Interface of a store or a service."""

    def experiments(self) -> list[ListedExperiment]:
        """Return all experiments."""

    def experiment(
        self,
        name: str,
        problem: Problem | None = None,
        algorithm: str | Algorithm | None = None,
        seed: int | None = None,
        reward_timeout: RewardTimeout | None = None,
    ) -> _OpenedExperiment:
        """Open an experiment, or create it if it does not exist."""


def choose_worker(file: ExperimentFile, given: str | None) -> str:
    """Return the worker name given, or the default: the host's if other machines may take part."""
    if given is not None:
        return check_name("--worker", "run", given)
    if file.database is not None or file.store == "memory:":
        return LOCAL_WORKER
    host = re.sub(r"[^A-Za-z0-9._-]", "-", socket.gethostname()).lstrip("._-")
    return host[:64] or LOCAL_WORKER


def redact_store(file: ExperimentFile) -> str:
    """Return the store's address to show, without the user and password that it may contain."""
    if file.database is not None:
        return str(file.database)
    scheme, found, rest = file.store.partition("://")
    if not found:
        return file.store
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


def open_experiment(
    store: ExperimentStore[_OpenedExperiment], file: ExperimentFile
) -> _OpenedExperiment:
    """Create the file's experiment, or resume it and add the arms that are new in the file.

    Arms can be added if the problem has planned for them: see ``arms_planned``.
    """
    problem, later = _split_added_arms(store, file)
    try:
        experiment = store.experiment(
            file.name, problem, file.algorithm, file.seed, file.reward_timeout
        )
    except SpecError as error:
        if error.reason == NAME_TAKEN:
            error = error.replace_fields(remedy=_REMEDY)
        raise locate_error(error, file.path) from error
    except NotAllowed as error:
        experiment = _open_existing(store, file, error)
    for arm in later:
        own = file.problem.cost
        position = file.problem.position(arm)
        experiment.add_arm(arm, cost=own[position] if isinstance(own, tuple) else None)
    return experiment


def _open_existing(
    store: ExperimentStore[_OpenedExperiment], file: ExperimentFile, refused: NotAllowed
) -> _OpenedExperiment:
    """Open the existing experiment, for a user who may take part in it but not create one."""
    try:
        found = store.experiment(file.name)
    except SpecError:
        raise refused from None
    wanted, there = file.problem.to_dict(), found.problem.to_dict()
    count = len(there["arms"])
    if file.problem.arms_planned is not None and len(wanted["arms"]) > count:
        wanted = _keep_first(wanted, count)  # the others are to join
    if (wanted, file.algorithm, file.reward_timeout) != (
        there,
        found.algorithm,
        found.reward_timeout,
    ):
        raise SpecError(
            f"The experiment {file.name!r} was created with other settings.",
            argument="name",
            owner="the file",
            rule="be that of an experiment created with the same",
            value=file.name,
            remedy=_REMEDY,
            place=ErrorPlace(file=file.path.name),
            reason=NAME_TAKEN,
        )
    return found


def _split_added_arms(
    store: ExperimentStore[OpenedExperiment], file: ExperimentFile
) -> tuple[Problem, list[str | int]]:
    """Return the problem with the arms that the experiment began with, and the arms to add."""
    problem = file.problem
    if problem.arms_planned is None:
        return problem, []
    if not any(kept.name == file.name for kept in store.experiments()):
        return problem, []
    there = store.experiment(file.name)
    known = there.problem.arms
    if problem.arms[: len(known)] != known:
        return problem, []  # the store raises an error that says what differs
    joined = sum(entry["kind"] == "added" for entry in there.journal())
    first = _keep_first(problem.to_dict(), len(known) - joined)
    return Problem.from_dict(first), [*problem.arms[len(known) :]]


def _keep_first(document: dict[str, Any], count: int) -> dict[str, Any]:
    """Return a problem's document with its first arms and their costs alone."""
    first = {**document, "arms": document["arms"][:count]}
    if isinstance(first.get("cost"), list):
        first["cost"] = first["cost"][:count]
    return first
