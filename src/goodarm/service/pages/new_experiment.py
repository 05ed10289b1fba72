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
from goodarm.service.pages.html_responses import redirect, render_page
from goodarm.service.pages.new_experiment_fields import (
    DEFAULTS,
    FOLDED_FIELDS,
    FORM_WORDING,
    TITLES,
    FieldErrors,
    InvalidForm,
    locate_error,
    make_body,
)
from goodarm.service.pages.plan_preview import PlanPreview, preview_plan
from goodarm.service.pages.request_context import Page, Visit
from goodarm.service.request_models import CreateBody

FORM_CHANGED: Final = "You changed the form after its plan was shown. Here is the new plan."


@dataclass(frozen=True)
class NewPage:
    """Content of the page: the form as filled in, with its errors or its plan."""

    fields: Mapping[str, str]
    errors: FieldErrors = field(default_factory=dict)
    planned: PlanPreview | None = None
    start: ExperimentSettings | None = None
    digest: str = ""
    """hash of what the plan was made for"""
    note: str = ""

    @property
    def first_invalid(self) -> str:
        """First field with an error, where the visitor is led."""
        return next((name for name in TITLES if name in self.errors), "")

    @property
    def has_more(self) -> bool:
        """True if a field that is folded away at first is filled in or has an error."""
        is_used = any(self.fields[name] != DEFAULTS[name] for name in FOLDED_FIELDS)
        return is_used or any(name in self.errors for name in FOLDED_FIELDS)


def show_form(visit: Visit) -> Response:
    """Show the empty form."""
    return _render_form(visit, NewPage(DEFAULTS))


def _render_form(visit: Visit, shown: NewPage, status: int = 200) -> Response:
    return render_page(
        visit, "new.html", status, shown=shown, algorithms=algorithms(), titles=TITLES
    )


def send_form(visit: Visit) -> Response:
    """Show the plan; or, once the visitor has seen it, create the experiment."""
    fields = {name: visit.form.get(name, usual).strip() for name, usual in DEFAULTS.items()}
    try:
        return _handle_form(visit, fields)
    except InvalidForm as error:
        errors = error.errors
    except SpecError as error:
        errors = locate_error(error)
    except ProtocolError as error:
        errors = {"": FORM_WORDING.sentence(error)}
    return _render_form(visit, NewPage(fields, errors), 422)


def _handle_form(visit: Visit, fields: Mapping[str, str]) -> Response:
    body = make_body(fields, visit.service.settings.max_arms)
    if not visit.caller.can_see(body.name):
        pattern = "" if visit.token is None else visit.token.pattern
        raise InvalidForm(
            {"name": f"Your token only allows experiments with names like {pattern}."}
        )
    start = body.make_settings()
    digest, is_creating = _hash_form(body, fields), visit.form.get("do") == "create"
    if is_creating and visit.form.get("planned") == digest:
        return _create(visit, start, body)
    if visit.experiments.has_experiment(body.name):
        raise InvalidForm({"name": _describe_taken_name(body.name)})
    planned = preview_plan(start, fields)
    note = FORM_CHANGED if is_creating else ""
    return _render_form(visit, NewPage(fields, {}, planned, start, digest, note))


def _hash_form(body: CreateBody, fields: Mapping[str, str]) -> str:
    """Return a hash of what a plan was made for, to recognize it."""
    text = f"{body.model_dump_json()} {fields['distance']} {fields['num_good']}"
    return hashlib.sha256(text.encode()).hexdigest()


def _describe_taken_name(name: str) -> str:
    return f"An experiment named {name} already exists. Choose another name."


def _create(visit: Visit, start: ExperimentSettings, body: CreateBody) -> Response:
    try:
        exp = visit.experiments.create(body.name, start, body.seed, visit.who)
    except SpecError:
        raise InvalidForm({"name": _describe_taken_name(body.name)}) from None
    return redirect(visit.make_url(f"/experiments/{exp.name}", done="created"))


PAGES: Final = (
    Page("GET", "/new", "admin", show_form),
    Page("POST", "/new", "admin", send_form),
)
