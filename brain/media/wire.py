"""What a model takes as it is, in the form of OpenAI's chat API, and about how many tokens that costs."""

from base64 import b64encode
from collections.abc import Mapping
from math import ceil
from typing import Any

from brain.media.recognition import FLAC, GIF, JPEG, MP3, OGG, PDF, PNG, TAKEN, WAV, WEBP
from memory.media import MediaBlock, MediaKind, StoredMedia

_SOUNDS = {WAV.name: "wav", MP3.name: "mp3"}
_PICTURES = frozenset({PNG.name, JPEG.name, GIF.name, WEBP.name})
_LONG_SIDE, _SHORT_SIDE, _TILE = 2_048, 768, 512
_TOKENS_OF_PICTURE, _TOKENS_OF_TILE = 85, 170
_BYTES_PER_TOKEN: Mapping[str, int] = {WAV.name: 3_200, MP3.name: 200, PDF.name: 60, OGG.name: 200, FLAC.name: 1_600}
"""Rough: providers count sound by seconds and documents by pages."""


def kind_of(media_type: str) -> MediaKind:
    """The kind of a type that is kept."""
    known = next((each for each in TAKEN if each.name == media_type), PDF)
    return known.kind


def wire_block(stored: StoredMedia, name: str) -> dict[str, Any] | None:
    """The content block for a model; None for what OpenAI's form has no place for."""
    data = b64encode(stored.bytes).decode("ascii")
    if stored.media_type in _PICTURES:
        return {"type": "image_url", "image_url": {"url": f"data:{stored.media_type};base64,{data}"}}
    if stored.media_type in _SOUNDS:
        return {"type": "input_audio", "input_audio": {"data": data, "format": _SOUNDS[stored.media_type]}}
    if stored.media_type == PDF.name:
        url = f"data:{PDF.name};base64,{data}"
        return {"type": "file", "file": {"filename": name or "document.pdf", "file_data": url}}
    return None


def estimate_tokens(block: MediaBlock, stored: StoredMedia) -> int:
    """About how much of a model's window it takes."""
    if stored.media_type in _PICTURES:
        return _TOKENS_OF_PICTURE + _TOKENS_OF_TILE * _tiles(block.width or _LONG_SIDE, block.height or _LONG_SIDE)
    return ceil(len(stored.bytes) / _BYTES_PER_TOKEN.get(stored.media_type, 4))


def _tiles(width: int, height: int) -> int:
    """A picture is made to fit a square, its short side then made smaller, and the rest cut into tiles."""
    fits = min(1.0, _LONG_SIDE / max(width, height))
    short = min(1.0, _SHORT_SIDE / max(1.0, min(width, height) * fits))
    sides = (max(1.0, side * fits * short) for side in (width, height))
    across, down = (ceil(side / _TILE) for side in sides)
    return across * down
