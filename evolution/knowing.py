"""Which memories bear on what was said."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from brain.errand import Errand
from brain.recall import Ask, recall
from evolution.state import Drawn, Known, Said
from language.statements import takes_back
from memory.contracts import MemoryItem
from memory.drawn import DrawnMemory
from memory.recall.query import Filters

MOST_KNOWN = 24
_SHARE = 400
"""Characters of each turn that the search reads: one long paste must not hide the other turns."""


async def known_beside(errand: Errand, said: Sequence[Said], *, recalled: bool = False) -> list[Known]:
    """Living memories near to these turns, nearest first; none where nobody would read them.

    ``recalled`` says that memories stood in the prompts of these turns, so that echoes must be told from news.
    """
    spoken = [turn for turn in said if turn["role"] == "user"]
    if not spoken or not (recalled or _has_model(errand) or any(corrects(turn) for turn in spoken)):
        return []
    question = Ask(
        text="\n".join(turn["text"][:_SHARE] for turn in spoken),
        at=datetime.fromisoformat(spoken[-1]["at"]),
        time_zone=spoken[-1]["time_zone"],
        temporal="current_state",
        filters=Filters(lanes=("fact",)),
        limit=MOST_KNOWN,
    )
    found = await recall(errand.resources, errand.scope, question)
    ids = [each.candidate.source_id for each in found.ranked]
    items = {item.memory_id: item for item in await errand.resources.memory.items.several(errand.scope, ids)}
    return [known_of(items[memory_id]) for memory_id in ids if _is_theirs(errand, items.get(memory_id))]


async def drawn_before(errand: Errand, said: Sequence[Said]) -> list[Drawn]:
    """What these turns left when somebody looked at them before."""
    events = [UUID(turn["event_id"]) for turn in said if turn["role"] == "user"]
    found = await errand.resources.memory.items.drawn(errand.scope, events)
    return [_drawn_of(each) for each in found]


def corrects(turn: Said) -> bool:
    """Whether a person takes something back in this turn."""
    return turn["role"] == "user" and takes_back(turn["text"])


def known_of(item: MemoryItem) -> Known:
    """A memory as the analysis reads it."""
    return Known(
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


def _drawn_of(memory: DrawnMemory) -> Drawn:
    return Drawn(
        event_id=str(memory.event_id),
        start=memory.span_start,
        end=memory.span_end,
        subject=memory.subject,
        predicate=memory.predicate,
        object=memory.object,
        negated=memory.negated,
        slot=memory.slot,
    )


def _has_model(errand: Errand) -> bool:
    models = errand.resources.models
    return models.fast is not None or models.chat is not None


def _is_theirs(errand: Errand, item: MemoryItem | None) -> bool:
    """In a group everybody sees each other's memories, yet nobody's words replace another person's."""
    return item is not None and item.status == "active" and item.user_id == errand.scope.user_id
