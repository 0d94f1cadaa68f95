"""What models cost: the tokens of the organisation."""

from datetime import date, timedelta
from typing import get_args

from starlette.responses import Response

from apps.panel.page import Visit
from apps.panel.plots import Bar, draw_bars
from apps.views.spending import fetch_account
from memory.ledger import DaySpending, Purpose

DAYS = 30


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
