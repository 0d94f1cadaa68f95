"""The text of a daily note: one entry under another, each with its time, its source and its scope."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from uuid import UUID
from zoneinfo import ZoneInfo

from memory.documents.document import NOTE_BYTES, memory_mark, without_comments
from memory.documents.port import NoteEntry, NoteOutcome
from memory.scope import Scope, name_id
from memory.zones import local_day

UNSAID_SCOPE = "main"
"""An entry that names no scope was written by hand, or before scopes existed (S3 section 4.1.5)."""

REMEMBERED = "remembered"
"""The source of an entry that words a memory; the others quote a sentence that became none."""

_HEADING = re.compile(r"^## .*$", re.MULTILINE)
_OURS = re.compile(r"## \d\d:\d\d \([^\W_]\w*, scope: (?P<scope>.+)\)")
_COMMENT = re.compile(r"<!--|-->")
_FORGED = re.compile(r"^(?=#)", re.MULTILINE)


@dataclass(frozen=True)
class NoteUpdate:
    """A note with new entries, and what became of each."""

    body: str
    outcomes: tuple[NoteOutcome, ...]


def note_name(at: datetime, time_zone: str) -> str:
    """The name of the note of that moment's local day."""
    return local_day(at, time_zone).isoformat()


def entry_id(scope: Scope, key: str) -> UUID:
    """By which an owner's notes know an entry again. Raises ``E_BAD_REQUEST`` for a key that is no plain name."""
    return name_id("note_entry", str(scope.tenant_id), scope.key, scope.owner, key)


def append_entries(body: str, entries: Sequence[NoteEntry], scope_key: str) -> NoteUpdate:
    """The note with those entries at its end that there is room for; a long one does not keep a short one out."""
    outcomes: list[NoteOutcome] = []
    for entry in entries:
        longer = f"{body}\n{_entry_text(entry, scope_key)}" if body else _entry_text(entry, scope_key)
        fits = len(longer.encode()) <= NOTE_BYTES
        outcomes.append("added" if fits else "full")
        body = longer if fits else body
    return NoteUpdate(body, tuple(outcomes))


def entries_of(body: str, scope_key: str) -> list[str]:
    """The entries of that scope as they may be read, in order, each with its heading."""
    parts = (part.strip("\n") for part in parts_of(without_comments(body)))
    return [part for part in parts if part.strip() and scope_of_entry(part) == scope_key]


def entries_until(body: str, name: str, moment: datetime, time_zone: str) -> str:
    """The note of a day with its entries from before a moment: their headings tell the hour in the person's zone."""
    until = moment.astimezone(ZoneInfo(time_zone))
    if name != until.date().isoformat():
        return body if name < until.date().isoformat() else ""
    return "".join(part for part in parts_of(body) if _hour_of(part) <= f"{until:%H:%M}")


def _hour_of(entry: str) -> str:
    """The hour in an entry's heading; what has none was there from the beginning."""
    return entry[3:8] if _OURS.fullmatch(entry.partition("\n")[0]) else ""


def parts_of(body: str) -> list[str]:
    """The entries whose sum is the note, each with its heading and marks; what stands before them comes first."""
    edges = sorted({0, *(match.start() for match in _HEADING.finditer(body)), len(body)})
    return [body[start:end] for start, end in pairwise(edges)]


def scope_of_entry(entry: str) -> str:
    """The scope that an entry's heading names."""
    named = _OURS.fullmatch(entry.partition("\n")[0])
    return named["scope"] if named else UNSAID_SCOPE


def _entry_text(entry: NoteEntry, scope_key: str) -> str:
    """Nothing in an entry's own words begins another entry, or hides what follows."""
    local = entry.at.astimezone(ZoneInfo(entry.time_zone))
    words = _FORGED.sub(r"\\", _COMMENT.sub(" ", "\n".join(entry.text.splitlines())).strip("\n"))
    named = (entry.made_of,) if entry.made_of else entry.cites
    marks = "".join(f"{memory_mark(each)}\n" for each in named)
    return f"## {local:%H:%M} ({entry.source}, scope: {scope_key})\n\n{words}\n{marks}"
