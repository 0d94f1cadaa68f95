"""SOUL on PostgreSQL: every act is one transaction that holds the tenant's SOUL, so that acts follow one another."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from psycopg.types.json import Jsonb

from memory.errors import BrainError
from memory.postgres.database import Database, tenant_scope
from memory.postgres.soul_transaction import (
    LockTaken,
    NewVersion,
    VersionNumber,
    get_version,
    read_standing,
    soul_transaction,
)
from memory.soul import SoulActor, SoulDraft, SoulEvaluation, SoulFigures, SoulStanding, SoulVersion
from memory.soul_acts import require_applicable, require_unpaused


@dataclass(frozen=True)
class _Name:
    name: str


@dataclass(frozen=True)
class _Watched:
    tenant_id: UUID


@dataclass(frozen=True)
class PostgresSouls:
    """The promises are those of the port."""

    database: Database

    async def active(self, tenant_id: UUID) -> SoulVersion | None:
        params = {"tenant_id": tenant_id, "version": None, "statuses": ["active"], "limit": 1}
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch_one("soul_versions", params, SoulVersion)

    async def get(self, tenant_id: UUID, version: int) -> SoulVersion:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await get_version(session, tenant_id, version)

    async def list_newest(self, tenant_id: UUID, limit: int = 50) -> Sequence[SoulVersion]:
        params = {"tenant_id": tenant_id, "version": None, "statuses": None, "limit": limit}
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch("soul_versions", params, SoulVersion)

    async def standing(self, tenant_id: UUID) -> SoulStanding:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await read_standing(session, tenant_id)

    async def propose(self, actor: SoulActor, draft: SoulDraft) -> SoulVersion:
        async with soul_transaction(self.database, actor) as act:
            known = await act.done_before("propose")
            if known is not None:
                return known
            require_unpaused(act.standing)
            await act.require_few(draft.most_a_day)
            version = await act.insert(NewVersion(status="proposed", origin="proposal", text=draft.text))
            act.note("propose", version, draft, keyed=True)
            return await act.get(version)

    async def record_evaluation(self, tenant_id: UUID, version: int, evaluation: SoulEvaluation) -> SoulVersion:
        told = asdict(evaluation) | {"report": Jsonb(dict(evaluation.report))}
        async with self.database.transaction(tenant_scope(tenant_id)) as session:
            await session.fetch("hold_soul", {"tenant_id": tenant_id}, LockTaken)
            session.execute("evaluate_soul", {"tenant_id": tenant_id, "version": version} | told)
            session.execute("drop_soul_evidence", {"tenant_id": tenant_id})
            return await get_version(session, tenant_id, version)

    async def apply(self, actor: SoulActor, version: int) -> SoulVersion:
        async with soul_transaction(self.database, actor) as act:
            proposal = await act.get(version)
            if proposal.status == "active":
                return proposal
            require_applicable(proposal, act.standing)
            act.end(act.active.version, "superseded")
            act.activate(version)
            act.note("apply", version)
            return await act.get(version)

    async def veto(self, actor: SoulActor, version: int) -> SoulVersion:
        async with soul_transaction(self.database, actor) as act:
            found = await act.get(version)
            if found.status in ("vetoed", "rolled_back"):
                return found
            before = await act.find_before(found) if found.status == "active" else None
            act.end(version, "vetoed", "person")
            act.note("veto", version)
            if before is not None:
                await act.restore(before)
            return await act.get(version)

    async def rollback(
        self, actor: SoulActor, to: int | None = None, *, unless_changed: int | None = None
    ) -> SoulVersion:
        async with soul_transaction(self.database, actor) as act:
            known = await act.done_before("rollback")
            if known is not None:
                return known
            active = act.active
            if unless_changed not in (None, active.version):
                raise BrainError("E_CONFLICT", f"Version {unless_changed} of SOUL is not active any more.")
            if to == active.version:
                return active
            target = await act.find_before(active) if to is None else await act.find_earlier(to)
            act.end(active.version, "rolled_back", "person" if unless_changed is None else "watch")
            return await act.restore(target, keyed=True)

    async def set_paused(self, actor: SoulActor, *, paused: bool) -> SoulStanding:
        async with soul_transaction(self.database, actor) as act:
            if paused != (act.standing.paused_at is not None):
                act.pause(paused=paused)
                act.note("pause" if paused else "resume", act.active.version)
            return await read_standing(act.session, act.tenant_id)

    async def import_first(self, actor: SoulActor, text: str) -> SoulVersion:
        async with soul_transaction(self.database, actor) as act:
            if act.active.origin == "import" and act.active.text == text:
                return act.active
            if await act.session.fetch("changed_souls", {"tenant_id": act.tenant_id}, VersionNumber):
                raise BrainError(
                    "E_CONFLICT", "This tenant's SOUL was changed already.", "From now on it changes by proposals."
                )
            require_unpaused(act.standing)
            act.end(act.active.version, "superseded")
            version = await act.insert(NewVersion(status="active", origin="import", text=text))
            act.end_overtaken(version)
            act.note("import", version)
            return await act.get(version)

    async def find_names(self, tenant_id: UUID, text: str) -> Sequence[str]:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            rows = await session.fetch("names_in_text", {"tenant_id": tenant_id, "text": text}, _Name)
        return [row.name for row in rows]

    async def list_watched(self) -> Sequence[UUID]:
        async with self.database.anonymous_session() as session:
            return [row.tenant_id for row in await session.fetch("watched_souls", {}, _Watched)]

    async def figures(self, tenant_id: UUID) -> Sequence[SoulFigures]:
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            return await session.fetch("soul_figures", {"tenant_id": tenant_id}, SoulFigures)

    async def note_look(self, tenant_id: UUID, version: int, replies: int, *, goes_on: bool) -> None:
        params = {"tenant_id": tenant_id, "version": version, "replies": replies, "goes_on": goes_on}
        async with self.database.scope_session(tenant_scope(tenant_id)) as session:
            session.execute("note_soul_look", params)
