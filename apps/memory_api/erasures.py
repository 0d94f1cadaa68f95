"""Erasing for good: asked for by the person, or for them by an administrator; never by a model."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from apps.access.authentication import require_scope
from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Name, Text, endpoint
from brain.audit_key import person_hash
from evolution.erasure.request import ErasureWish, request_erasure, sentence_for
from memory.erasure import DayType, LegalHold, LegalProfile, Tombstone, TombstoneState
from memory.errors import BrainError, bad_request
from memory.scope import name_id

EXAMPLE_ID = "0198c0de-0000-7000-8000-000000000001"
Person = Annotated[Name | None, Field(description="Somebody else of the tenant; needs the scope admin.")]
Compartment = Annotated[Name | None, Field(description="Only this compartment, such as main; all of them otherwise.")]


class ErasureAsked(ApiRequest):
    """What is to be erased, and the sentence that says so."""

    confirm: Annotated[Text, Field(max_length=2_000, description="The sentence that a refusal shows.")]
    person: Person = None
    compartment: Compartment = None


class ErasureView(ApiAnswer):
    """How far an erasure is. ``erased`` counts rows by kind; the certificate is there when it is completed."""

    id: UUID
    state: TombstoneState
    person_hash: str
    requested_at: datetime
    requested_by: str
    due_at: datetime
    completed_at: datetime | None
    erased: Mapping[str, int]
    certificate: Mapping[str, Any] | None


class StepView(ApiAnswer):
    """A state, and since when."""

    state: TombstoneState
    at: datetime


class OneErasureView(ErasureView):
    """One erasure with all its states."""

    steps: list[StepView]


class ErasureList(ApiAnswer):
    """The newest first. ``sentence`` is what has to be typed to erase the one who asks."""

    erasures: list[ErasureView]
    sentence: str


class ErasuresAsked(ApiRequest):
    """Whose erasures: one's own, or all of the tenant's."""

    everybody: Annotated[bool, Field(description="All of the tenant; needs the scope audit.")] = False


class OneErasure(ApiRequest):
    """Which erasure."""

    id: Annotated[UUID, Field(description="Its id.")]


@endpoint(
    "POST /erasures",
    scope="memory:write",
    status=202,
    destructive=True,
    example={"confirm": "Erase everything about ann for good."},
)
async def erase(asked: ErasureAsked, call: ApiCall) -> ErasureView:
    """Erase everything that is kept of a person, for good.

    It is invisible when this is answered, and gone soon after. Refused with 409 while a legal hold is placed on them.
    """
    wish = ErasureWish(scope=call.scope, user=call.identity.user, compartment=asked.compartment)
    if asked.person is not None and asked.person != call.identity.user:
        wish = _wish_for(call, asked.person, asked.compartment)
    return _view(await request_erasure(call.resources, wish, asked.confirm))


@endpoint("GET /erasures", command="erasures list")
async def list_erasures(asked: ErasuresAsked, call: ApiCall) -> ErasureList:
    """List what was asked to be erased, the newest first."""
    whose = None if asked.everybody else _hash_of(call)
    if asked.everybody:
        require_scope(call.claims, "audit")
    found = await call.memory.erasures.list_of(call.scope.tenant_id, whose)
    return ErasureList(erasures=[_view(each) for each in found], sentence=sentence_for(call.identity.user))


@endpoint("GET /erasures/{id}", command="erasures show", example={"id": EXAMPLE_ID})
async def get_erasure(asked: OneErasure, call: ApiCall) -> OneErasureView:
    """Tell how far an erasure is; when it is completed, with its certificate."""
    found = await call.memory.erasures.find(call.scope.tenant_id, asked.id)
    if found is None or (found.person_hash != _hash_of(call) and not call.is_operator):
        raise BrainError("E_NOT_FOUND", "There is no such erasure.")
    steps = await call.memory.erasures.list_steps(call.scope.tenant_id, asked.id)
    told = [StepView(state=each.state, at=each.entered_at) for each in steps]
    return OneErasureView(**_view(found).model_dump(), steps=told)


class HoldAsked(ApiRequest):
    """Who may not be erased, and why."""

    person: Name
    reason: Annotated[Text, Field(min_length=1, max_length=2_000)]
    compartment: Compartment = None


class HoldView(ApiAnswer):
    """A legal hold; over once it is lifted."""

    id: UUID
    reason: str
    compartment: str | None
    placed_by: str
    placed_at: datetime
    lifted_by: str | None
    lifted_at: datetime | None


class HoldList(ApiAnswer):
    """The newest first."""

    holds: list[HoldView]


class HoldsAsked(ApiRequest):
    """All holds of the tenant."""


class OneHold(ApiRequest):
    """Which hold."""

    id: UUID


@endpoint(
    "POST /legal-holds",
    scope="admin",
    status=201,
    command="erasures hold",
    example={"person": "ann", "reason": "a court order"},
)
async def place_hold(asked: HoldAsked, call: ApiCall) -> HoldView:
    """Let a person not be erased until the hold is lifted."""
    hold = LegalHold(
        tenant_id=call.scope.tenant_id,
        hold_id=call.resources.new_id(),
        user_id=name_id("user", call.identity.tenant, asked.person),
        scope=asked.compartment,
        reason=asked.reason,
        placed_by=call.identity.user,
        placed_at=call.resources.clock(),
    )
    await call.memory.erasures.place_hold(hold)
    return _hold_view(hold)


@endpoint("GET /legal-holds", scope="audit", command="erasures holds")
async def list_holds(asked: HoldsAsked, call: ApiCall) -> HoldList:
    """List the legal holds of the tenant, lifted ones among them."""
    return HoldList(holds=[_hold_view(each) for each in await call.memory.erasures.list_holds(call.scope.tenant_id)])


@endpoint("POST /legal-holds/{id}/lift", scope="admin", command="erasures lift", example={"id": EXAMPLE_ID})
async def lift_hold(asked: OneHold, call: ApiCall) -> HoldView:
    """Lift a legal hold; it stays as a record."""
    erasures, at = call.memory.erasures, call.resources.clock()
    found = await erasures.lift_hold(call.scope.tenant_id, asked.id, call.identity.user, at)
    if found is None:
        raise BrainError("E_NOT_FOUND", "There is no such hold.")
    return _hold_view(found)


class ProfileAsked(ApiRequest):
    """How long erasing may take, and what share of that is left when somebody is told."""

    days: Annotated[int, Field(ge=1, le=3_650)] = 15
    day_type: DayType = "working"
    warn_percent: Annotated[int, Field(ge=1, le=99)] = 25
    critical_percent: Annotated[int, Field(ge=1, le=99)] = 10


class ProfileView(ApiAnswer):
    """What the tenant promises."""

    days: int
    day_type: DayType
    warn_percent: int
    critical_percent: int


class ProfileRead(ApiRequest):
    """What the tenant promises."""


@endpoint("GET /legal-profile", command="erasures profile")
async def get_legal_profile(asked: ProfileRead, call: ApiCall) -> ProfileView:
    """Tell how long an erasure may take in this tenant."""
    return ProfileView.model_validate(await call.memory.erasures.profile(call.scope.tenant_id))


@endpoint("PUT /legal-profile", scope="admin", command="erasures promise", example={"days": 15, "day_type": "working"})
async def set_legal_profile(asked: ProfileAsked, call: ApiCall) -> ProfileView:
    """Promise how long an erasure may take from now on."""
    if asked.critical_percent >= asked.warn_percent:
        raise bad_request("critical_percent must be smaller than warn_percent.")
    profile = LegalProfile(**asked.model_dump())
    await call.memory.erasures.save_profile(call.scope.tenant_id, profile)
    return ProfileView.model_validate(profile)


def _wish_for(call: ApiCall, user: str, compartment: str | None) -> ErasureWish:
    require_scope(call.claims, "admin")
    scope = call.identity.for_person(user)
    return ErasureWish(scope=scope, user=user, compartment=compartment, requested_by="tenant_admin")


def _hash_of(call: ApiCall) -> str:
    return person_hash(call.resources.settings, call.scope.tenant_id, call.scope.user_id)


def _view(tombstone: Tombstone) -> ErasureView:
    return ErasureView(
        id=tombstone.tombstone_id,
        state=tombstone.state,
        person_hash=tombstone.person_hash,
        requested_at=tombstone.requested_at,
        requested_by=tombstone.requested_by,
        due_at=tombstone.due_at,
        completed_at=tombstone.completed_at,
        erased=tombstone.erased,
        certificate=tombstone.certificate,
    )


def _hold_view(hold: LegalHold) -> HoldView:
    return HoldView(
        id=hold.hold_id,
        reason=hold.reason,
        compartment=hold.scope,
        placed_by=hold.placed_by,
        placed_at=hold.placed_at,
        lifted_by=hold.lifted_by,
        lifted_at=hold.lifted_at,
    )
