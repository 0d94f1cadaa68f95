"""What memory made of the person's last turns."""

from starlette.responses import Response

from apps.panel.memories import fetch_living
from apps.panel.page import Visit

OPERATIONS = 100


async def list_jobs(visit: Visit) -> Response:
    """What became of each, newest first, with the memories that were learned from it."""
    operations = await visit.memory.transcripts.operations(visit.scope, OPERATIONS)
    ids = [memory_id for each in operations for memory_id in each.memory_ids]
    items = await fetch_living(visit, ids)
    return visit.render("jobs.html", operations=operations, items=items, most=OPERATIONS)
