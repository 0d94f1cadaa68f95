"""Which memories a prompt carries, and why the others stay out."""

from collections.abc import Sequence
from dataclasses import dataclass

from brain.prompting.memory_tags import memory_tag, u_shaped
from brain.prompting.tokens import clip, count_tokens
from brain.state import MemoryUse
from knowledge.port import KnowledgeEntry

LEAST_WORDS = 100
"""Tokens that even the smallest room grants to one memory."""


@dataclass(frozen=True)
class Choice:
    """The memories that go in, in the order of the prompt, and those that stay out, each with its reason."""

    injected: list[MemoryUse]
    rejected: list[MemoryUse]


def choose(best_first: Sequence[MemoryUse], knowledge: Sequence[KnowledgeEntry], room: int) -> Choice:
    """The best memories that fit into ``room`` tokens; what the organisation has ruled on gives way to its rule.

    No memory takes more than half of the room: a long one keeps its beginning and end, so that it does not crowd out
    all others, nor is lost for its length.
    """
    ruled = frozenset(entry.topic.casefold() for entry in knowledge if entry.topic)
    longest = max(room // 2, LEAST_WORDS)
    kept: list[MemoryUse] = []
    rejected: list[MemoryUse] = []
    for memory in best_first:
        shown: MemoryUse = {**memory, "text": clip(memory["text"], longest)}
        cost = count_tokens(memory_tag(shown))
        if _overruled(memory, ruled):
            rejected.append({**memory, "decision_reason": "conflict"})
        elif cost > room:
            rejected.append({**memory, "decision_reason": "budget_exceeded"})
        else:
            kept.append(shown)
            room -= cost
    return Choice([{**memory, "position": place} for place, memory in enumerate(u_shaped(kept))], rejected)


def told_in_time(choice: Choice) -> Choice:
    """The same memories from the oldest to the newest: who asks how things came to be wants to hear it in order."""
    ordered = sorted(choice.injected, key=lambda memory: memory["valid_since"])
    return Choice([{**memory, "position": place} for place, memory in enumerate(ordered)], choice.rejected)


def _overruled(memory: MemoryUse, ruled: frozenset[str]) -> bool:
    """Knowledge outranks what a person likes or thinks, not the facts about that person (S0 section 4.3)."""
    return memory["epistemic_type"] != "fact" and memory["category"].casefold() in ruled
