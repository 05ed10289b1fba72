"""Models of answers, for the OpenAPI document."""

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

Arm = str | int
Status = Literal["running", "paused", "done", "closed"]
Label = Literal["good", "bad", "undecided"]


class ResponseModel(BaseModel):
    """Base of all answer models."""

    model_config = ConfigDict(extra="forbid")


_SUMMARY: Final[dict[str, JsonValue]] = {
    "name": "banners",
    "status": "running",
    "entries": 12,
    "pulls": 30,
    "changed_at": 1767225600.0,
    "good": 0,
    "bad": 1,
    "undecided": 2,
}
_PULL: Final[dict[str, JsonValue]] = {"number": 1, "arm": "red", "case": None}


class Summary(ResponseModel):
    """An experiment in short: arms are counted by their labels."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SUMMARY]})
    name: str
    status: Status
    entries: int
    pulls: int
    changed_at: float | None = Field(description="Seconds since 1970; null before the first entry.")
    good: int
    bad: int
    undecided: int


class ExperimentModel(Summary):
    """An experiment with all that it was created with."""

    model_config = ConfigDict(json_schema_extra={})
    problem: dict[str, Any]
    algorithm: dict[str, Any]
    seed: int
    silence: dict[str, Any]
    serving: dict[str, Any]
    head: str | None = Field(
        description="Hash of the last entry, to keep elsewhere; null if the journal is unchained."
    )


class Experiments(ResponseModel):
    """A page of experiments, by name."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"experiments": [_SUMMARY], "next": "banners"}]}
    )
    experiments: list[Summary]
    next: str | None = Field(description="The `after` of the next page; null on the last one.")


class PullModel(ResponseModel):
    """One test to make: pull this arm, on this case of its pool if there is one."""

    number: int
    arm: Arm
    case: int | None


class Pulls(ResponseModel):
    """Pulls to make. If there are none, `status` and `why` say the reason."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"pulls": [_PULL], "status": None, "why": None}]}
    )
    pulls: list[PullModel]
    status: Status | None
    why: str | None


class TellResult(ResponseModel):
    """Number of rewards taken; those told before with the same value are counted too."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"told": 2}]})
    told: int


class Empty(ResponseModel):
    """Empty answer: the change was made."""


class PullInProgressModel(ResponseModel):
    """A pull that is out: who has it, since when, and until when."""

    pull: PullModel
    worker: str | None
    asked_at: float
    until: float | None


class PullsInProgress(ResponseModel):
    """A page of pulls that are out, by number."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "out": [
                        {
                            "pull": _PULL,
                            "worker": "ann",
                            "asked_at": 1767225600.0,
                            "until": 1767225660.0,
                        }
                    ],
                    "next": None,
                }
            ]
        }
    )
    out: list[PullInProgressModel]
    next: int | None


class WaitingModel(ResponseModel):
    """Rewards that came in and wait to enter an arm's test, behind a missing one."""

    rewards: int
    pull: int = Field(description="The number of the missing pull.")
    worker: str | None
    asked_at: float | None = Field(description="Seconds since 1970.")


class ArmReportModel(ResponseModel):
    """One arm's numbers, as ``ArmReport`` has them."""

    arm: Arm
    pulls: int
    mean: float | None
    lower: float | None
    upper: float | None
    e_good: float | None
    e_bad: float | None
    label: Label
    labelled_at: int | None
    pulls_needed: int | None
    pulls_needed_90: int | None
    reason: str | None = None
    waits: WaitingModel | None = None
    lost: int | None = Field(
        default=None, description="How many of the pulls have no reward: the worst case."
    )
    cost: float | None = Field(None, description="Of a pull; left out without costs.")
    spent: float | None = Field(None, description="Money of its pulls; left out without costs.")


class Reports(ResponseModel):
    """A page of arms, in arm order; or the arms that were named."""

    reports: list[ArmReportModel]
    next: int | None


class VerdictModel(ResponseModel):
    """Arms by their labels; good ones in order of identification."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"good": ["red"], "bad": [], "undecided": ["green"], "pulls": 30}]
        }
    )
    good: list[Arm]
    bad: list[Arm]
    undecided: list[Arm]
    pulls: int
    cost: float | None = Field(
        None, description="Money of the pulls that were asked; left out without costs."
    )


class JournalEntries(ResponseModel):
    """A page of entries, each with a `kind` and a `format`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "entries": [
                        {"kind": "asked", "format": 1, "at": 1767225600.0, "first": 1, "arms": [0]}
                    ],
                    "next": 1,
                }
            ]
        }
    )
    entries: list[dict[str, Any]]
    next: int | None


class HistoryMoment(ResponseModel):
    """One arm's numbers at one moment."""

    entry: int
    at: float
    total: int
    pulls: int
    mean: float | None
    lower: float | None
    upper: float | None
    label: Label


class ArmHistoryModel(ResponseModel):
    """History of one arm's interval."""

    arm: Arm
    moments: list[HistoryMoment]


class Histories(ResponseModel):
    """Histories of intervals."""

    histories: list[ArmHistoryModel]


class VerificationModel(ResponseModel):
    """A journal whose labels are those that its rewards prove."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"entries": 12, "rewards": 30, "labels": 1, "head": None}]}
    )
    entries: int
    rewards: int
    labels: int
    head: str | None = Field(
        description="Hash of the last entry; null if the journal is unchained."
    )
    kept_at: int | None = Field(
        default=None,
        description="The entry with the hash that was sent, if more entries have followed.",
    )


class Health(ResponseModel):
    """Status of the service."""

    status: Literal["ok"]


class ErrorDocument(BaseModel):
    """An error by its fields; `rule` and `remedy` are texts, or lists of texts and references."""

    pointer: str = Field(
        "", description="JSON pointer to what is wrong in the body; empty: all of it."
    )
    detail: str
    argument: str
    owner: str = ""
    rule: str | list[Any] = ""
    value: Any = None
    remedy: str | list[Any] = ""


class ProblemDocument(ResponseModel):
    """Problem as in RFC 9457; `type` is stable, `detail` is for people."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[ErrorDocument] = Field(
        [], description="The errors that are about something of the request; left out if none."
    )


class Flag(ResponseModel):
    """A flag's value, as OFREP has it: the arm, and the number of its pull while it runs."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "key": "banners",
                    "reason": "SPLIT",
                    "variant": "red",
                    "value": "red",
                    "metadata": {"pull": 1},
                }
            ]
        }
    )
    key: str
    reason: Literal["SPLIT", "STATIC", "DEFAULT"]
    variant: str
    value: Arm
    metadata: dict[str, int]


class FlagError(ResponseModel):
    """Why a flag has no value, as OFREP has it."""

    key: str | None = None
    errorCode: Literal[  # noqa: N815 (OFREP's own name)
        "FLAG_NOT_FOUND",
        "PARSE_ERROR",
        "TARGETING_KEY_MISSING",
        "INVALID_CONTEXT",
        "GENERAL",
    ]
    errorDetails: str  # noqa: N815


class Flags(ResponseModel):
    """The flags of all experiments that opted in."""

    flags: list[Flag | FlagError]
