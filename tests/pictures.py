"""Small files of the kinds that people attach, made byte by byte."""

import struct
import zlib
from base64 import b64encode
from typing import Any


def a_png(width: int = 2, height: int = 2, *, note: bytes = b"", frames: int = 0) -> bytes:
    """A picture that claims to be so large; ``note`` stands in it letter by letter."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    animated = _chunk(b"acTL", struct.pack(">II", frames, 0)) if frames else b""
    told = _chunk(b"tEXt", b"Comment\0" + note) if note else b""
    body = _chunk(b"IDAT", zlib.compress(bytes(16)))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + animated + told + body + _chunk(b"IEND", b"")


def a_jpeg(width: int = 3, height: int = 2) -> bytes:
    """The segments of a picture, with a scan in which 0xFF is escaped."""
    size = struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\1\x11\0"
    return b"\xff\xd8\xff\xe0\0\4JF\xff\xc0" + size + b"\xff\xda\0\3\0\x12\xff\0\x34\xff\xd0\x56\xff\xd9"


def a_gif(width: int = 2, height: int = 2, frames: int = 1) -> bytes:
    """So many frames, one behind the other."""
    head = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(6)
    frame = b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\2\2\x4c\1\0"
    return head + b"\x21\xf9\4\0\0\0\0\0" + frame * frames + b"\x3b"


def a_webp(width: int = 4, height: int = 2) -> bytes:
    """A lossless one."""
    bits = struct.pack("<I", width - 1 | height - 1 << 14)
    body = b"WEBPVP8L" + struct.pack("<I", 5) + b"\x2f" + bits + b"\0"
    return b"RIFF" + struct.pack("<I", len(body)) + body


def a_wav() -> bytes:
    """A moment of silence."""
    body = (
        b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8_000, 8_000, 1, 8) + b"data" + struct.pack("<I", 4) + bytes(4)
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


def a_pdf(*objects: bytes, pages: int = 1) -> bytes:
    """So many empty pages, and whatever else."""
    page = b"<< /Type /Page /Parent 1 0 R >>"
    numbered = [
        b"%d 0 obj\n%s\nendobj\n" % (number, each) for number, each in enumerate([page] * pages + list(objects))
    ]
    return b"%PDF-1.7\n" + b"".join(numbered) + b"trailer << /Root 1 0 R >>\n%%EOF\n"


def packed(dictionaries: bytes) -> bytes:
    """An object stream, in which newer documents keep their dictionaries."""
    data = zlib.compress(dictionaries)
    return b"<< /Type /ObjStm /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(data), data)


def data_url(data: bytes, claimed: str = "image/png") -> str:
    """As a browser writes it."""
    return f"data:{claimed};base64,{b64encode(data).decode()}"


def image_url(data: bytes, **more: Any) -> dict[str, Any]:
    """OpenAI's block for a picture."""
    return {"type": "image_url", "image_url": {"url": data_url(data)}, **more}


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
