"""What a document is: versioned Markdown with front matter, whose name says whose and which it is."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from hashlib import sha256
from types import MappingProxyType
from typing import Literal, cast
from uuid import UUID

from memory.errors import BrainError, bad_request
from memory.scope import Scope, name_id
from memory.storable_text import require_storable_text

DocumentKind = Literal["daily_note", "memory", "user_profile", "group_profile"]

MEMORY_NAME = "MEMORY"
PROFILE_NAME = "profile"
NOTE_BYTES = 32_768
"""The most a daily note holds, in bytes of UTF-8 (S3 section 4.1.7)."""
DOCUMENT_BYTES = 65_536
"""The most any other document holds."""
FRONT_BYTES, FRONT_VALUES, FRONT_DEPTH = 16_384, 1_000, 6
"""The most that front matter holds: bytes of JSON, keys and values together, and levels."""
KEPT: Mapping[DocumentKind, int] = MappingProxyType(
    {"daily_note": 5, "memory": 20, "user_profile": 5, "group_profile": 5}
)
"""How many snapshots are kept besides the current one. Appending to a daily note takes none: nothing is lost by it."""

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LINE_ENDS = re.compile(r"\r\n?|[\u2028\u2029\x85\x0b\x0c]")

Front = Mapping[str, object]


@dataclass(frozen=True, kw_only=True)
class Document:
    """One version of a document: ``author`` made it, for ``reason``. ``sha256`` covers front matter and body."""

    document_id: UUID
    kind: DocumentKind
    name: str
    front: Front
    body: str
    version: int
    sha256: str
    updated_at: datetime
    author: str
    reason: str

    def is_same_as(self, draft: "DocumentDraft") -> bool:
        """Whether saving the draft would change nothing."""
        return self.sha256 == digest(draft.front, draft.body)


@dataclass(frozen=True, kw_only=True)
class DocumentDraft:
    """What a document is to say. Line ends become newlines; a body begins with text and ends with one newline.

    Raises ``E_BAD_REQUEST`` for a name that does not fit the kind, for what cannot be stored, and for what is too long.
    """

    kind: DocumentKind
    name: str
    body: str
    front: Front = field(default_factory=dict[str, object])

    def __post_init__(self) -> None:
        """Refused before anything is written."""
        _require_name(self.kind, self.name)
        object.__setattr__(self, "body", normalize_body(self.body))
        most = NOTE_BYTES if self.kind == "daily_note" else DOCUMENT_BYTES
        if len(self.body.encode()) > most:
            raise bad_request(f"{self.name} would be longer than {most:,} bytes.", "Shorten it.")
        if len(_json(self.front).encode()) > FRONT_BYTES:
            raise bad_request(f"The front matter of {self.name} is longer than {FRONT_BYTES:,} bytes.", "Shorten it.")


def document_id(scope: Scope, kind: DocumentKind, name: str) -> UUID:
    """One document per person, and one per group, whichever member writes."""
    return name_id("document", str(scope.tenant_id), scope.key, scope.owner, kind, name)


def prompt_document_ids(scope: Scope, today: date) -> tuple[UUID, ...]:
    """The documents that stand in every prompt: MEMORY, the profile, the notes of yesterday and today."""
    days = (today, today - timedelta(days=1)) if today > date.min else (today,)
    notes = (document_id(scope, "daily_note", day.isoformat()) for day in days)
    profile = document_id(scope, profile_kind(scope), PROFILE_NAME)
    return (document_id(scope, "memory", MEMORY_NAME), profile, *notes)


def profile_kind(scope: Scope) -> DocumentKind:
    """Which profile a scope has: a person's, or a group's."""
    return "group_profile" if scope.is_group else "user_profile"


def find_kind(scope: Scope, name: str) -> tuple[DocumentKind, str]:
    """Kind and name of what a person calls by that name: MEMORY, profile, or the day of a daily note."""
    profile = profile_kind(scope)
    called: dict[str, tuple[DocumentKind, str]] = {
        MEMORY_NAME.lower(): ("memory", MEMORY_NAME),
        PROFILE_NAME: (profile, PROFILE_NAME),
        profile: (profile, PROFILE_NAME),
    }
    return called.get(name.strip().lower(), ("daily_note", name.strip()))


def document_id_from_name(scope: Scope, name: str) -> UUID:
    """The id of the document that a person calls by that name."""
    return document_id(scope, *find_kind(scope, name))


def memory_mark(source_id: UUID) -> str:
    """What names the memory that a line was made of, or the turn behind an entry; no reader of the document sees it."""
    return f"<!-- {source_id} -->"


def without_comments(body: str) -> str:
    """The text without what is meant for the person who edits it, and without marks."""
    return "".join(_read_parts(body))


def _read_parts(body: str) -> Iterator[str]:
    """What stands between comments, in one pass: a pattern would try each of many unclosed ones to the end."""
    start = 0
    while (begin := body.find("<!--", start)) >= 0 and (end := body.find("-->", begin + 4)) >= 0:
        yield body[start:begin].rstrip(" \t")
        start = end + 3
    yield body[start:]


def normalize_body(body: str) -> str:
    """The body as it is stored. Raises ``E_BAD_REQUEST`` for text that cannot be stored."""
    text = _LINE_ENDS.sub("\n", require_storable_text(body)).strip("\n")
    return f"{text}\n" if text.strip() else ""


def digest(front: Front, body: str) -> str:
    """Hex SHA-256 of everything that a document says."""
    return sha256(f"{_json(front)}\n{body}".encode()).hexdigest()


def _json(front: Front) -> str:
    try:
        if sum(_plain_values(front)) > FRONT_VALUES:
            raise bad_request(f"The front matter holds more than {FRONT_VALUES:,} values.", "Shorten it.")
        return json.dumps(front, ensure_ascii=False, allow_nan=False)
    except BrainError:
        raise
    except (TypeError, ValueError, RecursionError):
        raise bad_request("The front matter holds something else than text, numbers, lists and maps.") from None


def _plain_values(value: object, depth: int = 0) -> Iterator[int]:
    """1 for each key and value. Raises for what is not plain."""
    if depth > FRONT_DEPTH:
        raise ValueError("nested too deeply")
    yield 1
    match value:
        case Mapping():
            for key, inner in cast("Mapping[object, object]", value).items():
                if not isinstance(key, str):
                    raise TypeError("a key is no text")
                yield from _plain_values(key, depth + 1)
                yield from _plain_values(inner, depth + 1)
        case list():
            for inner in cast("list[object]", value):
                yield from _plain_values(inner, depth + 1)
        case str():
            require_storable_text(value)
        case bool() | int() | float() | None:
            return
        case _:
            raise TypeError("not plain")


def _require_name(kind: DocumentKind, name: str) -> None:
    fits = {"daily_note": is_day(name), "memory": name == MEMORY_NAME}.get(kind, name == PROFILE_NAME)
    if not fits:
        raise bad_request(
            f"{name[:60]!r} cannot name a {kind}.",
            f"Daily notes are named by their day (2026-03-01), the others {MEMORY_NAME} and {PROFILE_NAME}.",
        )


def is_day(name: str) -> bool:
    """Whether it can name a daily note."""
    try:
        return bool(_DAY.fullmatch(name)) and bool(date.fromisoformat(name))
    except ValueError:
        return False
