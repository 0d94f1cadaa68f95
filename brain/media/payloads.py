"""Where the bytes of a content block stand: each form says it otherwise. An address is never fetched."""

import binascii
import re
from base64 import b64decode
from collections.abc import Mapping
from typing import Any, cast

from brain.media.safety import Unsafe

_DATA_URL = re.compile(r"data:[^,]{0,200};base64,", re.IGNORECASE)
_BASE64 = ("base64", "data", "file_data")
_ADDRESSES = ("url", "image_url", "file_url", "file_uri")
_NESTED = ("image_url", "input_audio", "file", "source", "video_url", "audio")
_STORED = ("file_id", "id")
_ELSEWHERE = "names a file that is kept elsewhere"


def read_payload(block: Mapping[str, Any], most: int) -> bytes:
    """The bytes. Raises ``Unsafe`` for a block that holds none, and for one that would have them fetched."""
    for place in (block, *_inner(block)):
        for name in _BASE64:
            if isinstance(value := place.get(name), str) and value:
                return _decode(value, most)
        if (text := place.get("text")) and isinstance(text, str) and place is block:
            return text.encode("utf-8", "replace")
        for name in _ADDRESSES:
            if isinstance(address := place.get(name), str) and address:
                return _read_address(address, most)
    if any(place.get(name) for place in (block, *_inner(block)) for name in _STORED):
        raise Unsafe(_ELSEWHERE)
    raise Unsafe("holds nothing that is read here")


def _inner(block: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [cast("Mapping[str, Any]", each) for name in _NESTED if isinstance(each := block.get(name), Mapping)]


def _read_address(address: str, most: int) -> bytes:
    if not address[:5].lower() == "data:":
        raise Unsafe("is an address, and nothing is fetched; send the bytes as a data URL")
    return _decode(address, most)


def _decode(text: str, most: int) -> bytes:
    begin = 0
    if text[:5].lower() == "data:":
        header = _DATA_URL.match(text)
        if header is None:
            raise Unsafe("is a data URL that is not base64")
        begin = header.end()
    if (size := (len(text) - begin) * 3 // 4) > most + 3:
        raise Unsafe(f"has about {size:,} bytes; BRAIN_MEDIA_BYTES allows {most:,}")
    try:
        return b64decode(text[begin:], validate=True)
    except (binascii.Error, ValueError):
        raise Unsafe("is not valid base64") from None
