"""Page for a new experiment: a form that explains each field, and the plan before it starts.

Only what was planned is created: the form carries a digest of what its plan was made for.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from starlette.responses import Response

from goodarm.algorithm import algorithms
from goodarm.errors import ProtocolError, SpecError
from goodarm.live import ExperimentSettings
from goodarm.service.models import CreateBody
from goodarm.service.pages.fields import (
    FORM,
    MORE,
    TITLES,
    USUAL,
    WrongFields,
    Wrongs,
    body_of,
    wrong_of,
)
from goodarm.service.pages.planned import Planned, planned_of
from goodarm.service.pages.rendering import page, redirect
from goodarm.service.pages.visit import Page, Visit

CHANGED: Final = "The form has changed since its plan was shown. This is the plan for it as it is."


@dataclass(frozen=True)
class NewPage:
    """Content of the page: the form as filled in, with its errors or its plan."""

    fields: Mapping[str, str]
    wrongs: Wrongs = field(default_factory=dict)
    planned: Planned | None = None
    start: ExperimentSettings | None = None
    digest: str = ""
    """hash of what the plan was made for"""
    note: str = ""

    @property
    def first_wrong(self) -> str:
        """First field with an error, where the visitor is led."""
        return next((name for name in TITLES if name in self.wrongs), "")

    @property
    def has_more(self) -> bool:
        """Whether a field that is folded away at first is filled in or has an error."""
        is_used = any(self.fields[name] != USUAL[name] for name in MORE)
        return is_used or any(name in self.wrongs for name in MORE)


def show_form(visit: Visit) -> Response:
    """Show the empty form."""
    return _form(visit, NewPage(USUAL))


def _form(visit: Visit, shown: NewPage, status: int = 200) -> Response:
    return page(visit, "new.html", status, shown=shown, algorithms=algorithms(), titles=TITLES)


def send_form(visit: Visit) -> Response:
    """Show the plan; or, once the visitor has seen it, create the experiment."""
    fields = {name: visit.form.get(name, usual).strip() for name, usual in USUAL.items()}
    try:
        return _answer(visit, fields)
    except WrongFields as error:
        wrongs = error.wrongs
    except SpecError as error:
        wrongs = wrong_of(error)
    except ProtocolError as error:
        wrongs = {"": FORM.sentence(error)}
    return _form(visit, NewPage(fields, wrongs), 422)


def _answer(visit: Visit, fields: Mapping[str, str]) -> Response:
    body = body_of(fields, visit.service.settings.max_arms)
    if not visit.caller.sees(body.name):
        pattern = "" if visit.token is None else visit.token.pattern
        raise WrongFields({"name": f"Your token is for experiments with names like {pattern}."})
    start = body.start()
    digest, is_creating = _digest(body, fields), visit.form.get("do") == "create"
    if is_creating and visit.form.get("planned") == digest:
        return _create(visit, start, body)
    if visit.kept.has(body.name):
        raise WrongFields({"name": _taken(body.name)})
    planned = planned_of(start, fields)
    note = CHANGED if is_creating else ""
    return _form(visit, NewPage(fields, {}, planned, start, digest, note))


def _digest(body: CreateBody, fields: Mapping[str, str]) -> str:
    """Return a hash of what a plan was made for, to recognize it."""
    text = f"{body.model_dump_json()} {fields['distance']} {fields['num_good']}"
    return hashlib.sha256(text.encode()).hexdigest()


def _taken(name: str) -> str:
    return f"There is an experiment {name} already. Take another name."


def _create(visit: Visit, start: ExperimentSettings, body: CreateBody) -> Response:
    try:
        exp = visit.kept.create(body.name, start, body.seed, visit.who)
    except SpecError:
        raise WrongFields({"name": _taken(body.name)}) from None
    return redirect(visit.url(f"/experiments/{exp.name}", done="created"))


PAGES: Final = (
    Page("GET", "/new", "admin", show_form),
    Page("POST", "/new", "admin", send_form),
)
