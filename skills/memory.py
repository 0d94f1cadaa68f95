"""Looking something up in memory, and writing something down."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from brain.intent_rules import Intent
from brain.recall import RecallRequest, recall
from brain.safety.sanitizer import sanitize_text
from language.tables import pattern_of_all
from memory.errors import bad_request
from memory.memory_item import Author, Citation, MemoryDraft, ProvenanceLevel, WriteReceipt
from memory.recall.policy import RankedCandidate
from memory.recall.query import CandidateRow, Filters, TimeWindow
from memory.turns import Event
from skills.context import ToolContext, ToolResult
from skills.tool import Arguments, Tool, Words, reading_tool

TOP_K = 12
NoteKind = Literal["fact", "preference", "constraint", "plan"]
NOTHING_FOUND = "Nothing in memory bears on that."
_SENTENCES = re.compile(r"[.!?。！？\n]+(?=\s|$|[^\x00-\x7f])|[。！？\n]")
_LONG_AGO = datetime.fromisoformat("0001-01-02T00:00:00+00:00")
_FAR_AHEAD = datetime.fromisoformat("9999-12-30T00:00:00+00:00")

Query = Annotated[Words, Field(min_length=1, max_length=2_000, description="What to look for, in a few words.")]
From = Annotated[AwareDatetime | None, Field(description="Not before this time, ISO 8601 with offset.")]
Until = Annotated[AwareDatetime | None, Field(description="Before this time, ISO 8601 with offset.")]


class SearchMemory(Arguments):
    """Arguments of ``memory_search``."""

    query: Query
    top_k: Annotated[int, Field(ge=1, le=50, description="How many memories at most.")] = TOP_K


class SearchEvents(SearchMemory):
    """Arguments of ``search_events``."""

    target_speaker: Annotated[Words | None, Field(description="Only what this person said.")] = None
    time_from: From = None
    time_to: Until = None


class Append(Arguments):
    """Arguments of ``memory_append``."""

    text: Annotated[Words, Field(min_length=1, max_length=4_000, description="One fact or wish, as a full sentence.")]
    kind: Annotated[NoteKind, Field(description="What kind of memory it is.")] = "fact"


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something to write down; ``quoted`` when these are the person's own words."""

    text: str
    kind: NoteKind = "fact"
    quoted: bool = False


async def search_memory(arguments: SearchMemory, context: ToolContext) -> ToolResult:
    """The memories that bear on a question, best first."""
    found = await recall(context.resources, context.identity.scope, request_of(arguments, context))
    return _render_results(found.ranked)


async def search_events(arguments: SearchEvents, context: ToolContext) -> ToolResult:
    """What was said, by whom and when."""
    speakers = (arguments.target_speaker,) if arguments.target_speaker else ()
    filters = Filters(lanes=("turn",), speakers=speakers, observed=period(arguments.time_from, arguments.time_to))
    found = await recall(
        context.resources, context.identity.scope, replace(request_of(arguments, context), filters=filters)
    )
    return _render_results(found.ranked)


async def append(arguments: Append, context: ToolContext) -> ToolResult:
    """Write one thing down. It counts as the user's own word only when the user just said it."""
    if not context.learnt:
        return ToolResult(text="rejected: nothing is noted of this conversation.", untrusted=())
    receipt = await write_note(arguments, context)
    return ToolResult(text=f"{receipt.status}: {receipt.memory_id}", untrusted=())


async def write_note(arguments: Append, context: ToolContext) -> WriteReceipt:
    """Keep it as a memory of its own."""
    author = Author(
        operator="model",
        reason="memory_append",
        idempotency_key=f"tool:{context.session_id}:{context.call_id}",
        at=context.at,
        trace_id=context.operation_id,
    )
    memory, scope = context.resources.memory, context.identity.scope
    said = await memory.log.events(scope, context.own)
    note = Note(text=arguments.text, kind=arguments.kind, quoted=has_statement(context.user_text, arguments.text))
    draft = draft_note(note, context.at, context.session_id, _cite_turn(arguments.text, said))
    return await memory.items.write(scope, draft, author)


def request_of(arguments: SearchMemory, context: ToolContext) -> RecallRequest:
    """The question at the time and place of the turn, whose own words are no answer."""
    return RecallRequest(
        text=arguments.query,
        at=context.at,
        time_zone=context.time_zone,
        as_of=context.as_of,
        apart_from=context.own,
        limit=arguments.top_k,
    )


