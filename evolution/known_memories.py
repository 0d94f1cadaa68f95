"""Which memories bear on what was said."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from brain.job_context import JobContext
from brain.recall import RecallRequest, query_of, recall
from evolution.state import ExtractionCandidate, KnownMemory, PriorCandidate, TurnRecord, said_at
from language.retractions import is_retraction
from memory.memory_item import MemoryItem
from memory.recall.query import Filters

MAX_KNOWN = 24
MAX_ALIKE = 40
"""Memories among which those that one statement ends are looked for."""
MAX_LAST_SAID = 20
"""Newest memories among which a slip of the tongue finds what it corrects."""
_SHARE = 400
"""Characters of each turn that the search reads: one long paste must not hide the other turns."""


async def find_related_memories(
    context: JobContext, said: Sequence[TurnRecord], *, recalled: bool = False
) -> list[KnownMemory]:
    """Living memories near to these turns, nearest first; none where nobody would read them.

    ``recalled`` says that memories stood in the prompts of these turns, so that echoes must be told from news.
    """
    spoken = [turn for turn in said if turn["role"] == "user"]
    if not spoken or not (recalled or _has_model(context) or any(is_correction(turn) for turn in spoken)):
        return []
    question = RecallRequest(
        text="\n".join(turn["text"][:_SHARE] for turn in spoken),
        at=datetime.fromisoformat(spoken[-1]["at"]),
        time_zone=spoken[-1]["time_zone"],
        temporal="current_state",
        filters=Filters(lanes=("fact",)),
        limit=MAX_KNOWN,
    )
    found = await recall(context.resources, context.scope, question)
    ids = [each.candidate.source_id for each in found.ranked]
    items = {item.memory_id: item for item in await context.resources.memory.items.get_many(context.scope, ids)}
    return [to_known_memory(items[memory_id]) for memory_id in ids if _is_own_memory(context, items.get(memory_id))]


async def find_older_memories(context: JobContext, candidates: Sequence[ExtractionCandidate]) -> list[MemoryItem]:
    """Living memories of this person that the candidates may end or correct, oldest first: those that share words or a
    matter with them, however old, and the last ones said. In a group nobody's words end another person's.
    """
    asked = [each for each in candidates if each["source"] == "rules"]
    if not asked:
        return []
    items, scope = context.resources.memory.items, context.scope
    ids = dict.fromkeys([memory_id for each in asked for memory_id in await _find_alike(context, each)])
    near = {item.memory_id: item for item in await items.get_many(scope, list(ids))} if ids else {}
    recent = {item.memory_id: item for item in await items.list_newest(scope, limit=MAX_LAST_SAID)}
    own = [each for each in (near | recent).values() if _is_own_memory(context, each)]
    return sorted(own, key=lambda item: (item.observed_at, item.memory_id))


async def _find_alike(context: JobContext, candidate: ExtractionCandidate) -> list[UUID]:
    """Memories that share words with a candidate, its predicate or its topic; by words alone: none is missed."""
    words = f"{candidate['content']} {candidate['category']} {candidate['predicate']} {candidate['subject']}"
    question = RecallRequest(
        text=words,
        at=said_at(candidate),
        temporal="current_state",
        filters=Filters(lanes=("fact",)),
        limit=MAX_ALIKE,
    )
    found = await context.resources.memory.index.candidates(context.scope, query_of(question))
    return [each.source_id for each in found.candidates]


async def find_prior_candidates(context: JobContext, said: Sequence[TurnRecord]) -> list[PriorCandidate]:
    """What these turns left when somebody looked at them before."""
    events = [UUID(turn["event_id"]) for turn in said if turn["role"] == "user"]
    found = await context.resources.memory.items.find_prior_extractions(context.scope, events)
    return [
        PriorCandidate(**to_known_memory(item), event_id=str(cited.event_id), start=cited.start, end=cited.end)
        for item, cited in found
    ]


def is_correction(turn: TurnRecord) -> bool:
    """Whether a person takes something back in this turn."""
    return turn["role"] == "user" and is_retraction(turn["text"])


def to_known_memory(item: MemoryItem) -> KnownMemory:
    """A memory as the analysis reads it."""
    return KnownMemory(
        memory_id=str(item.memory_id),
        item_type=item.memory_type,
        content=item.content,
        subject=item.subject,
        predicate=item.predicate,
        object=item.object,
        negated=item.negated,
        category=item.category,
        epistemic_type=item.epistemic_type,
        slot=item.slot,
    )


def _has_model(context: JobContext) -> bool:
    models = context.resources.models
    return models.fast is not None or models.chat is not None


def _is_own_memory(context: JobContext, item: MemoryItem | None) -> bool:
    """In a group everybody sees each other's memories, yet nobody's words replace another person's."""
    return item is not None and item.status == "active" and item.user_id == context.scope.user_id
