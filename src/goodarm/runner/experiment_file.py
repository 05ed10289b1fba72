"""Reader for an experiment's file: the problem, the store, and the source of rewards."""

import inspect
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from goodarm.algorithm import Algorithm, resolve_algorithm
from goodarm.arguments import check_name, check_seed
from goodarm.errors import GoodArmError, SpecError, invalid_argument
from goodarm.live import TIMEOUT_KEYS, ExperimentSettings, RewardTimeout
from goodarm.problem import Problem
from goodarm.results import Pull
from goodarm.runner.cases import Cases, read_cases
from goodarm.runner.command_source import CommandSource
from goodarm.runner.function_source import FunctionSource
from goodarm.runner.pull_outcome import PullTask, RewardSource
from goodarm.runner.reward_settings import (
    RewardSettings,
    check_reward_settings,
    list_template_names,
    parse_reward,
)
from goodarm.runner.unknown_keys import check_keys
from goodarm.wording import ErrorPlace, Phrase

_PROBLEM_KEYS: Final = tuple(
    name for name in inspect.signature(Problem).parameters if name != "pool"
)
"""Keys that set the problem's arguments; ``cases`` sets the pool."""
_KEYS: Final = (
    *_PROBLEM_KEYS,
    "cases",
    "algorithm",
    "seed",
    "silence",
    "name",
    "store",
    "reward",
)
_OWNER: Final = "the file"
_SECTIONS: Final = {"Problem": "", "RewardTimeout": "[silence]"}
"""Sections of a file that hold the arguments of a class; a problem's are at the top level."""
_SQLITE_PREFIX: Final = "sqlite:///"


@dataclass(frozen=True)
class ExperimentFile:
    """Content of an experiment's file, as ``read_experiment_file`` returns it.

    Args:
        path: path of the file; commands run in its folder.
        name, store: the experiment's name, and the address of its store.
        problem, algorithm, seed: as in ``Store.experiment``; a seed is drawn if it is None.
        reward_timeout: rule for pulls whose reward is never told.
        cases: the texts of a pool's cases; None if cases are numbers, or there are none.
        reward: the source of rewards.
    """

    path: Path
    name: str
    store: str
    problem: Problem
    algorithm: Algorithm
    seed: int | None
    reward_timeout: RewardTimeout
    cases: Cases | None
    reward: RewardSettings

    @property
    def folder(self) -> Path:
        """Folder of the file, in which commands run."""
        return self.path.parent

    @property
    def database(self) -> Path | None:
        """Path of the SQLite file that is the store; None if the store is something else."""
        is_file = self.store.startswith(_SQLITE_PREFIX)
        return Path(self.store.removeprefix(_SQLITE_PREFIX)) if is_file else None

    def source(self) -> RewardSource:
        """Create the source of rewards: of a function or of commands."""
        if self.reward.function is not None:
            return FunctionSource(self.reward, self.folder, has_cases=self.problem.pool is not None)
        return CommandSource(
            self.reward, self.folder, list_template_names(self.problem.pool is not None)
        )

    def task_of(self, pull: Pull) -> PullTask:
        """Return the task of a pull: its number, its arm, and the text of its case."""
        if pull.case is None:
            return PullTask(pull.number, pull.arm)
        case = pull.case if self.cases is None else self.cases[pull.case]
        return PullTask(pull.number, pull.arm, case, pull.case)


