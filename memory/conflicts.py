"""Contradictions that wait for a decision: both sides live on until somebody settles them."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from memory.errors import BrainError, bad_request
from memory.memory_item import Author, Change, MemoryItem
from memory.paging import Cursor
from memory.provenance import RANK, events_of, provenance_level
from memory.revision import supersede_item
from memory.scope import Scope

ConflictKind = Literal["contradiction", "outdated", "inconsistent", "duplicate"]
ConflictStatus = Literal["open", "kept", "merged", "discarded"]
Resolution = Literal["keep", "merge", "discard"]

STATUS_BY_RESOLUTION: dict[Resolution, ConflictStatus] = {"keep": "kept", "merge": "merged", "discard": "discarded"}


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """``held_id`` was remembered when ``new_id`` came and did not outweigh it."""

    conflict_id: UUID
    kind: ConflictKind
    status: ConflictStatus
    held_id: UUID
    new_id: UUID
    opened_at: datetime
    opened_by: str
    settled_at: datetime | None = None
    settled_by: str | None = None


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """``keep``: both are true after all. ``merge``: they say the same, and one rests on the evidence of both.

    ``discard``: only one is true. The ``winner`` is the one with the higher provenance, then the newer, unless named.
    """

    resolution: Resolution
    winner: UUID | None = None


class Conflicts(Protocol):
    """Contradictions among one person's memories."""

    async def list_conflicts(
        self, scope: Scope, *, include_settled: bool = False, limit: int = 100, after: Cursor | None = None
    ) -> list[Conflict]:
        """Oldest first: those behind ``after``, by the time they opened and their id.

        One whose memory has ended meanwhile is settled by that.
        """
        ...

    async def resolve(self, scope: Scope, conflict_id: UUID, settlement: Settlement, author: Author) -> ConflictStatus:
        """Settle an open one. The memory that does not win is superseded by the one that does; both keep their history.

        One that the same author settled just so changes nothing. Raises ``E_NOT_FOUND`` for one that is unknown or
        settled otherwise, ``E_BAD_REQUEST`` for a foreign winner.
        """
        ...


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


def repeat_settlement(
    conflict: Conflict, pair: tuple[MemoryItem, MemoryItem], settlement: Settlement, operator: str
) -> ConflictStatus:
    """The status that this settlement gave it before. Raises ``E_NOT_FOUND`` when it was settled otherwise."""
    status = STATUS_BY_RESOLUTION[settlement.resolution]
    has_won = any(item.superseded_by == settlement.winner for item in pair)
    is_won_so = status == "kept" or settlement.winner is None or has_won
    if (conflict.status, conflict.settled_by) != (status, operator) or not is_won_so:
        raise unknown_conflict()
    return status


def unknown_conflict() -> BrainError:
    """The same answer for an id that never existed, for somebody else's and for one that is settled otherwise."""
    return BrainError("E_NOT_FOUND", "There is no such open conflict.", "List the conflicts of this person again.")


def prefer_item(one: MemoryItem, other: MemoryItem) -> MemoryItem:
    """Of two that contradict each other: the one with the higher provenance, then the newer."""
    return max(one, other, key=lambda item: (RANK[provenance_level(item)], item.observed_at, item.memory_id))


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
