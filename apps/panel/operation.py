"""How Brain works behind the conversation: what became of each turn, what models cost, whether all is well."""

from datetime import date, timedelta
from typing import get_args

from starlette.responses import Response

from apps.panel.memories import fetch_living
from apps.panel.page import Visit
from apps.panel.plots import Bar, draw_bars
from apps.readiness import check_readiness
from apps.spending import fetch_account
from apps.threads import ledger
from memory.errors import BrainError
from memory.ledger import DaySpending, Purpose

OPERATIONS, DAYS = 100, 30


async def list_jobs(visit: Visit) -> Response:
    """What memory made of the person's last turns."""
    operations = await visit.memory.transcripts.operations(visit.scope, OPERATIONS)
    ids = [memory_id for each in operations for memory_id in each.memory_ids]
    items = await fetch_living(visit, ids)
    return visit.show("jobs.html", operations=operations, items=items, most=OPERATIONS)


async def show_usage(visit: Visit) -> Response:
    """The organisation's tokens of the last days, by what they were spent for."""
    today = visit.resources.today()
    account = await fetch_account(visit.resources, visit.identity.tenant, today - timedelta(days=DAYS - 1))
    plot = draw_bars(_bars(account.entries, today), get_args(Purpose))
    return visit.show("usage.html", account=account, plot=plot, days=DAYS)


async def show_health(visit: Visit) -> Response:
    """The state of every part that a turn leans on, asked now."""
    ready = await check_readiness(visit.request.app.state.worker)
    try:
        queue = await ledger().queue()
    except BrainError:
        queue = None
    return visit.show("health.html", ready=ready, queue=queue)


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
