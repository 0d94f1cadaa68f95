"""``brain jobs``: the work behind the conversations as an operator sees it, and how what was given up comes back."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import Progress

from apps.cli.job_rows import COLUMNS, DEAD_COLUMNS, TenantPeople, advice, ago, dead_row, due, job_fields, job_row
from apps.cli.options import AsJson, TenantOptions, choices, command
from apps.cli.output import emit, say, show_fields, show_table
from apps.cli.runner import load_settings
from apps.jobs.queued_jobs import (
    MAX_JOBS,
    STATES,
    QueuedJob,
    State,
    fetch_job,
    fetch_jobs,
    fetch_operations,
    replay,
    replay_all,
)
from apps.people import fetch_people
from brain.cells import answers_of, ask_each, require_answers, settings_by_cell
from brain.local_postgres.startup import pool_limits, prepare_database
from brain.settings import Settings
from brain.settings_cells import HOME
from memory.errors import BrainError, bad_request
from memory.postgres.database import Database
from memory.scope import name_id
from memory.turns import Operation

T = TypeVar("T")

_MAX_JOB_ID = 2**63 - 1
"""PostgreSQL counts jobs in 64 bits."""

jobs = typer.Typer(no_args_is_help=True, help="See the work behind conversations, and bring back what failed.")


@dataclass(frozen=True, kw_only=True)
class JobListOptions(TenantOptions):
    """Which jobs to list."""

    status: Annotated[str, typer.Option(help=f"Only these: {', '.join(STATES)}.", autocompletion=choices(STATES))] = ""
    limit: Annotated[int, typer.Option(min=1, max=MAX_JOBS, help="How many at most.")] = 50
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class DeadOptions(TenantOptions):
    """How many dead letters to list."""

    limit: Annotated[int, typer.Option(min=1, max=MAX_JOBS, help="How many at most.")] = 50
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class OneJob(TenantOptions):
    """Which job."""

    number: Annotated[str, typer.Argument(metavar="ID", help="The job's number, as 'brain jobs list' shows it.")]
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class RetryOptions:
    """Which dead letters to bring back."""

    number: Annotated[
        str, typer.Argument(metavar="[ID]", help="The dead letter's number, as 'brain jobs dead' shows it.")
    ] = ""
    all_dead: Annotated[bool, typer.Option("--all-dead", help="Every dead letter there is.")] = False
    json: AsJson = False


@command(jobs, "list")
def list_jobs(options: JobListOptions) -> None:
    """List the queue: what runs, what waits in the order in which it is taken, what is planned, what was given up."""
    state = _parse_state(options.status)
    asked = _ask_queues(lambda database: fetch_jobs(database, state, options.limit))
    found, total = _merge(asked, options.limit)
    known = _find_people(options, found)
    if options.json:
        emit([job_fields(each, known) for each in found])
    elif found:
        show_table(COLUMNS, [job_row(each, known) for each in found])
        _tell_rest(found, total)
    require_answers(asked)
    if not found and not options.json:
        say("No jobs." if not state else f"No {state} jobs.")


@command(jobs, "show")
def show(options: OneJob) -> None:
    """Show one job: its state, its last failure, and the turns that wait for it."""
    cell, number = _parse_job(options.number)
    queued, turns = _run_on_queue(cell, lambda database: _fetch_with_turns(database, number))
    queued = replace(queued, cell=cell)
    told = job_fields(queued, _find_people(options, [queued]))
    if options.json:
        waiting = [{"operation_id": each.operation_id, "status": each.status} for each in turns]
        emit({**told, "operations": waiting})
        return
    shown = {**told, "age": ago(queued.age), "since": ago(queued.since), "due_in": due(queued)}
    show_fields({name.replace("_", " "): "-" if value is None else value for name, value in shown.items()})
    for each in turns:
        say(f"operation   {each.operation_id} ({each.status.replace('_', ' ')})")
    if queued.state == "dead":
        say(advice(queued.reason))


@command(jobs, "dead")
def list_dead_jobs(options: DeadOptions) -> None:
    """List what was given up: why, after how many tries, how long ago, whose it is, and what to do."""
    asked = _ask_queues(lambda database: fetch_jobs(database, "dead", options.limit))
    found, total = _merge(asked, options.limit)
    known = _find_people(options, found)
    if options.json:
        emit([{**job_fields(each, known), "advice": advice(each.reason)} for each in found])
    elif found:
        show_table(DEAD_COLUMNS, [dead_row(each, known) for each in found])
        _tell_rest(found, total)
        for reason in dict.fromkeys(each.reason for each in found):
            say(f"{reason or 'unknown'}: {advice(reason)}")
    require_answers(asked)
    if not found and not options.json:
        say("No dead letters.")


@command(jobs, "retry")
def retry(options: RetryOptions) -> None:
    """Let a dead letter be tried again with all its tries; the turns behind it are queued again."""
    if bool(options.number) == options.all_dead:
        raise bad_request("Say which dead letter, or --all-dead.", "'brain jobs dead' lists them.")
    if options.all_dead:
        asked = _replay_everywhere()
    else:
        cell, number = _parse_job(options.number)
        asked = {cell: _run_on_queue(cell, lambda database: _replay_one(database, number))}
    count = sum(answers_of(asked).values())
    if options.json:
        emit({"retried": count})
    elif count:
        say(f"{count} {'job' if count == 1 else 'jobs'} queued again.")
    require_answers(asked)
    if not count and not options.json:
        say("No dead letters.")


def _find_people(options: TenantOptions, found: Sequence[QueuedJob]) -> TenantPeople:
    """The people of the tenant that is named, where any of these jobs is one of theirs."""
    tenant_id = name_id("tenant", options.tenant)
    if not any(each.tenant_id == tenant_id for each in found):
        return TenantPeople(tenant=options.tenant, tenant_id=tenant_id)
    names = asyncio.run(fetch_people(load_settings(), options.tenant))
    people = {name_id("user", options.tenant, name): name for name in names}
    return TenantPeople(tenant=options.tenant, tenant_id=tenant_id, people=people)


def _ask_queues(work: Callable[[Database], Awaitable[T]]) -> dict[str, T | BrainError]:
    """A queue is the installation's: the application's role may read and change the jobs of all people."""
    return asyncio.run(ask_each(settings_by_cell(load_settings()), partial(_with_queue, work)))


def _run_on_queue(cell: str, work: Callable[[Database], Awaitable[T]]) -> T:
    known = settings_by_cell(load_settings())
    if cell not in known:
        raise bad_request(f"BRAIN_CELLS names no cell {cell!r}.", f"It knows {', '.join(known)}.")
    return asyncio.run(_with_queue(work, known[cell]))


def _merge(asked: Mapping[str, Sequence[QueuedJob] | BrainError], most: int) -> tuple[list[QueuedJob], int]:
    """The jobs of all queues, running ones first, and how many there are altogether."""
    found = [replace(each, cell=cell) for cell, those in answers_of(asked).items() for each in those]
    total = sum(those[0].total for those in answers_of(asked).values() if those)
    return sorted(found, key=lambda each: STATES.index(each.state))[:most], total


async def _with_queue(work: Callable[[Database], Awaitable[T]], settings: Settings) -> T:
    async with Database((await prepare_database(settings)).app, pool_limits(settings, connections=1)) as database:
        return await work(database)


async def _fetch_with_turns(database: Database, number: int) -> tuple[QueuedJob, list[Operation]]:
    queued = await fetch_job(database, number)
    return queued, await fetch_operations(database, queued)


async def _replay_one(database: Database, number: int) -> int:
    await replay(database, await fetch_job(database, number))
    return 1


def _replay_everywhere() -> dict[str, int | BrainError]:
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as progress:

        async def replay_here(database: Database) -> int:
            bar = progress.add_task("queueing again", total=None)
            return await replay_all(database, lambda done, of: progress.update(bar, completed=done, total=of))

        return _ask_queues(replay_here)


def _parse_state(name: str) -> State | None:
    if not name:
        return None
    for state in STATES:
        if state == name.strip().lower():
            return state
    raise bad_request(f"There is no status {name[:60]!r}.", f"Statuses: {', '.join(STATES)}.")


def _parse_job(text: str) -> tuple[str, int]:
    """In whose queue a job is, and its number there."""
    cell, _, digits = text.strip().rpartition(":")
    sane = digits.isascii() and digits.isdigit() and len(digits) <= len(str(_MAX_JOB_ID))
    if not sane or not 0 < int(digits) <= _MAX_JOB_ID:
        raise bad_request(f"{text[:60]!r} is not the number of a job.", "'brain jobs list' shows the numbers.")
    return cell or HOME, int(digits)


def _tell_rest(found: Sequence[QueuedJob], total: int) -> None:
    if total > len(found):
        say(f"{len(found)} of {total:,}; --limit shows more.")
