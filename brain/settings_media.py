"""What may be attached to a message, and which of it the chat model takes."""

from dataclasses import dataclass
from typing import get_args

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings

from memory.media import MediaKind


@dataclass(frozen=True, kw_only=True)
class MediaLimits:
    """How much one message may carry. ``pixels`` are those of all frames of a picture."""

    block_bytes: int = 5_000_000
    blocks: int = 8
    pixels: int = 50_000_000
    pages: int = 100


class MediaSettings(BaseSettings):
    """A part of ``Settings``."""

    media_bytes: int = Field(5_000_000, ge=1_000, le=100_000_000)
    media_blocks: int = Field(8, ge=0, le=100)
    media_pixels: int = Field(50_000_000, ge=1_000, le=1_000_000_000)
    media_pages: int = Field(100, ge=1, le=10_000)
    model_sees: str = ""
    read_seconds: float = Field(10.0, gt=0, le=600)

    @property
    def media_limits(self) -> MediaLimits:
        """How much one message may carry."""
        return MediaLimits(
            block_bytes=self.media_bytes, blocks=self.media_blocks, pixels=self.media_pixels, pages=self.media_pages
        )

    @property
    def seen_kinds(self) -> frozenset[MediaKind]:
        """Which kinds the chat model takes as they are."""
        return _parse_kinds(self.model_sees)

    @field_validator("model_sees")
    @classmethod
    def _check_model_sees(cls, value: str) -> str:
        _parse_kinds(value)
        return value


def _parse_kinds(text: str) -> frozenset[MediaKind]:
    named = {name.strip() for name in text.split(",") if name.strip()}
    known: tuple[MediaKind, ...] = get_args(MediaKind)
    if unknown := named - set(known):
        raise ValueError(f"{', '.join(sorted(unknown))} is not among {', '.join(known)}")
    return frozenset(kind for kind in known if kind in named)
