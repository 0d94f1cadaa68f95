"""``brain serve``: the application, and the process around it that ends without losing a turn."""

import asyncio
import errno
import gc
import re
import signal
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from ipaddress import ip_address
from math import ceil, inf
from time import monotonic
from types import FrameType
from typing import Any, cast

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from apps.access.middleware import header, refusal
from apps.chat_api import routes as chat
from apps.chat_api.answering import ChatService
from apps.http import health, metrics, operations
from apps.http.access_log import REQUEST_ID, AccessLogMiddleware
from apps.http.errors import HttpRefusal, plain_error, refusal_of
from apps.http.serving_process import ServingProcess
from apps.mcp import http as mcp
from apps.memory_api import http as memory_api
from apps.panel import routes as panel
from apps.servers.lifespan import serve_resources
from apps.threads.checkpointer import refuse_to_start
from brain.background import run_beside
from brain.settings import Settings
from brain.wiring import shared_resources
from memory.errors import BrainError, config_error

_PORT = re.compile(r":\d+$")
HEADER_SECONDS = 10.0
"""From the connection, or from the first byte of a further request, to the end of its headers."""
_TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
CONNECTIONS = 2_000
"""Requests and idle connections at once; more are refused by the server itself."""
_KEEP_ALIVE = 75
_KEEPING = 5
"""Seconds, beyond the patience, in which a turn that was cut off keeps what it has shown and its client is told."""
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
"""What a listed page may send from a browser."""


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


class HeaderDeadlineProtocol(AutoHTTPProtocol):
    """Uvicorn's protocol, which closes a connection whose request does not begin in time."""

    transport: asyncio.Transport
    cycle: Any
    """Uvicorn's own: the connection, and the newest request with its answer."""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._start()

    def data_received(self, data: bytes) -> None:
        """Take what came. A request that is being answered has begun; what comes otherwise belongs to the next one."""
        super().data_received(data)
        if self._is_answering():
            self._stop()
        elif self._deadline is None:
            self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        """There is nothing to wait for any more."""
        self._stop()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _start(self) -> None:
        self._deadline = asyncio.get_running_loop().call_later(HEADER_SECONDS, self._close)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close(self) -> None:
        if not self.transport.is_closing():
            metrics.refused.labels("slow").inc()
            self.transport.write(_TOO_LATE)
            self.transport.close()


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
        timeout_graceful_shutdown=ceil(settings.stop_patience) + _KEEPING,
    )


class LeavingServer(uvicorn.Server):
    """Uvicorn's server, which says that it leaves before it stops listening, so that a balancer looks elsewhere.

    Turns that take longer than its patience are cut off while their clients can still be told.
    """

    def __init__(self, config: uvicorn.Config, notice: float, patience: float) -> None:
        super().__init__(config)
        self._notice, self._leaves_at, self._patience = notice, inf, patience

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM gives notice, once; Ctrl-C and a second signal end at once."""
        if sig != signal.SIGTERM or not self._notice or self._leaves_at < inf:
            super().handle_exit(sig, frame)
            return
        self._leaves_at = monotonic() + self._notice
        process: ServingProcess | None = getattr(self._state, "process", None)
        if process is not None:
            process.is_leaving = True

    async def on_tick(self, counter: int) -> bool:
        """Several times a second."""
        self.should_exit = self.should_exit or monotonic() >= self._leaves_at
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen no more, and end when the answers at hand are given."""
        async with run_beside(self._drain_turns()):
            await super().shutdown(sockets)

    async def _drain_turns(self) -> None:
        service: ChatService | None = getattr(self._state, "chat", None)
        if service is not None:
            await service.turns.drain(self._patience)

    @property
    def _state(self) -> State:
        return cast("Starlette", self.config.app).state


def run_server(settings: Settings, on_listening: Callable[[], None]) -> None:
    """Serve until SIGTERM or Ctrl-C; answers at hand are finished first. A second signal ends it at once.

    After SIGTERM it listens on for ``stop_notice`` seconds, and says that it is not ready.

    Raises ``E_CONFIG`` where it cannot listen; ``on_listening`` is told when it does.
    """
    config, listening = server_config(settings), listen(settings.host, settings.port)
    on_listening()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, _take_note)  # uvicorn raises what it caught again, when it has ended
    gc.freeze()  # to walk all that is imported takes a full collection 0.2 s, in which nobody is answered
    LeavingServer(config, settings.stop_notice, settings.stop_patience).run([listening])


def listen(host: str, port: int) -> socket.socket:
    """The socket of the server. Raises ``E_CONFIG`` where it cannot be had, with what to do instead."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        bound = socket.socket(family, socket.SOCK_STREAM)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            bound.listen()
        except OSError:
            bound.close()
            raise
    except OSError as error:
        raise _cannot_listen(host, port, error) from None
    bound.set_inheritable(True)
    return bound


def _cannot_listen(host: str, port: int, error: OSError) -> BrainError:
    match error.errno:
        case errno.EADDRINUSE:
            told = f"Port {port} of {host} is taken by another program, perhaps by another 'brain serve'."
            return config_error(told, f"End that one, or choose another port: brain serve --port {port % 65_535 + 1}.")
        case errno.EACCES:
            return config_error(f"This user may not listen on port {port}.", "Choose one above 1023 with --port.")
        case _:
            told = f"Brain cannot listen at {host}: {error.strerror}."
            return config_error(told, "--host and BRAIN_HOST take an address of this machine.")


def _take_note(number: int, frame: object) -> None:
    """The server has ended already."""


async def _refuse_path(request: Request, error: Exception) -> Response:
    return plain_error(HttpRefusal(404, "E_NOT_FOUND", "There is nothing here."))


async def _refuse_method(request: Request, error: Exception) -> Response:
    return plain_error(HttpRefusal(405, "E_BAD_REQUEST", "This address does not take that method."))


async def _refuse_unforeseen(request: Request, error: Exception) -> Response:
    return plain_error(refusal_of(error))
