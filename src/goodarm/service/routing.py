"""Route declarations, and the request object that a route gets: caller, store, body and key.

A route is one declaration of its method, path, scope, body and answer. The token check, the limits
on the body, and the entry in the OpenAPI document all come from it.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property, partial, wraps
from time import monotonic, sleep
from typing import Annotated, Any, Final, NamedTuple, TypeVar

from fastapi import APIRouter, Depends, FastAPI, Header, Path
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.convertors import IntegerConvertor, StringConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from goodarm.errors import SpecError
from goodarm.service.access import SCOPE_KEY, Access, RequestCaller, RouteScope
from goodarm.service.capacity import Capacity, get_slot
from goodarm.service.metrics import Metrics
from goodarm.service.open_experiments import OpenExperiments
from goodarm.service.problems import TOO_MANY, Refusal
from goodarm.service.request_bodies import (
    JSON,
    check_media_type,
    load_json,
    read_body,
    validate_document,
)
from goodarm.service.request_models import NAME_PATTERN, RequestModel
from goodarm.service.responses import check_accept
from goodarm.service.settings import Settings
from goodarm.service.thread_pools import Pool, PoolName
from goodarm.store import StoredExperiment

API: Final = "/api/v1"
EXPERIMENT_HEADER: Final = "Goodarm-Experiment"
"""Header with the id that tells an experiment from others of the same name, sent when one is opened
or created. A client that sends it back is refused (410) if the name now belongs to another one."""
MEDIA_KEY: Final = "x-produces"
"""Key of the media type of a route's answer in the OpenAPI document."""

_PAUSE_SECONDS: Final = 0.001
_MAX_PAUSE_SECONDS: Final = 0.02
"""A long read works for some 2 ms between two pauses: at worst it takes ten times as long."""

_Found = TypeVar("_Found")
_Model = TypeVar("_Model", bound=RequestModel)
_Endpoint = TypeVar("_Endpoint", bound=Callable[..., Any])


class _ExperimentName(StringConvertor):
    """Path converter for names of experiments; invalid names are answered with 404."""

    regex = NAME_PATTERN.strip("^$")


class _PullNumber(IntegerConvertor):
    """Path converter for pull numbers of at most 18 digits."""

    regex = "[1-9][0-9]{0,17}"


register_url_convertor("experiment", _ExperimentName())
register_url_convertor("number", _PullNumber())


class Service:
    """State that all requests share."""

    def __init__(
        self, experiments: OpenExperiments, access: Access, settings: Settings, metrics: Metrics
    ) -> None:
        self.experiments, self.access = experiments, access
        self.settings, self.metrics = settings, metrics
        self.capacity = Capacity(settings, metrics)
        limits, give_way = (settings.max_long_reads, settings.long_read_seconds), self.give_way
        self.replays = Pool("replays of journals", *limits, give_way=give_way)
        """threads for reads that replay a whole journal"""
        self.downloads = Pool("long reads", *limits, give_way=give_way)
        """threads for reads of many rows or arms, and for pictures"""

    def give_way(self, _: int = 0) -> None:
        """Pause while asks and tells are under way, for a limited time.

        A long read calls this regularly, so that it leaves the interpreter to them, and still
        finishes on a service that is never idle.
        """
        end = monotonic() + _MAX_PAUSE_SECONDS
        while self.capacity.is_busy and monotonic() < end:
            sleep(_PAUSE_SECONDS)

    async def run(
        self, pool: PoolName | None, request: Request, act: Callable[[], Response]
    ) -> Response:
        """Answer in a thread: one of those of asks and tells, or of a pool for long reads.

        Callers that are not authenticated yet have a pool of their own.
        """
        if get_slot(request).is_stranger:
            return await self.access.strangers.run(act)
        if pool == "arms" and not self.experiments.is_large(request.path_params["name"]):
            pool = None
        if pool is None:
            return await run_in_threadpool(act)
        get_slot(request).is_long = True
        return await (self.replays if pool == "replays" else self.downloads).run(act)


class Call:
    """One request: its caller, body and idempotency key."""

    def __init__(
        self, service: Service, request: Request, caller: RequestCaller, raw: bytes, key: str | None
    ) -> None:
        self.service, self.request, self.caller = service, request, caller
        self.raw, self.key = raw, key

    @property
    def experiments(self) -> OpenExperiments:
        """The store, limited to one experiment if the client sends that one's id."""
        return self.service.experiments.limited_to(self.request.headers.get(EXPERIMENT_HEADER))

    def body(self, model: type[_Model]) -> _Model:
        """Parse a JSON body into its model; an empty body counts as an empty object."""
        if not self.raw:
            return validate_document(model, {})
        check_media_type(self.request, JSON)
        return validate_document(model, load_json(self.raw))

    def change(self, name: str, act: Callable[[StoredExperiment], _Found]) -> _Found:
        """Change an experiment, signed with the name of the caller's token if there is one."""
        by = self.caller.name
        return self.experiments.use(name, act if by is None else lambda exp: act(exp.signed(by)))

    def check_size(self, what: str, count: int, most: int | None = None) -> None:
        """Refuse a count above the limit; ``max_batch`` unless ``most`` is given."""
        limit = self.service.settings.max_batch if most is None else most
        if count > limit:
            raise Refusal(
                TOO_MANY,
                SpecError(
                    f"A request holds at most {limit:,} {what}; got {count:,}.",
                    argument=what,
                    owner="the request",
                    rule=f"be at most {limit:,}",
                    value=count,
                ),
            )


