"""How many tokens each part of a prompt may take (S0 sections 4.2 and 4.2.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from memory.errors import misconfigured

Slot = Literal[
    "system_prompt",
    "personal_context",
    "knowledge_context",
    "entity_slots",
    "summary_blocks",
    "active_window",
    "last_user_turn",
    "generation_buffer",
]
Allocation = Mapping[Slot, int]

BASELINE: Allocation = MappingProxyType(
    {
        "system_prompt": 2_000,
        "personal_context": 4_000,
        "knowledge_context": 8_000,
        "entity_slots": 1_000,
        "summary_blocks": 3_000,
        "active_window": 6_000,
        "last_user_turn": 2_000,
        "generation_buffer": 4_000,
    }
)


@dataclass(frozen=True)
class Bounds:
    """The least and the most that a slot may get, in tokens."""

    least: int
    most: int


BOUNDS: Mapping[Slot, Bounds] = MappingProxyType(
    {
        "system_prompt": Bounds(1_500, 3_000),
        "last_user_turn": Bounds(1_000, 4_000),
        "generation_buffer": Bounds(2_000, 6_000),
        "knowledge_context": Bounds(0, 14_000),
        "summary_blocks": Bounds(1_000, 5_000),
        "entity_slots": Bounds(500, 2_000),
        "active_window": Bounds(3_000, 10_000),
        "personal_context": Bounds(2_000, 8_000),
    }
)
INCOMPRESSIBLE: frozenset[Slot] = frozenset({"system_prompt", "last_user_turn", "generation_buffer"})
CUT_ORDER: tuple[Slot, ...] = (
    "knowledge_context",
    "summary_blocks",
    "entity_slots",
    "active_window",
    "personal_context",
)
"""What gives way first when it does not all fit."""

MARGIN_SHARE = 0.05
MARGIN_LEAST = 200
LONG_CONVERSATION = 20
RICH_MEMORY = 6


@dataclass(frozen=True, kw_only=True)
class Signals:
    """What a turn brings to the allocation: memories found, knowledge found, turns so far, the window in tokens."""

    memory_richness: int = 0
    knowledge_relevance: int = 0
    conversation_depth: int = 0
    model_context_window: int = 128_000


def safety_margin(window: int) -> int:
    """Tokens kept back because counting them is an estimate."""
    return max(int(window * MARGIN_SHARE), MARGIN_LEAST)


def check_window(window: int) -> None:
    """Refuse at start a model whose window cannot hold even the parts that may not be cut."""
    needed = sum(BOUNDS[slot].least for slot in INCOMPRESSIBLE) + safety_margin(window)
    if needed > window:
        raise misconfigured(
            f"A context window of {window} tokens is too small; a turn needs {needed}.",
            "Choose a model with a larger window and set BRAIN_CONTEXT_WINDOW to it.",
        )


def wanted(signals: Signals) -> dict[Slot, int]:
    """What each slot would like to have in this turn, within its bounds but regardless of the window."""
    slots = dict(BASELINE)
    if not signals.knowledge_relevance:
        slots["knowledge_context"] = 0
    if signals.memory_richness >= RICH_MEMORY:
        slots |= {"personal_context": 8_000, "summary_blocks": 2_000}
    if signals.knowledge_relevance >= RICH_MEMORY:
        slots |= {"knowledge_context": 14_000, "active_window": 4_000}
    if signals.conversation_depth >= LONG_CONVERSATION:
        slots |= {"active_window": 10_000, "knowledge_context": min(slots["knowledge_context"], 4_000)}
    return {slot: max(BOUNDS[slot].least, min(tokens, BOUNDS[slot].most)) for slot, tokens in slots.items()}


def baseline(window: int) -> dict[Slot, int]:
    """The static table, for when the allocator fails; what may not be cut keeps its least."""
    spare = window - safety_margin(window) - sum(BASELINE.values())
    slots = dict(BASELINE)
    for slot in CUT_ORDER:
        cut = min(slots[slot], max(0, -spare))
        slots[slot] -= cut
        spare += cut
    return slots
