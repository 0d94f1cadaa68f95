"""Settling contradictions: higher provenance wins, then the newer; what rules cannot tell, a model may (SPEC M7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from brain.models.port import ChatModel
from brain.prompting.tokens import clip
from brain.safety.sanitizer import clean
from evolution.upkeep.verdict import Planned, Settling, Verdict, days_between
from memory.conflicts import Conflict, Resolution, Settlement
from memory.contracts import MemoryItem
from memory.revision import RANK, provenance_level
from prompts.registry import load

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
class Contested:
    """A contradiction with its two sides: ``held`` was there when ``new`` came."""

    conflict: Conflict
    held: MemoryItem
    new: MemoryItem

    @property
    def touches_constraint(self) -> bool:
        """An allergy is no matter of being outvoted: only the person settles it."""
        return "constraint" in (self.held.memory_type, self.new.memory_type)


def by_rules(contested: Contested) -> Planned | None:
    """Who wins by provenance, or by being newer; None where neither tells."""
    sides = (contested.held, contested.new)
    low, high = sorted(sides, key=lambda item: RANK[provenance_level(item)])
    if provenance_level(low) != provenance_level(high):
        return _discard(contested, high, "better founded")
    older, newer = sorted(sides, key=lambda item: item.observed_at)
    if days_between(older.observed_at, newer.observed_at) >= NEWER_DAYS:
        return _discard(contested, newer, "as well founded, and newer")
    return None


async def by_model(model: ChatModel, contested: Contested) -> Planned | None:
    """What a model finds; None when it cannot tell either. Raises ``ModelError``."""
    sides = (contested.held, contested.new)
    ruling = await ruled(model, _line(sides[0]), _line(sides[1]))
    resolution = _RESOLUTIONS.get(ruling.finding)
    if resolution is None:
        return None
    items = (sides[1], sides[0]) if ruling.finding == "second" else sides
    return _settled(
        contested, Settlement(resolution=resolution, winner=_winner(resolution, items)), items, ruling.reason
    )


async def ruled(model: ChatModel, first: str, second: str) -> Ruling:
    """What a model thinks of two statements, each with its day. Raises ``ModelError``."""
    prompt = SystemMessage(load("resolve_conflict").render(memories=f"[first] {first}\n[second] {second}"))
    return await model.fill(Ruling, [prompt, HumanMessage("Which of them holds?")])


def _winner(resolution: Resolution, items: tuple[MemoryItem, MemoryItem]) -> UUID | None:
    return items[0].memory_id if resolution == "discard" else None


def _discard(contested: Contested, winner: MemoryItem, why: str) -> Planned:
    loser = contested.new if winner is contested.held else contested.held
    settlement = Settlement(resolution="discard", winner=winner.memory_id)
    return _settled(contested, settlement, (winner, loser), why)


def _settled(contested: Contested, settlement: Settlement, items: tuple[MemoryItem, MemoryItem], why: str) -> Planned:
    settling = Settling(conflict_id=contested.conflict.conflict_id, settlement=settlement)
    return Planned(Verdict(settling, why), items)


def _line(item: MemoryItem) -> str:
    text = " ".join(clip(clean(item.content).text, READ_TOKENS).split())
    return f"({item.observed_at:%Y-%m-%d}) {text}"
