"""OFREP: experiments as feature flags, for any OpenFeature client.

The targeting key is the worker. It asks once, under a request key made from it, so that it keeps
its arm for good; its reward is told by the pull's number, which is in the metadata. Once the
experiment is done, every client gets the arm that its `serving` names.

A client does not say which type of value it wants: one that finds another type (TYPE_MISMATCH)
has been given a pull all the same. It gets the same pull when it asks again; if it never tells a
reward, the experiment's rule for missing rewards decides.
"""

import hashlib
import logging
from functools import lru_cache
from typing import Any, Final

from starlette.responses import Response

from goodarm.errors import Gone, GoodArmError, ProtocolError
from goodarm.live import FLAG_WAITS
from goodarm.problem import Arm
from goodarm.service.answers import answer, as_json, tag_of, tagged
from goodarm.service.bodies import JSON, loaded, media_of
from goodarm.service.calls import Call, Name, Room, Sending
from goodarm.service.models import LONGEST, Evaluation
from goodarm.service.ofrep_errors import PREFIX, FlagRefusal, code_of, flag_error
from goodarm.service.problems import CLOSED, PAUSED, Refusal, kind_of, refusal_of
from goodarm.service.shapes import Flag, FlagError, Flags
from goodarm.store import StoredExperiment

_log = logging.getLogger("goodarm")

room = Room("ofrep", PREFIX)

_REFUSED: Final[dict[int | str, dict[str, Any]]] = {
    code: {"model": FlagError} for code in (400, 404)
}


@room.route(
    "POST",
    "/evaluate/flags/{name:experiment}",
    "run",
    body=Evaluation,
    answer=Flag,
    also=_REFUSED,
)
def evaluate_flag(name: Name, call: Sending) -> Response:
    """Return the arm for a targeting key: always the same one while the experiment runs."""
    key = _targeting_key(call)
    return answer(call.change(name, lambda exp: _flag(exp, key)))


@room.route(
    "POST",
    "/evaluate/flags",
    "run",
    body=Evaluation,
    answer=Flags,
    also={400: {"model": FlagError}},
)
def evaluate_flags(call: Sending) -> Response:
    """Return the arms for a targeting key of all experiments that opted in; each spends a pull."""
    key = _targeting_key(call)
    flags = []
    for name in call.kept.bulk_names():
        if call.caller.sees(name):
            flag = _bulk_flag(call, name, key)
            if flag is not None:
                flags.append(flag)
    document = {"flags": flags}
    return tagged(call.request, tag_of(call.request, as_json(document)), document)


def _targeting_key(call: Call) -> str:
    """Return the targeting key of the request; refuse a missing or an invalid one."""
    document: Any = {}
    if call.raw:
        media_of(call.request, JSON)
        document = loaded(call.raw)
    if not isinstance(document, dict):
        raise FlagRefusal("PARSE_ERROR", "The body must be a JSON object with a 'context'.")
    context = document.get("context", {})
    if not isinstance(context, dict):
        raise FlagRefusal("INVALID_CONTEXT", "The 'context' must be a JSON object.")
    key = context.get("targetingKey")
    if key is None or key == "":
        detail = "The context needs a 'targetingKey': the visitor who gets the arm, and keeps it."
        raise FlagRefusal("TARGETING_KEY_MISSING", detail)
    if not isinstance(key, str) or len(key) > LONGEST:
        rule = f"be a text of at most {LONGEST} characters"
        raise FlagRefusal("INVALID_CONTEXT", f"The 'targetingKey' must {rule}.")
    return key


def _bulk_flag(call: Call, name: str, key: str) -> dict[str, Any] | None:
    """Evaluate one of many flags; None if it did not opt in, or was deleted meanwhile."""

    def find(exp: StoredExperiment) -> dict[str, Any] | None:
        return _flag(exp, key) if exp.serving.bulk else None

    try:
        return call.change(name, find)
    except FlagRefusal as refusal:
        return flag_error(name, refusal.code, refusal.details)
    except (Refusal, Gone):
        return None
    except GoodArmError as error:
        refusal_ = refusal_of(error)
        return flag_error(name, code_of(refusal_), refusal_.detail)


def _flag(exp: StoredExperiment, key: str) -> dict[str, Any]:
    if exp.silence.meaning == "wait":
        _warn_once(exp.id, exp.name)
    if not exp.is_done:
        pulls = _asked(exp, key)
        if pulls:
            pull = pulls[0]
            metadata = {"pull": pull.number}
            if pull.case is not None:
                metadata["case"] = pull.case
            return _value(exp.name, "SPLIT", pull.arm, metadata)
    if exp.is_done:
        return _value(exp.name, "STATIC", exp.arm_when_done)
    return _value(exp.name, "DEFAULT", exp.serving.default)


@lru_cache(maxsize=1000)
def _warn_once(head_id: str, name: str) -> None:
    """Log that a flag has no rule for missing rewards, once for each experiment."""
    _log.warning("The experiment %r is a feature flag. %s", name, FLAG_WAITS)


def _asked(exp: StoredExperiment, key: str) -> list[Any]:
    request_key = f"ofrep:{hashlib.sha256(key.encode()).hexdigest()}"
    try:
        return exp.ask_many(1, worker=key, key=request_key)
    except ProtocolError as error:
        if kind_of(error) not in (CLOSED, PAUSED):
            raise
        return []


def _value(
    name: str, reason: str, arm: Arm | None, metadata: dict[str, int] | None = None
) -> dict[str, Any]:
    if arm is None:
        detail = (
            f"The experiment {name!r} has no arm to show: none is good or can be asked, and its "
            "'serving' names no default."
        )
        raise FlagRefusal("GENERAL", detail)
    return {
        "key": name,
        "reason": reason,
        "variant": str(arm),
        "value": arm,
        "metadata": metadata or {},
    }
