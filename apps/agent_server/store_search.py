"""The agent server's own search of the store fails without a prefix (500); here it is refused before it gets there."""

from typing import Any, cast

from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from apps.http.body_limit import ArrivingBodies, replay
from apps.http.errors import HttpRefusal, refusal_of
from memory.errors import BrainError, bad_request

PATH = "/store/items/search"


class StoreSearchMiddleware:
    """Middleware that looks into the body of one request; refusals have the agent server's shape."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless it is a search that says not where."""
        if scope["type"] != "http" or (scope["method"], scope["path"]) != ("POST", PATH):
            await self._app(scope, receive, send)
            return
        bodies: ArrivingBodies = scope["app"].state.bodies
        try:
            body = await bodies.read(Request(scope, receive), "")
            _require_prefix(body)
        except (HttpRefusal, BrainError) as error:
            refusal = refusal_of(error)
            answer = JSONResponse({"detail": f"{refusal.code}: {refusal.message}"}, refusal.status, refusal.headers)
            await answer(scope, receive, send)
            return
        await self._app(scope, replay(body, receive), send)


def _require_prefix(body: bytes) -> None:
    """Raises ``E_BAD_REQUEST``. What is no JSON object is the agent server's to refuse."""
    try:
        asked = from_json(body)
    except ValueError:
        return
    if isinstance(asked, dict) and cast("dict[str, Any]", asked).get("namespace_prefix") is None:
        raise bad_request("The search names no namespace_prefix.", "Send [] to search everything of your own.")
