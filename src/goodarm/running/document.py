"""Reader for an experiment's file: the problem, the store, and the source of rewards."""

import inspect
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from goodarm.algorithm import Algorithm, chosen_algorithm
from goodarm.arguments import check_flag, check_name, check_seed, refuse_large_delta
from goodarm.errors import GoodArmError, SpecError, invalid_argument
from goodarm.live import ExperimentSettings, Silence
from goodarm.problem import Problem
from goodarm.results import Pull
from goodarm.running.cases import Cases, read_cases
from goodarm.running.commands import Commands
from goodarm.running.functions import Functions
from goodarm.running.keys import check_keys
from goodarm.running.outcome import Source, Task
from goodarm.running.reward import Reward, check_against, names_of, read_reward
from goodarm.wording import Arg, Phrase, Place, phrase

_ASKED: Final = tuple(name for name in inspect.signature(Problem).parameters if name != "pool")
"""Keys that set the problem's arguments; ``cases`` sets the pool."""
_LARGE: Final = "allow_large_delta"
_KEYS: Final = (*_ASKED, _LARGE, "cases", "algorithm", "seed", "silence", "name", "store", "reward")
_FILE: Final = "the file"
_SECTIONS: Final = {"Problem": "", "Silence": "[silence]"}
"""Sections of a file that hold the arguments of a class; a problem's are at the top level."""
_SQLITE: Final = "sqlite:///"


@dataclass(frozen=True)
class ExperimentFile:
    """Content of an experiment's file, as ``read_file`` returns it.

    Args:
        path: path of the file; commands run in its folder.
        name, store: the experiment's name, and the address of its store.
        problem, algorithm, seed: as in ``Store.experiment``; a seed is drawn if it is None.
        silence: rule for pulls whose reward is never told.
        cases: the texts of a pool's cases; None if cases are numbers, or there are none.
        reward: the source of rewards.
    """

    path: Path
    name: str
    store: str
    problem: Problem
    algorithm: Algorithm
    seed: int | None
    silence: Silence
    cases: Cases | None
    reward: Reward

    @property
    def folder(self) -> Path:
        """Folder of the file, in which commands run."""
        return self.path.parent

    @property
    def database(self) -> Path | None:
        """Path of the SQLite file that is the store; None if the store is something else."""
        is_file = self.store.startswith(_SQLITE)
        return Path(self.store.removeprefix(_SQLITE)) if is_file else None

    def source(self) -> Source:
        """Create the source of rewards: of a function or of commands."""
        if self.reward.function is not None:
            return Functions(self.reward, self.folder, has_cases=self.problem.pool is not None)
        return Commands(self.reward, self.folder, names_of(self.problem.pool is not None))

    def task_of(self, pull: Pull) -> Task:
        """Return the task of a pull: its number, its arm, and the text of its case."""
        if pull.case is None:
            return Task(pull.number, pull.arm)
        case = pull.case if self.cases is None else self.cases[pull.case]
        return Task(pull.number, pull.arm, case, pull.case)


def read_file(path: Path) -> ExperimentFile:
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
        return _read(path, document)
    except GoodArmError as error:
        raise in_file(error, path) from error


def in_file(error: GoodArmError, path: Path) -> SpecError:
    """Return the error as one of a file, where keys stand for arguments."""
    place = Place(file=path.name)
    if not isinstance(error, SpecError):
        return SpecError(Phrase((error,)), place=place)
    return error.replaced(owner=_SECTIONS.get(error.owner, error.owner), place=place)


def _read(path: Path, document: Mapping[str, Any]) -> ExperimentFile:
    if "pool" in document:
        raise invalid_argument("pool", _FILE, "be called 'cases'", document["pool"])
    check_keys(document, _KEYS, _FILE)
    for name in ("arms", "threshold", "delta"):
        if name not in document:
            raise SpecError(
                f"The file must have a {name!r}.", argument=name, owner=_FILE, rule="be given"
            )
    name, store = document.get("name", path.stem), _store(path, document.get("store"))
    remedy = "" if "name" in document else "Add a 'name', or rename the file."
    check_name("name", _FILE, name, remedy)
    cases, pool = _cases(path, document.get("cases"))
    asked = {each: document[each] for each in _ASKED if each in document}
    problem = Problem(**asked, pool=pool)
    if not check_flag(_LARGE, _FILE, document.get(_LARGE, False)):
        insist = phrase("If you mean it, write {large} in the file.", large=Arg(_LARGE, True))
        refuse_large_delta("Problem", problem.delta, insist)
    algorithm = document.get("algorithm")
    if algorithm is not None and not isinstance(algorithm, str):
        raise invalid_argument("algorithm", _FILE, "be a name", algorithm)
    chosen = chosen_algorithm(algorithm, problem, _FILE)
    chosen.setup(problem)
    seed = None if "seed" not in document else check_seed(_FILE, document["seed"])
    reward = read_reward(document.get("reward"), problem)
    check_against(reward, problem, chosen)
    for arm in problem.arms:
        if "\0" in str(arm):
            raise invalid_argument("arms", _FILE, "hold labels without null characters", arm)
    silence = _silence(document.get("silence", {}))
    ExperimentSettings.of(problem, chosen, seed, silence)  # validates that they go together
    return ExperimentFile(path, name, store, problem, chosen, seed, silence, cases, reward)


def _silence(table: object) -> Silence:
    if not isinstance(table, dict):
        raise invalid_argument("silence", _FILE, "be a table, as [silence] begins one", table)
    check_keys(table, Silence.__dataclass_fields__, "[silence]")
    return Silence(**table)


def _store(path: Path, store: object) -> str:
    """Return the store's address; a relative SQLite path starts at the file's folder."""
    if store is None:
        return f"{_SQLITE}{path.with_suffix('.db').as_posix()}"
    if not isinstance(store, str):
        raise invalid_argument("store", _FILE, "be an address such as 'sqlite:///file.db'", store)
    if store.startswith(_SQLITE) and store != _SQLITE:
        return f"{_SQLITE}{(path.parent / store.removeprefix(_SQLITE)).as_posix()}"
    return store


def _cases(path: Path, cases: object) -> tuple[Cases | None, int | None]:
    """Return the texts of the cases, None if they are numbers, and how many there are."""
    if cases is None:
        return None, None
    if isinstance(cases, str):
        found = read_cases(path.parent / cases)
        return found, len(found)
    if isinstance(cases, int) and not isinstance(cases, bool):
        return None, cases
    raise invalid_argument(
        "cases", _FILE, "be a number, or the path of a file with a case on each line", cases
    )
