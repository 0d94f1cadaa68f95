"""What a server holds while it lives: resources, the graph for chat clients, the worker; and how it lets go of them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import cast

import structlog
from starlette.applications import Starlette

from apps.chat_api.answering import ChatService
from apps.chat_api.decisions import DecisionGate
from apps.chat_api.running_turns import RunningTurns
from apps.chat_api.turn import TurnGraph, TurnRunner
from apps.http.body_limit import ArrivingBodies
from apps.http.serving_process import ServingProcess
from apps.http.shared_limits import SharedLimits
from apps.http.tenant_limits import TenantLimits
from apps.jobs.supervisor import WorkerSupervisor
from apps.jobs.worker import BackgroundWorker, work_in_other_cells
from apps.mcp.http import serve_mcp
from apps.threads.checkpointer import Saver, open_saver
from apps.threads.registry import thread_registry
from brain.cells import settings_by_cell
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import shared_resources
from graphs.brain import builder
from memory.postgres.cells import HOME
from skills.active import close_skills, load_registry

log = structlog.get_logger(__name__)


@asynccontextmanager
async def serve_resources(app: Starlette) -> AsyncGenerator[None]:
    """Open what the routes lean on; afterwards turns at hand end, then the worker, then the connections."""
    resources = await asyncio.to_thread(shared_resources)
    settings = resources.settings
    try:
        resources.start_loading()
        await load_registry(settings)  # a skill that cannot be loaded shows at start, and servers begin to connect
        await resources.open()
        _log_access_mode(settings)
        app.state.process = process = ServingProcess(resources.memory.serving)
        local = TenantLimits(settings.tenant_requests, settings.tenant_concurrency)
        app.state.limits = SharedLimits(local, process)
        app.state.bodies = ArrivingBodies(settings.request_bytes, settings.tenant_concurrency)
        async with (
            process.live(),
            open_saver(settings, resources.memory.log.take_back) as saver,
            _run_worker(settings) as app.state.worker,
            _serve_chat(resources, saver, process) as app.state.chat,
            serve_mcp(resources) as app.state.mcp,
        ):
            yield
    finally:
        await close_skills(settings)
        await thread_registry().close()
        await resources.close()


@asynccontextmanager
async def _serve_chat(resources: Resources, saver: Saver, process: ServingProcess) -> AsyncGenerator[ChatService]:
    graph = cast("TurnGraph", builder.compile(checkpointer=saver))  # pyright: ignore[reportUnknownMemberType]
    gate = DecisionGate(process, resources.settings.request_timeout)
    runner = TurnRunner(graph=graph, saver=saver, resources=resources, gate=gate)
    service = ChatService(resources=resources, runner=runner, turns=RunningTurns())
    try:
        yield service
    finally:
        await service.turns.drain(resources.settings.stop_patience)


@asynccontextmanager
async def _run_worker(settings: Settings) -> AsyncGenerator[WorkerSupervisor | None]:
    if not settings.worker:
        yield None
        return
    at_home = settings_by_cell(settings)[HOME]
    worker = WorkerSupervisor(lambda: BackgroundWorker(at_home))
    worker.start()
    try:
        async with work_in_other_cells(settings):
            yield worker
    finally:
        await asyncio.to_thread(worker.stop)


def _log_access_mode(settings: Settings) -> None:
    if settings.has_authentication:
        by = (settings.auth_jwt_secret, "BRAIN_AUTH_JWT_SECRET"), (settings.auth_jwks_url, "BRAIN_AUTH_JWKS_URL")
        log.info("server_authenticated", by=next((name for value, name in by if value), "BRAIN_AUTH_API_KEYS"))
    else:
        log.warning("server_open", why="no BRAIN_AUTH_* setting", listens_to="this machine only")
