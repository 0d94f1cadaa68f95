"""Rows at rest: a file of frames, each under the keys of the people whose rows it holds.

A frame is a header (how many keys, how many rows, how many bytes; the ids of the keys), a nonce, and the deflated
rows under AES-256-GCM. Its key is derived from those of all its people, so that destroying one of them destroys it;
backup and table are part of the key, header and place are authenticated. Rows are in PostgreSQL's binary COPY format.
"""

import secrets
import struct
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from brain.person_keys import BYTES, ID_BYTES, NONCE_BYTES, PersonKey
from memory.errors import bad_request

_FIXED = struct.Struct(">HII")
_USE = b"brain backup rows 1"
_DEFLATE = 1
"""The level: most of the bytes are vectors, which no level makes smaller."""


@dataclass(frozen=True)
class Place:
    """Where rows belong: a table's file of one backup."""

    backup: str
    file: str

    def seal_for(self, keys: tuple[PersonKey, ...]) -> AESGCM:
        """What encrypts the rows of these people in this file."""
        secret = b"".join(key.secret for key in sorted(keys, key=lambda key: key.key_id))
        salt = bytes.fromhex(self.backup)
        info = _USE + self.file.encode()
        return AESGCM(HKDF(algorithm=SHA256(), length=BYTES, salt=salt, info=info).derive(secret))


class FrameWriter:
    """Appends frames to the file of a table."""

    def __init__(self, file: BinaryIO, place: Place) -> None:
        self._file, self._place = file, place
        self._number = 0
        self._last: tuple[tuple[PersonKey, ...], AESGCM] | None = None

    def write(self, keys: tuple[PersonKey, ...], rows: int, content: bytes) -> None:
        """Encrypt some rows of the same people."""
        if self._last is None or self._last[0] != keys:
            self._last = (keys, self._place.seal_for(keys))
        packed = zlib.compress(content, _DEFLATE)
        length = NONCE_BYTES + len(packed) + 16
        header = _FIXED.pack(len(keys), rows, length) + b"".join(key.key_id.bytes for key in keys)
        nonce = secrets.token_bytes(NONCE_BYTES)
        self._file.write(header + nonce + self._last[1].encrypt(nonce, packed, _bind(self._number, header)))
        self._number += 1


@dataclass(frozen=True)
class Frame:
    """What stands in front of encrypted rows, and where these are."""

    key_ids: tuple[UUID, ...]
    rows: int
    number: int
    header: bytes = field(repr=False)
    start: int
    length: int


@dataclass(frozen=True)
class FrameFile:
    """A table's file of a backup, open for reading."""

    place: Place
    file: BinaryIO

    def frames(self) -> Iterator[Frame]:
        """The headers one after the other. Raises ``E_BAD_REQUEST`` for a file that was cut off."""
        number, start = 0, 0
        while fixed := self._read(start, _FIXED.size, or_end=True):
            count, rows, length = _FIXED.unpack(fixed)
            ids = self._read(start + _FIXED.size, count * ID_BYTES)
            key_ids = tuple(UUID(bytes=ids[at : at + ID_BYTES]) for at in range(0, len(ids), ID_BYTES))
            start += _FIXED.size + len(ids)
            yield Frame(key_ids, rows, number, fixed + ids, start, length)
            start += length
            number += 1

    def open(self, frame: Frame, keys: tuple[PersonKey, ...]) -> bytes:
        """The rows of a frame. Raises ``E_BAD_REQUEST`` for one that is not as it was written."""
        sealed = self._read(frame.start, frame.length)
        nonce, content = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        try:
            return zlib.decompress(self.place.seal_for(keys).decrypt(nonce, content, _bind(frame.number, frame.header)))
        except (InvalidTag, zlib.error):
            raise bad_request(f"{self.place.file} was changed since it was made.", "Use another backup.") from None

    def _read(self, start: int, length: int, *, or_end: bool = False) -> bytes:
        self.file.seek(start)
        found = self.file.read(length)
        if len(found) != length and not (or_end and not found):
            raise bad_request(f"{self.place.file} was cut off.", "Use another backup.")
        return found


@contextmanager
def open_frames(folder: Path, place: Place) -> Generator[FrameFile]:
    """The file of a table in a backup's folder."""
    with (folder / place.file).open("rb") as file:
        yield FrameFile(place, file)


def _bind(number: int, header: bytes) -> bytes:
    """What a frame is authenticated with; the file and the backup are in its key."""
    return struct.pack(">Q", number) + header
