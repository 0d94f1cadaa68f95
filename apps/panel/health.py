"""Whether all is well."""

from starlette.responses import Response

from apps.doctor.readiness import check_readiness
from apps.panel.page import Visit
from apps.threads.ledger import ledger
from memory.errors import BrainError


async def show_health(visit: Visit) -> Response:
    """The state of every part that a turn leans on, asked now."""
    ready = await check_readiness(visit.request.app.state.worker)
    try:
        queue = await ledger().queue()
    except BrainError:
        queue = None
    return visit.render("health.html", ready=ready, queue=queue)
