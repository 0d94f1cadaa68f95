"""A person's past: what other assistants kept, brought along and taken back; and everything of theirs, taken away."""

import asyncio
from pathlib import Path

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from apps.memory_api import past as api
from apps.panel.page import Visit
from apps.panel.uploads import receive_file
from apps.past.import_past import PastImporter
from apps.portability.person_archive import drop_export, stage_export, stream_export
from memory.zones import require_zone

PAGE = "/panel/past"


async def list_past(visit: Visit) -> Response:
    """What was brought along, the newest first, and the way to bring more or to take everything away."""
    found: api.PastList = await visit.ask(api.list_past)
    limit = visit.resources.settings.past_upload_bytes
    return visit.render("past.html", imports=found.imports, megabytes=limit // 1_000_000)


async def import_past(visit: Visit) -> Response:
    """Read an export into the log: evidence of its own date, of which nothing is learnt. Again adds what is missing."""
    settings = visit.resources.settings
    async with receive_file(visit, settings.past_upload_bytes) as (fields, path):
        zone = require_zone(fields.get("time_zone", "").strip() or settings.time_zone)
        importer = PastImporter(visit.resources, visit.identity, zone, _ignore_progress)
        tally = await importer.run(path)
    return visit.redirect(PAGE, "brought" if tally.added else "unchanged")


def _ignore_progress(_done: int, _size: int, _messages: int) -> None:
    """Nobody looks at a page while it is made."""


async def remove_past(visit: Visit) -> Response:
    """Take an import back, all of it."""
    await visit.ask(api.remove_one_past, id=visit.request.path_params["import_id"])
    return visit.redirect(PAGE, "past_removed")


async def export_everything(visit: Visit) -> Response:
    """Everything that is kept of the person, as one archive that ``brain import`` reads when it is unpacked."""
    return _ExportResponse(await stage_export(visit.resources, visit.identity))


class _ExportResponse(StreamingResponse):
    """Removes what was staged when the last piece is sent, and also when the reader goes away in the middle."""

    def __init__(self, place: Path) -> None:
        headers = {"Content-Disposition": 'attachment; filename="brain-export.zip"'}
        super().__init__(stream_export(place), media_type="application/zip", headers=headers)
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await asyncio.to_thread(drop_export, self._place)
