"""What LangGraph's agent server offers beside its own routes, and what lives as long as it does."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import structlog
from langgraph_sdk import get_client
from starlette.applications import Starlette
from starlette.middleware import Middleware

from apps.access.middleware import AccessMiddleware
from apps.agent_server.server_files import keep_private
from apps.agent_server.store_search import StoreSearchMiddleware
from apps.doctor.readiness import ReadinessMiddleware
from apps.http import chat, health, mcp, memory_api, operations
from apps.http.access_log import AccessLogMiddleware
from apps.http.lifespan import serve_resources
from apps.threads.ledger import ledger, restore

log = structlog.get_logger(__name__)


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncGenerator[None]:
    """Reach the database before the first request, work in the background meanwhile, leave nothing behind."""
    await asyncio.to_thread(keep_private)
    async with serve_resources(app):
        if found := await restore(await ledger().fetch_recent(), get_client()):
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
