"""Changes: each has a confirmation, and is written to the journal with who made it.

Each form carries a key, so that one that is sent twice counts once. The forms here have texts of
their own; those of the other verbs are made from the table, in ``verb_forms``.
"""

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from goodarm.algorithm import REASON_TAKEN_OUT
from goodarm.errors import ProtocolError, SpecError
from goodarm.live import VERBS, Verb
from goodarm.service.pages.html_responses import redirect, render_page
from goodarm.service.pages.new_experiment_fields import parse_number
from goodarm.service.pages.request_context import Page, Visit
from goodarm.service.pages.snapshots import ExperimentSnapshot
from goodarm.service.pages.wording import explain_refusal
from goodarm.service.problems import NOT_FOUND, Refusal
from goodarm.store import Scope, StoredExperiment
from goodarm.views.names import printable
from goodarm.views.numbers import plural
from goodarm.wording import FormWording

DONE_MESSAGES: Final = {
    "paused": "The experiment is paused.",
    "resumed": "The experiment is running again.",
    "closed": "The experiment is closed.",
    "added": "The arm was added.",
    "taken-out": "The arm is taken out. It is not asked again.",
    "given-up": "The pull is given up.",
    "created": "The experiment is created. You can ask for its first pulls.",
}
"""Message that a page shows after a change, by a word in its address."""
VERBS_WITH_FORMS: Final = ("pause", "resume", "close", "add_arm", "take_out", "forget")
"""Verbs whose forms are written here."""
_FIELDS_BY_ARGUMENT: Final = {"loss_is_independent": "independent"}
"""Fields of forms by arguments, where their names differ."""
_DONE_MESSAGE: Final = "Done. The change is in the journal."
_MAX_SEARCHED_ENTRIES: Final = 100
"""Number of last entries that are searched for a form's event."""


def find_done_message(visit: Visit, snapshot: ExperimentSnapshot) -> dict[str, str]:
    """Return the message for the change in the address, if it was made: anybody may type it."""
    word = visit.get_text("done")
    if word in VERBS:
        return {word: _DONE_MESSAGE} if _has_event(visit, VERBS[word]) else {}
    if word not in DONE_MESSAGES:
        return {}
    is_so = {
        "created": snapshot.num_asked == 0,
        "added": snapshot.num_added > 0,
        "taken-out": REASON_TAKEN_OUT in snapshot.table.reasons.values(),
        "given-up": snapshot.num_given_up > 0,
    }
    status = {"resumed": "running"}.get(word, word)
    return {word: DONE_MESSAGES[word]} if is_so.get(word, snapshot.status == status) else {}


def _has_event(visit: Visit, verb: Verb) -> bool:
    """Return whether an event of the verb is among the last ones of the journal."""

    def read(exp: StoredExperiment) -> bool:
        found = exp.rows(max(exp.entries - _MAX_SEARCHED_ENTRIES, 0), _MAX_SEARCHED_ENTRIES)
        return any(json.loads(row.text)["kind"] == verb.event.kind for row in found)

    return visit.experiments.use(visit.name, read)


@dataclass(frozen=True)
class FormField:
    """Field of a form."""

    name: str
    title: str
    hint: str
    kind: str = "text"
    is_needed: bool = True
    value: str = ""
    """initial value"""
    least: int | None = None
    most: int | None = None
    """``least`` and ``most`` limit a number, or the length of a text"""
    choices: Sequence[tuple[str, str]] = ()
    """values of a select and their titles"""


@dataclass(frozen=True)
class Confirmation:
    """Change to confirm: its meaning, and the fields that it needs."""

    title: str
    text: str
    button: str
    back: str
    after: Sequence[object] = ()
    """page to open once it is made, as parts of an address below that of the experiment"""
    fields: Sequence[FormField] = ()
    is_final: bool = False
    is_written: bool = True
    """whether a journal records who made it"""
    is_possible: bool = True
    """if not, the text says why, and there is no form"""


