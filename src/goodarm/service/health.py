"""Routes for health checks of the process and its store, and for metrics."""

from starlette.responses import Response

from goodarm.service.answers import answer
from goodarm.service.calls import Reading, Room
from goodarm.service.metrics import TEXT
from goodarm.service.shapes import Health

room = Room("health")


@room.route("GET", "/healthz", "none", answer=Health)
async def is_healthy() -> Response:
    """Check that the process answers."""
    return answer({"status": "ok"})


@room.route("GET", "/readyz", "none", answer=Health)
def is_ready(call: Reading) -> Response:
    """Check that the store answers."""
    call.kept.has("0")
    return answer({"status": "ok"})


@room.route(
    "GET",
    "/metrics",
    "read",
    also={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def show_metrics(call: Reading) -> Response:
    """Show the metrics of the service in the format of Prometheus."""
    return Response(call.service.metrics.text(), media_type=None, headers={"Content-Type": TEXT})
