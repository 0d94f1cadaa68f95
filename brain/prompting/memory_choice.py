"""Which memories a prompt carries, and why the others stay out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from brain.memory_uses import is_recalled
from brain.prompting.evidence import conflicting_pairs, drop_repeats, mark_statuses, prefer_newer, says_no_more
from brain.prompting.excerpt import MAX_WHOLE_TOKENS, excerpt
from brain.prompting.memory_tags import arrange_u_shape, memory_tag
from brain.prompting.repetition import cut_told_lines, is_told
from brain.prompting.tokens import count_tokens
from brain.safety.fence import Fence
from brain.state import MemoryUse, said_at
from knowledge.port import KnowledgeEntry
from language.constraints import states_constraint

_OWN_LIMITS = frozenset({"health", "diet", "name"})
"""Categories in which nobody rules but the person."""
MIN_MEMORY_TOKENS = 100
"""Tokens that even the smallest room grants to one memory."""


@dataclass(frozen=True)
class MemoryChoice:
    """The memories that go in, in the order of the prompt, and those that stay out, each with its reason."""

    injected: list[MemoryUse]
    rejected: list[MemoryUse]


@dataclass(frozen=True, kw_only=True)
class ChoiceCriteria:
    """What a choice depends on: the question, the tokens there are, the rules of the organisation, the turn's fence.

    ``pin_room`` are the tokens of pinned memories, beside ``room``. ``left_out`` are memories that were found and do
    not answer: a newer one among them may leave an older one in doubt. ``told`` are lines that stand in the prompt.
    """

    question: str
    room: int
    fence: Fence
    pin_room: int = 200
    knowledge: Sequence[KnowledgeEntry] = ()
    left_out: Sequence[MemoryUse] = ()
    told: Sequence[str] = ()


def choose_memories(best_first: Sequence[MemoryUse], by: ChoiceCriteria) -> MemoryChoice:
    """The best memories that fit, each thing once; what the organisation has ruled on gives way to its rule.

    Pinned ones stand first, and in the order in which they were pinned, so that the beginning stays the same. No other
    memory takes more than half of the room, nor stands there whole when it is long: it is cut to what was asked for.
    What a line of the prompt says already comes last, as ``in_document``: it is in the prompt, and not said again.
    """
    rulings = {entry.topic.casefold(): entry.entry_id for entry in reversed(by.knowledge) if entry.topic}
    overruled, free = _split_overruled(best_first, rulings)
    pins, others, unfit = _fit_pins(free, by)
    told = [memory for memory in others if any(says_no_more(memory, pin) for pin in pins)]
    telling, repeats = drop_repeats([memory for memory in others if memory not in told])
    pins = [_take_score(pin, told) for pin in pins]
    documented, rest = _split_documented(telling, by.told)
    sections, repeated = _cut_sections(rest, [*by.told, *(memory["text"] for memory in pins)])
    kept, too_much = _fit_memories(sections, by)
    marked = mark_statuses([*pins, *kept, *documented], [*too_much, *by.left_out])
    shown = marked[: len(pins) + len(kept)]
    placed = _put_newer_first(arrange_u_shape(prefer_newer(shown[len(pins) :])))
    said_twice: list[MemoryUse] = [{**memory, "decision_reason": "repeat"} for memory in [*told, *repeated]]
    out = [*overruled, *said_twice, *repeats, *unfit, *too_much]
    return MemoryChoice(_number_positions([*shown[: len(pins)], *placed, *marked[len(shown) :]]), out)


def choose_in_order(best_first: Sequence[MemoryUse], by: ChoiceCriteria, temporal_intent: str) -> MemoryChoice:
    """The choice in the order that the question asks for: how things came to be is told from the oldest on."""
    choice = choose_memories(best_first, by)
    return _sort_by_time(choice) if temporal_intent == "history_trace" else choice


def _sort_by_time(choice: MemoryChoice) -> MemoryChoice:
    """The same memories from the oldest to the newest, pinned ones first."""
    pins = [memory for memory in choice.injected if memory["decision_reason"] == "pinned"]
    others = [memory for memory in choice.injected if memory["decision_reason"] != "pinned"]
    in_order = sorted(others, key=lambda memory: said_at(memory))
    return MemoryChoice(_number_positions([*pins, *in_order]), choice.rejected)


def is_shown(memory: MemoryUse) -> bool:
    """Whether it stands among the memories of the prompt, and not in a document there."""
    return memory["decision_reason"] != "in_document"


def _split_documented(memories: Sequence[MemoryUse], lines: Sequence[str]) -> tuple[list[MemoryUse], list[MemoryUse]]:
    """What lines in the prompt say already, and the rest; Brain's own words are another voice than the person's."""
    told = [memory for memory in memories if memory["role"] != "assistant" and is_told(memory["text"], lines)]
    documented: list[MemoryUse] = [{**memory, "decision_reason": "in_document"} for memory in told]
    return documented, [memory for memory in memories if memory not in told]


def _cut_sections(memories: Sequence[MemoryUse], lines: Sequence[str]) -> tuple[list[MemoryUse], list[MemoryUse]]:
    """The memories, sections of documents without what the others or the lines say; and sections that say no more."""
    said = [*lines, *(memory["text"] for memory in memories if memory["lane"] != "document")]
    cut: list[MemoryUse] = [
        {**memory, "text": cut_told_lines(memory["text"], said)} if memory["lane"] == "document" else memory
        for memory in memories
    ]
    empty = [memory for memory, left in zip(memories, cut, strict=True) if not left["text"]]
    return [memory for memory in cut if memory["text"]], empty


def _fit_pins(
    best_first: Sequence[MemoryUse], by: ChoiceCriteria
) -> tuple[list[MemoryUse], list[MemoryUse], list[MemoryUse]]:
    """The pinned memories that fit, the first pinned first; the other memories; and the pins that are too much.

    The last one pinned comes first in ``best_first``. A pin without room that was recalled as well counts as recalled.
    """
    room, pins = by.pin_room, list[MemoryUse]()
    others: list[MemoryUse] = []
    too_much: list[MemoryUse] = []
    for memory in best_first:
        cost = count_tokens(memory_tag(memory, by.fence)) if memory["decision_reason"] == "pinned" else 0
        if cost == 0:
            others.append(memory)
        elif cost <= room:
            pins.append(memory)
            room -= cost
        elif is_recalled(memory):
            others.append({**memory, "decision_reason": "relevance"})
        else:
            too_much.append({**memory, "decision_reason": "budget_exceeded"})
    return pins[::-1], others, too_much


def _take_score(pin: MemoryUse, told: Sequence[MemoryUse]) -> MemoryUse:
    """A pin that was not recalled itself answers as well as the first memory that it stands for."""
    repeat = next((memory for memory in told if says_no_more(memory, pin)), None)
    if repeat is None or is_recalled(pin):
        return pin
    return {**pin, "score": repeat["score"], "signals": repeat["signals"]}


def _fit_memories(best_first: Sequence[MemoryUse], by: ChoiceCriteria) -> tuple[list[MemoryUse], list[MemoryUse]]:
    longest, room = min(max(by.room // 2, MIN_MEMORY_TOKENS), MAX_WHOLE_TOKENS), by.room
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


def _split_overruled(
    memories: Sequence[MemoryUse], rulings: Mapping[str, str]
) -> tuple[list[MemoryUse], list[MemoryUse]]:
    """The memories that give way to an entry, each with that entry, and the others."""
    ruled = [rulings.get(memory["category"].casefold(), "") if _may_give_way(memory) else "" for memory in memories]
    overruled: list[MemoryUse] = [
        {**memory, "decision_reason": "conflict", "ruled_by": entry}
        for memory, entry in zip(memories, ruled, strict=True)
        if entry
    ]
    return overruled, [memory for memory, entry in zip(memories, ruled, strict=True) if not entry]


def _may_give_way(memory: MemoryUse) -> bool:
    """Knowledge outranks what a person likes or thinks (S0 section 4.3): no fact about that person, and no limit."""
    return (
        memory["epistemic_type"] != "fact"
        and memory["category"] not in _OWN_LIMITS
        and not states_constraint(memory["text"])
    )