def _cite_turn(text: str, said: Sequence[Event]) -> tuple[Citation, ...]:
    """The words of the turn that asked for it: those that say it, or else all of them."""
    own = next((each for each in said if each.role == "user"), None)
    if own is None:
        return ()
    start = own.text.casefold().find(text.casefold().strip(" .。"))
    span = (start, start + len(text.strip(" .。"))) if start >= 0 else (0, len(own.text))
    digest = sha256(own.text.encode()).hexdigest()
    return (Citation(event_id=own.event_id, start=span[0], end=min(span[1], len(own.text)), sha256=digest),)


def draft_note(note: Note, at: datetime, session_id: UUID, citations: tuple[Citation, ...] = ()) -> MemoryDraft:
    """What is kept of a note: a memory that competes with no other."""
    provenance: ProvenanceLevel = "confirmed_by_user" if note.quoted else "observation"
    return MemoryDraft(
        item_type=note.kind,
        subject="user",
        predicate="noted",
        object=note.text,
        content=note.text,
        category="note",
        slot="user|noted",
        single_valued=False,
        epistemic_type="preference" if note.kind == "preference" else "fact",
        provenance=provenance,
        confidence=0.9 if note.quoted else 0.5,
        certainty=0.9 if note.quoted else 0.5,
        observed_at=at,
        valid_at=at,
        session_id=session_id,
        overheard=not note.quoted,
        citations=citations,
    )


def require_harmless(text: str) -> str:
    """What a program read somewhere must not become an order to every later reader. Raises ``E_BAD_REQUEST``."""
    if sanitize_text(text).verdict == "blocked":
        raise bad_request("This reads like an order to a model, not like something to remember.", "Leave it out.")
    return text


def _render_results(ranked: Sequence[RankedCandidate]) -> ToolResult:
    """One line per memory; plain attacks in other voices are left out, and nothing follows from any of it."""
    found = [each.candidate for each in ranked]
    lines = [_line(each) for each in found if is_showable(each)]
    return ToolResult(text="\n".join(lines) or NOTHING_FOUND, untrusted=tuple(_words(each) for each in found))


def is_showable(memory: CandidateRow) -> bool:
    """Whether a model may read it: it is the user's own word, or no plain attack."""
    return memory.role == "user" or sanitize_text(memory.text).verdict != "blocked"


def _line(memory: CandidateRow) -> str:
    return f"- [{memory.observed_at:%Y-%m-%d}] {memory.speaker or 'known'}: {' '.join(_words(memory).split())}"


def _words(memory: CandidateRow) -> str:
    """What it says, a passage behind the headings it stood under."""
    return f"({memory.about}) {memory.text}" if memory.about else memory.text


def period(start: datetime | None, end: datetime | None) -> TimeWindow | None:
    """The time between, either side of which may be open; None for all of it."""
    if start is None and end is None:
        return None
    return TimeWindow(start=start or _LONG_AGO, end=end or _FAR_AHEAD)


def has_statement(said: str, quote: str) -> bool:
    """Whether a sentence of the user's contains the quote and nothing beside it that turns or doubts it."""
    wanted = _fold_quote(quote)
    return bool(wanted) and any(
        wanted in sentence and not pattern_of_all("skills.turns").search(sentence.replace(wanted, " ", 1))
        for sentence in (_fold_quote(part) for part in _SENTENCES.split(said))
    )


def _fold_quote(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split()).strip(" .,!?。，！？")


def _score_lookup(intent: Intent) -> float:
    asks = intent.intent_type in ("question", "recommend", "preference_check", "search_memory", "complaint")
    return 0.8 if asks else 0.4


def _score_append(intent: Intent) -> float:
    return 0.9 if intent.intent_type == "remember" else 0.4


MEMORY_SEARCH = reading_tool(
    "memory_search",
    "Search everything remembered about this user: facts, preferences, past turns.",
    SearchMemory,
    search_memory,
    _score_lookup,
)
SEARCH_EVENTS = reading_tool(
    "search_events",
    "Search what was said in past conversations, optionally by one speaker or in a period.",
    SearchEvents,
    search_events,
    _score_lookup,
)
MEMORY_APPEND = Tool(
    name="memory_append",
    description="Write down one thing the user explicitly asked to be remembered, in the user's own words.",
    arguments=Append,
    run=append,
    suits=_score_append,
    risk="high",
    capabilities=frozenset({"memory.write"}),
)
