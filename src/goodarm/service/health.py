"""Routes for health checks of the process and its store, and for metrics."""

from starlette.responses import Response

from goodarm.service.metrics import MEDIA_TYPE
from goodarm.service.response_models import Health
from goodarm.service.responses import make_json_response
from goodarm.service.routing import ReadCall, RouteGroup

group = RouteGroup("health")


@group.route("GET", "/healthz", "none", answer=Health)
async def is_healthy() -> Response:
    """Check that the process answers."""
    return make_json_response({"status": "ok"})


@group.route("GET", "/readyz", "none", answer=Health)
def is_ready(call: ReadCall) -> Response:
    """Check that the store answers."""
    call.experiments.has_experiment("0")
    return make_json_response({"status": "ok"})


@group.route(
    "GET",
    "/metrics",
    "read",
    also={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def show_metrics(call: ReadCall) -> Response:
    """Show the metrics of the service in the format of Prometheus."""
    return Response(
        call.service.metrics.render(), media_type=None, headers={"Content-Type": MEDIA_TYPE}
    )