def read_experiment_file(path: Path) -> ExperimentFile:
    """Read and validate an experiment's file. Errors name the file."""
    path = Path(path).absolute()
    try:
        with path.open("rb") as file:
            document = tomllib.load(file)
    except FileNotFoundError:
        raise SpecError(
            f"There is no file {str(path)!r}.",
            argument="FILE",
            owner="run",
            rule="be a file that is there",
            value=str(path),
            remedy="`goodarm run --init` writes an example.",
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError(
            f"{path.name} is not valid TOML: {error}.",
            argument="FILE",
            owner="run",
            rule="be TOML",
            value=str(path),
        ) from None
    try:
        return _parse_document(path, document)
    except GoodArmError as error:
        raise locate_error(error, path) from error


def locate_error(error: GoodArmError, path: Path) -> SpecError:
    """Return the error as one of a file, where keys stand for arguments."""
    place = ErrorPlace(file=path.name)
    if not isinstance(error, SpecError):
        return SpecError(Phrase((error,)), place=place)
    argument = error.argument
    if (error.owner, argument) == ("RewardTimeout", "default"):
        argument = "otherwise"
    owner = _SECTIONS.get(error.owner, error.owner)
    return error.replace_fields(argument=argument, owner=owner, place=place)


def _parse_document(path: Path, document: Mapping[str, Any]) -> ExperimentFile:
    if "pool" in document:
        raise invalid_argument("pool", _OWNER, "be called 'cases'", document["pool"])
    check_keys(document, _KEYS, _OWNER)
    for name in ("arms", "threshold"):
        if name not in document:
            raise SpecError(
                f"The file must have a {name!r}.", argument=name, owner=_OWNER, rule="be given"
            )
    name, store = document.get("name", path.stem), _parse_store(path, document.get("store"))
    remedy = "" if "name" in document else "Add a 'name', or rename the file."
    check_name("name", _OWNER, name, remedy)
    cases, pool = _parse_cases(path, document.get("cases"))
    asked = {each: document[each] for each in _PROBLEM_KEYS if each in document}
    problem = Problem(**asked, pool=pool)
    algorithm = document.get("algorithm")
    if algorithm is not None and not isinstance(algorithm, str):
        raise invalid_argument("algorithm", _OWNER, "be a name", algorithm)
    chosen = resolve_algorithm(algorithm, problem, _OWNER)
    chosen.setup(problem)
    seed = None if "seed" not in document else check_seed(_OWNER, document["seed"])
    reward = parse_reward(document.get("reward"), problem)
    check_reward_settings(reward, problem, chosen)
    for arm in problem.arms:
        if "\0" in str(arm):
            raise invalid_argument("arms", _OWNER, "hold labels without null characters", arm)
    reward_timeout = _parse_reward_timeout(document.get("silence", {}))
    ExperimentSettings.of(problem, chosen, seed, reward_timeout)  # validates that they go together
    return ExperimentFile(path, name, store, problem, chosen, seed, reward_timeout, cases, reward)


def _parse_reward_timeout(table: object) -> RewardTimeout:
    if not isinstance(table, dict):
        raise invalid_argument("silence", _OWNER, "be a table, as [silence] begins one", table)
    check_keys(table, TIMEOUT_KEYS, "[silence]")
    return RewardTimeout.from_dict(table)


def _parse_store(path: Path, store: object) -> str:
    """Return the store's address; a relative SQLite path starts at the file's folder."""
    if store is None:
        return f"{_SQLITE_PREFIX}{path.with_suffix('.db').as_posix()}"
    if not isinstance(store, str):
        raise invalid_argument("store", _OWNER, "be an address such as 'sqlite:///file.db'", store)
    if store.startswith(_SQLITE_PREFIX) and store != _SQLITE_PREFIX:
        return f"{_SQLITE_PREFIX}{(path.parent / store.removeprefix(_SQLITE_PREFIX)).as_posix()}"
    return store


def _parse_cases(path: Path, cases: object) -> tuple[Cases | None, int | None]:
    """Return the texts of the cases, None if they are numbers, and how many there are."""
    if cases is None:
        return None, None
    if isinstance(cases, str):
        found = read_cases(path.parent / cases)
        return found, len(found)
    if isinstance(cases, int) and not isinstance(cases, bool):
        return None, cases
    raise invalid_argument(
        "cases", _OWNER, "be a number, or the path of a file with a case on each line", cases
    )
