"""Which memories a prompt carries, and why the others stay out."""

from collections.abc import Sequence
from dataclasses import dataclass

from brain.prompting.evidence import each_once, marked, newest_first, rivals
from brain.prompting.excerpt import LONG, excerpt
from brain.prompting.memory_tags import memory_tag, u_shaped
from brain.prompting.tokens import count_tokens
from brain.safety.fence import Fence
from brain.state import MemoryUse
from knowledge.port import KnowledgeEntry

LEAST_WORDS = 100
"""Tokens that even the smallest room grants to one memory."""


@dataclass(frozen=True)
class Choice:
    """The memories that go in, in the order of the prompt, and those that stay out, each with its reason."""

    injected: list[MemoryUse]
    rejected: list[MemoryUse]


@dataclass(frozen=True, kw_only=True)
class Choosing:
    """What a choice depends on: the question, the tokens there are, the rules of the organisation, the turn's fence."""

    question: str
    room: int
    fence: Fence
    knowledge: Sequence[KnowledgeEntry] = ()


def choose(best_first: Sequence[MemoryUse], by: Choosing) -> Choice:
    """The best memories that fit, each thing once; what the organisation has ruled on gives way to its rule.

    No memory takes more than half of the room, nor stands there whole when it is long: it is cut to what was asked for.
    """
    ruled = frozenset(entry.topic.casefold() for entry in by.knowledge if entry.topic)
    overruled: list[MemoryUse] = [{**m, "decision_reason": "conflict"} for m in best_first if _overruled(m, ruled)]
    telling, repeats = each_once([memory for memory in best_first if not _overruled(memory, ruled)])
    kept, too_much = _within(telling, by)
    placed = _newer_before_older(u_shaped(newest_first(marked(kept))))
    return Choice(_positioned(placed), [*overruled, *repeats, *too_much])


def told_in_time(choice: Choice) -> Choice:
    """The same memories from the oldest to the newest: who asks how things came to be wants to hear it in order."""
    return Choice(_positioned(sorted(choice.injected, key=lambda memory: memory["valid_since"])), choice.rejected)


def _within(best_first: Sequence[MemoryUse], by: Choosing) -> tuple[list[MemoryUse], list[MemoryUse]]:
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


def _newer_before_older(placed: list[MemoryUse]) -> list[MemoryUse]:
    """The same memories; of two about one matter the newer one stands first, wherever the shape would put it."""
    for older, newer in rivals(placed):
        ids = [memory["memory_id"] for memory in placed]
        first, second = ids.index(older["memory_id"]), ids.index(newer["memory_id"])
        if first < second:
            placed[first], placed[second] = placed[second], placed[first]
    return placed


def _positioned(placed: Sequence[MemoryUse]) -> list[MemoryUse]:
    return [{**memory, "position": place} for place, memory in enumerate(placed)]


def _overruled(memory: MemoryUse, ruled: frozenset[str]) -> bool:
    """Knowledge outranks what a person likes or thinks, not the facts about that person (S0 section 4.3)."""
    return memory["epistemic_type"] != "fact" and memory["category"].casefold() in ruled
