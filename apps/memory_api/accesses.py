"""Who else read a person's memory: told to that person."""

from datetime import datetime

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint


class AccessesAsked(ApiRequest):
    """Whose memory was read: one's own."""


class AccessView(ApiAnswer):
    """Somebody read it by right of office."""

    operator: str
    reason: str
    at: datetime


class AccessList(ApiAnswer):
    """The newest first."""

    accesses: list[AccessView]


@endpoint("GET /accesses", command="memories accesses")
async def list_accesses(asked: AccessesAsked, call: ApiCall) -> AccessList:
    """List who else read one's memory, and for what reason they gave."""
    found = await call.memory.privileged_reads.list_newest(call.scope)
    return AccessList(accesses=[AccessView.model_validate(each) for each in found])
