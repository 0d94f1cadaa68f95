"""``brain operations`` and ``brain worker``: what goes on behind the conversation."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

import typer

from apps.cells.cells import owner_urls
from apps.cells.recovery import recover_moves
from apps.cli.endpoint_commands import add_endpoint
from apps.cli.job_rows import advice
from apps.cli.options import command
from apps.cli.output import show_fields
from apps.cli.runner import load_settings
from apps.jobs.abandoned_turns import sweep
from apps.jobs.sealing import seal_waiting
from apps.jobs.worker import TO_END, keep_working, run_worker
from apps.memory_api.operations import OperationView, get_operation
from apps.views.health import queue_health
from brain.background import cancel_until_done
from brain.cells import ask_each, require_answers, settings_by_cell
from brain.local_postgres.startup import pool_limits, prepare_database
from brain.settings import Settings
from brain.wiring import build_resources
from memory.postgres.audit_chain import PostgresAuditChain
from memory.postgres.database import Database
from memory.service_alerts import QueueHealth

_LOOK_AGAIN = 0.2

operations = typer.Typer(no_args_is_help=True, help="What became of accepted turns.")


@dataclass(frozen=True, kw_only=True)
class WorkerOptions:
    """How long to work."""

    until_idle: Annotated[bool, typer.Option(help="End when nothing is left to do.")] = False


def _show(operation: OperationView) -> None:
    show_fields(
        {
            "operation": operation.id,
            "status": "nothing to store" if operation.status == "nothing" else operation.status.replace("_", " "),
            "why": operation.reason or "-",
            **({"what to do": advice(operation.reason)} if operation.status == "dead_letter" else {}),
            "memories": " ".join(map(str, operation.memory_ids)) or "-",
            "accepted": operation.created_at.isoformat(),
            "finished": operation.finished_at.isoformat() if operation.finished_at else "-",
        }
    )


add_endpoint(operations, get_operation, _show)


def register(app: typer.Typer) -> None:
    """Add the command that stands by itself."""

    @command(app, "worker")
    def worker(options: WorkerOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Do the work behind conversations until SIGTERM or Ctrl-C, finishing the jobs at hand."""
        settings = load_settings()
        if not options.until_idle:
            asyncio.run(keep_working(settings))
            return
        if settings.cell_urls:
            asyncio.run(_recover_moves(settings))
        require_answers(asyncio.run(ask_each(settings_by_cell(settings), _work_until_idle, one_by_one=True)))


async def _recover_moves(settings: Settings) -> None:
    """Jobs of a tenant whose mover died wait until somebody ends the move."""
    await recover_moves(await owner_urls(settings))


async def _work_until_idle(settings: Settings) -> None:
    """Work until the queue is empty, abandoned turns included, and seal what was written.

    One person's jobs wait for each other, so a quiet moment is not yet the end.
    """
    async with Database((await prepare_database(settings)).app, pool_limits(settings, connections=1)) as database:
        resources = build_resources(settings)
        await sweep(resources)
        work = asyncio.create_task(run_worker(settings, resources))
        while not work.done() and _is_busy(await queue_health(database)):  # noqa: ASYNC110 - jobs come from elsewhere
            await asyncio.sleep(_LOOK_AGAIN)
        await cancel_until_done([work], TO_END)
        if not work.cancelled():
            work.result()
        await seal_waiting(PostgresAuditChain(database), settings)


def _is_busy(health: QueueHealth) -> bool:
    return health.waiting + health.running > 0
