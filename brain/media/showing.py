"""What a model gets of what the newest message carries: itself, words behind a fence, or a note that it is there."""

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AnyMessage, HumanMessage

from brain.attachments import Kind, block_kind
from brain.media.intake import attached_blocks, media_of
from brain.media.readers import read_words
from brain.media.shown import ShownMedia, Source, ToldMedia
from brain.media.wire import estimate_tokens, kind_of, wire_block
from brain.prompting.tokens import clip, count_tokens
from brain.resources import Resources
from brain.safety.sanitizer import sanitize_text
from memory.media import MediaBlock, StoredMedia
from memory.scope import Scope

MEDIA_SHARE = 0.25
"""Share of the model's window that everything attached may take."""


@dataclass(frozen=True)
class _Carried:
    """A block of the newest message; ``stored`` is None where its bytes are not kept, or not any more."""

    kind: Kind
    block: MediaBlock | None
    stored: StoredMedia | None


async def show_media(messages: Sequence[AnyMessage], resources: Resources, scope: Scope) -> ShownMedia:
    """What the newest message carries, within its share of the window. One round trip, none where there is nothing."""
    carried = await _find_carried(messages, resources, scope)
    settings = resources.settings
    room, shown = int(settings.context_window * MEDIA_SHARE), ShownMedia()
    for each in carried:
        added = _send(each, room) if each.stored and kind_of(each.stored.media_type) in settings.seen_kinds else None
        added = added or await _tell(each, room, settings.read_seconds)
        shown, room = shown + added, room - added.tokens
    return shown


async def _find_carried(messages: Sequence[AnyMessage], resources: Resources, scope: Scope) -> list[_Carried]:
    newest = next((each for each in reversed(messages) if isinstance(each, HumanMessage)), None)
    found = [(block, media_of(block)) for block in attached_blocks(newest)] if newest else []
    hashes = list(dict.fromkeys(media.sha256 for _, media in found if media))
    kept = {each.sha256: each for each in await resources.memory.media.find(scope, hashes)} if hashes else {}
    return [_Carried(block_kind(block), media, kept.get(media.sha256) if media else None) for block, media in found]


def _send(carried: _Carried, room: int) -> ShownMedia | None:
    if carried.stored is None or carried.block is None:
        return None
    tokens = estimate_tokens(carried.block, carried.stored)
    block = wire_block(carried.stored, carried.block.name) if tokens <= room else None
    return ShownMedia(blocks=(block,), kinds=(carried.kind,), tokens=tokens) if block else None


async def _tell(carried: _Carried, room: int, seconds: float) -> ShownMedia:
    """In words, cut to the room there is: those that a reader finds, unless they plainly attack, else the sender's."""
    found = await read_words(carried.stored, seconds) if carried.stored else ""
    block = carried.block
    options: tuple[tuple[Source, str], ...] = (("reader", found), ("sender", block.fallback if block else ""))
    for source, text in options:
        read = sanitize_text(text)
        if block and text.strip() and read.verdict != "blocked" and room > 0:
            told = ToldMedia(
                kind=carried.kind, name=block.name, source=source, text=clip(text, room), verdict=read.verdict
            )
            unseen = (carried.kind,) if source == "sender" else ()
            return ShownMedia(told=(told,), unseen=unseen, tokens=count_tokens(told.text))
    return ShownMedia(unseen=(carried.kind,))
