"""Whether the server lives, whether a turn would work, and its metrics. For probes, so the first two need no key."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from apps.access.authentication import authenticator, require_scope
from apps.access.middleware import header, is_loopback
from apps.access.token_keys import InvalidToken
from apps.doctor.readiness import readiness_response
from apps.http.alert_gauges import refresh_alerts
from apps.http.errors import plain_error, refusal_of
from apps.http.level_gauges import level_gauges
from apps.http.metrics import render_metrics
from apps.http.serving_process import ServingProcess
from brain.wiring import shared_resources


async def show_health(request: Request) -> Response:
    """The process answers; nothing else is asked."""
    return JSONResponse({"status": "ok"})


async def show_readiness(request: Request) -> Response:
    """200 when every part works, otherwise 503; also where the process ends, or others do not know of it yet."""
    process: ServingProcess = request.app.state.process
    if reason := process.why_not_ready:
        return JSONResponse({"ready": False, "parts": {"process": reason}}, 503)
    return await readiness_response(request.app.state.worker)


async def show_metrics(request: Request) -> Response:
    """For this machine, and for keys that may ``ops``."""
    try:
        if not is_loopback(request.scope):
            claims = await authenticator().authenticate(header(request.scope, b"authorization"))
            if claims is None:
                raise InvalidToken("metrics are for this machine and for keys with the scope ops")
            require_scope(claims, "ops")
        level_gauges.refresh(shared_resources())
        await refresh_alerts(shared_resources().cells)
        return render_metrics(request.app.state.chat.resources.stages)
    except Exception as error:
        return plain_error(refusal_of(error))


routes = [
    Route("/healthz", show_health),
    Route("/readyz", show_readiness),
    Route("/brain/ready", show_readiness),
    Route("/metrics", show_metrics),
]
agent_server_routes = [Route("/brain/healthz", show_health), Route("/brain/metrics", show_metrics)]
