"""Middleware of the server. Every request passes it before any route, also those that LangGraph leaves unguarded.

The development server serves a few routes without any authentication (raw threads, wiping everything, deploying), lets
a header that anyone can send stand for a signed-in developer, and answers any web page that the browser of its owner
happens to visit. Nothing of that depends on ``langgraph.json`` once a request has to come through here.
"""

import re

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from brain.settings import Settings
from brain.wiring import shared_resources

OWN_PAGES = r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?|https://([a-z0-9-]+\.)?smith\.langchain\.com"
"""Web pages that may call a server without authentication: those of this machine, and LangGraph Studio."""

CLOSED = frozenset({"internal", "deploy", "metrics"})
"""First parts of paths that are for testing the server itself: nobody's business, signed in or not."""

_STUDIO_BYPASS = b"x-auth-scheme"
_LOOPBACK = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1"})
_OWN_PAGE = re.compile(OWN_PAGES)
_OWN_NAME = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")


class AccessMiddleware:
    """Middleware around the whole server."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on without the header that skips authentication, or refuse it."""
        if scope["type"] not in {"http", "websocket"} or _is_internal(scope):
            await self._app(scope, receive, send)
            return
        if scope["path"].lstrip("/").partition("/")[0] in CLOSED:
            await _refuse(scope, receive, send, 404, "Not Found")
        elif reason := refusal(scope, shared_resources().settings):
            await _refuse(scope, receive, send, 403, reason)
        else:
            headers = [(name, value) for name, value in scope["headers"] if name.lower() != _STUDIO_BYPASS]
            await self._app({**scope, "headers": headers}, receive, send)


def refusal(scope: Scope, settings: Settings) -> str | None:
    """Why a server without authentication does not listen to this request; None when it may come in.

    Only this machine may: by address, by the name it asked for (a foreign name means a rebound DNS entry), and, when a
    browser sends it, from a page of its own.
    """
    if settings.has_authentication:
        return None
    if not is_loopback(scope):
        return "This server has no authentication and listens to its own machine only; configure BRAIN_AUTH_* first."
    if not _OWN_NAME.fullmatch(header(scope, b"host")):
        return "This server has no authentication and answers to localhost only, not to another name."
    origin = header(scope, b"origin")
    if origin and not _OWN_PAGE.fullmatch(origin):
        return "This server has no authentication and does not answer web pages from elsewhere."
    return None


def is_loopback(scope: Scope) -> bool:
    """Whether the caller's address is this machine's."""
    client = scope.get("client")
    return client is not None and client[0] in _LOOPBACK


def header(scope: Scope, name: bytes) -> str:
    """The value of a header, empty when it is missing; HTTP says that headers are Latin-1.

    One that was sent several times is all of its values, as HTTP has it: a proxy may have checked any of them.
    """
    return ", ".join(value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name)


def _is_internal(scope: Scope) -> bool:
    """Whether the server calls itself; a client cannot set the root path."""
    root = str(scope.get("root_path", ""))
    return root == "/noauth" or root.startswith("/noauth/")


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    answer = JSONResponse({"detail": reason}, status) if scope["type"] == "http" else WebSocketClose(1008, reason)
    await answer(scope, receive, send)
