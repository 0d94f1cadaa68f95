"""Write the day's note: what a person stated, decided and promised, as soon as their turn was looked at."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from langgraph.runtime import Runtime

from brain.documents.memory_line import format_memory
from brain.job_context import JobContext
from brain.state import Update
from evolution.state import EvolutionState, TurnRecord
from language.commitments import find_commitment
from language.kinds import Kind
from language.people import SPEAKER
from language.statements import Statement, read_statements
from memory.documents.daily_notes import REMEMBERED, note_name
from memory.documents.outdated_marks import status_note
from memory.documents.port import NoteEntry
from memory.memory_item import Author, Citation, MemoryItem

_NOTHING_SETTLED: frozenset[Kind] = frozenset({"question", "courtesy", "not_real", "world", "secret", "forget"})


async def note_day(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Statements, decisions and tasks enter the note of the day on which they were said, each once."""
    return {"noted": await write_day_note(runtime.context, state.said)}


async def write_day_note(context: JobContext, said: Sequence[TurnRecord]) -> int:
    """Write down what these turns left; how many entries were new. Doing it again adds none."""
    own = [turn for turn in said if turn["role"] == "user"]
    events = [UUID(turn["event_id"]) for turn in own]
    remembered = await context.resources.memory.items.find_prior_extractions(context.scope, events)
    read_turns = await asyncio.to_thread(lambda: [read_statements(turn["text"]) for turn in own])
    entries = [
        entry
        for turn, statements in zip(own, read_turns, strict=True)
        for entry in _entries(turn, statements, remembered)
    ]
    if not entries:
        return 0
    author = Author(
        operator="evolution", reason="said so", idempotency_key=f"note:{entries[0].key}", at=context.resources.clock()
    )
    outcomes = await context.resources.memory.documents.append_note(context.scope, entries, author)
    return outcomes.count("added")


def _entries(
    turn: TurnRecord, statements: Sequence[Statement], remembered: Sequence[tuple[MemoryItem, Citation]]
) -> Iterator[NoteEntry]:
    """In the order of saying; what has ended already enters no note."""
    if any(each.kind == "dont_note" for each in statements):
        return
    here = [(item, cited) for item, cited in remembered if str(cited.event_id) == turn["event_id"]]
    for item, _ in sorted(here, key=lambda pair: (pair[1].start, pair[0].memory_id)):
        if item.status == "active":
            yield _memory_entry(turn, item)
    for each in statements:
        if not any(cited.start < each.end and each.start < cited.end for _, cited in here):
            yield from _sentence_entries(turn, each)


def _memory_entry(turn: TurnRecord, item: MemoryItem) -> NoteEntry:
    """Once a day, however often it is said."""
    at = datetime.fromisoformat(turn["at"])
    return NoteEntry(
        key=f"day:{note_name(at, turn['time_zone'])}:{item.memory_id}",
        text=f"{format_memory(item)} {status_note(item)}".rstrip(),
        at=at,
        time_zone=turn["time_zone"],
        source=REMEMBERED,
        cites=(UUID(turn["event_id"]),),
        made_of=item.memory_id,
    )


def _sentence_entries(turn: TurnRecord, statement: Statement) -> Iterator[NoteEntry]:
    settled = None if statement.kind in _NOTHING_SETTLED else find_commitment(statement.text)
    if settled is not None:
        speaker = "" if turn["speaker"].strip().casefold() in ("", SPEAKER) else f"{turn['speaker'].strip()}: "
        yield NoteEntry(
            key=f"said:{turn['event_id']}:{statement.start}",
            text=f"{speaker}{statement.text}",
            at=datetime.fromisoformat(turn["at"]),
            time_zone=turn["time_zone"],
            source=settled,
            cites=(UUID(turn["event_id"]),),
        )
