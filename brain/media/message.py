"""The newest message of a person as a turn takes it: its words and what it carries, checked before anything is kept."""

import asyncio
from dataclasses import dataclass

from langchain_core.messages import AnyMessage, HumanMessage

from brain.media.intake import read_attached
from brain.settings_media import MediaLimits
from memory.errors import bad_request
from memory.media import MediaBlock
from memory.storable_text import require_storable_text

MAX_CHARACTERS = 200_000


@dataclass(frozen=True)
class SpokenMessage:
    """``message`` holds references in place of bytes; it is the very one that came where it held none."""

    text: str
    media: tuple[MediaBlock, ...]
    message: HumanMessage


async def hear_message(messages: list[AnyMessage], limits: MediaLimits) -> SpokenMessage:
    """The same as ``read_message``; what is more than words is looked at in a thread."""
    if messages and isinstance(messages[-1].content, list):
        return await asyncio.to_thread(read_message, messages, limits)
    return read_message(messages, limits)


def read_message(messages: list[AnyMessage], limits: MediaLimits) -> SpokenMessage:
    """The newest message. Refused when it is not a person's, is empty, too long, or carries what is not taken."""
    if not messages or not isinstance(messages[-1], HumanMessage):
        raise bad_request("A turn begins with a message of the user.", "Send one message of type human.")
    newest = messages[-1]
    attached = read_attached(newest.content, limits)  # pyright: ignore[reportArgumentType]
    text = check_words(newest.text, attached.media)
    if not attached.media:
        return SpokenMessage(text, (), newest)
    content = attached.content
    kept = newest if content == newest.content else newest.model_copy(update={"content": content})
    return SpokenMessage(text, attached.media, kept)


def check_words(text: str, media: tuple[MediaBlock, ...] = ()) -> str:
    """The words, which a message that carries something may lack. Refused when too long, or not to be stored."""
    if not text.strip() and not media:
        raise bad_request("The message is empty.", "Say something.")
    if len(text) > MAX_CHARACTERS:
        raise bad_request(f"The message has {len(text):,} characters.", f"Send at most {MAX_CHARACTERS:,}.")
    return require_storable_text(text if text.strip() else "")
