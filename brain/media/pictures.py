"""How large a picture would be and where it ends, read from its headers: nothing is decoded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from struct import error as StructError
from struct import unpack_from

from brain.media.recognition import GIF, JPEG, PNG, WEBP, MediaType

_STANDALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers of JPEG without a length."""
_SIZES = frozenset({0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})
_SCAN, _END = 0xDA, 0xD9


@dataclass(frozen=True)
class Picture:
    """Width and height in pixels, how many frames there are, and how many bytes belong to it."""

    width: int
    height: int
    frames: int
    end: int

    @property
    def pixels(self) -> int:
        """What a reader would have to unpack."""
        return self.width * self.height * self.frames


def measure(data: bytes, taken: MediaType) -> Picture | None:
    """The picture; None for one that is broken."""
    try:
        found = _READERS[taken](data)
    except (StructError, IndexError):
        return None
    return found if found and found.width and found.height and found.end <= len(data) else None


def _read_png(data: bytes) -> Picture | None:
    at, frames, seen = 8, 1, False
    width, height = unpack_from(">II", data, 16)
    while at < len(data):
        (length,), name = unpack_from(">I", data, at), data[at + 4 : at + 8]
        if (name == b"IHDR") == (at > 8):
            return None
        if name == b"acTL":
            (frames,) = unpack_from(">I", data, at + 8)
        seen = seen or name == b"IDAT"
        at += 12 + length
        if name == b"IEND":
            return Picture(width, height, max(frames, 1), at) if seen else None
    return None


def _read_jpeg(data: bytes) -> Picture | None:
    at, width, height, scanned = 2, 0, 0, False
    while True:
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == _END:
            return Picture(width, height, 1, at + 2) if scanned else None
        if marker == 0xFF:
            at += 1
        elif marker in _STANDALONE:
            at += 2
        else:
            (length,) = unpack_from(">H", data, at + 2)
            if marker in _SIZES:
                down, across = unpack_from(">HH", data, at + 5)
                width, height = max(width, across), max(height, down)
            at += 2 + max(length, 2)
            if marker == _SCAN:
                scanned, at = True, _skip_scan(data, at)


def _skip_scan(data: bytes, at: int) -> int:
    """Where the next marker stands: within a scan 0xFF is followed by zero, or by a marker of restart."""
    while True:
        at = data.find(b"\xff", at)
        if at < 0:
            raise IndexError
        if data[at + 1] != 0 and not 0xD0 <= data[at + 1] <= 0xD7:
            return at
        at += 2


def _read_gif(data: bytes) -> Picture | None:
    width, height, flags = unpack_from("<HHB", data, 6)
    at, frames = 13 + _color_table(flags), 0
    while True:
        block = data[at]
        if block == 0x3B:
            return Picture(width, height, frames, at + 1) if frames else None
        if block == 0x2C:
            frames += 1
            across, down = unpack_from("<HH", data, at + 5)
            width, height = max(width, across), max(height, down)
            at = _skip_sub_blocks(data, at + 11 + _color_table(data[at + 9]))
        elif block == 0x21:
            at = _skip_sub_blocks(data, at + 2)
        else:
            return None


def _color_table(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _skip_sub_blocks(data: bytes, at: int) -> int:
    while data[at]:
        at += data[at] + 1
    return at + 1


def _read_webp(data: bytes) -> Picture | None:
    (size,) = unpack_from("<I", data, 4)
    at, end, frames, sides = 12, size + 8, 0, (0, 0)
    while at + 8 <= end:
        name, (length,) = data[at : at + 4], unpack_from("<I", data, at + 4)
        frames += name == b"ANMF"
        sides = max(sides, _webp_sides(data, name, at + 8))
        at += 8 + length + length % 2
    return Picture(*sides, max(frames, 1), max(end, at)) if sides[0] else None


def _webp_sides(data: bytes, name: bytes, at: int) -> tuple[int, int]:
    if name == b"VP8X":
        wide, high = data[at + 4 : at + 7], data[at + 7 : at + 10]
        return int.from_bytes(wide, "little") + 1, int.from_bytes(high, "little") + 1
    if name == b"VP8 ":
        width, height = unpack_from("<HH", data, at + 6)
        return width & 0x3FFF, height & 0x3FFF
    if name == b"VP8L":
        (bits,) = unpack_from("<I", data, at + 1)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return 0, 0


_READERS: Mapping[MediaType, Callable[[bytes], Picture | None]] = {
    PNG: _read_png,
    JPEG: _read_jpeg,
    GIF: _read_gif,
    WEBP: _read_webp,
}
