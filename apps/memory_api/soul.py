"""SOUL: how Brain is in an organisation, version by version; proposed by anybody, decided by an administrator."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Text, endpoint
from brain.soul_diff import soul_diff
from brain.soul_document import PACKAGED_VERSION, SoulChange, packaged_soul
from evolution.soul import acts
from evolution.soul.acts import MAX_EVIDENCE, MAX_INTENT, SoulCaller, SoulDecision, SoulProposal
from evolution.soul.form import MAX_CHARACTERS
from memory.errors import BrainError
from memory.soul import SoulEnd, SoulOrigin, SoulStatus, SoulVersion

MAX_VERSIONS = 200
MAX_NUMBER = 2**31 - 1


def _read_number(given: object) -> object:
    """In a path it is text."""
    return int(given) if isinstance(given, str) and given.isascii() and given.isdecimal() and len(given) < 11 else given


SoulText = Annotated[Text, Field(max_length=2 * MAX_CHARACTERS, description="The whole document, in Markdown.")]
Number = Annotated[
    int, Field(ge=0, le=MAX_NUMBER, description="The number of a version."), BeforeValidator(_read_number)
]
_ONE = "/soul/versions/{version}"
_EXAMPLE: dict[str, Any] = {"version": 1}


class SoulHead(ApiAnswer):
    """One version without its words. ``verdict`` is clean, ask or refused, and empty where nothing was evaluated."""

    version: int
    status: SoulStatus
    origin: SoulOrigin
    parent: int | None
    restores: int | None
    reason: SoulEnd
    verdict: str
    proposed_by: str | None
    decided_by: str | None
    created_at: datetime
    decided_at: datetime | None
    activated_at: datetime | None
    watched: bool


class SoulView(SoulHead):
    """One version with its words and what was found."""

    text: str
    intent: str
    evidence: str | None
    evaluation: Mapping[str, Any] | None
    diff: str


class SoulList(ApiAnswer):
    """The newest first."""

    versions: list[SoulHead]


class SoulStatusView(ApiAnswer):
    """What is in force. ``replies`` were made under it, ``corrected`` of them were taken badly."""

    version: int
    text: str
    activated_at: datetime | None
    pending: list[int]
    paused_at: datetime | None
    approval: str
    replies: int
    corrected: int


class SoulDiff(ApiAnswer):
    """What changes from one version to another; empty where nothing does."""

    diff: str


class SoulAsked(ApiRequest):
    """The tenant's SOUL."""


class VersionAsked(ApiRequest):
    """Which version."""

    version: Number


class DiffAsked(ApiRequest):
    """Which versions."""

    before: Number
    after: Number


class ProposalAsked(ApiRequest):
    """A whole text or changes of the text in force, with what it is for and what speaks for it."""

    intent: Annotated[Text, Field(min_length=1, max_length=MAX_INTENT)]
    evidence: Annotated[Text, Field(max_length=MAX_EVIDENCE, description="What was seen; kept until it is decided.")]
    text: SoulText = ""
    changes: Annotated[list[SoulChange], Field(max_length=20, default_factory=list)]


class DecisionAsked(VersionAsked):
    """What becomes of it."""

    decision: SoulDecision


class RollbackAsked(ApiRequest):
    """Which version comes back; the one before the active one when none is named."""

    version: Annotated[int | None, Field(ge=0, le=MAX_NUMBER)] = None


class ImportAsked(ApiRequest):
    """The tenant's own first document."""

    text: SoulText


@endpoint("GET /soul", command="soul status")
async def get_soul(asked: SoulAsked, call: ApiCall) -> SoulStatusView:
    """Tell how Brain is in this organisation, and what waits."""
    souls, tenant_id = call.memory.souls, call.scope.tenant_id
    standing = await souls.standing(tenant_id)
    number = standing.active.version if standing.active else PACKAGED_VERSION
    figures = {each.version: each for each in await souls.figures(tenant_id)}.get(number)
    return SoulStatusView(
        version=number,
        text=standing.active.text if standing.active else packaged_soul(),
        activated_at=standing.active.activated_at if standing.active else None,
        pending=[each.version for each in standing.pending],
        paused_at=standing.paused_at,
        approval=call.resources.settings.soul_approval,
        replies=figures.replies if figures else 0,
        corrected=figures.negative if figures else 0,
    )


@endpoint("GET /soul/versions", scope="admin", command="soul list")
async def list_soul_versions(asked: SoulAsked, call: ApiCall) -> SoulList:
    """List the versions, the newest first."""
    found = await call.memory.souls.list_newest(call.scope.tenant_id, MAX_VERSIONS)
    return SoulList(versions=[SoulHead(**_head(each)) for each in found])


