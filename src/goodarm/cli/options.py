"""Options that several commands share, with one meaning and one help text."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from goodarm.arguments import Percentage, parse_number, suggest_two_readings
from goodarm.cli import choices, usage

if TYPE_CHECKING:
    from goodarm.problem import Arm, Problem

NUMBER: Final = "NUMBER"
TEXT: Final = "TEXT"
FILE: Final = "FILE"
FOLDER: Final = "FOLDER"


def number(value: object) -> float:
    """Parse a number as it is typed: 0.05 or 0,05. Reject a percentage."""
    found = parse_share(value)
    if isinstance(found, Percentage):
        raise typer.BadParameter(f"must be a number without a percent sign; got {value!r}.")
    return found


def parse_share(value: object) -> float:
    """Parse a number as it is typed: 0.05, 0,05 or 5%."""
    found = parse_number(str(value))
    if isinstance(found, float):
        return found
    raise typer.BadParameter(
        f"must be a number; got {value!r}. {suggest_two_readings(found)}".rstrip()
    )


Threshold = Annotated[
    float,
    typer.Option(
        metavar=NUMBER,
        parser=parse_share,
        help="A good arm's mean reward, such as its success rate, is at least this.",
        rich_help_panel=usage.QUESTION,
    ),
]
Delta = Annotated[
    float,
    typer.Option(
        metavar=NUMBER,
        parser=parse_share,
        help="The chance you accept that any label is wrong, such as 0.05.",
        rich_help_panel=usage.QUESTION,
    ),
]
AllowLargeDelta = Annotated[
    bool,
    typer.Option(
        "--allow-large-delta",
        help="Accept a --delta above 0.5, which is usually a mistake.",
        rich_help_panel=usage.EXPERTS,
    ),
]


Margin = Annotated[
    float,
    typer.Option(
        metavar=NUMBER,
        parser=parse_share,
        help="Accept either label for arms this close to the threshold.",
        rich_help_panel=usage.QUESTION,
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Run on the Dask cluster with this scheduler: tcp://host:8786.",
        rich_help_panel=usage.SIMULATION,
    ),
]
RewardKind = Annotated[
    str,
    typer.Option(
        metavar=choices.format_choices(choices.REWARDS),
        help="bernoulli: success or failure. bounded: numbers in a known range. gaussian: "
        "normally distributed numbers.",
        autocompletion=choices.make_completer(choices.REWARDS),
        rich_help_panel=usage.REWARDS,
    ),
]
Low = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=number,
        help="With bounded rewards: the smallest possible one, 0 if not given.",
        rich_help_panel=usage.REWARDS,
    ),
]
High = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=number,
        help="With bounded rewards: the largest possible one, 1 if not given.",
        rich_help_panel=usage.REWARDS,
    ),
]
Sigma = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=number,
        help="With gaussian rewards: their standard deviation, known beforehand and not estimated "
        "from these rewards.",
        rich_help_panel=usage.REWARDS,
    ),
]
Until = Annotated[
    int | None,
    typer.Option(
        metavar=NUMBER,
        help="Stop as soon as this many good arms are found.",
        rich_help_panel=usage.QUESTION,
    ),
]
MaxPulls = Annotated[
    int | None,
    typer.Option(
        metavar=NUMBER,
        help="Stop after this many pulls of all arms together.",
        rich_help_panel=usage.QUESTION,
    ),
]
Cost = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=number,
        help="The money that a pull of each arm costs.",
        rich_help_panel=usage.QUESTION,
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=number,
        help="Stop when this money does not pay for another pull.",
        rich_help_panel=usage.QUESTION,
    ),
]
Pool = Annotated[
    int | None,
    typer.Option(
        metavar=NUMBER,
        help="Each arm has this many cases, and each case is used once.",
        rich_help_panel=usage.CASES,
    ),
]
ArmsPlanned = Annotated[
    int | None,
    typer.Option(
        metavar=NUMBER,
        help="If you may add arms later: the final number of arms.",
        rich_help_panel=usage.QUESTION,
    ),
]
Gap = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=parse_share,
        help="A guess of how far the means are from the threshold: a good guess saves pulls, a bad "
        "one costs pulls, and labels stay valid.",
        rich_help_panel=usage.EXPERTS,
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        metavar=NUMBER,
        help="The same seed gives the same numbers.",
        rich_help_panel=usage.SIMULATION,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        metavar=NUMBER,
        help="Number of threads; one per core if not given.",
        rich_help_panel=usage.SIMULATION,
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print only JSON.", rich_help_panel=usage.OUTPUT)
]
ALGORITHM_HELP: Final = (
    "A name from 'goodarm algorithms', two rules such as kl-moss+betting, or your own as "
    "package.module:NAME. Repeat the option to compare several."
)
Algorithms = Annotated[
    list[str] | None,
    typer.Option(
        "--algorithm",
        "-a",
        metavar="NAME",
        help=f"{ALGORITHM_HELP} e-hdoc if not given.",
        autocompletion=choices.complete_algorithm,
        rich_help_panel=usage.SIMULATION,
    ),
]


@dataclass(frozen=True)
class QuestionOptions:
    """Options that make a Problem."""

    threshold: Threshold
    delta: Delta = 0.05
    margin: Margin = 0.0
    rewards: RewardKind = "bernoulli"
    low: Low = None
    high: High = None
    sigma: Sigma = None
    until: Until = None
    max_pulls: MaxPulls = None
    pool: Pool = None
    arms_planned: ArmsPlanned = None
    allow_large_delta: AllowLargeDelta = False
    gap: Gap = None
    cost: Cost = None
    max_cost: MaxCost = None

    def problem(self, arms: "int | Iterable[Arm]") -> "Problem":
        """Return the problem with these arms."""
        from goodarm.problem import Problem

        return Problem(arms, **asdict(self))


def add_question_options(command: Callable[..., None]) -> Callable[..., None]:
    """Replace a command's parameter ``asked`` by the options of a Question.

    Required options come first.
    """
    return _add_options(command, inspect.signature(QuestionOptions).parameters)


def add_optional_question(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a question, whose threshold is None where none is given."""
    options = dict(inspect.signature(QuestionOptions).parameters)
    options["threshold"] = options["threshold"].replace(default=None)
    return _add_options(command, options)


def _add_options(
    command: Callable[..., None], options: Mapping[str, inspect.Parameter]
) -> Callable[..., None]:
    listed: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        listed += options.values() if parameter.name == "asked" else [parameter]

    @wraps(command)
    def call(**values: Any) -> None:
        asked = QuestionOptions(**{name: values.pop(name) for name in options})
        command(asked=asked, **values)

    keywords = [parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in listed]
    keywords.sort(key=lambda parameter: parameter.default is not parameter.empty)
    vars(call)["__signature__"] = inspect.Signature(keywords)
    return call
