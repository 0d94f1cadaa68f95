"""How many tokens each part of a prompt may take (S0 sections 4.2 and 4.2.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from types import MappingProxyType
from typing import Literal

from memory.errors import config_error

Slot = Literal[
    "system_prompt",
    "personal_context",
    "knowledge_context",
    "documents",
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
        "documents": 4_000,
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
        "documents": Bounds(0, 16_000),
        "summary_blocks": Bounds(1_000, 5_000),
        "entity_slots": Bounds(500, 2_000),
        "active_window": Bounds(3_000, 10_000),
        "personal_context": Bounds(2_000, 8_000),
    }
)
INCOMPRESSIBLE: frozenset[Slot] = frozenset({"system_prompt", "last_user_turn", "generation_buffer"})
CUT_ORDER: tuple[Slot, ...] = (
    "knowledge_context",
    "documents",
    "summary_blocks",
    "entity_slots",
    "active_window",
    "personal_context",
)
"""What gives way first when it does not all fit."""
SPARE: tuple[Slot, ...] = ("generation_buffer", "last_user_turn", "system_prompt")
"""What may not be cut, in the order in which it gives back what it does not need."""
LAST_SLOTS: tuple[Slot, ...] = ("last_user_turn",)

MARGIN_SHARE = 0.05
MARGIN_LEAST = 200
LONG_CONVERSATION_TURNS = 20
RICH_MEMORY = 6


@dataclass(frozen=True, kw_only=True)
class BudgetSignals:
    """What a turn brings to the allocation: memories found, knowledge found, turns so far, the window in tokens.

    ``system_tokens`` and ``user_tokens`` measure the two texts that must not be cut while there is another way,
    ``document_tokens`` the standing documents, which take what they need and no more.
    """

    memory_richness: int = 0
    knowledge_relevance: int = 0
    conversation_depth: int = 0
    model_context_window: int = 128_000
    system_tokens: int = 0
    user_tokens: int = 0
    document_tokens: int = 0


def safety_margin(window: int) -> int:
    """Tokens kept back because counting them is an estimate."""
    return max(ceil(window * MARGIN_SHARE), MARGIN_LEAST)


def check_window(window: int) -> None:
    """Refuse at start a model whose window cannot hold what may not be cut, and one more answer after a tool's."""
    untouchable = sum(BOUNDS[slot].least for slot in INCOMPRESSIBLE)
    needed = untouchable + safety_margin(window) + BOUNDS["generation_buffer"].least
    if needed > window:
        raise config_error(
            f"A context window of {window} tokens is too small; a turn needs {needed}.",
            "Choose a model with a larger window and set BRAIN_CONTEXT_WINDOW to it.",
        )


def slot_demands(signals: BudgetSignals) -> dict[Slot, int]:
    """What each slot would like to have in this turn, within its bounds but regardless of the window."""
    if min(signals.memory_richness, signals.knowledge_relevance, signals.conversation_depth) < 0:
        raise ValueError("The signals of a turn count things; none of them is negative.")
    slots = dict(BASELINE)
    if not signals.knowledge_relevance:
        slots["knowledge_context"] = 0
    if signals.memory_richness >= RICH_MEMORY:
        slots |= {"personal_context": 8_000, "summary_blocks": 2_000}
    if signals.knowledge_relevance >= RICH_MEMORY:
        slots |= {"knowledge_context": 14_000, "active_window": 4_000}
    if signals.conversation_depth >= LONG_CONVERSATION_TURNS:
        slots |= {"active_window": 10_000, "knowledge_context": min(slots["knowledge_context"], 4_000)}
    slots["documents"] = signals.document_tokens
    slots["last_user_turn"] = max(slots["last_user_turn"], signals.user_tokens)
    for slot, tokens in slots.items():
        slots[slot] = max(BOUNDS[slot].least, min(tokens, BOUNDS[slot].most))
    slots["system_prompt"] = max(slots["system_prompt"], signals.system_tokens)
    return slots


def slot_floors(signals: BudgetSignals) -> dict[Slot, int]:
    """What each slot keeps while the window holds it: its least; the system prompt and the user's words whole."""
    wishes = slot_demands(signals)
    kept: dict[Slot, int] = {slot: min(wishes[slot], BOUNDS[slot].least) for slot in wishes}
    kept["system_prompt"] = max(kept["system_prompt"], signals.system_tokens)
    kept["last_user_turn"] = max(kept["last_user_turn"], min(signals.user_tokens, wishes["last_user_turn"]))
    return kept


def cut_slots(slots: Mapping[Slot, int], kept: Mapping[Slot, int], available: int) -> dict[Slot, int]:
    """Slots cut one after the other until they fit.

    First what can be cut goes down to what is ``kept`` of it, then the others give back what they do not need, then
    what can be cut goes altogether; in the smallest windows the user's words are cut to their least as well.
    """
    fitted: dict[Slot, int] = dict(slots)
    least: dict[Slot, int] = {slot: bounds.least for slot, bounds in BOUNDS.items()}
    nothing: dict[Slot, int] = dict.fromkeys(CUT_ORDER, 0)
    for order, limits in ((CUT_ORDER, kept), (SPARE, kept), (CUT_ORDER, nothing), (LAST_SLOTS, least)):
        for slot in order:
            excess = max(0, sum(fitted.values()) - available)
            fitted[slot] -= min(excess, max(0, fitted[slot] - limits[slot]))
    return fitted


def baseline(window: int) -> dict[Slot, int]:
    """The static table, cut to the window: what remains when the allocator fails."""
    return cut_slots(BASELINE, {slot: bounds.least for slot, bounds in BOUNDS.items()}, window - safety_margin(window))
