"""What bytes are by their own beginning, whatever a client claims."""

import re
from dataclasses import dataclass

from memory.media import MediaKind

_HEAD_BYTES = 1_024
"""As far as a lenient reader looks for the beginning of another format."""
_MARKUP = (b"<!doctype", b"<html", b"<svg", b"<script", b"<?xml", b"<?php", b"<iframe", b"<body")
_ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06", b"Rar!\x1a\x07", b"7z\xbc\xaf\x27\x1c", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")
_PROGRAMS = (b"MZ", b"\x7fELF", b"#!", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f\x7f]")


@dataclass(frozen=True)
class MediaType:
    """A kind of file that is taken."""

    kind: MediaKind
    name: str


PNG, JPEG = MediaType("image", "image/png"), MediaType("image", "image/jpeg")
GIF, WEBP = MediaType("image", "image/gif"), MediaType("image", "image/webp")
WAV, MP3 = MediaType("audio", "audio/wav"), MediaType("audio", "audio/mpeg")
OGG, FLAC = MediaType("audio", "audio/ogg"), MediaType("audio", "audio/flac")
PDF, TEXT = MediaType("file", "application/pdf"), MediaType("file", "text/plain")
TAKEN = (PNG, JPEG, GIF, WEBP, WAV, MP3, OGG, FLAC, PDF, TEXT)


def recognize(data: bytes) -> MediaType | None:
    """Which of the types that are taken it is; None for any other."""
    if data.startswith(b"RIFF"):
        return {b"WEBP": WEBP, b"WAVE": WAV}.get(data[8:12])
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return GIF
    if data.startswith(b"ID3") or (data[:1] == b"\xff" and _is_mpeg_audio(data)):
        return MP3
    signed = ((b"\x89PNG\r\n\x1a\n", PNG), (b"\xff\xd8\xff", JPEG), (b"OggS", OGG), (b"fLaC", FLAC), (b"%PDF-", PDF))
    found = next((known for magic, known in signed if data.startswith(magic)), None)
    return found or (TEXT if _is_text(data) else None)


def name_refused(data: bytes) -> str:
    """What a file is that is never taken, in a word; empty for an unknown one."""
    head = data[:_HEAD_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if data.startswith(_ARCHIVES):
        return "an archive"
    if data.startswith(_PROGRAMS):
        return "a program"
    return "a page with markup or script" if any(mark in head for mark in _MARKUP) else ""


def holds_other_format(data: bytes, taken: MediaType) -> str:
    """What else a lenient reader would take the beginning for; empty where there is nothing.

    A text may speak of a tag, though not begin with one.
    """
    head = data[:_HEAD_BYTES]
    if taken is not PDF and b"%PDF-" in head:
        return "a PDF"
    marks = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    is_page = marks.startswith(_MARKUP) if taken is TEXT else any(mark in marks for mark in _MARKUP if mark != b"<?xml")
    return "a page with markup or script" if is_page else ""


def hides_behind(tail: bytes) -> str:
    """What stands behind the end of a picture; empty for what no reader would take for a file."""
    if any(mark in tail for mark in _ARCHIVES[:4]):
        return "an archive"
    if b"%PDF-" in tail:
        return "a PDF"
    return "a page with markup or script" if any(mark in tail.lower() for mark in _MARKUP) else ""


def _is_mpeg_audio(data: bytes) -> bool:
    """A frame of layer III: eleven bits of synchronisation, and neither a reserved rate nor a reserved frequency."""
    if len(data) < 4:
        return False
    second, third = data[1], data[2]
    is_layer_three = second & 0xE0 == 0xE0 and second & 0x18 != 0x08 and second & 0x06 == 0x02
    return is_layer_three and third & 0xF0 not in (0x00, 0xF0) and third & 0x0C != 0x0C


def _is_text(data: bytes) -> bool:
    """UTF-8 that a person can read: no control characters but those that lay out lines."""
    if data.startswith(b"#!") or _CONTROL.search(data):
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
