"""The Open Knowledge Format (0.1 and 0.2): Markdown files, each with YAML in front that names a ``type``."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import PurePosixPath

from apps.past.talk import Frame, RawTalk, by_memory, mapping
from brain.documents.front_matter import parse_front
from memory.errors import BrainError

NAME = "okf"
SYSTEM = "Open Knowledge Format"
MAX_BYTES = 4 << 20
RESERVED = frozenset({"index.md", "log.md"})
"""Listings and histories of the others, no concepts."""
_FENCE = re.compile(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)(.*)\Z", re.DOTALL | re.MULTILINE)


def parse_concept(raw: bytes) -> Mapping[str, object] | None:
    """A concept: what its front says, with the rest under ``body``. None for any other Markdown."""
    try:
        found = _FENCE.match(raw.decode("utf-8-sig")) if len(raw) <= MAX_BYTES else None
        told = parse_front(found[1]) if found else {}
    except (UnicodeDecodeError, BrainError, RecursionError):
        return None
    is_concept = found is not None and isinstance(told.get("type"), str) and bool(told["type"])
    return {**told, "body": found[2].strip()} if found and is_concept else None


def read(value: object, frame: Frame) -> Iterator[RawTalk]:
    """One concept as a statement of the day on which it was written."""
    told = mapping(value)
    title = told.get("title") or PurePosixPath(frame.member).stem
    words = "\n\n".join(str(each) for each in (title, told.get("description"), told.get("body")) if each)
    said = by_memory(frame.member, words, _written(told) or frame.written_at, SYSTEM)
    yield RawTalk(key="concepts", title="Concepts", messages=[said], is_memory=True)


def _written(told: Mapping[str, object]) -> object:
    """``generated.at``, or the ``timestamp`` of 0.1; what looks like a day may be one already."""
    at = mapping(told.get("generated")).get("at") or told.get("timestamp")
    if isinstance(at, date) and not isinstance(at, datetime):
        return datetime(at.year, at.month, at.day)
    return at