class FormFieldError(Exception):
    """Invalid field of a form."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


def _show_form(
    visit: Visit,
    confirmation: Confirmation,
    status: int = 200,
    wrong: str = "",
    field: str | None = None,
) -> Response:
    """Show the form, with an error at one field or at all of them."""
    key = visit.form.get("key") or secrets.token_urlsafe(12)
    errors = [each.name for each in confirmation.fields if wrong and field in (None, each.name)]
    return render_page(
        visit,
        "confirm.html",
        status,
        confirmation=confirmation,
        key=key,
        wrong=wrong,
        invalid_fields=errors,
    )


def _make_change(
    visit: Visit, confirmation: Confirmation, done: str, act: Callable[[StoredExperiment, str], Any]
) -> Response:
    """Make the change and redirect; show an error above the form."""
    key = f"page:{visit.form.get('key', '')[:100]}"
    try:
        visit.change_experiment(lambda exp: act(exp, key))
    except FormFieldError as error:
        return _show_form(
            visit, confirmation, 422, str(error) if confirmation.is_possible else "", error.field
        )
    except (SpecError, ProtocolError) as error:
        words = FormWording(
            {each.name: each.title for each in confirmation.fields}, _FIELDS_BY_ARGUMENT
        )
        wrong, field = explain_refusal(error, words), words.field(error) or None
        return _show_form(
            visit, confirmation, 422, wrong if confirmation.is_possible else "", field
        )
    return redirect(visit.make_experiment_url(*confirmation.after, done=done))


def make_form_pages(
    path: str,
    scope: Scope,
    confirmation: Callable[[Visit], Confirmation],
    done: str,
    act: Callable[[Visit, StoredExperiment, str], Any],
) -> tuple[Page, Page]:
    """Return the two pages of a change: its form, and the handler of what the form sends."""
    where = f"/experiments/{{name:experiment}}/{path}"

    def make(visit: Visit) -> Response:
        return _make_change(visit, confirmation(visit), done, lambda exp, key: act(visit, exp, key))

    return (
        Page("GET", where, scope, lambda visit: _show_form(visit, confirmation(visit))),
        Page("POST", where, scope, make),
    )


def _confirm_pause(visit: Visit) -> Confirmation:
    text = (
        "Workers get no pulls until you resume the experiment. They can still tell the rewards of "
        "pulls in progress."
    )
    return Confirmation(f"Pause {visit.name}?", text, "Pause", visit.make_experiment_url())


def _confirm_resume(visit: Visit) -> Confirmation:
    return Confirmation(
        f"Resume {visit.name}?",
        "Workers can ask for pulls again.",
        "Resume",
        visit.make_experiment_url(),
    )


def _confirm_close(visit: Visit) -> Confirmation:
    snapshot = visit.site.snapshots.get(visit.name)
    undecided = snapshot.table.num_by_label["undecided"]
    text = (
        "You cannot undo this. Workers get no more pulls and cannot tell rewards. "
        f"{plural(undecided, 'arm')} {'stays' if undecided == 1 else 'stay'} undecided. The labels "
        "and the journal are kept."
    )
    return Confirmation(
        f"Close {visit.name} for good?", text, "Close", visit.make_experiment_url(), is_final=True
    )


def _confirm_add(visit: Visit) -> Confirmation:
    problem = visit.site.snapshots.get(visit.name).problem
    planned = problem.arms_planned or problem.num_arms
    room = planned - problem.num_arms
    if room < 1:
        text = (
            f"The experiment was planned for {plural(planned, 'arm')}, and it has all of them. You "
            "cannot add another: the guarantee covers only the planned arms."
        )
    else:
        text = (
            f"You can add {plural(room, 'more arm')}: the experiment was planned for {planned:,}."
        )
    fields = [FormField("arm", "Name of the arm", "A name that no other arm has.")]
    if isinstance(problem.pool, tuple):
        fields.append(FormField("pool", "Cases", "Number of cases to test the arm on.", "number"))
    if isinstance(problem.cost, tuple):
        fields.append(FormField("cost", "Cost", "Money that a pull of the arm costs."))
    title = f"Add an arm to {visit.name}"
    return Confirmation(
        title, text, "Add the arm", visit.make_experiment_url(), fields=fields, is_possible=room > 0
    )


def _add_arm(visit: Visit, exp: StoredExperiment, key: str) -> None:
    most = visit.service.settings.max_arms
    if exp.problem.num_arms >= most:
        raise FormFieldError("arm", f"This service allows at most {most:,} arms.")
    pool = visit.form.get("pool", "").strip()
    size = int(pool) if pool.isascii() and pool.isdigit() and len(pool) < 10 else None
    name = visit.form.get("arm", "").strip()
    if not name:
        raise FormFieldError("arm", "Enter a name for the arm.")
    if any(str(arm) == name for arm in exp.problem.arms) and not _has_same_key(exp, key):
        raise FormFieldError("arm", f"An arm named {name!r} already exists. Choose another name.")
    if isinstance(exp.problem.pool, tuple) and not size:
        raise FormFieldError("pool", "Cases: enter a whole number of at least 1.")
    cost = parse_number(visit.form.get("cost", "").strip())
    if isinstance(exp.problem.cost, tuple) and cost is None:
        raise FormFieldError("cost", "Cost: enter an amount of money, such as 0.02.")
    exp.add_arm(name, pool=size, cost=cost, key=key)


def _has_same_key(exp: StoredExperiment, key: str) -> bool:
    """Return whether the form was sent before, so that it gets the same answer."""
    return exp.has_key(key)


def _confirm_take_out(visit: Visit) -> Confirmation:
    arm = printable(_find_arm(visit))
    text = (
        f"{arm} is not asked again. It stays undecided, unless the rewards of its pulls in "
        "progress complete the evidence. Its data is kept."
    )
    back = visit.make_experiment_url("arms", visit.request.path_params["arm"])
    return Confirmation(f"Take {arm} out?", text, "Take out", back, is_final=True)


def _find_arm(visit: Visit) -> Any:
    arms = visit.site.snapshots.get(visit.name).problem.arms
    position = int(visit.request.path_params["arm"])
    if position >= len(arms):
        raise Refusal(NOT_FOUND, f"The experiment has no arm at position {position}.")
    return arms[position]


def _confirm_give_up(visit: Visit) -> Confirmation:
    number = int(visit.request.path_params["number"])
    pull = visit.experiments.use(visit.name, lambda exp: exp.pull(number))
    text = (
        f"Give up pull {number:,} of {printable(pull.arm)} if its reward will never come. The pull "
        "then counts as the worst case for both labels, so that a loss cannot make the arm look "
        "better or worse than it is. If the loss has nothing to do with the reward, say so below: "
        "the pull then counts as never made."
    )
    lost = FormField(
        "independent",
        "The loss has nothing to do with the reward",
        "For example, a machine was switched off. If in doubt, leave this empty.",
        "checkbox",
        is_needed=False,
    )
    title, button = f"Give up pull {number:,}?", "Give up"
    return Confirmation(
        title, text, button, visit.make_experiment_url(), fields=[lost], is_final=True
    )


def _forget(visit: Visit, exp: StoredExperiment, key: str) -> None:
    pull = exp.pull(int(visit.request.path_params["number"]))
    exp.forget(pull, loss_is_independent=visit.form.get("independent") == "yes", key=key)


PAGES: Final = (
    *make_form_pages(
        "pause", "admin", _confirm_pause, "paused", lambda _, exp, key: exp.pause(key=key)
    ),
    *make_form_pages(
        "resume", "admin", _confirm_resume, "resumed", lambda _, exp, key: exp.resume(key=key)
    ),
    *make_form_pages(
        "close", "admin", _confirm_close, "closed", lambda _, exp, key: exp.close(key=key)
    ),
    *make_form_pages("add", "admin", _confirm_add, "added", _add_arm),
    *make_form_pages(
        "arms/{arm:position}/take-out",
        "admin",
        _confirm_take_out,
        "taken-out",
        lambda visit, exp, key: exp.take_out(_find_arm(visit), key=key),
    ),
    *make_form_pages("pulls/{number:number}/give-up", "run", _confirm_give_up, "given-up", _forget),
)
