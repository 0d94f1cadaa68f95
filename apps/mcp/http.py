"""``/mcp`` (beside the agent server ``/brain/mcp``): the memory tools over stateless streamable HTTP."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from apps.http.caller import CallerMiddleware, caller_of
from apps.http.errors import plain_error
from apps.mcp.server import McpCaller, MemoryServer
from brain.context import Context
from brain.identity import identity_of_user
from brain.resources import Resources


@asynccontextmanager
async def serve_mcp(resources: Resources) -> AsyncGenerator[StreamableHTTPSessionManager]:
    """What answers the route. Host and origin are checked before, around the whole application."""
    manager = StreamableHTTPSessionManager(
        MemoryServer(resources, _identify).build(),
        json_response=True,
        stateless=True,
        max_request_body_size=resources.settings.request_bytes,
    )
    async with manager.run():
        yield manager


class McpEndpoint:
    """One request, one answer: there is no stream to hold open and no session to end."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a message of the protocol."""
        manager: StreamableHTTPSessionManager = scope["app"].state.mcp
        await manager.handle_request(scope, receive, send)


def _identify(request: Request) -> McpCaller:
    """The verified identity; on an open server, the person that such a server has."""
    caller = caller_of(request)
    return McpCaller(identity=identity_of_user(Context(), caller.user_named(None)), claims=caller.claims)


_CALLER = Middleware(CallerMiddleware, needs="memory:read", shape=plain_error)  # pyright: ignore[reportArgumentType]


def _route(path: str) -> Route:
    return Route(path, McpEndpoint(), methods=["POST"], middleware=[_CALLER])


routes = [_route("/mcp")]
agent_server_routes = [_route("/brain/mcp")]
