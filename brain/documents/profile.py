"""A profile out of what is remembered: rendered by rules into a section of its own, beside a person's own lines."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from uuid import UUID
from zoneinfo import ZoneInfo

from brain.documents.memory_line import format_memory
from brain.documents.profile_choice import MORE, PROMPT_TOKENS, split_by_worth
from language.commitments import find_commitment
from language.headings import headings_for, topic_rank
from language.people import SPEAKER
from memory.documents.document import (
    DOCUMENT_BYTES,
    PROFILE_NAME,
    Document,
    DocumentDraft,
    memory_mark,
    normalize_body,
    profile_kind,
)
from memory.documents.outdated_marks import status_note
from memory.index_rows import is_statement
from memory.memory_item import MemoryItem
from memory.provenance import events_of
from memory.scope import Scope
from memory.zones import local_day

MIN_CONFIDENCE = 0.5
"""What is believed less than this is background for recall, nothing to describe a person by (S0 section 2.1)."""
MAX_LINE_CHARACTERS, MAX_TAG_CHARACTERS, MAX_TAGS = 300, 60, 20
SECTION_BYTES = 24_576
"""How long the generated section grows at most: the newest memories are in it, recall knows the others."""

BEGIN = "<!-- brain:begin: kept up to date from memories. What you write outside of it stays as it is. -->"
END = "<!-- brain:end -->"
_SECTION = re.compile(
    r"^<!-- brain:begin\b[^\n]*-->\n(?:(?!<!-- brain:(?:begin|end)).*\n)*<!-- brain:end -->\n?", re.MULTILINE
)
_MARKS = re.compile(r"<!--|-->")
_MADE = ("updated_at", "source_event_id", "time_zone")


@dataclass(frozen=True, kw_only=True)
class ProfileSource:
    """What a profile is made of: memories of one scope, who said each, and the zone in which days are told.

    ``speakers`` names the speaker by the event that a memory cites first; a group's profile is ordered by them.
    ``uses`` counts the turns that used a memory, ``room`` are the tokens that every prompt has for a profile.
    """

    items: Sequence[MemoryItem]
    at: datetime
    time_zone: str = "UTC"
    speakers: Mapping[str, str] = field(default_factory=dict[str, str])
    uses: Mapping[UUID, int] = field(default_factory=dict[UUID, int])
    room: int = PROMPT_TOKENS


def draft_profile(scope: Scope, held: Document | None, known: ProfileSource) -> DocumentDraft | None:
    """What the profile should say now; None when nothing about it is new.

    Only the section between its two marks and the fields that describe it are written anew. Fields and lines that a
    person added stay, and so does a name, until a memory tells another one.
    """
    items = _select_items(known, _section_bytes(held))
    body = normalize_body(replace_section(held.body if held else _title(scope), render_section(scope, items, known)))
    front = _front(scope, held, items)
    if held is not None and held.body == body and _strip_origin(held.front) == _strip_origin(front):
        return None
    if held is None and not items:
        return None
    return DocumentDraft(
        kind=profile_kind(scope), name=PROFILE_NAME, body=body, front=front | _origin(items, known.time_zone)
    )


def replace_section(body: str, section: str) -> str:
    """The text with the generated section in its place, or at the end of a text that has none.

    A section that lost its end is a section no more: nobody knows where what the person wrote begins.
    """
    ours = f"{BEGIN}\n{section}{END}\n"
    found = _SECTION.search(body)
    if found is None:
        return f"{body.rstrip()}\n\n{ours}" if body.strip() else ours
    return f"{body[: found.start()]}{ours}{_SECTION.sub('', body[found.end() :])}"


def render_section(scope: Scope, items: Sequence[MemoryItem], known: ProfileSource) -> str:
    """The section: what every prompt tells, and behind a mark the rest; in a group speaker by speaker.

    Memories stand under their topics with the day since when each holds.
    """
    core, more = split_by_worth(items, lambda item: line_of(item, known.time_zone), known.uses, known.room)
    parts = [_render_items(scope, part, known) for part in (core, more) if part]
    return f"{MORE}\n\n".join(parts) if core else "".join((f"{MORE}\n\n", *parts))


def _render_items(scope: Scope, items: Sequence[MemoryItem], known: ProfileSource) -> str:
    if not scope.is_group:
        return "".join(_render_by_category(items, known, "##"))
    named = sorted(items, key=lambda item: (_speaker(item, known).casefold(), _sort_key(item)))
    return "".join(_render_by_speaker(named, known))


def line_of(item: MemoryItem, time_zone: str, speaker: str = SPEAKER) -> str:
    """What the section says of one memory, without the mark behind it."""
    since = local_day(item.observed_at, time_zone).isoformat()
    return " ".join(filter(None, (_clean_line(format_memory(item, speaker)), f"({since})", status_note(item))))


def find_section(body: str) -> str | None:
    """The section between its two marks; None for a text that has none."""
    found = _SECTION.search(body)
    return found[0] if found else None


def strip_section(body: str) -> str:
    """What a person wrote themselves."""
    return _SECTION.sub("", body)


def first_event(item: MemoryItem) -> str:
    """The id of the turn that a memory was first taken from; empty for one that cites none."""
    events = events_of(item)
    return events[0] if events else ""


def _section_bytes(held: Document | None) -> int:
    """What a person's own lines leave for the section."""
    own = len(_SECTION.sub("", held.body).encode()) if held else 0
    return min(SECTION_BYTES, DOCUMENT_BYTES - own - 1_024)


