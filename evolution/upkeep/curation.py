"""MEMORY: what lasts of the daily notes and of the memories that no profile shows, kept short (S3 section 4.3.3).

Additions are decisions, tasks, plans, what comes up on several days, and well-founded memories; a line goes when its
note or its memory no longer says so. Only the section between the two marks is written; a line that a person took out
stays out.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import cast

from brain.documents.memory_line import format_memory
from brain.documents.profile import replace_section
from brain.prompting.tokens import count_tokens
from evolution.upkeep.verdict import effective_confidence, is_user_confirmed
from language.commitments import find_commitment
from language.headings import headings_for
from language.kinds import TOPICS
from memory.documents.daily_notes import REMEMBERED, entries_of
from memory.documents.document import MEMORY_NAME, Document, DocumentDraft, is_day, memory_mark, normalize_body
from memory.documents.outdated_marks import status_note
from memory.memory_item import MemoryItem
from memory.provenance import events_of
from memory.upkeep import ActiveMemory

LOOK_BACK_DAYS = 7
"""How many days of notes are searched for what lasts."""
REPEATED_DAYS = 2
"""On so many days a thing must have been noted to be a pattern."""
WELL_FOUNDED = 0.5
"""The effective confidence from which a memory may stand in every prompt."""
MAX_TOKENS = 4_000
"""What MEMORY may take, a person's own lines included."""
MAX_LINES = 80

_HEADING = re.compile(r"## \d\d:\d\d \((?P<kind>\w+), scope: .+\)")
_LISTED = re.compile(r"^- (?P<text>.*) <!-- (?P<mark>\S+) -->$", re.MULTILINE)
_HIDDEN = re.compile(r"<!--|-->")
MAX_RECURRING = 5
"""Subjects that are named because they come up again and again."""


@dataclass(frozen=True, kw_only=True)
class CuratedLine:
    """One line of MEMORY. ``mark`` is the memory's id or ``DAY/digest`` of a note, ``why`` is for people."""

    kind: str
    text: str
    mark: str
    why: str

    @property
    def markdown(self) -> str:
        """As it stands in the document; nobody who reads it sees the mark."""
        return f"- {self.text} <!-- {self.mark} -->"


@dataclass(frozen=True, kw_only=True)
class CurationSources:
    """What MEMORY may be made of: daily notes by day, living memories, and the profile, which shows some already."""

    notes: Mapping[str, Document]
    living: Sequence[ActiveMemory]
    profile: str
    scope_key: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Curation:
    """The next MEMORY, and in what it differs from the one before."""

    draft: DocumentDraft
    added: tuple[CuratedLine, ...]
    removed: tuple[str, ...]


def days_of_interest(held: Document | None, at: datetime) -> list[str]:
    """The days whose notes are read: the last ones, and those that MEMORY's lines come from."""
    recent = {(at.date() - timedelta(days=back)).isoformat() for back in range(LOOK_BACK_DAYS + 1)}
    cited = {mark.partition("/")[0] for mark, _ in _lines_of(held) if "/" in mark}
    return sorted(recent | {day for day in cited if is_day(day)})


def build_curation(held: Document | None, sources: CurationSources) -> Curation | None:
    """What MEMORY should say now; None when that is what it says."""
    before = dict(_lines_of(held))
    declined = _front_names(held, "declined") | (_front_names(held, "curated") - set(before))
    wanted = {line.mark: line for line in _propose_lines(before, sources) if line.mark not in declined}
    lines = list(_lines_that_fit(list(wanted.values()), _own_tokens(held)))
    body = normalize_body(replace_section(held.body if held else "# Memory\n", _section(lines)))
    marks = [line.mark for line in lines]
    if (held is None and not lines) or (held is not None and set(before) == set(marks) and held.body == body):
        return None
    front = dict(held.front) if held else {}
    front |= {"curated": marks, "declined": sorted(declined)[-MAX_LINES:]}
    return Curation(
        draft=DocumentDraft(kind="memory", name=MEMORY_NAME, body=body, front=front),
        added=tuple(line for line in lines if line.mark not in before),
        removed=tuple(text for mark, text in before.items() if mark not in marks),
    )


def _propose_lines(before: Mapping[str, str], sources: CurationSources) -> Iterator[CuratedLine]:
    """Decisions first, then tasks, patterns, and memories, the best founded first."""
    recent = (sources.at - timedelta(days=LOOK_BACK_DAYS)).date()
    noted = [each for day in sorted(sources.notes) for each in _note_entries(sources.notes[day], sources.scope_key)]
    fresh = [each for each in noted if each.day >= recent or each.mark in before]
    yield from (_line(each, "decision", "decided") for each in fresh if each.kind == "decision")
    yield from (_line(each, "todo", "taken on") for each in fresh if each.kind == "todo" and each.day >= recent)
    yield from _find_patterns(fresh, before)
    yield from _recurring_topics(sources, recent)
    yield from _memory_lines(sources, recent)


