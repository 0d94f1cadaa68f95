"""One act on a tenant's SOUL: a transaction in which nobody else changes it, with version 0 where there was none."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID, uuid5

from memory.errors import BrainError, bad_request
from memory.postgres.database import Database, scope_params
from memory.postgres.database_session import DatabaseSession, Transaction
from memory.soul import SoulActor, SoulDraft, SoulEnd, SoulOrigin, SoulStanding, SoulStatus, SoulVersion
from memory.soul_acts import version_before

_DAY = timedelta(days=1)
_PENDING = 1_000
_EVERY_VERSION = 1_000_000


@dataclass(frozen=True)
class LockTaken:
    """What ``hold_soul`` answers."""

    done: str


@dataclass(frozen=True)
class VersionNumber:
    """A row that names a version."""

    version: int


@dataclass(frozen=True)
class _Paused:
    paused_at: datetime


@dataclass(frozen=True)
class _Proposals:
    proposals: int


@dataclass(frozen=True, kw_only=True)
class NewVersion:
    """What is written as the next version."""

    status: SoulStatus
    origin: SoulOrigin
    text: str
    restores: int | None = None


@dataclass(frozen=True, kw_only=True)
class SoulTransaction:
    """How SOUL stood when the act began, and what is written of the act."""

    session: Transaction
    actor: SoulActor
    standing: SoulStanding

    @property
    def tenant_id(self) -> UUID:
        """Whose SOUL it is."""
        return self.actor.scope.tenant_id

    @property
    def active(self) -> SoulVersion:
        """The version in force when the act began."""
        assert self.standing.active is not None
        return self.standing.active

    async def get(self, version: int) -> SoulVersion:
        """A version as the act left it so far."""
        return await get_version(self.session, self.tenant_id, version)

    async def done_before(self, act: str) -> SoulVersion | None:
        """What came of the same act under the same key."""
        key = self.actor.key_of(act)
        if key is None:
            return None
        params = {"tenant_id": self.tenant_id, "key_sha256": key}
        done = await self.session.fetch_one("soul_act_by_key", params, VersionNumber)
        return await self.get(done.version) if done else None

    async def require_few(self, most: int) -> None:
        """Raises ``E_BAD_REQUEST`` beyond a person's proposals of a day."""
        params = self._params() | {"since": self.actor.at - _DAY}
        (made,) = await self.session.fetch("soul_proposals_since", params, _Proposals)
        if made.proposals >= most:
            raise bad_request(
                f"You have made {made.proposals} proposals within a day.", f"At most {most} are taken within a day."
            )

    async def find_before(self, version: SoulVersion) -> SoulVersion:
        """The version that was in force before this one and may still be. Raises ``E_CONFLICT`` without any."""
        params = {"tenant_id": self.tenant_id, "version": None, "statuses": None, "limit": _EVERY_VERSION}
        known = {each.version: each for each in await self.session.fetch("soul_versions", params, SoulVersion)}
        found = version_before(version, known)
        if found is None:
            raise BrainError("E_CONFLICT", f"Nothing was in force before version {version.version} of SOUL.")
        return found

    async def find_earlier(self, version: int) -> SoulVersion:
        """A version that was in force once. Raises ``E_CONFLICT`` for one that was not, or was vetoed."""
        found = await self.get(version)
        if found.status not in ("superseded", "rolled_back"):
            raise BrainError("E_CONFLICT", f"Version {version} of SOUL is {found.status}; it cannot come back.")
        return found

    async def insert(self, new: NewVersion) -> int:
        """Write the next version; its number."""
        told = vars(new) | {"sha256": _digest(new.text), "parent": self.active.version}
        (made,) = await self.session.fetch("insert_soul_version", self._params() | told, VersionNumber)
        return made.version

    async def restore(self, target: SoulVersion, *, keyed: bool = False) -> SoulVersion:
        """Put the text of an earlier version in force, as a new one."""
        back = NewVersion(status="active", origin="rollback", text=target.text, restores=target.version)
        version = await self.insert(back)
        self.end_overtaken(version)
        self.note("rollback", version, keyed=keyed)
        return await self.get(version)

    def end(self, version: int, status: SoulStatus, reason: SoulEnd = "") -> None:
        """What a version becomes."""
        params = self._params() | {"version": version, "status": status, "reason": reason}
        self.session.execute("end_soul", params)

    def activate(self, version: int) -> None:
        """Put a proposal in force."""
        self.session.execute("activate_soul", self._params() | {"version": version})
        self.end_overtaken(version)

    def end_overtaken(self, version: int) -> None:
        """End the proposals that were made of a text which is no more."""
        self.session.execute("end_overtaken_souls", self._params() | {"version": version})

    def pause(self, *, paused: bool) -> None:
        """Pause changes, or resume them."""
        self.session.execute("pause_soul" if paused else "resume_soul", self._params())

    def note(self, act: str, version: int, draft: SoulDraft | None = None, *, keyed: bool = False) -> None:
        """Who did it, beside the versions and in the audit. What is decided by it needs no evidence any more."""
        params = self._params() | {"version": version, "act": act}
        told = {
            "intent": draft.intent if draft else "",
            "evidence": draft.evidence if draft else None,
            "key_sha256": self.actor.key_of(act) if keyed else None,
        }
        self.session.execute("insert_soul_act", params | told)
        self.session.execute("drop_soul_evidence", params)
        audit: dict[str, object] = {
            "action": f"soul_{act}",
            "source_id": None,
            "memory_id": uuid5(self.tenant_id, f"soul {version}"),
            "reason": f"version {version} of SOUL",
            "operator": self.actor.name,
            "trace_id": self.actor.trace_id,
        }
        self.session.execute("insert_audit", params | audit)

    def _params(self) -> dict[str, object]:
        return scope_params(self.actor.scope) | {"at": self.actor.at}


@asynccontextmanager
async def soul_transaction(database: Database, actor: SoulActor) -> AsyncGenerator[SoulTransaction]:
    """Hold the tenant's SOUL to the end of the transaction."""
    params = scope_params(actor.scope) | {"at": actor.at}
    first = {"first_text": actor.first_text, "first_sha256": _digest(actor.first_text)}
    async with database.transaction(actor.scope) as session:
        await session.fetch("hold_soul", params, LockTaken)
        session.execute("bootstrap_soul", params | first)
        standing = await read_standing(session, actor.scope.tenant_id)
        yield SoulTransaction(session=session, actor=actor, standing=standing)


async def read_standing(session: DatabaseSession, tenant_id: UUID) -> SoulStanding:
    """Where a tenant's SOUL stands. One round trip."""
    common = {"tenant_id": tenant_id, "version": None}
    active = session.ask("soul_versions", common | {"statuses": ["active"], "limit": 1}, SoulVersion)
    pending = session.ask("soul_versions", common | {"statuses": ["proposed"], "limit": _PENDING}, SoulVersion)
    paused = await session.fetch_one("soul_pause", {"tenant_id": tenant_id}, _Paused)
    return SoulStanding(
        active=active.rows[0] if active.rows else None,
        pending=pending.rows[::-1],
        paused_at=paused.paused_at if paused else None,
    )


async def get_version(session: DatabaseSession, tenant_id: UUID, version: int) -> SoulVersion:
    """One version. Raises ``E_NOT_FOUND``."""
    params = {"tenant_id": tenant_id, "version": version, "statuses": None, "limit": 1}
    found = await session.fetch_one("soul_versions", params, SoulVersion)
    if found is None:
        raise BrainError(
            "E_NOT_FOUND", f"SOUL has no version {version}.", "The list of versions tells which there are."
        )
    return found


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
