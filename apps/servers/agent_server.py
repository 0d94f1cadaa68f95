"""What LangGraph's agent server offers beside its own routes, and what lives as long as it does."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

import structlog
from langgraph_sdk import get_client
from pydantic_core import from_json
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from apps.access.middleware import AccessMiddleware
from apps.chat_api import routes as chat
from apps.doctor.readiness import ReadinessMiddleware
from apps.http import health, operations
from apps.http.access_log import AccessLogMiddleware
from apps.http.body_limit import ArrivingBodies, replay
from apps.http.errors import HttpRefusal, refusal_of
from apps.mcp import http as mcp
from apps.memory_api import http as memory_api
from apps.servers.lifespan import serve_resources
from apps.threads.registry import restore, thread_registry
from apps.threads.server_files import keep_private
from memory.errors import BrainError, bad_request

STORE_SEARCH = "/store/items/search"
log = structlog.get_logger(__name__)


class StoreSearchMiddleware:
    """Middleware that looks into the body of one request; refusals have the agent server's shape."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless it is a search that says not where."""
        if scope["type"] != "http" or (scope["method"], scope["path"]) != ("POST", STORE_SEARCH):
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


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncGenerator[None]:
    """Reach the database before the first request, work in the background meanwhile, leave nothing behind."""
    await asyncio.to_thread(keep_private)
    async with serve_resources(app):
        if found := await restore(await thread_registry().fetch_recent(), get_client()):
            log.info("threads_restored", count=found)
        yield


app = Starlette(
    lifespan=lifespan,
    middleware=[
        Middleware(AccessMiddleware),
        Middleware(ReadinessMiddleware),
        Middleware(AccessLogMiddleware),
        Middleware(StoreSearchMiddleware),
    ],
    routes=[
        *operations.routes,
        *chat.routes,
        *memory_api.routes,
        *mcp.agent_server_routes,
        *health.agent_server_routes,
    ],
)
