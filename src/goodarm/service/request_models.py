"""Strict models of request bodies: no unknown keys, no true for 1, and no text for a number."""

from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from goodarm.arguments import MAX_SEED
from goodarm.live import ExperimentSettings, FlagPolicy, RewardTimeout
from goodarm.problem import MAX_ARMS, MAX_COST, MAX_MONEY, MAX_PULLS, Problem

MAX_KEY_CHARS: Final = 255
"""Maximum length of a worker's name."""
MAX_NUMBER: Final = 10**18 - 1
"""Largest number of a pull or an entry that a request may name."""
NAME_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"


def _convert_whole(value: object) -> object:
    """Convert a float without a fraction to an int, as JSON does not tell them apart: 3.0 is 3."""
    if type(value) is float and value.is_integer() and abs(value) <= 2**53:
        return int(value)
    return value


def make_whole_type(least: int | None = None, most: int | None = None) -> Any:
    """Return the type of whole numbers within limits; the API document repeats them at each use."""
    return Annotated[int, Field(strict=True, ge=least, le=most), BeforeValidator(_convert_whole)]


Text = Annotated[str, Field(strict=True)]
Whole = Annotated[int, Field(strict=True), BeforeValidator(_convert_whole)]
Arm = Annotated[Text | Whole, Field(description="An arm's label: a text or a whole number.")]
Number = Annotated[Whole, Field(ge=1, le=MAX_NUMBER, description="The number of a pull.")]
Case = Annotated[
    Whole, Field(ge=0, le=MAX_NUMBER, description="Of the arm's pool; null without one.")
]
Reward = Annotated[float, Field(description="What the pull has returned: a number.")]
Cost = Annotated[
    float, Field(ge=0, le=MAX_COST, description="What a pull costs: an amount of money.")
]
ProblemKind = Literal["bernoulli", "bounded", "gaussian"]


class RequestModel(BaseModel):
    """Base of all request models."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
    owner: ClassVar[str] = "the request"
    """Function of the library that the request is for."""

    @property
    def given(self) -> dict[str, Any]:
        """Fields that the client has sent, without defaults."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class PullReference(RequestModel):
    """Base for a pull named by a client; its arm and case, if given, must be those asked."""

    arm: Arm | None = None
    case: Case | None = None

    @property
    def known_fields(self) -> dict[str, Any]:
        """Arm and case, if given. Null means no arm was given, but is a valid case: no pool."""
        known_fields: dict[str, Any] = {} if self.arm is None else {"arm": self.arm}
        if "case" in self.model_fields_set:
            known_fields["case"] = self.case
        return known_fields


class ProblemBody(RequestModel):
    """Problem, with the arguments of ``Problem``; what is left out has its default."""

    kind: Literal["problem"] = "problem"
    format: Whole = Field(1, ge=1, le=1)
    arms: Annotated[Whole, Field(ge=1)] | Annotated[list[Arm], Field(min_length=1)] = Field(
        description="Labels, each once, or how many arms there are."
    )
    threshold: float
    delta: float = Field(gt=0, lt=1)
    margin: float = Field(0.0, ge=0)
    rewards: ProblemKind = "bernoulli"
    low: float | None = None
    high: float | None = None
    sigma: float | None = None
    until: Whole | None = Field(None, ge=1)
    max_pulls: Whole | None = Field(None, ge=1, le=MAX_PULLS)
    pool: Annotated[Whole, Field(ge=1)] | list[Annotated[Whole, Field(ge=1)]] | None = None
    case_order: Literal["same", "own"] = "same"
    gap: float | None = Field(None, gt=0)
    arms_planned: Whole | None = Field(None, ge=1, le=MAX_ARMS)
    allow_large_delta: bool = Field(
        False, description="Take a delta above 0.5 for what it is, and not for a confidence."
    )
    cost: Cost | list[Cost] | None = None
    max_cost: float | None = Field(None, ge=0, le=MAX_MONEY)

    def make_problem(self) -> Problem:
        """Build the library's problem."""
        return Problem(**{k: v for k, v in self.given.items() if k not in ("kind", "format")})


class SilenceBody(RequestModel):
    """Rule for missing rewards; ``otherwise`` is the ``default`` of ``RewardTimeout``."""

    meaning: Literal["wait", "reward", "lost"] = "wait"
    seconds: float | None = Field(None, gt=0)
    otherwise: float | None = None
    is_independent: bool = False


class ServingBody(RequestModel):
    """Policy for feature flags, with the arguments of ``FlagPolicy``."""

    when_done: Literal["first_good", "best_mean", "default"] = "first_good"
    default: Arm | None = None
    bulk: bool = False


