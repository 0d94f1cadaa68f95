"""Settling contradictions: higher provenance wins, then the newer; what rules cannot tell, a model may (SPEC M7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from brain.models.port import ChatModel
from brain.prompting.tokens import clip
from brain.safety.sanitizer import sanitize_text
from evolution.upkeep.verdict import ConflictSettlement, PlannedChange, UpkeepVerdict, days_between
from memory.conflicts import Conflict, Resolution, Settlement
from memory.contracts import MemoryItem
from memory.revision import RANK, provenance_level
from prompts.registry import load_prompt

NEWER_DAYS = 1.0
"""What was said on one day may be a slip; from a day apart, the later word is a change of mind."""
READ_TOKENS = 200

Finding = Literal["both", "same", "first", "second", "unclear"]
_RESOLUTIONS: Mapping[Finding, Resolution] = {"both": "keep", "same": "merge", "first": "discard", "second": "discard"}


class Ruling(BaseModel):
    """What a model thinks of two statements; the reason comes before the finding."""

    reason: str = Field(description="What each claims, and whether both can be true.")
    finding: Finding


@dataclass(frozen=True)
class ConflictSides:
    """A contradiction with its two sides: ``held`` was there when ``new`` came."""

    conflict: Conflict
    held: MemoryItem
    new: MemoryItem

    @property
    def has_constraint(self) -> bool:
        """An allergy is no matter of being outvoted: only the person settles it."""
        return "constraint" in (self.held.memory_type, self.new.memory_type)


def resolve_by_rules(contested: ConflictSides) -> PlannedChange | None:
    """Who wins by provenance, or by being newer; None where neither tells."""
    sides = (contested.held, contested.new)
    low, high = sorted(sides, key=lambda item: RANK[provenance_level(item)])
    if provenance_level(low) != provenance_level(high):
        return _discard_loser(contested, high, "better founded")
    older, newer = sorted(sides, key=lambda item: item.observed_at)
    if days_between(older.observed_at, newer.observed_at) >= NEWER_DAYS:
        return _discard_loser(contested, newer, "as well founded, and newer")
    return None


async def resolve_with_model(model: ChatModel, contested: ConflictSides) -> PlannedChange | None:
    """What a model finds; None when it cannot tell either. Raises ``ModelError``."""
    sides = (contested.held, contested.new)
    ruling = await ask_ruling(model, _line(sides[0]), _line(sides[1]))
    resolution = _RESOLUTIONS.get(ruling.finding)
    if resolution is None:
        return None
    items = (sides[1], sides[0]) if ruling.finding == "second" else sides
    return _plan_settlement(
        contested, Settlement(resolution=resolution, winner=_winner(resolution, items)), items, ruling.reason
    )


async def ask_ruling(model: ChatModel, first: str, second: str) -> Ruling:
    """What a model thinks of two statements, each with its day. Raises ``ModelError``."""
    prompt = SystemMessage(load_prompt("resolve_conflict").render(memories=f"[first] {first}\n[second] {second}"))
    return await model.fill(Ruling, [prompt, HumanMessage("Which of them holds?")])


def _winner(resolution: Resolution, items: tuple[MemoryItem, MemoryItem]) -> UUID | None:
    return items[0].memory_id if resolution == "discard" else None


def _discard_loser(contested: ConflictSides, winner: MemoryItem, why: str) -> PlannedChange:
    loser = contested.new if winner is contested.held else contested.held
    settlement = Settlement(resolution="discard", winner=winner.memory_id)
    return _plan_settlement(contested, settlement, (winner, loser), why)


def _plan_settlement(
    contested: ConflictSides, settlement: Settlement, items: tuple[MemoryItem, MemoryItem], why: str
) -> PlannedChange:
    settling = ConflictSettlement(conflict_id=contested.conflict.conflict_id, settlement=settlement)
    return PlannedChange(UpkeepVerdict(settling, why), items)


def _line(item: MemoryItem) -> str:
    text = " ".join(clip(sanitize_text(item.content).text, READ_TOKENS).split())
    return f"({item.observed_at:%Y-%m-%d}) {text}"
