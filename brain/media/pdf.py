"""Whether a PDF does something when it is opened, and how many pages it has: only its dictionaries are read."""

import re
import zlib
from collections.abc import Iterator

_ACTIVE = re.compile(
    rb"/(?:JavaScript|Launch|EmbeddedFiles?|RichMedia|XFA|SubmitForm|ImportData|GoToE|Encrypt)(?![A-Za-z])"
)
"""What runs, starts, hides or sends something, or keeps us from looking."""
_PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_DOUBLE = re.compile(rb"/Filter\s*\[\s*/Fl(?:ateDecode)?\s*/Fl(?:ateDecode)?\b")
INFLATED_BYTES = 20_000_000
"""How much packed dictionaries may come to; more is a bomb."""
_END_BYTES = 1_024
_DICTIONARY_BYTES = 2_000
"""How far before a stream its dictionary is looked for."""


def find_danger(data: bytes, most_pages: int) -> str:
    """Why a PDF is not taken; empty for one that is."""
    if b"%%EOF" not in data[-_END_BYTES:]:
        return "is a PDF that has no end"
    try:
        dictionaries = [data, *_packed_dictionaries(data)]
    except _Bomb:
        return "is a PDF that unpacks to far more than it is"
    pages = 0
    for each in dictionaries:
        plain = _plain(each)
        if found := _ACTIVE.search(plain):
            return f"is a PDF with {found[0].decode('ascii')}"
        if _DOUBLE.search(plain):
            return "is a PDF that is packed twice"
        pages += len(_PAGE.findall(plain))
    return f"is a PDF of more than {most_pages:,} pages" if pages > most_pages else ""


class _Bomb(Exception):
    """More would be unpacked than is allowed."""


def _packed_dictionaries(data: bytes) -> Iterator[bytes]:
    """What stands in object streams, where newer files keep their dictionaries."""
    room, view = INFLATED_BYTES, memoryview(data)
    for found in _STREAM.finditer(data):
        before = data[max(0, found.start() - _DICTIONARY_BYTES) : found.start()]
        end = data.find(b"endstream", found.end())
        if end < 0 or b"ObjStm" not in _plain(before[before.rfind(b"endobj") + 1 :]):
            continue
        unpacker = zlib.decompressobj()
        try:
            unpacked = unpacker.decompress(view[found.end() : end], room)
        except zlib.error:
            continue
        room -= len(unpacked)
        if unpacker.unconsumed_tail or room <= 0:
            raise _Bomb
        yield unpacked


def _plain(dictionary: bytes) -> bytes:
    """Names may be written with the codes of their letters."""
    return _ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), dictionary) if b"#" in dictionary else dictionary
