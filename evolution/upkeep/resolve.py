"""Settle contradictions when there are many.

Higher provenance wins, then the newer; what rules cannot tell, a model may.
"""

from collections.abc import Mapping
from typing import Literal
from uuid import UUID

from langgraph.runtime import Runtime
from pydantic import BaseModel, Field

from brain.job_context import JobContext
from brain.models.errors import ModelError
from brain.models.port import ChatModel
from brain.prompting.tokens import clip
from brain.safety.sanitizer import sanitize_text
from brain.state import Update
from evolution.conflict_sides import ConflictSides, fetch_conflict_sides
from evolution.upkeep.apply import apply_changes
from evolution.upkeep.state import UpkeepState
from evolution.upkeep.verdict import ConflictSettlement, PlannedChange, UpkeepVerdict, days_between
from language.exclusion import find_exclusion
from memory.conflicts import Resolution, Settlement
from memory.memory_item import MemoryItem
from memory.provenance import RANK, provenance_level
from prompts.registry import load_prompt

NEWER_DAYS = 1.0
"""What was said on one day may be a slip; from a day apart, the later word is a change of mind."""
READ_TOKENS = 200

Finding = Literal["both", "same", "first", "second", "unclear"]
_RESOLUTIONS: Mapping[Finding, Resolution] = {"both": "keep", "same": "merge", "first": "discard", "second": "discard"}
MAX_CONFLICTS = 1_000
"""Open contradictions that one run looks at."""
MAX_ASKED = 20
"""Contradictions about which a model is asked in one run."""


class Ruling(BaseModel):
    """What a model thinks of two statements; the reason comes before the finding."""

    reason: str = Field(description="What each claims, and whether both can be true.")
    finding: Finding


async def resolve(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Rules first, then the model for what they cannot tell; what nobody can tell stays open for the person."""
    if "resolve" not in state.steps:
        return {}
    context = runtime.context
    found = await fetch_conflict_sides(context.resources.memory, context.scope, limit=MAX_CONFLICTS)
    contested = [each for each in found if not each.needs_person]
    told = {each.conflict.conflict_id: resolve_by_rules(each) for each in contested}
    unclear = [each for each in contested if told[each.conflict.conflict_id] is None]
    asked, alarms = await _ask_model(context, unclear[:MAX_ASKED])
    planned = [each for each in (*told.values(), *asked) if each is not None]
    update = await apply_changes(state, runtime, "resolve", planned)
    return {**update, "alarms": [*alarms, *update.get("alarms", [])]}


async def _ask_model(context: JobContext, unclear: list[ConflictSides]) -> tuple[list[PlannedChange | None], list[str]]:
    """The first failure ends the asking: what is left waits for the next run."""
    model = context.resources.models.fast
    if model is None:
        return [], []
    answered: list[PlannedChange | None] = []
    for each in unclear:
        try:
            answered.append(await resolve_with_model(model, each))
        except ModelError:
            return answered, [f"{len(unclear) - len(answered)} contradictions wait: the model failed"]
    return answered, []


def resolve_by_rules(contested: ConflictSides) -> PlannedChange | None:
    """Who wins by provenance, or by being newer; None where neither tells, or where it is a guess that one is over."""
    if _is_guess(contested):
        return None
    sides = (contested.held, contested.new)
    low, high = sorted(sides, key=lambda item: RANK[provenance_level(item)])
    if provenance_level(low) != provenance_level(high):
        return _discard_loser(contested, high, "better founded")
    older, newer = sorted(sides, key=lambda item: item.observed_at)
    if days_between(older.observed_at, newer.observed_at) >= NEWER_DAYS:
        return _discard_loser(contested, newer, "as well founded, and newer")
    return None


def _is_guess(contested: ConflictSides) -> bool:
    """Whether nothing but likeness says that the older of two sentences is over."""
    why = find_exclusion(contested.held.content, contested.new.content)
    return why is not None and why.grounds == "likely"


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
    return await model.fill(Ruling, load_prompt("resolve_conflict").ask(memories=f"[first] {first}\n[second] {second}"))


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