def get_service(request: Request) -> Service:
    """Return the state that all requests of this app share."""
    service: Service = request.app.state.service
    return service


async def _authenticate(request: Request) -> RequestCaller:
    """Authenticate the caller for the scope of the route."""
    extra = request.scope["route"].openapi_extra
    caller = await get_service(request).access.authenticate(request, extra[SCOPE_KEY])
    if extra[SCOPE_KEY] != "none":
        get_slot(request).admit()
    check_accept(request, extra[MEDIA_KEY])
    return caller


async def _read_call(
    request: Request, caller: Annotated[RequestCaller, Depends(_authenticate)]
) -> Call:
    return Call(get_service(request), request, caller, b"", None)


async def _make_change_call(
    request: Request,
    caller: Annotated[RequestCaller, Depends(_authenticate)],
    key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            min_length=1,
            max_length=200,
            pattern=r"^[ -~]+$",
            description="Makes the call safe to repeat: the same answer, and counted once.",
        ),
    ] = None,
) -> Call:
    service = get_service(request)
    return Call(service, request, caller, await read_body(request, service.settings), key)


async def _make_body_call(
    request: Request, caller: Annotated[RequestCaller, Depends(_authenticate)]
) -> Call:
    service = get_service(request)
    return Call(service, request, caller, await read_body(request, service.settings), None)


ReadCall = Annotated[Call, Depends(_read_call)]
"""A call without a body."""
ChangeCall = Annotated[Call, Depends(_make_change_call)]
"""A call with a body and a key."""
BodyCall = Annotated[Call, Depends(_make_body_call)]
"""A call with a body and without an idempotency key: none is needed, or it is derived."""
ExperimentName = Annotated[str, Path(pattern=NAME_PATTERN, description="The experiment's name.")]


class RouteDeclaration(NamedTuple):
    """Declaration of a route."""

    method: str
    path: str
    scope: RouteScope
    endpoint: Callable[..., Any]
    answer: type[BaseModel] | None
    body: type[BaseModel] | None
    media: tuple[str, ...]
    status: int
    problems: tuple[int, ...]
    also: dict[int | str, dict[str, Any]]
    pool: PoolName | None
    """pool of threads that answers it, if that takes long"""

    @property
    def name(self) -> str:
        """Operation id in the OpenAPI document."""
        return self.endpoint.__name__

    @property
    def produces(self) -> str:
        """Media type of the answer."""
        return str(next(iter(self.also.get(200, {}).get("content", {JSON: {}}))))


class RouteGroup:
    """Routes of one noun."""

    def __init__(self, noun: str, prefix: str = "") -> None:
        self.noun, self._prefix = noun, prefix
        self.routes: list[RouteDeclaration] = []

    def route(
        self,
        method: str,
        path: str,
        scope: RouteScope,
        *,
        answer: type[BaseModel] | None = None,
        body: type[BaseModel] | None = None,
        media: Sequence[str] = (JSON,),
        status: int = 200,
        problems: Sequence[int] = (),
        also: dict[int | str, dict[str, Any]] | None = None,
        pool: PoolName | None = None,
    ) -> Callable[[_Endpoint], _Endpoint]:
        """Declare a route: its scope, body, answer, and the statuses of its problems.

        A route that takes long names a pool, and is answered in a thread of it.
        """

        def declare(endpoint: _Endpoint) -> _Endpoint:
            declared = RouteDeclaration(
                method,
                self._prefix + path,
                scope,
                endpoint,
                answer,
                body,
                tuple(media),
                status,
                tuple(problems),
                also or {},
                pool,
            )
            self.routes.append(declared)
            return endpoint

        return declare

    def add_to(self, app: FastAPI) -> None:
        """Add the routes to an app. All apps of a process share them, since they hold no state."""
        app.router.routes.extend(self._router.routes)

    @cached_property
    def _router(self) -> APIRouter:
        """Build the routes once, since FastAPI takes milliseconds for each."""
        router = APIRouter()
        for each in self.routes:
            router.add_api_route(
                each.path,
                each.endpoint if each.pool is None else _run_in_pool(each.endpoint, each.pool),
                methods=[each.method],
                status_code=each.status,
                response_model=each.answer,
                response_class=Response if each.answer is None else JSONResponse,
                responses={**{code: {} for code in each.problems}, **each.also},
                openapi_extra={SCOPE_KEY: each.scope, MEDIA_KEY: each.produces},
                operation_id=each.name,
                tags=[self.noun],
            )
        return router


def _run_in_pool(
    endpoint: Callable[..., Response], pool: PoolName
) -> Callable[..., Awaitable[Response]]:
    """Wrap an endpoint so that a thread of the pool answers it."""

    @wraps(endpoint)
    async def answer(call: Call, **given: Any) -> Response:
        act = partial(endpoint, call=call, **given)
        return await call.service.run(pool, call.request, act)

    return answer
