"""What several people told, proposed to the organisation: an administrator decides, and a person may object."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from evolution.promotion.publishing import settle_promotions
from memory.errors import BrainError
from memory.promotion import Decider, PromotionProposal, ProposalStatus

EXAMPLE_ID = "0198c0de-0000-7000-8000-000000000001"


class ProposalsAsked(ApiRequest):
    """Which proposals."""

    status: Annotated[ProposalStatus | None, Field(description="Only these; all of them otherwise.")] = None


class OneProposal(ApiRequest):
    """Which proposal."""

    id: Annotated[UUID, Field(description="Its id.")]


class ProposalView(ApiAnswer):
    """What is proposed, and counts: nobody learns who told it. A withdrawn one has no text.

    ``told`` counts in how many conversations each of the memories was told. ``settled``: knowledge agrees with it.
    """

    id: UUID
    text: str
    topic: str
    people: int
    sessions: int
    told: int
    status: ProposalStatus
    proposed_at: datetime
    decided_by: str
    decided_at: datetime | None
    withdrawn_at: datetime | None
    settled: bool
    entry_id: str | None


class ProposalList(ApiAnswer):
    """The newest first."""

    proposals: list[ProposalView]


class ObjectionAsked(ApiRequest):
    """Whether the one who asks is not to be counted."""

    objects: Annotated[bool, Field(description="False takes the objection back.")] = True


class ObjectionRead(ApiRequest):
    """Whether the one who asks is counted."""


class ObjectionView(ApiAnswer):
    """Whether the person has objected, and how many proposals were withdrawn by it now."""

    objects: bool
    withdrawn: int


@endpoint("GET /promotions", scope="admin", command="promotions list")
async def list_promotions(asked: ProposalsAsked, call: ApiCall) -> ProposalList:
    """List what several people told and what is proposed to the organisation, the newest first."""
    found = await call.memory.promotions.list_of(call.scope.tenant_id, asked.status)
    return ProposalList(proposals=[_view(each) for each in found])


@endpoint("GET /promotions/objection", command="promotions objection")
async def get_objection(asked: ObjectionRead, call: ApiCall) -> ObjectionView:
    """Tell whether what one says is left out when it is counted what several people told."""
    return ObjectionView(objects=await call.memory.promotions.objects(_decider(call)), withdrawn=0)


@endpoint("POST /promotions/objection", scope="memory:write", command="promotions object")
async def object_to_promotion(asked: ObjectionAsked, call: ApiCall) -> ObjectionView:
    """Do not count what one says any more.

    What rests on it is withdrawn, out of the organisation's knowledge as well.
    """
    withdrawn = await call.memory.promotions.object(_decider(call), objects=asked.objects, at=call.resources.clock())
    await settle_promotions(call.resources, call.scope.tenant_id)
    return ObjectionView(objects=asked.objects, withdrawn=withdrawn)


@endpoint("GET /promotions/{id}", scope="admin", command="promotions show", example={"id": EXAMPLE_ID})
async def get_promotion(asked: OneProposal, call: ApiCall) -> ProposalView:
    """Show one proposal."""
    return await _find(asked.id, call)


@endpoint("POST /promotions/{id}/approve", scope="admin", command="promotions approve", example={"id": EXAMPLE_ID})
async def approve_promotion(asked: OneProposal, call: ApiCall) -> ProposalView:
    """Let the organisation know it from now on. Refused with 409 where the one who decides told most of it."""
    return await _decide(asked.id, call, approves=True)


@endpoint("POST /promotions/{id}/reject", scope="admin", command="promotions reject", example={"id": EXAMPLE_ID})
async def reject_promotion(asked: OneProposal, call: ApiCall) -> ProposalView:
    """Let it not become knowledge; it is not proposed again."""
    return await _decide(asked.id, call, approves=False)


async def _decide(proposal_id: UUID, call: ApiCall, *, approves: bool) -> ProposalView:
    at = call.resources.clock()
    decision = await call.memory.promotions.decide(_decider(call), proposal_id, approves=approves, at=at)
    if decision is None:
        await _find(proposal_id, call)
        raise BrainError("E_CONFLICT", "This does not wait for a decision any more.", "Look at the list again.")
    if decision.alone:
        raise BrainError(
            "E_CONFLICT",
            "Too few others told this: whoever told it cannot approve it alone.",
            "Have another administrator decide.",
        )
    await settle_promotions(call.resources, call.scope.tenant_id)
    return await _find(proposal_id, call)


async def _find(proposal_id: UUID, call: ApiCall) -> ProposalView:
    found = await call.memory.promotions.find(call.scope.tenant_id, proposal_id)
    if found is None:
        raise BrainError("E_NOT_FOUND", "There is no such proposal.")
    return _view(found)


def _decider(call: ApiCall) -> Decider:
    return Decider(tenant_id=call.scope.tenant_id, user_id=call.scope.user_id, name=call.identity.user)


def _view(proposal: PromotionProposal) -> ProposalView:
    told = {name: value for name, value in vars(proposal).items() if name not in ("proposal_id", "revision")}
    return ProposalView(id=proposal.proposal_id, **told)
