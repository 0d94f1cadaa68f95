"""Erasing for good in the panel: the sentence to type, and how far each erasure is."""

from starlette.responses import Response

from apps.memory_api import erasures
from apps.panel.page import Visit


async def list_erasures(visit: Visit) -> Response:
    """The person's erasures, the newest first, and what has to be typed for another one."""
    found: erasures.ErasureList = await visit.ask(erasures.list_erasures)
    return visit.render("erasures.html", erasures=found.erasures, sentence=found.sentence)


async def erase(visit: Visit) -> Response:
    """Begin it; from then on every other page of the person is closed until it is completed."""
    await visit.ask(erasures.erase, confirm=visit.read_field("confirm"))
    return visit.redirect("/panel/erasures", "erasing")
