"""OFREP: experiments as feature flags, for any OpenFeature client.

The targeting key is the worker. It asks once, under a request key made from it, so that it keeps
its arm for good; its reward is told by the pull's number, which is in the metadata. Once the
experiment is done, every client gets the arm that its flag policy names.

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
from goodarm.live import FLAG_WAITS_WARNING
from goodarm.problem import Arm
from goodarm.service.ofrep_errors import PREFIX, FlagRefusal, find_code, write_flag_error
from goodarm.service.problems import CLOSED, PAUSED, Refusal, find_kind, make_refusal
from goodarm.service.request_bodies import JSON, check_media_type, load_json
from goodarm.service.request_models import MAX_KEY_CHARS, Evaluation
from goodarm.service.response_models import Flag, FlagError, Flags
from goodarm.service.responses import dump_json, make_etag, make_etag_response, make_json_response
from goodarm.service.routing import BodyCall, Call, ExperimentName, RouteGroup
from goodarm.store import StoredExperiment

_log = logging.getLogger("goodarm")

group = RouteGroup("ofrep", PREFIX)

_ERROR_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    code: {"model": FlagError} for code in (400, 404)
}


@group.route(
    "POST",
    "/evaluate/flags/{name:experiment}",
    "run",
    body=Evaluation,
    answer=Flag,
    also=_ERROR_RESPONSES,
)
def evaluate_flag(name: ExperimentName, call: BodyCall) -> Response:
    """Return the arm for a targeting key: always the same one while the experiment runs."""
    key = _get_targeting_key(call)
    return make_json_response(call.change(name, lambda exp: _evaluate(exp, key)))


@group.route(
    "POST",
    "/evaluate/flags",
    "run",
    body=Evaluation,
    answer=Flags,
    also={400: {"model": FlagError}},
)
def evaluate_flags(call: BodyCall) -> Response:
    """Return the arms for a targeting key of all experiments that opted in; each spends a pull."""
    key = _get_targeting_key(call)
    flags = []
    for name in call.experiments.find_bulk_names():
        if call.caller.can_see(name):
            flag = _evaluate_in_bulk(call, name, key)
            if flag is not None:
                flags.append(flag)
    document = {"flags": flags}
    return make_etag_response(call.request, make_etag(call.request, dump_json(document)), document)


def _get_targeting_key(call: Call) -> str:
    """Return the targeting key of the request; refuse a missing or an invalid one."""
    document: Any = {}
    if call.raw:
        check_media_type(call.request, JSON)
        document = load_json(call.raw)
    if not isinstance(document, dict):
        raise FlagRefusal("PARSE_ERROR", "The body must be a JSON object with a 'context'.")
    context = document.get("context", {})
    if not isinstance(context, dict):
        raise FlagRefusal("INVALID_CONTEXT", "The 'context' must be a JSON object.")
    key = context.get("targetingKey")
    if key is None or key == "":
        detail = "The context needs a 'targetingKey', which says who gets the arm."
        raise FlagRefusal("TARGETING_KEY_MISSING", detail)
    if not isinstance(key, str) or len(key) > MAX_KEY_CHARS:
        rule = f"be a text of at most {MAX_KEY_CHARS} characters"
        raise FlagRefusal("INVALID_CONTEXT", f"The 'targetingKey' must {rule}.")
    return key


def _evaluate_in_bulk(call: Call, name: str, key: str) -> dict[str, Any] | None:
    """Evaluate one of many flags; None if it did not opt in, or was deleted meanwhile."""

    def find(exp: StoredExperiment) -> dict[str, Any] | None:
        return _evaluate(exp, key) if exp.flag_policy.bulk else None

    try:
        return call.change(name, find)
    except FlagRefusal as refusal:
        return write_flag_error(name, refusal.code, refusal.details)
    except (Refusal, Gone):
        return None
    except GoodArmError as error:
        refusal_ = make_refusal(error)
        return write_flag_error(name, find_code(refusal_), refusal_.detail)


def _evaluate(exp: StoredExperiment, key: str) -> dict[str, Any]:
    if exp.reward_timeout.meaning == "wait":
        _warn_once(exp.id, exp.name)
    if not exp.is_done:
        pulls = _ask_pull(exp, key)
        if pulls:
            pull = pulls[0]
            metadata = {"pull": pull.number}
            if pull.case is not None:
                metadata["case"] = pull.case
            return _write_flag(exp.name, "SPLIT", pull.arm, metadata)
    if exp.is_done:
        return _write_flag(exp.name, "STATIC", exp.arm_when_done)
    return _write_flag(exp.name, "DEFAULT", exp.flag_policy.default)


@lru_cache(maxsize=1000)
def _warn_once(head_id: str, name: str) -> None:
    """Log that a flag has no rule for missing rewards, once for each experiment."""
    _log.warning("The experiment %r is a feature flag. %s", name, FLAG_WAITS_WARNING)


def _ask_pull(exp: StoredExperiment, key: str) -> list[Any]:
    request_key = f"ofrep:{hashlib.sha256(key.encode()).hexdigest()}"
    try:
        return exp.ask_many(1, worker=key, key=request_key)
    except ProtocolError as error:
        if find_kind(error) not in (CLOSED, PAUSED):
            raise
        return []


def _write_flag(
    name: str, reason: str, arm: Arm | None, metadata: dict[str, int] | None = None
) -> dict[str, Any]:
    if arm is None:
        detail = (
            f"The experiment {name!r} has no arm to serve: none is good, none can be asked, and "
            "'serving' has no default."
        )
        raise FlagRefusal("GENERAL", detail)
    return {
        "key": name,
        "reason": reason,
        "variant": str(arm),
        "value": arm,
        "metadata": metadata or {},
    }