@dataclass(frozen=True)
class _DayEntry:
    day: date
    kind: str
    text: str

    @property
    def key(self) -> str:
        return " ".join(self.text.casefold().split()).strip(" .。!！")

    @property
    def mark(self) -> str:
        return f"{self.day.isoformat()}/{sha256(self.key.encode()).hexdigest()[:12]}"


def _note_entries(note: Document, scope_key: str) -> Iterator[_DayEntry]:
    for entry in entries_of(note.body, scope_key):
        heading, _, text = entry.partition("\n")
        found = _HEADING.fullmatch(heading)
        if found and text.strip() and found["kind"] != REMEMBERED:
            yield _DayEntry(date.fromisoformat(note.name), found["kind"], _one_line(text))


def _find_patterns(noted: Sequence[_DayEntry], before: Mapping[str, str]) -> Iterator[CuratedLine]:
    days: dict[str, set[date]] = defaultdict(set)
    first: dict[str, _DayEntry] = {}
    for each in noted:
        if each.kind not in ("decision", "todo"):
            days[each.key].add(each.day)
            first.setdefault(each.key, each)
    for key, each in first.items():
        if len(days[key]) >= REPEATED_DAYS or each.mark in before:
            yield _line(each, "pattern", f"noted on {len(days[key])} days, first")


def _recurring_topics(sources: CurationSources, recent: date) -> Iterator[CuratedLine]:
    """Topics of which something was said on several days of late, the most frequent first."""
    days: dict[str, set[date]] = defaultdict(set)
    for each in sources.living:
        if each.item.category in TOPICS:
            # What a person brought back counts as said on that day, yet nobody spoke of it.
            again = () if each.last_change == "restore" else (each.said_at.date(),)
            days[each.item.category] |= {day for day in (each.item.observed_at.date(), *again) if day >= recent}
    often = sorted((topic for topic in days if len(days[topic]) >= REPEATED_DAYS), key=lambda each: -len(days[each]))
    words = headings_for(each.item.content for each in sources.living)
    for topic in often[:MAX_RECURRING]:
        text = words.recurring(words.topic(topic), len(days[topic]))
        yield CuratedLine(kind="pattern", text=text, mark=f"topic/{topic}", why=f"spoken of on {len(days[topic])} days")


def _kind_of(item: MemoryItem) -> str:
    return "plan" if item.memory_type == "plan" else find_commitment(item.content) or "memory"


def _memory_lines(sources: CurationSources, recent: date) -> Iterator[CuratedLine]:
    """What no profile shows; a task only as long as it is fresh."""
    founded = [
        (worth, each)
        for each in sources.living
        if (worth := effective_confidence(each, sources.at)) >= WELL_FOUNDED
        and memory_mark(each.item.memory_id) not in sources.profile
        and _is_lasting(each, sources.at)
    ]
    for _, each in sorted(founded, key=lambda pair: (-pair[0], str(pair[1].item.memory_id))):
        since = f"{each.item.observed_at:%Y-%m-%d}"
        text = " ".join(filter(None, (_one_line(format_memory(each.item)), f"({since})", status_note(each.item))))
        kind = _kind_of(each.item)
        if kind == "todo" and each.said_at.date() < recent:
            continue
        yield CuratedLine(kind=kind, text=text, mark=str(each.item.memory_id), why=f"well founded since {since}")


def _is_lasting(living: ActiveMemory, at: datetime) -> bool:
    item = living.item
    return not (item.stale or item.has_ended(at) or item.epistemic_type == "outdated") and (
        is_user_confirmed(item) or len(events_of(item)) > 1
    )


def _line(noted: _DayEntry, kind: str, why: str) -> CuratedLine:
    text = f"{noted.text} ({noted.day.isoformat()})"
    return CuratedLine(kind=kind, text=text, mark=noted.mark, why=f"{why} on {noted.day.isoformat()}")


def _lines_that_fit(lines: Sequence[CuratedLine], spent: int) -> Iterator[CuratedLine]:
    room = MAX_TOKENS - spent
    for line in lines[:MAX_LINES]:
        room -= count_tokens(f"- {line.text}\n")
        if room < 0:
            return
        yield line


def _section(lines: Sequence[CuratedLine]) -> str:
    by_kind: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        by_kind[line.kind].append(line.markdown)
    titles = headings_for(line.text for line in lines).sections
    titled = ((title, by_kind[kind]) for kind, title in titles.items() if by_kind[kind])
    return "".join(f"## {title}\n\n{chr(10).join(written)}\n\n" for title, written in titled)


def _lines_of(held: Document | None) -> list[tuple[str, str]]:
    return [(found["mark"], found["text"]) for found in _LISTED.finditer(held.body)] if held else []


def _own_tokens(held: Document | None) -> int:
    return count_tokens(replace_section(held.body, "")) if held else 0


def _front_names(held: Document | None, field: str) -> set[str]:
    listed = held.front.get(field) if held else None
    return {str(each) for each in cast("list[object]", listed)} if isinstance(listed, list) else set()


def _one_line(text: str) -> str:
    """One line that hides nothing and ends no section."""
    return _HIDDEN.sub(" ", " ".join(text.split())).lstrip("# ").strip()
