"""Options that several commands share, with one meaning and one help text."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from goodarm.arguments import Percentage, parse_number, refuse_large_delta, two_readings
from goodarm.cli import choices
from goodarm.wording import Arg, phrase

if TYPE_CHECKING:
    from goodarm.problem import Arm, Problem

NUMBER: Final = "NUMBER"
TEXT: Final = "TEXT"
FILE: Final = "FILE"
FOLDER: Final = "FOLDER"


def number(value: object) -> float:
    """Parse a number as it is typed: 0.05 or 0,05. Reject a percentage."""
    found = share(value)
    if isinstance(found, Percentage):
        raise typer.BadParameter(f"must be a number without a percent sign; got {value!r}.")
    return found


def share(value: object) -> float:
    """Parse a number as it is typed: 0.05, 0,05 or 5%."""
    found = parse_number(str(value))
    if isinstance(found, float):
        return found
    raise typer.BadParameter(f"must be a number; got {value!r}. {two_readings(found)}".rstrip())


Threshold = Annotated[
    float,
    typer.Option(metavar=NUMBER, parser=share, help="The bar a good arm's mean reaches."),
]
Delta = Annotated[
    float,
    typer.Option(metavar=NUMBER, parser=share, help="Probability allowed for any wrong label."),
]
AllowLargeDelta = Annotated[
    bool, typer.Option("--allow-large-delta", help="Take a --delta above 0.5 for what it is.")
]


_INSIST: Final = phrase("If you mean it, {pass} {allow} too.", allow=Arg("allow_large_delta", True))


def check_delta(delta: float, *, is_allowed: bool) -> None:
    """Raise an error for a large delta, such as 0.95, which looks like a confidence level."""
    if not is_allowed:
        refuse_large_delta("Problem", delta, _INSIST)


BEFOREHAND = "labels stay those of the rule fixed beforehand."
"""End of the help of options that must not be chosen after seeing rewards."""
Margin = Annotated[
    float,
    typer.Option(
        metavar=NUMBER,
        parser=share,
        help=f"Slack around the bar, fixed before the first reward: {BEFOREHAND}",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Scheduler of a Dask cluster: tcp://host:8786."),
]
RewardKind = Annotated[
    str,
    typer.Option(
        metavar=choices.listed(choices.REWARDS),
        help="Kind of rewards.",
        autocompletion=choices.one_of(choices.REWARDS),
    ),
]
Low = Annotated[
    float | None, typer.Option(metavar=NUMBER, parser=number, help="Least bounded reward.")
]
High = Annotated[
    float | None, typer.Option(metavar=NUMBER, parser=number, help="Largest bounded reward.")
]
Sigma = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=number,
        help=f"Sd of Gaussian rewards, known before the first one: {BEFOREHAND}",
    ),
]
Until = Annotated[
    int | None, typer.Option(metavar=NUMBER, help="Stop at this number of good arms.")
]
MaxPulls = Annotated[int | None, typer.Option(metavar=NUMBER, help="Stop at this number of pulls.")]
Pool = Annotated[
    int | None,
    typer.Option(metavar=NUMBER, help="Cases of each arm, drawn once each; means are shares."),
]
ArmsPlanned = Annotated[
    int | None, typer.Option(metavar=NUMBER, help="All arms ever to be judged, if some come later.")
]
Gap = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=share,
        help="A hint of how far means lie from the threshold, fixed before the first reward: "
        f"{BEFOREHAND} In plan --num-arms, how far they lie.",
    ),
]
Jobs = Annotated[int | None, typer.Option(metavar=NUMBER, help="Threads; one a core unless given.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Algorithms = Annotated[
    list[str] | None,
    typer.Option(
        "--algorithm",
        "-a",
        metavar="NAME",
        help="A name, two rules as in kl-moss+betting, or package.module:NAME; repeat it to "
        "compare. e-hdoc if none.",
        autocompletion=choices.algorithm,
    ),
]


@dataclass(frozen=True)
class Question:
    """Options that make a Problem."""

    threshold: Threshold
    delta: Delta
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

    def problem(self, arms: "int | Iterable[Arm]") -> "Problem":
        """Return the problem with these arms."""
        from goodarm.problem import Problem

        given = asdict(self)
        check_delta(self.delta, is_allowed=given.pop("allow_large_delta"))
        return Problem(arms, **given)


def asks(command: Callable[..., None]) -> Callable[..., None]:
    """Replace a command's parameter ``asked`` by the options of a Question.

    Required options come first.
    """
    options = inspect.signature(Question).parameters
    listed: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        listed += options.values() if parameter.name == "asked" else [parameter]

    @wraps(command)
    def call(**values: Any) -> None:
        asked = Question(**{name: values.pop(name) for name in options})
        command(asked=asked, **values)

    keywords = [parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in listed]
    keywords.sort(key=lambda parameter: parameter.default is not parameter.empty)
    vars(call)["__signature__"] = inspect.Signature(keywords)
    return call