@endpoint(f"GET {_ONE}", scope="admin", command="soul show", example=_EXAMPLE)
async def get_soul_version(asked: VersionAsked, call: ApiCall) -> SoulView:
    """Show a version, what it changes, and what was found."""
    return await _view(call, await call.memory.souls.get(call.scope.tenant_id, asked.version))


@endpoint("GET /soul/diff", scope="admin", command="soul diff", example={"before": 0, "after": 1})
async def compare_soul_versions(asked: DiffAsked, call: ApiCall) -> SoulDiff:
    """Compare two versions, line by line."""
    souls, tenant_id = call.memory.souls, call.scope.tenant_id
    before, after = await souls.get(tenant_id, asked.before), await souls.get(tenant_id, asked.after)
    return SoulDiff(diff=soul_diff(before.text, after.text))


@endpoint(
    "POST /soul/proposals",
    scope="memory:write",
    status=201,
    example={
        "intent": "Say where a price comes from.",
        "evidence": "Two people asked for the source of a price.",
        "changes": [{"op": "add", "section": "Habits", "new": "When I name a price, I say where it stands."}],
    },
)
async def propose_soul(asked: ProposalAsked, call: ApiCall) -> SoulView:
    """Propose a change: evaluated at once, in force when it is approved."""
    proposal = SoulProposal(intent=asked.intent, evidence=asked.evidence, text=asked.text, changes=tuple(asked.changes))
    return await _view(call, await acts.propose_and_evaluate(_caller(call), proposal))


@endpoint(f"POST {_ONE}/decision", scope="admin", example={**_EXAMPLE, "decision": "approve"})
async def decide_soul(asked: DecisionAsked, call: ApiCall) -> SoulView:
    """Approve a proposal of somebody else, or veto any version."""
    return await _view(call, await acts.decide(_decider(call), asked.version, asked.decision))


@endpoint("POST /soul/rollback", scope="admin", command="soul rollback", example={})
async def roll_soul_back(asked: RollbackAsked, call: ApiCall) -> SoulView:
    """Put the version before the active one, or a certain one, in force again."""
    return await _view(call, await acts.rollback(_decider(call), asked.version))


@endpoint("POST /soul/pause", scope="admin", command="soul pause", example={})
async def pause_soul(asked: SoulAsked, call: ApiCall) -> SoulStatusView:
    """Let nothing be proposed or applied until it is resumed."""
    await acts.set_paused(_decider(call), paused=True)
    return (await get_soul(asked, call)).data


@endpoint("POST /soul/resume", scope="admin", command="soul resume", example={})
async def resume_soul(asked: SoulAsked, call: ApiCall) -> SoulStatusView:
    """Let changes go on."""
    await acts.set_paused(_decider(call), paused=False)
    return (await get_soul(asked, call)).data


@endpoint("POST /soul/import", scope="admin", status=201, example={"text": "## Identity\n\n- I am Brain."})
async def import_soul(asked: ImportAsked, call: ApiCall) -> SoulView:
    """Put the tenant's own first document in force, once, before anything was changed."""
    return await _view(call, await acts.import_first(_decider(call), asked.text))


def _caller(call: ApiCall) -> SoulCaller:
    return SoulCaller(
        resources=call.resources,
        identity=call.identity,
        may_decide=call.is_operator,
        trace_id=call.trace_id,
        key=f"{call.door}:{call.idempotency_key}" if call.idempotency_key else "",
    )


def _decider(call: ApiCall) -> SoulCaller:
    """Who decides does so in their own name: else one key could propose and approve."""
    if call.claims is not None and call.claims.user != call.identity.user:
        raise BrainError("E_TENANT_FORBIDDEN", "Nobody decides on SOUL in somebody else's name.", "Leave the user out.")
    return _caller(call)


async def _view(call: ApiCall, version: SoulVersion) -> SoulView:
    before = version.text
    if version.parent is not None and version.text:
        before = (await call.memory.souls.get(call.scope.tenant_id, version.parent)).text
    told = {name: getattr(version, name) for name in ("text", "intent", "evidence", "evaluation")}
    return SoulView(**_head(version), **told, diff=soul_diff(before, version.text))


def _head(version: SoulVersion) -> dict[str, Any]:
    names = (name for name in SoulHead.model_fields if name not in ("verdict", "proposed_by", "decided_by"))
    verdict = str(version.evaluation["verdict"]) if version.evaluation else ""
    told = {name: getattr(version, name) for name in names}
    return told | {"verdict": verdict, "proposed_by": version.proposer, "decided_by": version.decider}
