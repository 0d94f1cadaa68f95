"""The first page: how much is remembered, what waits for the person, and how it grew."""

from starlette.responses import Response

from apps.panel.approvals import find_pending
from apps.panel.memories import NEWEST, TYPES
from apps.panel.page import Visit
from apps.panel.plots import count_by_period, draw_bars

_LAST = 5


async def show_overview(visit: Visit) -> Response:
    """Counts, the newest memories, and memories over time."""
    memory, scope, settings = visit.memory, visit.scope, visit.resources.settings
    items = await memory.items.list_newest(scope, limit=NEWEST)
    counted = [(each, sum(item.memory_type == each for item in items)) for each in TYPES]
    bars = count_by_period((each.created_at for each in items), visit.resources.today(), settings.time_zone)
    return visit.render(
        "overview.html",
        total=len(items),
        most=NEWEST,
        counted=[each for each in counted if each[1]],
        newest=items[:_LAST],
        conflicts=len(await memory.conflicts.list_conflicts(scope)),
        approvals=len(await find_pending(visit)),
        sessions=await memory.sessions.list_newest(scope, _LAST),
        plot=draw_bars(bars, ["memories"]),
    )
