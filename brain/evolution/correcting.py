"""What a person takes back, by rules alone: it is written before anybody is asked."""

from collections.abc import Sequence
from dataclasses import replace

from brain.evolution.analysis_rules import CORRECTS, by_rules, spoken
from brain.evolution.gating import gated
from brain.evolution.knowing import corrects, known_of
from brain.evolution.normalizing import normalized
from brain.evolution.reconciling import reconciled
from brain.evolution.state import Candidate, EvolutionState, Evolving, Known, Said
from memory.contracts import MemoryItem
from memory.rules import extract, object_key

RECENT = 500
"""Memories among which the one that a bare correction means is looked for."""
_SURE = 0.9


async def corrections(evolving: Evolving, state: EvolutionState) -> list[Candidate]:
    """Candidates of the turns that take something back, ready to be written."""
    turns = [turn for turn in state.said if corrects(turn)]
    meant = await _meant(evolving, turns)
    found = [each for each in by_rules(turns, meant) if each["replaces"] or each["confidence"] >= _SURE]
    normal = normalized(found, state.said)
    news, _ = reconciled(replace(state, candidates=normal, known=[*state.known, *meant]))
    return gated(news, state.said)[0]


async def _meant(evolving: Evolving, turns: Sequence[Said]) -> list[Known]:
    """The memories that bare corrections («not X but Y») can mean: those that hold X, or held it until Y came."""
    pairs = {
        (object_key(each.correction.old), object_key(each.object))
        for turn in turns
        for each in extract(spoken(turn))
        if each.predicate == CORRECTS and each.correction
    }
    if not pairs:
        return []
    scope, items = evolving.scope, evolving.resources.memory.items
    recent = await items.newest(scope, include_inactive=True, limit=RECENT)
    own = [item for item in recent if item.user_id == scope.user_id]
    return [known_of(item) for item in own if any(_held(item, pair, own) for pair in pairs)]


def _held(item: MemoryItem, pair: tuple[str, str], items: Sequence[MemoryItem]) -> bool:
    wrong, right = pair
    if object_key(item.object) != wrong:
        return False
    successor = next((each for each in items if each.memory_id == item.superseded_by), None)
    return item.status == "active" or (successor is not None and object_key(successor.object) == right)
