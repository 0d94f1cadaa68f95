"""What a past is made of, whatever system it comes from, and which of it can stand in the log."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Literal, cast
from zoneinfo import ZoneInfo

from memory.errors import BrainError
from memory.names import MAX_NAME
from memory.storable_text import require_storable_text
from memory.turns import Role

Reason = Literal[
    "not_said",
    "instruction",
    "other_product",
    "no_text",
    "no_date",
    "too_early",
    "in_the_future",
    "wrong_type",
    "not_storable",
    "duplicate_id",
]
"""Why something of an export is left out. ``not_said``: what tools and systems wrote among the talk."""
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
"""Nobody talked with an assistant before; a date of 1970 is one that was never set."""
AHEAD = timedelta(days=1)
"""How far a clock may have been ahead."""
_MILLISECONDS_FROM = 1e11
PERSON = "user"


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What a reader may need to know of where it reads."""

    member: str
    written_at: datetime
    time_zone: str
    now: datetime


@dataclass(frozen=True, kw_only=True)
class RawMessage:
    """A message as an export has it: nothing of it is checked."""

    id: object
    text: object
    at: object
    role: Role = "user"
    speaker: str = PERSON


@dataclass(frozen=True, kw_only=True)
class RawTalk:
    """A conversation, or a list of saved memories, as an export has it, in order. ``key`` tells it from others."""

    key: object
    title: object
    messages: Sequence[RawMessage | Reason]
    is_memory: bool = False


@dataclass(frozen=True, kw_only=True)
class PastMessage:
    """Something said at its own time. ``key`` tells it from all others of its system."""

    key: str
    role: Role
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class PastTalk:
    """What can stand in the log of a conversation, and why the rest of it cannot."""

    key: str
    title: str
    messages: tuple[PastMessage, ...]
    left_out: tuple[Reason, ...] = ()
    is_memory: bool = False


def by_person(id_: object, text: object, at: object) -> RawMessage:
    """What the person said."""
    return RawMessage(id=id_, text=text, at=at)


def by_assistant(id_: object, text: object, at: object, name: str) -> RawMessage:
    """What another assistant said: never Brain's own words."""
    return RawMessage(id=id_, text=text, at=at, role="tool", speaker=name)


def by_memory(id_: object, text: object, at: object, system: str) -> RawMessage:
    """What another system kept of the person: its statement of that date, and nobody's confirmed word."""
    return RawMessage(id=id_, text=text, at=at, speaker=f"{system} (saved memory)")


def check_talk(raw: RawTalk, frame: Frame, seen: set[str]) -> PastTalk:
    """Keep what can be stored and placed in time. ``seen``: the messages of this export that were read before."""
    kept: list[PastMessage] = []
    left_out: list[Reason] = []
    talk = _key_of(raw.key) or sha256(f"{frame.member}{raw.title}".encode("utf-8", "replace")).hexdigest()
    for each in raw.messages:
        found = each if isinstance(each, str) else _check_message(each, frame)
        if isinstance(found, PastMessage) and f"{talk}\x1f{found.key}" not in seen:
            seen.add(f"{talk}\x1f{found.key}")
            kept.append(found)
        else:
            left_out.append("duplicate_id" if isinstance(found, PastMessage) else found)
    title = _title_of(raw.title)
    return PastTalk(key=talk, title=title, messages=tuple(kept), left_out=tuple(left_out), is_memory=raw.is_memory)


def _check_message(raw: RawMessage, frame: Frame) -> PastMessage | Reason:
    if not isinstance(raw.text, str):
        return "no_text" if raw.text is None else "wrong_type"
    if not raw.text.strip():
        return "no_text"
    at = moment(raw.at, frame.time_zone)
    if isinstance(at, str):
        return at
    if at < EARLIEST:
        return "too_early"
    if at > frame.now + AHEAD:
        return "in_the_future"
    key = _key_of(raw.id) or sha256(f"{at.isoformat()}{raw.role}{raw.text}".encode("utf-8", "replace")).hexdigest()
    try:
        require_storable_text(raw.text)
    except BrainError:
        return "not_storable"
    return PastMessage(key=key, role=raw.role, speaker=_one_line(raw.speaker), text=raw.text, at=at)


def moment(value: object, time_zone: str) -> datetime | Reason:
    """When something was said: seconds or milliseconds since 1970, or ISO 8601 (in the zone where it has none)."""
    try:
        if isinstance(value, datetime):
            return value if value.tzinfo else value.replace(tzinfo=ZoneInfo(time_zone))
        if isinstance(value, bool):
            return "wrong_type"
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS_FROM else value, UTC)
        if isinstance(value, str) and value.strip():
            at = datetime.fromisoformat(value.strip())
            at = at if at.tzinfo else at.replace(tzinfo=ZoneInfo(time_zone))
            return at.astimezone(UTC) if not 1 < at.year < 9999 else at
    except (ValueError, OverflowError, OSError):
        return "wrong_type"
    return "no_date" if value is None or value == "" else "wrong_type"


def mapping(value: object) -> Mapping[str, object]:
    """A JSON object; empty where it is none."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def items(value: object) -> Iterator[object]:
    """The elements of a JSON array; none where it is none."""
    return iter(cast("list[object]", value) if isinstance(value, list) else [])


def text_of_parts(value: object, kinds: frozenset[str]) -> str:
    """Text that is a string, or a list of strings and of objects of these types with a ``text``."""
    if isinstance(value, str):
        return value
    found = [_part(each, kinds) for each in items(value)]
    return "\n\n".join(each for each in found if each.strip())


def _part(part: object, kinds: frozenset[str]) -> str:
    if isinstance(part, str):
        return part
    told = mapping(part)
    text = told.get("text") if told.get("type") in kinds else ""
    return text if isinstance(text, str) else ""


def _key_of(value: object) -> str:
    """An id as a part of a key; what could not be stored is told by its hash."""
    if not isinstance(value, str | int) or isinstance(value, bool) or value == "":
        return ""
    text = str(value)
    is_plain = len(text) <= MAX_NAME // 4 and text.isprintable() and "\x1f" not in text
    return text if is_plain else sha256(text.encode("utf-8", "replace")).hexdigest()


def _title_of(value: object) -> str:
    return _one_line(value)[:120] if isinstance(value, str) else ""


def _one_line(text: str) -> str:
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())
