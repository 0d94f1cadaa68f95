"""``brain serve``: the application, and the process around it that ends without losing a turn."""

import signal
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from math import ceil

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response

from apps.http import chat, health, mcp, memory_api, operations
from apps.http.access_log import REQUEST_ID, AccessLogMiddleware
from apps.http.errors import HttpRefusal, plain_error, refusal_of
from apps.http.header_deadline import HeaderDeadlineProtocol
from apps.http.host_check import HostMiddleware
from apps.http.lifespan import serve_resources
from apps.panel import routes as panel
from apps.threads.checkpointer import refuse_to_start
from brain.settings import Settings
from memory.errors import BrainError

CONNECTIONS = 2_000
"""Requests and idle connections at once; more are refused by the server itself."""
_KEEP_ALIVE = 75
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
"""What a listed page may send from a browser."""


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncGenerator[None]:
    """Reach the database before the first request, or end in one line; let go of everything after the last."""
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(serve_resources(app))
        except BrainError as error:
            refuse_to_start(error)
        yield


def build_app(settings: Settings) -> Starlette:
    """The application. Browsers' pages may call only when they are listed."""
    middleware = [Middleware(AccessLogMiddleware), Middleware(HostMiddleware)]
    if settings.origins:
        allowed = {"allow_origins": settings.origins, "allow_methods": METHODS, "expose_headers": [REQUEST_ID]}
        middleware.append(Middleware(CORSMiddleware, allow_headers=["*"], **allowed))  # pyright: ignore
    return Starlette(
        lifespan=lifespan,
        middleware=middleware,
        routes=[*chat.routes, *memory_api.routes, *mcp.routes, *health.routes, *operations.routes, *panel.routes],
        exception_handlers={404: _refuse_path, 405: _refuse_method, Exception: _refuse_unforeseen},
    )


def server_config(settings: Settings) -> uvicorn.Config:
    """How the application is served: within bounds on connections and on the time that a request takes to arrive."""
    return uvicorn.Config(
        build_app(settings),
        host=settings.host,
        port=settings.port,
        http=HeaderDeadlineProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=ceil(settings.stop_patience),
    )


def run_server(settings: Settings) -> None:
    """Serve until SIGTERM or Ctrl-C; answers at hand are finished first. A second signal ends it at once."""
    config = server_config(settings)
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, _take_note)  # uvicorn raises what it caught again, when it has ended
    uvicorn.Server(config).run()


def _take_note(number: int, frame: object) -> None:
    """The server has ended already."""


async def _refuse_path(request: Request, error: Exception) -> Response:
    return plain_error(HttpRefusal(404, "E_NOT_FOUND", "There is nothing here."))


async def _refuse_method(request: Request, error: Exception) -> Response:
    return plain_error(HttpRefusal(405, "E_BAD_REQUEST", "This address does not take that method."))


async def _refuse_unforeseen(request: Request, error: Exception) -> Response:
    return plain_error(refusal_of(error))
