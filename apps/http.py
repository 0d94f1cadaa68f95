"""What the server offers beside LangGraph's own routes, and what lives as long as it does."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import structlog
from langgraph_sdk import get_client
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from apps.access_middleware import AccessMiddleware
from apps.readiness import ReadinessMiddleware
from apps.server_files import keep_private
from apps.threads import ledger, restore
from apps.worker import BackgroundWorker
from apps.worker_supervisor import WorkerSupervisor
from brain.context import Context
from brain.identity import identity_of_user
from brain.settings import Settings
from brain.wiring import shared_resources
from memory.errors import BrainError, Code
from memory.names import parse_id
from memory.scope import Scope

log = structlog.get_logger(__name__)

STATUS: Mapping[Code, int] = {
    "E_BAD_REQUEST": 400,
    "E_TENANT_FORBIDDEN": 403,
    "E_NOT_FOUND": 404,
    "E_CONFLICT": 409,
    "E_DIM_MISMATCH": 409,
    "E_CONFIG": 500,
    "E_INTERNAL": 500,
    "E_DEP_UNAVAILABLE": 503,
    "E_DEP_TIMEOUT": 504,
}
"""HTTP's word for our codes. 503 and 504 promise that the same request may succeed later; nothing else does."""


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncGenerator[None]:
    """Reach the database before the first request, work in the background meanwhile, leave nothing behind."""
    await asyncio.to_thread(keep_private)
    resources = await asyncio.to_thread(shared_resources)
    try:
        await resources.open()
        _log_access_mode(resources.settings)
        if found := await restore(await ledger().fetch_recent(), get_client()):
            log.info("threads_restored", count=found)
        async with _run_worker(resources.settings) as app.state.worker:
            yield
    finally:
        await ledger().close()
        await resources.close()


async def get_operation(request: Request) -> JSONResponse:
    """What became of an accepted turn of the caller's own."""
    try:
        found = await shared_resources().memory.log.operation(
            _scope(request), parse_id(request.path_params["operation_id"])
        )
    except BrainError as error:
        return _error_response(error)
    if found is None:
        return _error_response(BrainError("E_NOT_FOUND", "There is no such operation."))
    return JSONResponse(
        {
            "operation_id": str(found.operation_id),
            "status": found.status,
            "reason": found.reason,
            "memory_ids": [str(each) for each in found.memory_ids],
        }
    )


@asynccontextmanager
async def _run_worker(settings: Settings) -> AsyncGenerator[WorkerSupervisor | None]:
    if not settings.worker:
        yield None
        return
    worker = WorkerSupervisor(lambda: BackgroundWorker(settings))
    worker.start()
    try:
        yield worker
    finally:
        await asyncio.to_thread(worker.stop)


def _log_access_mode(settings: Settings) -> None:
    if settings.has_authentication:
        log.info(
            "server_authenticated", by="BRAIN_AUTH_JWT_SECRET" if settings.auth_jwt_secret else "BRAIN_AUTH_JWKS_URL"
        )
    else:
        log.warning(
            "server_open", why="neither BRAIN_AUTH_JWT_SECRET nor BRAIN_AUTH_JWKS_URL", listens_to="this machine only"
        )


def _scope(request: Request) -> Scope:
    """The verified identity's scope; on an open server, whoever the caller says they are."""
    told, unsaid = request.query_params, Context()
    claimed = Context(
        tenant=told.get("tenant", unsaid.tenant),
        user=told.get("user", unsaid.user),
        channel=told.get("channel", unsaid.channel),
        channel_type=told.get("channel_type", unsaid.channel_type),
        account=told.get("account", unsaid.account),
    )
    user: Any = request.scope.get("user")
    return identity_of_user(claimed, user).scope


def _error_response(error: BrainError) -> JSONResponse:
    body = {"code": error.code, "message": error.message, "hint": error.hint}
    return JSONResponse(body, STATUS[error.code])


app = Starlette(
    lifespan=lifespan,
    middleware=[Middleware(AccessMiddleware), Middleware(ReadinessMiddleware)],
    routes=[Route("/brain/operations/{operation_id}", get_operation)],
)
