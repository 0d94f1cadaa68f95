"""Where a memory comes from, and how it changed."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, endpoint
from apps.memory_api.memories import EXAMPLE, ONE, Memory, OneMemory, VersionNumber, memory_view
from apps.views.proof import Proof
from language.secrets import mask_secrets
from memory.errors import BrainError
from memory.memory_item import Change, MemoryVersion
from memory.versions import differences

_NAMES = {"content": "text", "memory_type": "type"}
"""What the doors call fields of a snapshot."""


class TwoVersions(OneMemory):
    """Which two versions; the last two when none is named."""

    a: Annotated[VersionNumber, Field(description="One version; the one before the last when none is named.")] = None
    b: Annotated[VersionNumber, Field(description="The other version; the last one when none is named.")] = None


class Version(ApiAnswer):
    """What a memory said at one time, what made it say so, who and why."""

    version: int
    change: Change
    text: str
    status: str
    confidence: float
    reason: str
    operator: str
    recorded_at: datetime


class History(ApiAnswer):
    """All versions, oldest first."""

    versions: list[Version]


class Difference(ApiAnswer):
    """A field's value in each of the two versions."""

    a: Any
    b: Any


class Comparison(ApiAnswer):
    """In which fields version ``a`` and version ``b`` differ."""

    a: int
    b: int
    differences: dict[str, Difference]


class Quote(ApiAnswer):
    """The words of a turn that a memory rests on. ``verified``: the turn still has the hash it was logged with.

    ``start`` and ``end`` are its place in the turn, in code points; null where all of it is quoted, or it was cut out.
    """

    event_id: UUID
    turn_id: str | None
    quote: str
    speaker: str
    occurred_at: datetime
    sha256: str
    verified: bool
    start: int | None
    end: int | None


class TracedMemory(Memory):
    """A memory with what it rests on; empty where nobody said it."""

    evidence: list[Quote]


@endpoint(f"GET {ONE}", command="memories show", example=EXAMPLE)
async def get_memory(asked: OneMemory, call: ApiCall) -> TracedMemory:
    """Read a memory, forgotten ones included, with the words it was learned from, verified now."""
    items = call.memory.items
    await items.get(call.scope, asked.id)
    found = [Proof.of_evidence(each) for each in await items.evidence(call.scope, asked.id)]
    shown = memory_view(await items.get(call.scope, asked.id))  # read after: a mismatch marks it stale
    return TracedMemory(**dict(shown), evidence=[Quote.model_validate(each) for each in found])


@endpoint(f"GET {ONE}/history", command="memories history", example=EXAMPLE)
async def list_versions(asked: OneMemory, call: ApiCall) -> History:
    """List a memory's versions: what changed it, who and why."""
    return History(versions=[version_view(each) for each in await _fetch_versions(asked, call)])


@endpoint(f"GET {ONE}/compare", command="memories compare", example={**EXAMPLE, "a": 1, "b": 2})
async def compare_versions(asked: TwoVersions, call: ApiCall) -> Comparison:
    """Show in what two versions of a memory differ."""
    versions = {each.version: each for each in await _fetch_versions(asked, call)}
    last = max(versions)
    a, b = asked.a or max(last - 1, 1), asked.b or last
    if a not in versions or b not in versions:
        raise BrainError("E_NOT_FOUND", "There is no such version.", "The memory's history lists them.")
    found = differences(versions[a].snapshot, versions[b].snapshot)
    told = {_NAMES.get(name, name): Difference(a=_mask(x), b=_mask(y)) for name, (x, y) in found.items()}
    return Comparison(a=a, b=b, differences=told)


async def _fetch_versions(asked: OneMemory, call: ApiCall) -> list[MemoryVersion]:
    await call.memory.items.get(call.scope, asked.id)
    return await call.memory.items.history(call.scope, asked.id)


def _mask(value: Any) -> Any:
    return mask_secrets(value) if isinstance(value, str) else value


def version_view(each: MemoryVersion) -> Version:
    said: Any = each.snapshot
    return Version(
        version=each.version,
        change=each.change,
        text=mask_secrets(said["content"]),
        status=said["status"],
        confidence=said["confidence"],
        reason=each.reason,
        operator=each.operator,
        recorded_at=each.recorded_at,
    )
