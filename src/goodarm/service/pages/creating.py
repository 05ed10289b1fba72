"""A new experiment: a form that explains each field, and the plan before one starts.

What the form holds becomes the body of the API's own request, and is checked by it.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError
from starlette.responses import Response

from goodarm.algorithm import algorithms
from goodarm.arguments import as_float
from goodarm.errors import GoodArmError, ProtocolError, SpecError
from goodarm.experiment import Start
from goodarm.planning import plan
from goodarm.results import Plan
from goodarm.service.bodies import sentence
from goodarm.service.models import CreateBody
from goodarm.service.pages.rendering import page, redirect
from goodarm.service.pages.visit import Page, Visit, refused
from goodarm.service.problems import DIFFERENT, TOO_MANY, Refusal

_SECONDS: Final = 4.0
"""A plan that takes longer is left to the command line."""
_PRECISION: Final = 0.05
_NUMBERS: Final = ("threshold", "delta", "margin", "low", "high", "sigma", "gap")
_COUNTS: Final = ("until", "max_pulls", "pool", "arms_planned")
USUAL: Final[Mapping[str, str]] = {
    "name": "",
    "arms": "",
    "threshold": "",
    "delta": "0.05",
    "rewards": "bernoulli",
    "algorithm": "e-hdoc",
    "silence": "wait",
    "distance": "",
    "num_good": "",
    "low": "",
    "high": "",
    "sigma": "",
    "margin": "",
    "until": "",
    "max_pulls": "",
    "pool": "",
    "arms_planned": "",
    "gap": "",
    "seed": "",
    "seconds": "",
    "otherwise": "",
}
"""The fields, and what stands in them at first."""


class TooLong(Exception):
    """A plan that would keep a visitor waiting."""


@dataclass(frozen=True)
class Planned:
    """The pulls to expect, or why that is not said."""

    plan: Plan | None
    distance: float
    num_good: int
    why_not: str = ""


@dataclass(frozen=True)
class NewPage:
    """The form as it was filled, with what came of it."""

    fields: Mapping[str, str]
    wrong: str = ""
    planned: Planned | None = None
    start: Start | None = None


def body_of(fields: Mapping[str, str]) -> CreateBody:
    """The request that a form stands for."""
    problem: dict[str, Any] = {"arms": _arms(fields["arms"]), "rewards": fields["rewards"]}
    for name in _NUMBERS:
        if fields[name]:
            problem[name] = _number(name, fields[name])
    for name in _COUNTS:
        if fields[name]:
            problem[name] = _whole(name, fields[name])
    silence: dict[str, Any] = {"meaning": fields["silence"]}
    for name in ("seconds", "otherwise"):
        if fields[name]:
            silence[name] = _number(name, fields[name])
    document: dict[str, Any] = {
        "name": fields["name"],
        "problem": problem,
        "algorithm": fields["algorithm"],
        "silence": silence,
    }
    if fields["seed"]:
        document["seed"] = _whole("seed", fields["seed"])
    try:
        return CreateBody.model_validate(document)
    except ValidationError as error:
        raise SpecError(sentence(error.errors(include_url=False))) from None


def _arms(text: str) -> int | list[str]:
    """Names, one in a line; or one number, for so many arms."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1 and lines[0].isascii() and lines[0].isdigit() and len(lines[0]) < 8:
        return int(lines[0])
    return lines


def _number(name: str, text: str) -> float:
    try:
        found = as_float(float(text))
    except ValueError:
        found = None
    if found is None or found != found:
        raise SpecError(f"{name!r} must be a number such as 0.05; got {text[:40]!r}.")
    return found


def _whole(name: str, text: str) -> int:
    digits = text.replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 20):
        raise SpecError(f"{name!r} must be a whole number such as 1000; got {text[:40]!r}.")
    return int(digits)


def planned_of(start: Start, fields: Mapping[str, str]) -> Planned:
    """What ``goodarm plan`` says of it, if that does not take long."""
    problem = start.problem
    scale = {"bernoulli": 1.0, "gaussian": 5 * (problem.sigma or 0.0)}
    width = (1.0 if problem.high is None else problem.high) - (problem.low or 0.0)
    usual = 0.1 * scale.get(problem.rewards, width)
    distance = _number("distance", fields["distance"]) if fields["distance"] else usual
    half = -(-problem.num_arms // 2)
    num_good = _whole("num_good", fields["num_good"]) if fields["num_good"] else half
    end = time.monotonic() + _SECONDS

    def progress(*_: object) -> None:
        if time.monotonic() > end:
            raise TooLong

    try:
        found = plan(
            problem=problem,
            gap=distance,
            num_good=num_good,
            algorithm=start.algorithm,
            precision=_PRECISION,
            progress=progress,
        )
    except TooLong:
        why = "This plan takes a while. On the command line, 'goodarm plan' makes it."
        return Planned(None, distance, num_good, why)
    except GoodArmError as error:
        return Planned(None, distance, num_good, str(error))
    return Planned(found, distance, num_good)


def show_form(visit: Visit) -> Response:
    """The form, empty."""
    return _form(visit, NewPage(USUAL))


def _form(visit: Visit, shown: NewPage, status: int = 200) -> Response:
    return page(visit, "new.html", status, shown=shown, algorithms=algorithms())


def send_form(visit: Visit) -> Response:
    """The plan; or, once that was seen, the experiment."""
    fields = {name: visit.form.get(name, usual).strip() for name, usual in USUAL.items()}
    try:
        body = body_of(fields)
        visit.caller.check("admin", body.name)
        arms, most = body.problem.arms, visit.service.settings.max_arms
        count = arms if isinstance(arms, int) else len(arms)
        if count > most:
            raise Refusal(TOO_MANY, f"An experiment has at most {most:,} arms; got {count:,}.")
        start = body.start()
        if visit.form.get("do") == "create":
            return _create(visit, start, body)
        if visit.kept.has(body.name):
            detail = f"There is an experiment {body.name!r} already. Take another name."
            raise Refusal(DIFFERENT, detail)
        planned = planned_of(start, fields)
    except (SpecError, ProtocolError, Refusal) as error:
        wrong = str(error) if isinstance(error, ProtocolError) else refused(error)
        return _form(visit, NewPage(fields, wrong), 422)
    return _form(visit, NewPage(fields, planned=planned, start=start))


def _create(visit: Visit, start: Start, body: CreateBody) -> Response:
    exp = visit.kept.store.experiment(
        body.name, start.problem, start.algorithm, body.seed, start.silence, start.serving
    )
    visit.kept.keep(exp)
    return redirect(visit.url(f"/experiments/{exp.name}", done="created"))


PAGES: Final = (
    Page("GET", "/new", "admin", show_form),
    Page("POST", "/new", "admin", send_form),
)
