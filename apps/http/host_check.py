"""Which names a server answers to, so that a foreign page cannot reach it through a rebound DNS entry."""

import re
from ipaddress import ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from apps.access.middleware import header, refusal
from apps.http import metrics
from apps.http.errors import HttpRefusal, plain_error
from brain.settings import Settings
from brain.wiring import shared_resources

_PORT = re.compile(r":\d+$")


class HostMiddleware:
    """Lets requests pass that name this server as their host; an open server answers its own machine only."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it before anything is read of it."""
        if scope["type"] == "http" and (reason := _refusal(scope, shared_resources().settings)) is not None:
            metrics.refused.labels("host").inc()
            await plain_error(HttpRefusal(403, "E_TENANT_FORBIDDEN", reason))(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _refusal(scope: Scope, settings: Settings) -> str | None:
    if not settings.has_authentication:
        return refusal(scope, settings)
    if answers_to(header(scope, b"host"), settings):
        return None
    return "This server does not answer to that name; BRAIN_ALLOWED_HOSTS lists those it answers to."


def answers_to(host: str, settings: Settings) -> bool:
    """Whether the name is this server's: an address, localhost, or listed. An address cannot be rebound."""
    name = _PORT.sub("", host).strip("[]").lower()
    listed = {each.lower() for each in settings.host_names}
    return name in {"localhost", settings.host, *listed} or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
