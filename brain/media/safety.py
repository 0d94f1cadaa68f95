"""Which bytes are taken: of a known type by their own beginning, that one type only, and no larger than they seem."""

from dataclasses import dataclass
from hashlib import sha256
from struct import unpack_from

from brain.media.pdf import find_danger
from brain.media.pictures import Picture, measure
from brain.media.recognition import (
    PDF,
    TAKEN,
    WAV,
    MediaType,
    hides_behind,
    holds_other_format,
    name_refused,
    recognize,
)
from brain.settings_media import MediaLimits
from memory.media import MediaBlock

NAMES = ", ".join(sorted(each.name for each in TAKEN))


class Unsafe(Exception):
    """Something that is not taken; ``why`` is the end of a sentence about it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, kw_only=True)
class Sent:
    """Bytes as a client sent them, and what it says of them."""

    data: bytes
    name: str = ""
    fallback: str = ""


def check_media(sent: Sent, limits: MediaLimits) -> MediaBlock:
    """What was sent, as it is kept. Raises ``Unsafe``. What stands behind the end of a picture is cut away."""
    data = sent.data
    if not data:
        raise Unsafe("is empty")
    if len(data) > limits.block_bytes:
        raise Unsafe(f"has {len(data):,} bytes; BRAIN_MEDIA_BYTES allows {limits.block_bytes:,}")
    taken = recognize(data)
    if taken is None:
        raise Unsafe(f"is {name_refused(data) or 'of an unknown type'}; what is taken: {NAMES}")
    if other := holds_other_format(data, taken):
        raise Unsafe(f"is {taken.name} and {other} at once")
    picture = _check_picture(data, taken, limits) if taken.kind == "image" else None
    if picture:
        data = data[: picture.end]
    _check_others(data, taken, limits)
    return MediaBlock(
        kind=taken.kind,
        sha256=sha256(data).hexdigest(),
        media_type=taken.name,
        size=len(data),
        name=sent.name,
        fallback=sent.fallback,
        width=picture.width if picture else 0,
        height=picture.height if picture else 0,
        data=data,
    )


def _check_picture(data: bytes, taken: MediaType, limits: MediaLimits) -> Picture:
    picture = measure(data, taken)
    if picture is None:
        raise Unsafe(f"is a broken {taken.name}")
    if picture.pixels > limits.pixels:
        raise Unsafe(f"unpacks to {picture.pixels:,} pixels; BRAIN_MEDIA_PIXELS allows {limits.pixels:,}")
    if hidden := hides_behind(data[picture.end :]):
        raise Unsafe(f"is {taken.name} with {hidden} behind its end")
    return picture


def _check_others(data: bytes, taken: MediaType, limits: MediaLimits) -> None:
    if taken is PDF and (danger := find_danger(data, limits.pages)):
        raise Unsafe(danger)
    if taken is WAV and unpack_from("<I", data, 4)[0] + 8 < len(data) - 1:
        raise Unsafe("has something behind its end")
