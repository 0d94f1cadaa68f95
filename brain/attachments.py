"""What kinds of things a message carries beside its words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from langchain_core.messages import AnyMessage, HumanMessage

Kind = Literal["image", "audio", "video", "file"]

NOT_READ = "attachment_not_read"
"""The reason code of a turn that had to do without what was attached."""

WORDS = frozenset({"text", "input_text"})
_KINDS: Mapping[str, Kind] = {
    "image": "image",
    "image_url": "image",
    "input_image": "image",
    "audio": "audio",
    "input_audio": "audio",
    "video": "video",
}


def attachment_kinds(messages: Sequence[AnyMessage]) -> tuple[Kind, ...]:
    """The kinds of what the person attached to the newest message, each once."""
    newest = next((each for each in reversed(messages) if isinstance(each, HumanMessage)), None)
    return tuple(dict.fromkeys(_block_kinds(newest))) if newest else ()


def block_kind(block: Mapping[str, Any]) -> Kind:
    """The kind of a content block; one without a name is a file."""
    return _KINDS.get(str(block.get("type")), "file")


def _block_kinds(message: HumanMessage) -> Iterator[Kind]:
    for block in message.content:
        if isinstance(block, dict) and block.get("type") not in WORDS:
            yield block_kind(block)
