"""A memory that a person adds by hand."""

from datetime import date, datetime
from typing import get_args
from zoneinfo import ZoneInfo

from starlette.responses import Response

from apps.memory_api import new_memories as api
from apps.memory_api.memories import WriteResult
from apps.panel.page import Visit
from memory.errors import bad_request
from skills.memory import NoteKind


async def show_form(visit: Visit) -> Response:
    """What is to be remembered, of which kind, and from when to when it is so."""
    return visit.render("add_memory.html", kinds=get_args(NoteKind))


async def add_memory(visit: Visit) -> Response:
    """It counts as confirmed by the person; what is known already is merged with it."""
    done: WriteResult = await visit.ask(
        api.create_memory,
        text=visit.read_field("text", 4_000),
        kind=visit.read_field("kind", 40),
        confirmed=True,
        valid_from=_read_day(visit, "valid_from"),
        valid_until=_read_day(visit, "valid_until"),
    )
    return visit.redirect(f"/panel/memories/{done.memory.id}", "added" if done.status == "accepted" else "known")


def _read_day(visit: Visit, name: str) -> datetime | None:
    """The beginning of a day in the panel's zone; None where none was typed."""
    typed = visit.read_field(name, 10)
    if not typed:
        return None
    try:
        day = date.fromisoformat(typed)
        return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(visit.zone))
    except ValueError:
        raise bad_request(f"{typed!r} is no date.", "Write it as 2026-01-31.") from None
