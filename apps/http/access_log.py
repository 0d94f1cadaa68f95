"""The outermost layer: every request has an id, a line in the log without content, and its place in the metrics."""

import re
from time import perf_counter
from uuid import uuid4

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from apps.http import metrics

log = structlog.get_logger(__name__)

REQUEST_ID = "X-Request-Id"
_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")


class AccessLogMiddleware:
    """Names, logs and counts requests. A caller's own request id is kept when it looks like one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and tell how it ended."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id, started, status = _request_id(scope), perf_counter(), 0
        scope.setdefault("state", {})["request_id"] = request_id
        _pass_on(request_id, scope)

        async def send_named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID] = request_id
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id), metrics.in_flight.track_inprogress():
            try:
                await self._app(scope, receive, send_named)
            finally:
                _record(scope, status, perf_counter() - started)


def _request_id(scope: Scope) -> str:
    shown = Headers(scope=scope).get(REQUEST_ID, "")
    return shown if _ID.fullmatch(shown) else uuid4().hex


def _pass_on(request_id: str, scope: Scope) -> None:
    """What stands below names the request alike; the agent server fails at an id that is no text."""
    name = REQUEST_ID.lower().encode()
    scope["headers"] = [*(each for each in scope["headers"] if each[0] != name), (name, request_id.encode())]


def _record(scope: Scope, status: int, seconds: float) -> None:
    """The route's own pattern, never the path: a path may name somebody."""
    route = str(getattr(scope.get("route"), "path", "other"))
    method = scope["method"] if scope["method"] in metrics.METHODS else "other"
    metrics.requests.labels(route, method, str(status or "cut")).inc()
    metrics.seconds.labels(route).observe(seconds)
    log.info("http_request", method=method, route=route, status=status or "cut", ms=round(seconds * 1000, 1))
