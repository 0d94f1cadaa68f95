"""``brain operations`` and ``brain worker``: what goes on behind the conversation."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

import typer

from apps.cli.job_rows import advice
from apps.cli.memory_ids import parse_uuid
from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, show_fields
from apps.cli.runner import load_settings, run
from apps.jobs.abandoned_turns import sweep
from apps.jobs.worker import keep_working, run_worker
from apps.views.health import QueueHealth, queue_health
from brain.local_postgres.startup import prepare_database
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources
from memory.contracts import Operation
from memory.errors import BrainError
from memory.postgres.database import Database
from memory.postgres.pools import PoolLimits

_LOOK_AGAIN = 0.2

operations = typer.Typer(no_args_is_help=True, help="What became of accepted turns.")


@dataclass(frozen=True, kw_only=True)
class OperationOptions(PersonOptions):
    """Which operation."""

    operation: Annotated[str, typer.Argument(help="The operation's id, as a turn with --json prints it.")]
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class WorkerOptions:
    """How long to work."""

    until_idle: Annotated[bool, typer.Option(help="End when nothing is left to do.")] = False


@command(operations, "show")
def show(options: OperationOptions) -> None:
    """Tell how a turn's memory work ended: stored, nothing to store and why, dead letter, or accepted or queued."""
    operation = run(lambda resources: _fetch_operation(resources, options), load_settings())
    if options.json:
        emit(operation)
        return
    show_fields(
        {
            "operation": operation.operation_id,
            "status": "nothing to store" if operation.status == "nothing" else operation.status.replace("_", " "),
            "why": operation.reason or "-",
            **({"what to do": advice(operation.reason)} if operation.status == "dead_letter" else {}),
            "memories": " ".join(map(str, operation.memory_ids)) or "-",
            "accepted": operation.created_at.isoformat(),
            "finished": operation.finished_at.isoformat() if operation.finished_at else "-",
        }
    )


def register(app: typer.Typer) -> None:
    """Add the command that stands by itself."""

    @command(app, "worker")
    def worker(options: WorkerOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Do the work behind conversations until SIGTERM or Ctrl-C, finishing the jobs at hand."""
        asyncio.run(_work_until_idle(load_settings()) if options.until_idle else keep_working(load_settings()))


async def _work_until_idle(settings: Settings) -> None:
    """Work until the queue is empty, abandoned turns included.

    One person's jobs wait for each other, so a quiet moment is not yet the end.
    """
    async with Database((await prepare_database(settings)).app, PoolLimits(connections=1)) as database:
        resources = build_resources(settings)
        await sweep(resources)
        work = asyncio.create_task(run_worker(settings, resources))
        while not work.done() and _is_busy(await queue_health(database)):  # noqa: ASYNC110 - jobs come from elsewhere
            await asyncio.sleep(_LOOK_AGAIN)
        work.cancel()
        with suppress(asyncio.CancelledError):
            await work


def _is_busy(health: QueueHealth) -> bool:
    return health.waiting + health.running > 0


async def _fetch_operation(resources: Resources, options: OperationOptions) -> Operation:
    scope = scope_from(options, resources.settings.dm_scope)
    found = await resources.memory.log.operation(scope, parse_uuid(options.operation))
    if found is None:
        raise BrainError("E_NOT_FOUND", "This person has no such operation.", "Check --tenant, --user and the id.")
    return found
