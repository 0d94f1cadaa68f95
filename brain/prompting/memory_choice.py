"""Which memories a prompt carries, and why the others stay out."""

from collections.abc import Sequence
from dataclasses import dataclass

from brain.prompting.evidence import conflicting_pairs, drop_repeats, mark_statuses, prefer_newer
from brain.prompting.excerpt import LONG, excerpt
from brain.prompting.memory_tags import arrange_u_shape, memory_tag
from brain.prompting.tokens import count_tokens
from brain.safety.fence import Fence
from brain.state import MemoryUse
from knowledge.port import KnowledgeEntry

LEAST_WORDS = 100
"""Tokens that even the smallest room grants to one memory."""


@dataclass(frozen=True)
class MemoryChoice:
    """The memories that go in, in the order of the prompt, and those that stay out, each with its reason."""

    injected: list[MemoryUse]
    rejected: list[MemoryUse]


@dataclass(frozen=True, kw_only=True)
class ChoiceCriteria:
    """What a choice depends on: the question, the tokens there are, the rules of the organisation, the turn's fence."""

    question: str
    room: int
    fence: Fence
    knowledge: Sequence[KnowledgeEntry] = ()


def choose_memories(best_first: Sequence[MemoryUse], by: ChoiceCriteria) -> MemoryChoice:
    """The best memories that fit, each thing once; what the organisation has ruled on gives way to its rule.

    No memory takes more than half of the room, nor stands there whole when it is long: it is cut to what was asked for.
    """
    ruled = frozenset(entry.topic.casefold() for entry in by.knowledge if entry.topic)
    overruled: list[MemoryUse] = [{**m, "decision_reason": "conflict"} for m in best_first if _has_ruling(m, ruled)]
    telling, repeats = drop_repeats([memory for memory in best_first if not _has_ruling(memory, ruled)])
    kept, too_much = _fit_memories(telling, by)
    placed = _put_newer_first(arrange_u_shape(prefer_newer(mark_statuses(kept))))
    return MemoryChoice(_number_positions(placed), [*overruled, *repeats, *too_much])


def sort_by_time(choice: MemoryChoice) -> MemoryChoice:
    """The same memories from the oldest to the newest: who asks how things came to be wants to hear it in order."""
    return MemoryChoice(
        _number_positions(sorted(choice.injected, key=lambda memory: memory["valid_since"])), choice.rejected
    )


def _fit_memories(best_first: Sequence[MemoryUse], by: ChoiceCriteria) -> tuple[list[MemoryUse], list[MemoryUse]]:
    longest, room = min(max(by.room // 2, LEAST_WORDS), LONG), by.room
    kept: list[MemoryUse] = []
    too_much: list[MemoryUse] = []
    for memory in best_first:
        shown: MemoryUse = {**memory, "text": excerpt(memory["text"], by.question, longest)}
        cost = count_tokens(memory_tag(shown, by.fence))
        if cost > room:
            too_much.append({**memory, "decision_reason": "budget_exceeded"})
        else:
            kept.append(shown)
            room -= cost
    return kept, too_much


def _put_newer_first(placed: list[MemoryUse]) -> list[MemoryUse]:
    """The same memories; of two about one matter the newer one stands first, wherever the shape would put it."""
    for older, newer in conflicting_pairs(placed):
        ids = [memory["memory_id"] for memory in placed]
        first, second = ids.index(older["memory_id"]), ids.index(newer["memory_id"])
        if first < second:
            placed[first], placed[second] = placed[second], placed[first]
    return placed


def _number_positions(placed: Sequence[MemoryUse]) -> list[MemoryUse]:
    return [{**memory, "position": place} for place, memory in enumerate(placed)]


def _has_ruling(memory: MemoryUse, ruled: frozenset[str]) -> bool:
    """Knowledge outranks what a person likes or thinks, not the facts about that person (S0 section 4.3)."""
    return memory["epistemic_type"] != "fact" and memory["category"].casefold() in ruled
