"""Settings of gates: by the marker, by an option or by an ini setting, in that order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

from goodarm.arguments import (
    MAX_DELTA,
    parse_number,
    suggest_confidence,
    suggest_delta,
    suggest_fraction,
)
from goodarm.errors import GoodArmError, invalid_argument, invalid_choice, naming_caller
from goodarm.plugins.pytest.pytest_internals import has_instance_check, list_marks, read_ini_value

if TYPE_CHECKING:
    from goodarm.problem import Problem

MARK: Final = "goodarm"
MARKER_HELP: Final = (
    "goodarm(threshold, delta=0.05, max_runs=300, margin=0, cost=None, max_cost=None): repeat the "
    "test until its pass rate is proven to reach the threshold, or to be below; see goodarm's docs."
)
_OWNER: Final = "the goodarm plugin"

CONTROLS: Final = ("per-test", "suite")
UNDECIDED_CHOICES: Final = ("fail", "pass", "skip")
REPORT_SUFFIXES: Final = (".json", ".html")


class _Setting(NamedTuple):
    """Setting of the marker, the options and the ini file."""

    name: str
    read: Callable[[str, object], Any]
    default: Any
    help: str


def _parse_number(name: str, value: object) -> float:
    try:
        return float(parse_number(value))  # type: ignore[arg-type]  # a text, or a number
    except (TypeError, ValueError):
        raise invalid_argument(name, _OWNER, "be a number", value) from None


def _parse_fraction(name: str, value: object) -> float:
    number = _parse_number(name, value)
    if isinstance(value, bool) or not 0.0 < number < 1.0:
        remedy = suggest_delta(number) if name.endswith("delta") else suggest_fraction(number)
        raise invalid_argument(name, _OWNER, "be a number strictly between 0 and 1", value, remedy)
    return number


def _parse_delta(name: str, value: object) -> float:
    number = _parse_fraction(name, value)
    if number > MAX_DELTA:
        raise invalid_argument(
            name, _OWNER, f"be at most {MAX_DELTA}", value, suggest_confidence(number)
        )
    return number


def _parse_margin(name: str, value: object) -> float:
    number = _parse_number(name, value)
    if isinstance(value, bool) or not 0.0 <= number < 1.0:
        raise invalid_argument(name, _OWNER, "be a number from 0 to 1", value)
    return number


def _parse_count(name: str, value: object) -> int:
    number = _parse_number(name, value)
    if isinstance(value, bool) or not 1 <= number < inf or number != int(number):
        raise invalid_argument(name, _OWNER, "be a whole number of at least 1", value)
    return int(number)


def _parse_money(name: str, value: object) -> float:
    number = _parse_number(name, value)
    if isinstance(value, bool) or not 0.0 <= number < inf:
        raise invalid_argument(name, _OWNER, "be an amount of money of at least 0", value)
    return number


def _make_choice_parser(known: Sequence[str]) -> Callable[[str, object], str]:
    def read(name: str, value: object) -> str:
        if value not in known:
            raise invalid_choice(name, _OWNER, known, value)
        return str(value)

    return read


def _parse_report(name: str, value: object) -> Path:
    path = Path(str(value))
    if path.suffix not in REPORT_SUFFIXES:
        raise invalid_argument(name, _OWNER, "end in .json or .html", value)
    if not path.parent.is_dir():
        raise invalid_argument(name, _OWNER, "be in a folder that exists", value)
    return path.absolute()


_TEST_SETTINGS: Final = (
    _Setting("threshold", _parse_fraction, None, "the pass rate that gates must reach"),
    _Setting("delta", _parse_delta, 0.05, "the chance you accept of a wrong verdict; default 0.05"),
    _Setting("max_runs", _parse_count, 300, "the most runs of a gate; default 300"),
    _Setting(
        "margin",
        _parse_margin,
        0.0,
        "accept either verdict for pass rates this close to the threshold; default 0",
    ),
    _Setting("cost", _parse_money, None, "the money that a run costs, to show what was spent"),
    _Setting("max_cost", _parse_money, None, "the most money for all runs of a gate, with cost"),
)
_SUITE_SETTINGS: Final = (
    _Setting(
        "control",
        _make_choice_parser(CONTROLS),
        "per-test",
        "what delta limits: the chance of a wrong verdict per gate (per-test), or of any (suite)",
    ),
    _Setting(
        "planned",
        _parse_count,
        None,
        "with suite: the number of gates that share delta, whichever of them you run",
    ),
    _Setting(
        "undecided",
        _make_choice_parser(UNDECIDED_CHOICES),
        "fail",
        "outcome of an undecided gate: fail|pass|skip",
    ),
    _Setting(
        "report", _parse_report, None, "write a report of all gates to this .json or .html file"
    ),
)


@dataclass(frozen=True)
class SuiteSettings:
    """Settings of the whole run of pytest; the first six apply where a marker says nothing."""

    threshold: float | None
    delta: float
    max_runs: int
    margin: float
    cost: float | None
    max_cost: float | None
    control: str
    planned: int | None
    undecided: str
    report: Path | None


@dataclass(frozen=True)
class GateSettings:
    """Settings of one gate; ``delta`` is its share of the delta that was ``asked``."""

    threshold: float
    delta: float
    max_runs: int
    margin: float
    cost: float | None
    max_cost: float | None
    undecided: str
    asked: float

    def problem(self, node: str) -> "Problem":
        """Return the problem of the test with this node id."""
        from goodarm.problem import Problem

        with naming_caller(f"@pytest.mark.{MARK}", max_pulls="max_runs"):
            return Problem(
                [node],
                self.threshold,
                self.delta,
                margin=self.margin,
                max_pulls=self.max_runs,
                cost=self.cost,
                max_cost=self.max_cost,
            )


def add_options(parser: pytest.Parser) -> None:
    """Add each setting as an option and to the ini file."""
    group = parser.getgroup("goodarm", "gates: tests that must be proven to pass often enough")
    for setting in (*_TEST_SETTINGS, *_SUITE_SETTINGS):
        option = f"--goodarm-{setting.name.replace('_', '-')}"
        group.addoption(option, dest=f"goodarm_{setting.name}", default=None, help=setting.help)
        if setting.name != "report":
            parser.addini(f"goodarm_{setting.name}", setting.help)


def read_options(config: pytest.Config) -> SuiteSettings:
    """Read the options, or else the ini settings, or else the defaults; wrong ones end the run."""
    found: dict[str, Any] = {}
    for setting in (*_TEST_SETTINGS, *_SUITE_SETTINGS):
        name = f"--goodarm-{setting.name.replace('_', '-')}"
        value = config.getoption(f"goodarm_{setting.name}")
        if value is None and setting.name != "report":
            name = f"goodarm_{setting.name}"
            value = read_ini_value(config, name)
        try:
            found[setting.name] = setting.default if value is None else setting.read(name, value)
        except GoodArmError as error:
            raise pytest.UsageError(str(error)) from None
    if found["planned"] is not None and found["control"] != "suite":
        raise pytest.UsageError(
            "--goodarm-planned needs --goodarm-control suite: per-test verdicts do not depend on "
            "the number of gates."
        )
    return SuiteSettings(**found)


SETTINGS_KEY: Final = pytest.StashKey[GateSettings]()
FAULT_KEY: Final = pytest.StashKey[str]()
"""Stash keys of an item: its settings, or what is wrong with its mark."""


def describe_too_few_planned(gates: int, options: SuiteSettings) -> str | None:
    """Return an error message if there are more gates than ``--goodarm-planned``, else None."""
    if options.control != "suite" or options.planned is None or gates <= options.planned:
        return None
    rule = f"be at least the number of gates, {gates}"
    return str(invalid_argument("--goodarm-planned", _OWNER, rule, options.planned))


def read_marks(
    items: Sequence[pytest.Item], options: SuiteSettings, copies: int = 1
) -> dict[str, str]:
    """Read the mark of each gate into its stash; return the errors in marks, by node id.

    Under ``suite`` delta is divided by the number of gates, or by that planned. Every worker of
    xdist collects all of them, and so all divide by the same number. With ``--dist=each`` each of
    the ``copies`` workers runs all gates, and all of these may be wrong.
    """
    from goodarm.gate import Gate

    is_shared = options.control == "suite"
    planned = options.planned or len(items)
    faults = {}
    for item in items:
        try:
            found = _read_mark(item, options)
            shares = planned * copies if is_shared else 1
            settings = replace(found, delta=found.delta / shares)
            Gate(settings.problem(item.nodeid)).check_cap(f"@pytest.mark.{MARK}", "max_runs")
            item.stash[SETTINGS_KEY] = settings
        except GoodArmError as error:
            faults[item.nodeid] = item.stash[FAULT_KEY] = str(error)
    return faults


def _read_mark(item: pytest.Item, options: SuiteSettings) -> GateSettings:
    """Read the marks of the parameter, the test, its class and its module: the nearest counts."""
    owner = f"@pytest.mark.{MARK}"
    known = {setting.name: setting for setting in _TEST_SETTINGS}
    given: dict[str, Any] = {name: getattr(options, name) for name in known}
    for mark in list_marks(item, MARK):
        if len(mark.args) > 1:
            raise invalid_argument(
                "threshold", owner, "be its only argument without a name", mark.args
            )
        if mark.args and "threshold" in mark.kwargs:
            both = (*mark.args, mark.kwargs["threshold"])
            raise invalid_argument(
                "threshold", owner, "be given once, with or without its name", both
            )
        for name, value in {
            **dict(zip(("threshold",), mark.args, strict=False)),
            **mark.kwargs,
        }.items():
            if name not in known:
                raise invalid_choice("argument", owner, known, name)
            given[name] = known[name].read(name, value)
    if given["threshold"] is None:
        remedy = "Or set goodarm_threshold in the ini file, or --goodarm-threshold."
        raise invalid_argument(
            "threshold", owner, "be given, as in goodarm(threshold=0.9)", None, remedy
        )
    settings = GateSettings(**given, undecided=options.undecided, asked=given["delta"])
    settings.problem(item.nodeid)
    _check_state_machine(item, owner)
    _check_hypothesis(item, owner)
    return settings


def _check_state_machine(item: Any, owner: str) -> None:
    """Raise an error for a Hypothesis state machine whose runs would repeat each other.

    Other Hypothesis tests get a new seed for each run. That of a state machine belongs to a class
    which nothing public leads to, while its settings are public: ``Machine.TestCase.settings``.
    """
    test = getattr(item, "obj", None)
    is_machine = getattr(test, "is_hypothesis_test", False) is True
    if not is_machine or hasattr(test, "hypothesis"):
        return
    remedy = "Otherwise later runs repeat earlier ones and prove nothing."
    found = getattr(item.cls, "settings", None)
    if getattr(found, "derandomize", False) or getattr(found, "database", None) is not None:
        rule = "have derandomize=False and database=None for a state machine"
        raise invalid_argument("TestCase.settings", owner, rule, found, remedy)
    fixed = item.config.getoption("--hypothesis-seed", None)
    if fixed is not None:
        raise invalid_argument(
            "--hypothesis-seed", owner, "be left out for a state machine", fixed, remedy
        )


def _check_hypothesis(item: Any, owner: str) -> None:
    """Raise an error for Hypothesis tests that would fail, or repeat each other, from run 2 on."""
    from goodarm.gate import HypothesisSeeds

    test = getattr(item, "obj", None)
    HypothesisSeeds(test).check(owner, item.config.getoption("--hypothesis-seed", None))
    if has_instance_check(getattr(item, "cls", None), test):
        rule = "suppress HealthCheck.differing_executors for a Hypothesis test in a class"
        remedy = (
            "Each run has its own instance, so that Hypothesis would fail the test from the second "
            "run on. Write @settings(suppress_health_check=[HealthCheck.differing_executors]), "
            "or use a function instead of a method."
        )
        raise invalid_argument("settings", owner, rule, item.name, remedy)
