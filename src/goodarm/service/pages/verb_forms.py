"""Forms of verbs without texts of their own, made from the table of verbs."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from goodarm.live import VERBS, Field, FieldType, Verb
from goodarm.problem import Arm
from goodarm.service.pages.actions import (
    VERBS_WITH_FORMS,
    Confirmation,
    FormField,
    FormFieldError,
    make_form_pages,
)
from goodarm.service.pages.request_context import Page, Visit
from goodarm.store import StoredExperiment
from goodarm.views.names import printable

_KINDS: Final[Mapping[FieldType, str]] = {
    "arm": "select",
    "count": "number",
    "flag": "checkbox",
    "text": "textarea",
}
"""Kinds of form fields, by the types of the table."""
_MAX_LISTED_ARMS: Final = 200
"""Maximum number of arms that a form lists; with more, it offers only the one in its address."""
_MAX_DIGITS: Final = 15


class FormLink(NamedTuple):
    """Link to a form."""

    title: str
    address: str


def list_form_pages() -> tuple[Page, ...]:
    """Return the pages of all forms in the table of verbs."""
    return tuple(page for verb in _list_verbs() for page in _make_pages(verb))


def list_links(visit: Visit, arm: int | None = None) -> list[FormLink]:
    """Return links to the forms that a visitor may send: of the experiment, or about one arm."""
    return [
        FormLink(verb.form or verb.name, visit.make_experiment_url(_make_path(verb), arm=arm))
        for verb in _list_verbs()
        if visit.caller.has_scope(verb.scope)
        and (arm is None or any(field.type == "arm" for field in verb.fields))
    ]


def _list_verbs() -> list[Verb]:
    """Return the verbs whose forms are made here."""
    return [
        verb
        for verb in VERBS.values()
        if verb.form is not None and verb.name not in VERBS_WITH_FORMS
    ]


def _make_path(verb: Verb) -> str:
    return verb.name.replace("_", "-")


def _make_pages(verb: Verb) -> tuple[Page, Page]:
    """Return the two pages of a verb: its form, and the handler of what the form sends."""
    for field in verb.fields:
        if field.type not in _KINDS:
            raise LookupError(f"No form can hold the {field.name!r} of {verb.name!r}.")

    def confirmation(visit: Visit) -> Confirmation:
        arms = visit.site.snapshots.get(visit.name).problem.arms
        position = _parse_position(visit.get_text("arm"), arms)
        after = () if position is None else ("arms", position)
        return Confirmation(
            title=f"{verb.form}: {visit.name}",
            text=(verb.act.__doc__ or "").partition("\n\n")[0].replace("``", ""),
            button=verb.form or verb.name,
            back=visit.make_experiment_url(*after),
            after=after,
            fields=[_make_field(field, arms, position) for field in verb.fields],
        )

    def act(visit: Visit, exp: StoredExperiment, key: str) -> None:
        arms = exp.problem.arms
        fields = {field.name: _parse_value(field, visit.form, arms) for field in verb.fields}
        exp.do(verb.name, key, **fields)

    return make_form_pages(_make_path(verb), verb.scope, confirmation, verb.name, act)


def _make_field(field: Field, arms: Sequence[Arm], position: int | None) -> FormField:
    """Return the form field for a field of the table, with the arm preselected."""
    value, hint, choices = "", field.help, []
    if field.type == "arm":
        listed: Sequence[int] = range(len(arms))
        if len(arms) > _MAX_LISTED_ARMS:
            listed = [] if position is None else [position]
            hint = f"{hint} There are too many arms to list: open this form from an arm's page."
        empty = "Choose an arm" if field.is_required else "None"
        choices = [("", empty), *((str(k), printable(arms[k])) for k in listed)]
        value = "" if position is None else str(position)
    return FormField(
        name=field.name,
        title=_make_title(field),
        hint=hint,
        kind=_KINDS[field.type],
        is_needed=field.is_required,
        value=value,
        least=field.least,
        most=field.most,
        choices=choices,
    )


def _make_title(field: Field) -> str:
    return field.name.replace("_", " ").capitalize()


def _parse_position(text: str, arms: Sequence[Arm]) -> int | None:
    """Parse the position of an arm in an address or a form; None if there is none."""
    return int(text) if _is_whole(text) and int(text) < len(arms) else None


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS


def _parse_value(field: Field, form: Mapping[str, str], arms: Sequence[Arm]) -> Any:
    """Parse the value of a form field; None if it is empty."""
    given, title = form.get(field.name, ""), _make_title(field)
    if field.type == "flag":
        return given == "yes"
    if not given.strip():
        if field.is_required:
            raise FormFieldError(field.name, f"{title}: enter a value.")
        return None
    if field.type == "arm":
        position = _parse_position(given, arms)
        if position is None:
            raise FormFieldError(field.name, f"{title}: choose an entry of the list.")
        return arms[position]
    if field.type == "count":
        if not _is_whole(given):
            raise FormFieldError(field.name, f"{title}: enter a whole number such as 10.")
        return int(given)
    text = given.replace("\r\n", "\n")
    if field.most is not None and len(text) > field.most:
        raise FormFieldError(
            field.name, f"{title}: enter at most {field.most:,} characters; got {len(text):,}."
        )
    return text
