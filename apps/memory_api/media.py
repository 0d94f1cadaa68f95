"""What a person attached to messages: which there is, its bytes, and letting go of it."""

from base64 import b64encode
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from apps.memory_api.paging import Page, PageRequest, read_page
from memory.errors import BrainError
from memory.media import ListedMedia
from memory.paging import Cursor

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="The SHA-256 of the bytes, in hexadecimal.")]
_EXAMPLE = {"sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}


class OneMedia(ApiRequest):
    """Which of what is kept."""

    sha256: Digest


class MediaView(ApiAnswer):
    """Something attached. ``event`` is the last turn that carries it, of ``turns``."""

    sha256: str
    media_type: str
    size: int
    kept_since: datetime
    turns: int
    event: UUID
    session: UUID


class MediaBytes(ApiAnswer):
    """The bytes in base64."""

    sha256: str
    media_type: str
    base64: str


class MediaForgotten(ApiAnswer):
    """From how many turns it was taken; their words stay."""

    turns: int


@endpoint("GET /media", example={"limit": 20})
async def list_media(asked: PageRequest, call: ApiCall) -> Page[MediaView]:
    """List what was attached to messages and is kept, the newest first."""
    return await read_page(
        asked,
        lambda limit, after: call.memory.media.list_newest(call.scope, limit, after),
        lambda each: Cursor(each.created_at, each.event_id),
        _view,
    )


@endpoint("GET /media/{sha256}", example=_EXAMPLE)
async def read_media(asked: OneMedia, call: ApiCall) -> MediaBytes:
    """Read the bytes of something attached; what was forgotten is not found."""
    found = await call.memory.media.find(call.scope, [asked.sha256])
    if not found:
        raise not_kept()
    data = b64encode(found[0].bytes).decode("ascii")
    return MediaBytes(sha256=asked.sha256, media_type=found[0].media_type, base64=data)


@endpoint("DELETE /media/{sha256}", scope="memory:write", example=_EXAMPLE)
async def forget_media(asked: OneMedia, call: ApiCall) -> MediaForgotten:
    """Let go of something attached, in every turn that carries it, at once and for good."""
    turns = await call.memory.media.forget(call.scope, asked.sha256)
    if not turns:
        raise not_kept()
    return MediaForgotten(turns=turns)


def not_kept() -> BrainError:
    """Nothing of the person's own that may be read has this hash."""
    return BrainError("E_NOT_FOUND", "Nothing with this hash is kept.", "GET /v1/memory/media lists what is.")


def _view(kept: ListedMedia) -> MediaView:
    return MediaView(
        sha256=kept.sha256,
        media_type=kept.media_type,
        size=kept.size,
        kept_since=kept.created_at,
        turns=kept.turns,
        event=kept.event_id,
        session=kept.session_id,
    )
