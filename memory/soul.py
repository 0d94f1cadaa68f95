"""The port of SOUL: how the agent is in one organisation, version by version."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, Protocol
from uuid import UUID

from memory.safety_contracts import ContractDocument
from memory.scope import Scope

SoulStatus = Literal["proposed", "active", "superseded", "rolled_back", "vetoed"]
SoulOrigin = Literal["bootstrap", "import", "proposal", "rollback"]
SoulEnd = Literal["", "evaluation", "overtaken", "person", "watch", "erased"]
"""Why a version is not active any more, or never was: refused by evaluation, overtaken by another one, ended by a
person, rolled back because replies were taken worse, or gone with the person who proposed it."""

MAX_DAILY_PROPOSALS = 20
"""Proposals of one person within a day."""


@dataclass(frozen=True, kw_only=True)
class SoulVersion:
    """One version of a tenant's SOUL. ``parent`` was active when it was made; ``restores`` says whose text came back.

    ``evaluation`` is the report of its checks. Who proposed and decided is None for what nobody did, or somebody who
    was erased. ``evidence`` is kept until it is decided.
    """

    version: int
    status: SoulStatus
    origin: SoulOrigin
    text: str
    sha256: str
    parent: int | None
    restores: int | None
    reason: SoulEnd
    evaluation: Mapping[str, Any] | None
    created_at: datetime
    decided_at: datetime | None
    activated_at: datetime | None
    watched: bool
    looked_at: int
    proposed_by: UUID | None
    proposer: str | None
    intent: str
    evidence: str | None
    decided_by: UUID | None
    decider: str | None

    @property
    def document(self) -> ContractDocument:
        """Its text as a part of the safety contract."""
        return ContractDocument(version=self.version, text=self.text, sha256=self.sha256)


@dataclass(frozen=True, kw_only=True)
class ActiveSoul(ContractDocument):
    """What a turn needs of the active version; its anchors and constraints are a part of the safety contract."""

    activated_at: datetime


@dataclass(frozen=True, kw_only=True)
class SoulStanding:
    """Where a tenant's SOUL stands."""

    active: SoulVersion | None
    pending: Sequence[SoulVersion]
    paused_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class SoulFigures:
    """How the replies of one version were taken."""

    version: int
    replies: int
    negative: int


@dataclass(frozen=True, kw_only=True)
class SoulActor:
    """Who acts on a SOUL, and when. ``first_text`` becomes version 0 where there is none yet.

    ``key`` is the caller's idempotency key; empty where there is none.
    """

    scope: Scope
    name: str
    at: datetime
    first_text: str
    trace_id: str = ""
    key: str = ""

    def key_of(self, act: str) -> str | None:
        """What is kept of the key: a digest that is bound to the person and the act."""
        bound = "\x1f".join((str(self.scope.tenant_id), str(self.scope.user_id), act, self.key))
        return sha256(bound.encode()).hexdigest() if self.key else None


@dataclass(frozen=True, kw_only=True)
class SoulDraft:
    """A whole new text, what it is meant for, and what speaks for it."""

    text: str
    intent: str
    evidence: str
    most_a_day: int = MAX_DAILY_PROPOSALS


@dataclass(frozen=True, kw_only=True)
class SoulEvaluation:
    """What the checks of a proposal came to. ``hides_text`` drops what it said: it was not for everybody."""

    report: Mapping[str, Any]
    is_refused: bool
    at: datetime
    hides_text: bool = False


@dataclass(frozen=True, kw_only=True)
class SoulReaction:
    """How a person took a reply, and which version made it."""

    version: int
    is_negative: bool


class Souls(Protocol):
    """The versions of one tenant at a time. Acts that exclude each other wait for one another: one of them wins."""

    async def active(self, tenant_id: UUID) -> SoulVersion | None:
        """The version in force; None where the packaged one is."""
        ...

    async def get(self, tenant_id: UUID, version: int) -> SoulVersion:
        """Raises ``E_NOT_FOUND``."""
        ...

    async def list_newest(self, tenant_id: UUID, limit: int = 50) -> Sequence[SoulVersion]:
        """The newest first."""
        ...

    async def standing(self, tenant_id: UUID) -> SoulStanding:
        """The active version, the proposals that wait, oldest first, and whether changes are paused."""
        ...

    async def propose(self, actor: SoulActor, draft: SoulDraft) -> SoulVersion:
        """Keep a proposal; nothing changes by it. The same key gives the same proposal again.

        Raises ``E_CONFLICT`` while changes are paused and ``E_BAD_REQUEST`` beyond the person's proposals of a day.
        """
        ...

    async def record_evaluation(self, tenant_id: UUID, version: int, evaluation: SoulEvaluation) -> SoulVersion:
        """Keep the report of a proposal that waits; one that is refused ends there."""
        ...

    async def apply(self, actor: SoulActor, version: int) -> SoulVersion:
        """Put a proposal that passed in force. Others that wait were made of a text that is no more: they end.

        Raises ``E_CONFLICT`` when it was not evaluated, was decided otherwise, or another version is active now.
        """
        ...

    async def veto(self, actor: SoulActor, version: int) -> SoulVersion:
        """End a proposal, or take an active version back; a version that ended so already stays as it is."""
        ...

    async def rollback(
        self, actor: SoulActor, to: int | None = None, *, unless_changed: int | None = None
    ) -> SoulVersion:
        """Put the version before the active one, or a certain earlier one, in force again, as a version of its own.

        ``unless_changed`` names the version that has to be active still: how the watch rolls back.
        """
        ...

    async def set_paused(self, actor: SoulActor, *, paused: bool) -> SoulStanding:
        """Let nothing be proposed or applied, or go on."""
        ...

    async def import_first(self, actor: SoulActor, text: str) -> SoulVersion:
        """Put the tenant's own first document in force. Raises ``E_CONFLICT`` once there was any change."""
        ...

    async def find_names(self, tenant_id: UUID, text: str) -> Sequence[str]:
        """The names of people of the tenant that stand in a text, regardless of case."""
        ...

    async def list_watched(self) -> Sequence[UUID]:
        """The tenants whose active version is watched."""
        ...

    async def figures(self, tenant_id: UUID) -> Sequence[SoulFigures]:
        """How replies were taken, by version."""
        ...

    async def note_look(self, tenant_id: UUID, version: int, replies: int, *, goes_on: bool) -> None:
        """Remember how many replies there were at the last look, and whether there is to be another."""
        ...