class CreateBody(RequestModel):
    """An experiment to create, or to find as it was created."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "banners",
                    "problem": {"arms": ["red", "green"], "threshold": 0.5, "delta": 0.05},
                },
                {
                    "name": "conversions",
                    "problem": {"arms": 3, "threshold": 0.02, "delta": 0.05, "max_pulls": 100000},
                    "algorithm": "e-hdoc",
                    "seed": 7,
                    "silence": {"meaning": "reward", "seconds": 604800, "otherwise": 0},
                    "serving": {"when_done": "best_mean", "default": 0},
                },
            ]
        }
    )
    owner: ClassVar[str] = "Store.experiment"
    name: str = Field(pattern=NAME_PATTERN)
    problem: ProblemBody
    algorithm: Text | dict[str, Any] | None = Field(
        None, description="A name of `goodarm algorithms`, or an algorithm's document."
    )
    seed: Whole | None = Field(None, ge=0, le=MAX_SEED)
    silence: SilenceBody | None = None
    serving: ServingBody | None = None

    def make_settings(self) -> ExperimentSettings:
        """Build and validate the settings of the experiment."""
        from goodarm.algorithm import Algorithm

        algorithm: str | Algorithm | None
        if isinstance(self.algorithm, dict):
            algorithm = Algorithm.from_dict(self.algorithm)
        else:
            algorithm = self.algorithm
        return ExperimentSettings.of(
            self.problem.make_problem(),
            algorithm,
            self.seed,
            None if self.silence is None else RewardTimeout.from_dict(self.silence.given),
            None if self.serving is None else FlagPolicy(**self.serving.given),
        )


class AskBody(RequestModel):
    """Number of pulls to ask for, with the worker and the lease."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"count": 2, "worker": "ann", "lease": 60}, {}]}
    )
    owner: ClassVar[str] = "ask"
    count: Whole = Field(1, ge=1, description="Pulls to make side by side.")
    worker: str | None = Field(
        None,
        min_length=1,
        max_length=MAX_KEY_CHARS,
        description="Who gets the same pulls again until they are told.",
    )
    lease: float | None = Field(None, gt=0, description="Seconds after which others may have them.")


class PullBody(PullReference):
    """A pull that was asked; arm and case are compared if they are given."""

    number: Number


class TellBody(RequestModel):
    """Rewards of pulls, in one commit."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "pulls": [{"number": 1, "arm": "red"}, {"number": 2, "arm": "green"}],
                    "rewards": [1, 0],
                }
            ]
        }
    )
    owner: ClassVar[str] = "tell"
    pulls: list[PullBody]
    rewards: list[Reward]
    costs: list[Cost | None] | None = Field(
        None, description="What each pull cost; null for what the problem says."
    )


class TellLine(RequestModel):
    """One line of a batch: a pull and its reward."""

    owner: ClassVar[str] = "tell"
    pull: PullBody
    reward: Reward
    cost: Cost | None = None


class TellOneBody(PullReference):
    """The reward of one pull; arm and case are compared if they are given."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"reward": 1}, {"reward": 0, "arm": "red"}]}
    )
    owner: ClassVar[str] = "tell"
    reward: Reward
    cost: Cost | None = None


class ForgetBody(PullReference):
    """A pull whose reward will not come; arm and case are compared if they are given."""

    model_config = ConfigDict(json_schema_extra={"examples": [{}, {"loss_is_independent": True}]})
    owner: ClassVar[str] = "forget"
    loss_is_independent: bool = Field(
        False, description="Whether losing it has nothing to do with its reward."
    )


class VerifyBody(RequestModel):
    """The head of a journal that was kept elsewhere, or nothing."""

    model_config = ConfigDict(json_schema_extra={"examples": [{}]})
    head: Text | None = Field(
        None,
        min_length=1,
        max_length=64,
        pattern="^[0-9a-fA-F]+$",
        description="Hash of the last entry, or its first digits: the journal must end with it.",
    )


class EmptyBody(RequestModel):
    """Nothing: an empty body, or an empty object."""

    model_config = ConfigDict(json_schema_extra={"examples": [{}]})


class Evaluation(BaseModel):
    """OFREP's request: a context with the targeting key. The rest of it is not used."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"context": {"targetingKey": "visitor-17"}}]}
    )
    context: dict[str, Any] = Field(
        json_schema_extra={
            "required": ["targetingKey"],
            "properties": {
                "targetingKey": {"type": "string", "minLength": 1, "maxLength": MAX_KEY_CHARS}
            },
        }
    )
