"""What a message carries beside its words. Brain reads words only, so the rest is announced."""

from collections.abc import Iterator, Sequence
from typing import Literal

from langchain_core.messages import AnyMessage, HumanMessage

Kind = Literal["image", "audio", "video", "file"]

NOT_READ = "attachment_not_read"
"""The reason code of a turn that had to do without what was attached."""

_WORDS = frozenset({"text", "input_text", "text-plain"})
_KINDS: dict[str, Kind] = {
    "image": "image",
    "image_url": "image",
    "input_image": "image",
    "audio": "audio",
    "input_audio": "audio",
    "video": "video",
}


def attachment_kinds(messages: Sequence[AnyMessage]) -> tuple[Kind, ...]:
    """The kinds of what the person attached to the newest message, each once; a kind without a name is a file."""
    newest = next((each for each in reversed(messages) if isinstance(each, HumanMessage)), None)
    return tuple(dict.fromkeys(_block_kinds(newest))) if newest else ()


def _block_kinds(message: HumanMessage) -> Iterator[Kind]:
    for block in message.content:
        if isinstance(block, dict) and block.get("type") not in _WORDS:
            yield _KINDS.get(str(block.get("type")), "file")
