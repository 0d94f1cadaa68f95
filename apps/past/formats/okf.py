"""The Open Knowledge Format (0.1 and 0.2): a folder of Markdown files, each with YAML in front that names a ``type``."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import cast

import yaml

from apps.past.talk import Frame, RawTalk, by_memory, mapping

NAME = "okf"
SYSTEM = "Open Knowledge Format"
MAX_BYTES = 4 << 20
MAX_FRONT_CHARACTERS = 64 << 10
RESERVED = frozenset({"index.md", "log.md"})
"""Listings and histories of the others, no concepts."""
_FENCE = re.compile(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)(.*)\Z", re.DOTALL | re.MULTILINE)


def parse_concept(raw: bytes) -> Mapping[str, object] | None:
    """A concept: what its front says, with the rest under ``body``. None for any other Markdown."""
    try:
        found = _FENCE.match(raw.decode("utf-8-sig")) if len(raw) <= MAX_BYTES else None
        if found is None or len(found[1]) > MAX_FRONT_CHARACTERS or "&" in found[1]:
            return None  # an anchor may grow a thousandfold when it is read
        front: object = yaml.safe_load(found[1])
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError, ValueError):
        return None
    told = cast("Mapping[str, object]", front) if isinstance(front, dict) else {}
    return {**told, "body": found[2].strip()} if isinstance(told.get("type"), str) and told["type"] else None


def read(value: object, frame: Frame) -> Iterator[RawTalk]:
    """One concept as a statement of the day on which it was written."""
    told = mapping(value)
    title = told.get("title") or PurePosixPath(frame.member).stem
    words = "\n\n".join(str(each) for each in (title, told.get("description"), told.get("body")) if each)
    said = by_memory(frame.member, words, _written(told) or frame.written_at, SYSTEM)
    yield RawTalk(key="concepts", title="Concepts", messages=[said], is_memory=True)


def _written(told: Mapping[str, object]) -> object:
    """``generated.at``, or the ``timestamp`` of 0.1; YAML makes dates of what looks like one."""
    at = mapping(told.get("generated")).get("at") or told.get("timestamp")
    if isinstance(at, date) and not isinstance(at, datetime):
        return datetime(at.year, at.month, at.day)  # noqa: DTZ001 - a day is meant in the person's zone
    return at