def _select_items(known: ProfileSource, room: int) -> list[MemoryItem]:
    """What describes somebody now, the newest as far as there is room, in the order of the section."""
    chosen: list[MemoryItem] = []
    kept = (item for item in known.items if _is_profile_item(item, known.at))
    for item in sorted(kept, key=lambda item: (item.updated_at, item.memory_id), reverse=True):
        room -= len(f"### {_clean_line(item.category)}\n\n{_bullet(item, known.time_zone)}\n\n".encode())
        if room < 0:
            break
        chosen.append(item)
    return sorted(chosen, key=_sort_key)


def _is_profile_item(item: MemoryItem, at: datetime) -> bool:
    """Plans, tasks and decisions pass: they stand in MEMORY."""
    lives = item.status == "active" and not item.is_withheld and not item.stale and not item.has_ended(at)
    believed = item.epistemic_type != "outdated" and item.confidence >= MIN_CONFIDENCE
    return lives and believed and item.memory_type != "plan" and find_commitment(item.content) is None


def _sort_key(item: MemoryItem) -> tuple[int, str, str, datetime, UUID]:
    return topic_rank(item.category), item.category, item.predicate, item.observed_at, item.memory_id


def _render_by_speaker(items: Sequence[MemoryItem], known: ProfileSource) -> Iterator[str]:
    for speaker, said in groupby(items, key=lambda item: _speaker(item, known)):
        yield f"## {_clean_line(speaker)}\n\n"
        yield from _render_by_category(list(said), known, "###", speaker)


def _render_by_category(
    items: Sequence[MemoryItem], known: ProfileSource, heading: str, speaker: str = SPEAKER
) -> Iterator[str]:
    titles = headings_for(item.content for item in items)
    for category, alike in groupby(items, key=lambda item: item.category):
        yield f"{heading} {_clean_line(titles.topic(category)) or titles.topic('other')}\n\n"
        yield from (f"{_bullet(item, known.time_zone, speaker)}\n" for item in alike)
        yield "\n"


def _bullet(item: MemoryItem, time_zone: str, speaker: str = SPEAKER) -> str:
    return f"- {line_of(item, time_zone, speaker)} {memory_mark(item.memory_id)}"


def _clean_line(text: str) -> str:
    """One line that neither ends the section nor hides what follows."""
    return _MARKS.sub(" ", " ".join(text.split()))[:MAX_LINE_CHARACTERS].strip()


def _speaker(item: MemoryItem, known: ProfileSource) -> str:
    return known.speakers.get(first_event(item), "") or item.subject


def _title(scope: Scope) -> str:
    """Nothing out of a memory: the title is the person's to change, and stays when memories go."""
    return f"# {_clean_line(_name(scope, ())) or 'Profile'}\n"


def _front(scope: Scope, held: Document | None, items: Sequence[MemoryItem]) -> dict[str, object]:
    before = dict(held.front) if held else {}
    ours: dict[str, object] = {
        "entity_type": "group" if scope.is_group else "user",
        "entity_id": scope.key.partition(":")[2] if scope.is_group else str(scope.user_id),
        "name": _name(scope, items) or before.get("name") or "",
        "tags": list(dict.fromkeys(item.category[:MAX_TAG_CHARACTERS] for item in items if item.category))[:MAX_TAGS],
    }
    return before | ours


def _name(scope: Scope, items: Sequence[MemoryItem]) -> str:
    """A group goes by its channel, a person by the name that was told."""
    if scope.is_group:
        return scope.key.partition(":")[2]
    names = [item.object for item in items if _is_speaker_name(item)]
    return _clean_line(names[-1]) if names else ""


def _is_speaker_name(item: MemoryItem) -> bool:
    """A statement about a name is a sentence, and no name."""
    return item.predicate == "name" and item.subject == SPEAKER and not item.negated and not is_statement(item)


def _origin(items: Sequence[MemoryItem], time_zone: str) -> dict[str, object]:
    """When the newest memory changed, and the turn behind it."""
    if not items:
        return {}
    newest = max(items, key=lambda item: (item.updated_at, item.memory_id))
    events = events_of(newest)
    at = newest.updated_at.astimezone(ZoneInfo(time_zone)).isoformat(timespec="seconds")
    return {"updated_at": at, "source_event_id": events[-1] if events else "", "time_zone": time_zone}


def _strip_origin(front: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in front.items() if name not in _MADE}
