"""What settling a contradiction changes: pure, the same for every store."""

from dataclasses import dataclass, replace
from datetime import datetime

from memory.conflicts import Settlement
from memory.contracts import Change, MemoryItem
from memory.errors import BrainError, bad_request
from memory.revision import RANK, events_of, provenance_level, supersede_item
from memory.write_decision import prefer_item


@dataclass(frozen=True)
class SettlementChanges:
    """New versions with what made them; ``inherits`` are a winner and the memory whose evidence it takes over."""

    changes: tuple[tuple[MemoryItem, Change], ...] = ()
    inherits: tuple[MemoryItem, MemoryItem] | None = None


def settle(pair: tuple[MemoryItem, MemoryItem], settlement: Settlement, at: datetime) -> SettlementChanges:
    """The next versions of two memories that contradict each other. Raises ``E_BAD_REQUEST`` for a foreign winner."""
    if settlement.resolution == "keep":
        return SettlementChanges()
    winner, loser = _winner_and_loser(pair, settlement)
    over = supersede_item(loser, winner.memory_id, at, at)
    if settlement.resolution == "discard":
        return SettlementChanges(changes=((over, "supersede"),))
    whole = _merge_pair(winner, loser, at)
    return SettlementChanges(changes=((whole, "merge"), (over, "supersede")), inherits=(whole, loser))


def unknown_conflict() -> BrainError:
    """The same answer for an id that never existed, for somebody else's and for one that is settled."""
    return BrainError("E_NOT_FOUND", "There is no such open conflict.", "List the conflicts of this person again.")


def _winner_and_loser(pair: tuple[MemoryItem, MemoryItem], settlement: Settlement) -> tuple[MemoryItem, MemoryItem]:
    winner = next((item for item in pair if item.memory_id == settlement.winner), None)
    if settlement.winner is not None and winner is None:
        raise bad_request("This memory is not part of the conflict.", "Name one of the two that contradict each other.")
    winner = winner or prefer_item(*pair)
    return winner, next(item for item in pair if item.memory_id != winner.memory_id)


def _merge_pair(winner: MemoryItem, loser: MemoryItem, at: datetime) -> MemoryItem:
    level = max(provenance_level(winner), provenance_level(loser), key=RANK.__getitem__)
    events = list(dict.fromkeys((*events_of(winner), *events_of(loser))))
    return replace(
        winner,
        version=winner.version + 1,
        updated_at=at,
        confidence=max(winner.confidence, loser.confidence),
        provenance={**winner.provenance, "level": level, "events": events},
        source_sessions=tuple(dict.fromkeys((*winner.source_sessions, *loser.source_sessions))),
    )
