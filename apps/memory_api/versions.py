"""Where a memory comes from, and how it changed."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, Endpoint, Reply
from apps.memory_api.memories import OneMemory
from apps.views.proof import Proof
from language.secrets import mask_secrets
from memory.contracts import Change, MemoryVersion
from memory.errors import BrainError
from memory.revision import differences

Number = Annotated[int | None, Field(ge=1, le=1_000_000)]


class TwoVersions(OneMemory):
    """Which two versions; the last two when none is named."""

    a: Number = None
    b: Number = None


class Version(ApiAnswer):
    """What a memory said at one time, what made it say so, who and why."""

    version: int
    change: Change
    content: str
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
    """The words of a turn that a memory rests on. ``verified``: the turn still has the hash it was logged with."""

    event_id: UUID
    quote: str
    speaker: str
    occurred_at: datetime
    sha256: str
    verified: bool


class Quotes(ApiAnswer):
    """What a memory rests on; empty where nobody said it."""

    evidence: list[Quote]


async def list_versions(asked: OneMemory, call: ApiCall) -> Reply[History]:
    """How it came to say what it says."""
    return Reply(History(versions=[_version_view(each) for each in await _fetch_versions(asked, call)]))


async def compare_versions(asked: TwoVersions, call: ApiCall) -> Reply[Comparison]:
    """In what two versions differ."""
    versions = {each.version: each for each in await _fetch_versions(asked, call)}
    last = max(versions)
    a, b = asked.a or max(last - 1, 1), asked.b or last
    if a not in versions or b not in versions:
        raise BrainError("E_NOT_FOUND", "There is no such version.", "The memory's history lists them.")
    found = differences(versions[a].snapshot, versions[b].snapshot)
    return Reply(
        Comparison(a=a, b=b, differences={name: Difference(a=_mask(x), b=_mask(y)) for name, (x, y) in found.items()})
    )


async def fetch_evidence(asked: OneMemory, call: ApiCall) -> Reply[Quotes]:
    """The words it rests on, verified now."""
    items = call.resources.memory.items
    await items.get(call.scope, asked.id)
    found = [Proof.of_evidence(each) for each in await items.evidence(call.scope, asked.id)]
    return Reply(Quotes(evidence=[Quote.model_validate(each) for each in found]))


async def _fetch_versions(asked: OneMemory, call: ApiCall) -> list[MemoryVersion]:
    await call.resources.memory.items.get(call.scope, asked.id)
    return await call.resources.memory.items.history(call.scope, asked.id)


def _mask(value: Any) -> Any:
    return mask_secrets(value) if isinstance(value, str) else value


def _version_view(each: MemoryVersion) -> Version:
    said: Any = each.snapshot
    return Version(
        version=each.version,
        change=each.change,
        content=mask_secrets(said["content"]),
        status=said["status"],
        confidence=said["confidence"],
        reason=each.reason,
        operator=each.operator,
        recorded_at=each.recorded_at,
    )


_ONE = "/v1/memory/memories/{id}"
_ID: dict[str, Any] = {"id": "0198c0de-0000-7000-8000-000000000001"}

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    Endpoint(
        method="GET",
        path=f"{_ONE}/history",
        summary="List a memory's versions.",
        request=OneMemory,
        answer=History,
        run=list_versions,
        example=_ID,
    ),
    Endpoint(
        method="GET",
        path=f"{_ONE}/compare",
        summary="Show in what two versions of a memory differ.",
        request=TwoVersions,
        answer=Comparison,
        run=compare_versions,
        example={**_ID, "a": 1, "b": 2},
    ),
    Endpoint(
        method="GET",
        path=f"{_ONE}/evidence",
        summary="Show the words a memory rests on, verified now.",
        request=OneMemory,
        answer=Quotes,
        run=fetch_evidence,
        example=_ID,
    ),
)
