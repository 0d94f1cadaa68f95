"""The panel at a glance: what is remembered and what waits, what became of turns, what models cost, the state of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import get_args

from starlette.responses import Response

from apps.doctor.readiness import check_readiness
from apps.memory_api.erasures import ErasureList, ErasureView, list_erasures
from apps.panel.memories import MAX_LISTED, TYPES, fetch_living
from apps.panel.page import Visit
from apps.panel.pending import PendingApproval, list_pending
from apps.panel.plots import Bar, count_by_period, draw_bars
from apps.threads.registry import thread_registry
from apps.views.spending import fetch_account
from memory.errors import BrainError
from memory.model_usage import DaySpending, Purpose

_MAX_NEWEST = 5
OPERATIONS = 100
DAYS = 30
NEAR_DEADLINE = timedelta(days=7)
"""Before the end of the time in which an erasure must be completed."""


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """What waits for the person, or should worry them."""

    approvals: Sequence[PendingApproval]
    conflicts: int
    failed: int
    erasures: Sequence[ErasureView]

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self.approvals or self.conflicts or self.failed or self.erasures)


async def show_overview(visit: Visit) -> Response:
    """What waits first, then what was learnt and how Brain is; counts and a plot last."""
    memory, scope = visit.memory, visit.scope
    items = await memory.items.list_newest(scope, limit=MAX_LISTED)
    counted = [(each, sum(item.memory_type == each for item in items)) for each in TYPES]
    bars = count_by_period((each.created_at for each in items), visit.resources.today(), visit.zone)
    return visit.render(
        "overview.html",
        total=len(items),
        most=MAX_LISTED,
        counted=[each for each in counted if each[1]],
        newest=items[:_MAX_NEWEST],
        waiting=await _find_waiting(visit),
        ready=await check_readiness(visit.request.app.state.worker),
        sessions=await memory.sessions.list_newest(scope, _MAX_NEWEST),
        plot=draw_bars(bars, ["memories"]),
    )


async def _find_waiting(visit: Visit) -> Waiting:
    """Approvals, conflicts, turns that memory gave up on, and erasures that must end soon."""
    operations = await visit.memory.transcripts.operations(visit.scope, OPERATIONS)
    asked: ErasureList = await visit.ask(list_erasures)
    soon = visit.resources.clock() + NEAR_DEADLINE
    return Waiting(
        approvals=await list_pending(visit),
        conflicts=len(await visit.memory.conflicts.list_conflicts(visit.scope)),
        failed=sum(each.status == "dead_letter" for each in operations),
        erasures=[each for each in asked.erasures if each.completed_at is None and each.due_at <= soon],
    )


async def list_jobs(visit: Visit) -> Response:
    """What became of each, newest first, with the memories that were learned from it."""
    operations = await visit.memory.transcripts.operations(visit.scope, OPERATIONS)
    ids = [memory_id for each in operations for memory_id in each.memory_ids]
    items = await fetch_living(visit, ids)
    return visit.render("jobs.html", operations=operations, items=items, most=OPERATIONS)


async def list_accesses(visit: Visit) -> Response:
    """Who else read the person's memory by right of office, and why."""
    return visit.render("accesses.html", accesses=await visit.memory.privileged_reads.list_newest(visit.scope))


async def show_usage(visit: Visit) -> Response:
    """The last days, by what the tokens were spent for."""
    today = visit.resources.today()
    account = await fetch_account(visit.resources, visit.identity.tenant, today - timedelta(days=DAYS - 1))
    plot = draw_bars(_bars(account.entries, today), get_args(Purpose))
    return visit.render("usage.html", account=account, plot=plot, days=DAYS)


def _bars(entries: list[DaySpending], today: date) -> list[Bar]:
    days = [today - timedelta(days=n) for n in range(DAYS)][::-1]
    return [Bar(label=f"{day:%Y-%m-%d}", amounts=_spent(entries, day)) for day in days]


def _spent(entries: list[DaySpending], day: date) -> dict[str, int]:
    purposes: tuple[Purpose, ...] = get_args(Purpose)
    of_day = [each for each in entries if each.day == day]
    return {
        purpose: sum(each.input_tokens + each.output_tokens for each in of_day if each.purpose == purpose)
        for purpose in purposes
    }


async def show_health(visit: Visit) -> Response:
    """The state of every part that a turn leans on, asked now."""
    ready = await check_readiness(visit.request.app.state.worker)
    try:
        queue = await thread_registry().queue()
    except BrainError:
        queue = None
    return visit.render("health.html", ready=ready, queue=queue)
