"""A message as clients send it, in the forms of OpenAI, Anthropic and LangChain, and as it is kept: by reference."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from langchain_core.messages import BaseMessage

from brain.attachments import WORDS
from brain.media.payloads import read_payload
from brain.media.safety import Sent, Unsafe, check_media
from brain.settings_media import MediaLimits
from memory.errors import BrainError, bad_request
from memory.media import MediaBlock, MediaKind, reference_of
from memory.storable_text import require_storable_text

FALLBACK_CHARACTERS, NAME_CHARACTERS = 2_000, 120
_ANY_SIZE = MediaLimits(block_bytes=1 << 40, pixels=1 << 60, pages=1 << 30)
_KINDS: Mapping[str, MediaKind] = {"image": "image", "audio": "audio"}

M = TypeVar("M", bound=BaseMessage)
Content = str | Sequence[str | Mapping[str, Any]]


@dataclass(frozen=True)
class Attached:
    """What a message carries, in its order, and its content with references in place of bytes."""

    media: tuple[MediaBlock, ...]
    content: str | list[str | dict[str, Any]]


def read_attached(content: Content, limits: MediaLimits) -> Attached:
    """What a message carries. Raises ``E_BAD_REQUEST`` that names the block which is not taken; nothing is fetched."""
    if isinstance(content, str):
        return Attached((), content)
    kept, media = list[str | dict[str, Any]](), list[MediaBlock]()
    for place, block in enumerate(content, 1):
        if isinstance(block, str) or block.get("type") in WORDS:
            kept.append(block if isinstance(block, str) else {"type": "text", "text": str(block.get("text") or "")})
            continue
        if len(media) == limits.blocks:
            raise bad_request(f"A message carries more than {limits.blocks} blocks beside its words.", "Send fewer.")
        media.append(_read_block(block, place, limits))
        kept.append(media[-1].as_reference())
    return Attached(tuple(media), kept)


def attached_blocks(message: BaseMessage) -> list[dict[str, Any]]:
    """The blocks of a message that are not words."""
    content = message.content if isinstance(message.content, list) else []
    blocks = [cast("dict[str, Any]", each) for each in content if isinstance(each, dict)]
    return [block for block in blocks if block.get("type") not in WORDS]


def attached_sha256s(message: BaseMessage) -> list[str]:
    """The hashes that a message refers to."""
    return [digest for block in attached_blocks(message) if (digest := reference_of(block))]


def media_of(block: Mapping[str, Any]) -> MediaBlock | None:
    """What a reference refers to, without its bytes; None for any other block."""
    digest, extras = reference_of(block), _mapping(block.get("extras"))
    if not digest:
        return None
    return MediaBlock(
        kind=_KINDS.get(str(block.get("type")), "file"),
        sha256=digest,
        media_type=str(block.get("mime_type") or "")[:100],
        size=_count(extras.get("size")),
        name=_line(extras.get("name"), NAME_CHARACTERS),
        fallback=_line(extras.get("text_fallback"), FALLBACK_CHARACTERS),
        width=_count(extras.get("width")),
        height=_count(extras.get("height")),
    )


def without_bytes(message: M) -> M:
    """The same message; what a person's carries is referred to."""
    if message.type != "human" or all(
        reference_of(block) or set(block) == {"type"} for block in attached_blocks(message)
    ):
        return message
    content = [strip_bytes(block) for block in message.content]
    return message.model_copy(update={"content": content})


def strip_bytes(block: str | dict[str, Any]) -> str | dict[str, Any]:
    """A block by reference, so that a turn which is run again finds what it kept; of what is never kept, its kind."""
    if isinstance(block, str) or block.get("type") in WORDS or reference_of(block):
        return block
    try:
        return _read_block(block, 1, _ANY_SIZE).as_reference()
    except BrainError:
        return {"type": str(block.get("type"))[:40]}


def _read_block(block: Mapping[str, Any], place: int, limits: MediaLimits) -> MediaBlock:
    if known := media_of(block):
        return known
    named = f"Block {place} ({str(block.get('type'))[:40]!r})"
    try:
        return check_media(_as_sent(read_payload(block, limits.block_bytes), block), limits)
    except Unsafe as unsafe:
        raise bad_request(f"{named} {unsafe.why}.", "Leave it out, or send it as another type.") from None


def _as_sent(data: bytes, block: Mapping[str, Any]) -> Sent:
    told = [block, *(_mapping(block.get(name)) for name in ("extras", "metadata", "file"))]
    return Sent(
        data=data,
        name=_line(_first(told, "filename", "name", "title"), NAME_CHARACTERS),
        fallback=_line(_first(told, "text_fallback", "caption", "alt"), FALLBACK_CHARACTERS),
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _first(told: Sequence[Mapping[str, Any]], *names: str) -> object:
    return next((value for each in told for name in names if (value := each.get(name))), "")


def _line(value: object, most: int) -> str:
    """One line of what a client says of a block: it stands in lists and prompts."""
    return require_storable_text(" ".join(value.split())[:most]) if isinstance(value, str) else ""


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40 else 0
