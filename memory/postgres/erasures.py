"""Erasures on PostgreSQL: a tombstone closes a person's rows, and functions of the owner delete them in batches."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from memory.documents.cleansing import ForgottenMemory
from memory.erasure import (
    ErasedRows,
    ErasedThread,
    ErasureAlert,
    ErasureRequest,
    LegalHold,
    LegalProfile,
    Residue,
    Tombstone,
    TombstoneState,
    TombstoneStep,
)
from memory.errors import BrainError
from memory.memory_item import Author
from memory.postgres.database import Database, tenant_scope
from memory.postgres.database_session import Transaction
from memory.postgres.document_changes import rewrite_without
from memory.scope import Scope

REASON = "a speaker of this group was erased"
_SYNCHRONOUS: tuple[TombstoneState, ...] = ("verified", "tombstoned", "queued")
"""The states that a request goes through before it is answered."""


@dataclass(frozen=True)
class _Done:
    done: str


@dataclass(frozen=True)
class _Count:
    erased: int


@dataclass(frozen=True)
class _Flag:
    erased: bool


@dataclass(frozen=True)
class _Group:
    scope: str


@dataclass(frozen=True)
class _SaidMemory:
    memory_id: UUID
    words: str


@dataclass(frozen=True)
class _SaidEvent:
    event_id: UUID


@dataclass(frozen=True)
class _Consumed:
    idempotency_key: str


@dataclass(frozen=True)
class _Installation:
    installation_id: UUID


@dataclass(frozen=True)
class _KnownTombstone:
    tombstone_id: UUID
    listed: bool


@dataclass(frozen=True)
class PostgresErasures:
    """The promises are those of the port."""

    database: Database

    async def request(self, asked: ErasureRequest) -> Tombstone:
        params = _request_params(asked)
        async with self.database.transaction(tenant_scope(asked.tenant_id)) as session:
            await session.fetch("close_person", params, _Done)
            held = session.ask("hold_on_person", params, LegalHold)
            known = await session.fetch_one("open_tombstone", params, Tombstone)
            if held.rows:
                raise BrainError(
                    "E_CONFLICT",
                    "This person may not be erased: a legal hold is placed on them.",
                    "A tenant's administrator can lift it.",
                )
            if known is not None:
                return known
            session.execute("insert_tombstone", params)
            for state in _SYNCHRONOUS:
                session.execute("enter_state", params | {"state": state, "failure": None})
            session.execute("hide_in_groups", params)
            session.execute("enqueue_erasure", params)
            (made,) = await session.fetch("tombstone_by_id", params, Tombstone)
        return made

    async def find(self, tenant_id: UUID, tombstone_id: UUID) -> Tombstone | None:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            params = {"tenant_id": tenant_id, "tombstone_id": tombstone_id}
            return await session.fetch_one("tombstone_by_id", params, Tombstone)

    async def list_of(self, tenant_id: UUID, person_hash: str | None = None, limit: int = 100) -> Sequence[Tombstone]:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            params = {"tenant_id": tenant_id, "person_hash": person_hash, "limit": limit}
            return await session.fetch("tombstones_of_tenant", params, Tombstone)

    async def list_steps(self, tenant_id: UUID, tombstone_id: UUID) -> Sequence[TombstoneStep]:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            params = {"tenant_id": tenant_id, "tombstone_id": tombstone_id}
            return await session.fetch("tombstone_steps", params, TombstoneStep)

    async def advance(self, tombstone: Tombstone, state: TombstoneState, failure: str | None = None) -> None:
        async with self.database.transaction(tenant_scope(tombstone.tenant_id)) as session:
            session.execute("enter_state", _params(tombstone) | {"state": state, "failure": failure})

    async def list_threads(self, tombstone: Tombstone) -> Sequence[ErasedThread]:
        async with self.database.scope_session(tenant_scope(tombstone.tenant_id)) as session:
            return await session.fetch("threads_of_erased", _params(tombstone), ErasedThread)

    async def erase_thread(self, tombstone: Tombstone, thread: ErasedThread) -> int:
        return await self._count(tombstone, "erase_thread", "threads", asdict(thread))

    async def rewrite_group_documents(self, tombstone: Tombstone, at: datetime) -> int:
        tenant = tenant_scope(tombstone.tenant_id)
        async with self.database.scope_session(tenant) as session:
            groups = await session.fetch("groups_of_person", _params(tombstone), _Group)
        sought = 0
        for group in groups:
            async with self.database.transaction(replace(tenant, key=group.scope)) as session:
                sought += await _rewrite_group(session, replace(tenant, key=group.scope), tombstone, at)
        async with self.database.transaction(tenant) as session:
            await session.fetch("return_documents", _params(tombstone), _Done)
        return sought

    async def untie(self, tombstone: Tombstone) -> int:
        return await self._count(tombstone, "untie_erased", "ties", {})

    async def erase_rows(self, tombstone: Tombstone, most: int) -> ErasedRows | None:
        async with self.database.transaction(tenant_scope(tombstone.tenant_id)) as session:
            params = _params(tombstone)
            gone = await session.fetch_one("erase_rows", params | {"most": most}, ErasedRows)
            if gone is not None:
                session.execute("count_erased", params | asdict(gone))
        return gone

    async def erase_soul_traces(self, tombstone: Tombstone) -> int:
        return await self._count(tombstone, "erase_soul_traces", "soul_acts", {})

    async def erase_name(self, tombstone: Tombstone) -> Sequence[ErasedRows]:
        async with self.database.transaction(tenant_scope(tombstone.tenant_id)) as session:
            params = _params(tombstone)
            gone = await session.fetch("erase_name", params, ErasedRows)
            for each in gone:
                session.execute("count_erased", params | asdict(each))
        return gone

    async def find_residue(self, tombstone: Tombstone) -> Sequence[Residue]:
        async with self.database.scope_session(tenant_scope(tombstone.tenant_id)) as session:
            return await session.fetch("residue_of_person", _params(tombstone), Residue)

    async def complete(self, tombstone: Tombstone, certificate: Mapping[str, Any], runs_end: float) -> bool:
        params = _params(tombstone) | {"certificate": Jsonb(dict(certificate)), "runs_end": runs_end}
        event = {"key": f"erasure:{tombstone.person_hash}:{tombstone.tombstone_id}"}
        async with self.database.transaction(tenant_scope(tombstone.tenant_id)) as session:
            if not await session.fetch("consume_event", params | event, _Consumed):
                return False
            await session.fetch("complete_erasure", params, _Done)
        return True

    async def find_request(self, tombstone: Tombstone) -> ErasureRequest | None:
        async with self.database.scope_session(tenant_scope(tombstone.tenant_id)) as session:
            return await session.fetch_one("erasure_request", _params(tombstone), ErasureRequest)

    async def installation_id(self) -> UUID:
        async with self.database.anonymous_session() as session:
            (found,) = await session.fetch("installation", {}, _Installation)
        return found.installation_id

    async def list_known(self) -> Mapping[UUID, bool]:
        async with self.database.anonymous_session() as session:
            rows = await session.fetch("known_tombstones", {}, _KnownTombstone)
        return {row.tombstone_id: row.listed for row in rows}

    async def note_listed(self, tenant_id: UUID, tombstone_id: UUID) -> None:
        async with self.database.transaction(tenant_scope(tenant_id)) as session:
            session.execute("note_listed", {"tenant_id": tenant_id, "tombstone_id": tombstone_id})

    async def alerts(self, at: datetime) -> Sequence[ErasureAlert]:
        async with self.database.anonymous_session() as session:
            return await session.fetch("erasure_alerts", {"at": at}, ErasureAlert)

    async def is_erased_thread(self, tenant_id: UUID, thread_id: str) -> bool:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            params = {"tenant_id": tenant_id, "thread_id": thread_id}
            (found,) = await session.fetch("is_erased_thread", params, _Flag)
        return found.erased

    async def profile(self, tenant_id: UUID, name: str = "default") -> LegalProfile | None:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            found = await session.fetch_one("legal_profile", {"tenant_id": tenant_id, "name": name}, LegalProfile)
        return found or (LegalProfile() if name == LegalProfile().name else None)

    async def save_profile(self, tenant_id: UUID, profile: LegalProfile) -> None:
        async with self.database.transaction(tenant_scope(tenant_id)) as session:
            session.execute("save_legal_profile", {"tenant_id": tenant_id} | asdict(profile))

    async def is_held(self, tenant_id: UUID, user_id: UUID) -> bool:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            params = {"tenant_id": tenant_id, "user_id": user_id, "scope": None}
            return bool(await session.fetch("hold_on_person", params, LegalHold))

    async def place_hold(self, hold: LegalHold) -> None:
        async with self.database.transaction(tenant_scope(hold.tenant_id)) as session:
            session.execute("place_hold", asdict(hold))

    async def lift_hold(self, tenant_id: UUID, hold_id: UUID, by: str, at: datetime) -> LegalHold | None:
        async with self.database.transaction(tenant_scope(tenant_id)) as session:
            params = {"tenant_id": tenant_id, "hold_id": hold_id, "by": by, "at": at}
            return await session.fetch_one("lift_hold", params, LegalHold)

    async def list_holds(self, tenant_id: UUID) -> Sequence[LegalHold]:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch("holds_of_tenant", {"tenant_id": tenant_id}, LegalHold)

    async def _count(self, tombstone: Tombstone, statement: str, kind: str, told: dict[str, object]) -> int:
        async with self.database.transaction(tenant_scope(tombstone.tenant_id)) as session:
            params = _params(tombstone) | told
            (gone,) = await session.fetch(statement, params, _Count)
            session.execute("count_erased", params | {"kind": kind, "erased": gone.erased})
        return gone.erased


async def _rewrite_group(session: Transaction, group: Scope, tombstone: Tombstone, at: datetime) -> int:
    """One group's documents without the lines and entries that were made of the person's memories and turns."""
    session.execute("act_under_tombstone", {"tombstone_id": str(tombstone.tombstone_id)})
    person = {"tenant_id": group.tenant_id, "scope": group.key, "person": tombstone.user_id}
    events = session.ask("events_of_person", person, _SaidEvent)
    memories = await session.fetch("memories_of_person", person, _SaidMemory)
    said = tuple(each.event_id for each in events.rows)
    gone = [ForgottenMemory(memory_id=each.memory_id, words=each.words, events=said) for each in memories]
    if not gone and said:
        gone = [ForgottenMemory(memory_id=tombstone.tombstone_id, words="", events=said)]
    trace = f"erasure:{tombstone.tombstone_id}"
    author = Author(operator="erasure", reason=REASON, idempotency_key=trace, at=at, trace_id=trace)
    await rewrite_without(session, group, gone, author)
    return len(gone)


def _params(tombstone: Tombstone) -> dict[str, object]:
    return {"tenant_id": tombstone.tenant_id, "tombstone_id": tombstone.tombstone_id}


def _request_params(asked: ErasureRequest) -> dict[str, object]:
    profile = asked.profile
    told: dict[str, object] = {name: value for name, value in vars(asked).items() if name != "profile"}
    return told | {
        "profile": profile.name,
        "warn_at": profile.alert_at(asked.requested_at, profile.warn_percent),
        "critical_at": profile.alert_at(asked.requested_at, profile.critical_percent),
        "due_at": profile.due_at(asked.requested_at),
    }
