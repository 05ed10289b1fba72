"""Forms of verbs without texts of their own, made from the table of verbs."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from goodarm.live import VERBS, Field, FieldType, Verb
from goodarm.problem import Arm
from goodarm.service.pages.actions import (
    VERBS_WITH_FORMS,
    Asking,
    FormField,
    FormFieldError,
    form_pages,
)
from goodarm.service.pages.visit import Page, Visit
from goodarm.store import StoredExperiment
from goodarm.views.names import printable

_KINDS: Final[Mapping[FieldType, str]] = {
    "arm": "select",
    "count": "number",
    "flag": "checkbox",
    "text": "textarea",
}
"""Kinds of form fields, by the types of the table."""
_MOST_CHOICES: Final = 200
"""Maximum number of arms that a form lists; with more, it offers only the one in its address."""
_MOST_DIGITS: Final = 15


class FormLink(NamedTuple):
    """Link to a form."""

    title: str
    address: str


def pages() -> tuple[Page, ...]:
    """Return the pages of all forms in the table of verbs."""
    return tuple(page for verb in _verbs() for page in _pages_of(verb))


def links_of(visit: Visit, arm: int | None = None) -> list[FormLink]:
    """Return links to the forms that a visitor may send: of the experiment, or about one arm."""
    return [
        FormLink(verb.form or verb.name, visit.at(_path(verb), arm=arm))
        for verb in _verbs()
        if visit.may(verb.scope)
        and (arm is None or any(field.type == "arm" for field in verb.fields))
    ]


def _verbs() -> list[Verb]:
    """Return the verbs whose forms are made here."""
    return [
        verb
        for verb in VERBS.values()
        if verb.form is not None and verb.name not in VERBS_WITH_FORMS
    ]


def _path(verb: Verb) -> str:
    return verb.name.replace("_", "-")


def _pages_of(verb: Verb) -> tuple[Page, Page]:
    """Return the two pages of a verb: its form, and the handler of what the form sends."""
    for field in verb.fields:
        if field.type not in _KINDS:
            raise LookupError(f"No form can hold the {field.name!r} of {verb.name!r}.")

    def asking(visit: Visit) -> Asking:
        arms = visit.pages.looks.seen(visit.name).problem.arms
        position = _position(visit.text("arm"), arms)
        after = () if position is None else ("arms", position)
        return Asking(
            title=f"{verb.form}: {visit.name}",
            text=(verb.act.__doc__ or "").partition("\n\n")[0].replace("``", ""),
            button=verb.form or verb.name,
            back=visit.at(*after),
            after=after,
            fields=[_field_of(field, arms, position) for field in verb.fields],
        )

    def act(visit: Visit, exp: StoredExperiment, key: str) -> None:
        arms = exp.problem.arms
        fields = {field.name: _value_of(field, visit.form, arms) for field in verb.fields}
        exp.do(verb.name, key, **fields)

    return form_pages(_path(verb), verb.scope, asking, verb.name, act)


def _field_of(field: Field, arms: Sequence[Arm], position: int | None) -> FormField:
    """Return the form field for a field of the table, with the arm preselected."""
    value, hint, choices = "", field.help, []
    if field.type == "arm":
        listed: Sequence[int] = range(len(arms))
        if len(arms) > _MOST_CHOICES:
            listed = [] if position is None else [position]
            hint = f"{hint} There are too many arms to list: open this form from an arm's page."
        empty = "Choose an arm" if field.is_required else "None"
        choices = [("", empty), *((str(k), printable(arms[k])) for k in listed)]
        value = "" if position is None else str(position)
    return FormField(
        name=field.name,
        title=_title(field),
        hint=hint,
        kind=_KINDS[field.type],
        is_needed=field.is_required,
        value=value,
        least=field.least,
        most=field.most,
        choices=choices,
    )


def _title(field: Field) -> str:
    return field.name.replace("_", " ").capitalize()


def _position(text: str, arms: Sequence[Arm]) -> int | None:
    """Parse the position of an arm in an address or a form; None if there is none."""
    return int(text) if _is_whole(text) and int(text) < len(arms) else None


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def _value_of(field: Field, form: Mapping[str, str], arms: Sequence[Arm]) -> Any:
    """Parse the value of a form field; None if it is empty."""
    given, title = form.get(field.name, ""), _title(field)
    if field.type == "flag":
        return given == "yes"
    if not given.strip():
        if field.is_required:
            raise FormFieldError(field.name, f"{title}: fill it in.")
        return None
    if field.type == "arm":
        position = _position(given, arms)
        if position is None:
            raise FormFieldError(field.name, f"{title}: choose one of the list.")
        return arms[position]
    if field.type == "count":
        if not _is_whole(given):
            raise FormFieldError(field.name, f"{title}: write a whole number such as 10.")
        return int(given)
    text = given.replace("\r\n", "\n")
    if field.most is not None and len(text) > field.most:
        raise FormFieldError(
            field.name, f"{title}: write at most {field.most:,} characters; got {len(text):,}."
        )
    return text
