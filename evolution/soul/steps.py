"""The steps of the SOUL graph. What decides is the proposal's row, which any other door may have decided meanwhile."""

from collections.abc import Sequence
from typing import Literal, cast

from langgraph.runtime import Runtime

from brain.approval import ActionRequest, ApprovalRequest, request_approval
from brain.context import Claim
from brain.decisions import await_decisions
from brain.identity import owner_of
from brain.soul_diff import soul_diff
from evolution.soul.acts import (
    SoulCaller,
    SoulDecision,
    SoulProposal,
    administers,
    apply_unasked,
    decide,
    needs_person,
    propose,
)
from evolution.soul.evaluation import evaluate
from evolution.soul.report import codes_of, report_of
from evolution.soul.state import Outcome, SoulState, Update
from memory.errors import BrainError
from memory.soul import SoulVersion

ACT = "soul_apply"
CANNOT_COUNT = ("E_TENANT_FORBIDDEN",)


async def propose_soul(state: SoulState, runtime: Runtime[Claim]) -> Update:
    """Keep the proposal; its words leave the state."""
    caller = _caller(runtime)
    made = await propose(caller, SoulProposal(intent=state.intent, evidence=state.evidence, text=state.text))
    return {"version": made.version, "text": "", "intent": "", "evidence": ""}


async def evaluate_soul(state: SoulState, runtime: Runtime[Claim]) -> Update:
    """Evaluate it, and put together what a person will be asked where one has to be."""
    caller = _caller(runtime)
    evaluated = await evaluate(caller.resources, caller.scope, await _row(state, caller))
    report = report_of(evaluated.evaluation)
    told: Update = {"verdict": report["verdict"] if report else "", "found": sorted(codes_of(report)) if report else []}
    if evaluated.status != "proposed":
        return told | {"outcome": _outcome(evaluated)}
    if not await needs_person(caller.resources, evaluated, caller.scope):
        return told
    return told | {"request": await _request(caller, evaluated, told["found"])}


async def approve_soul(state: SoulState) -> Update:
    """Wait for a person. The node runs again from its start with each answer."""
    assert state.request is not None
    decisions = await_decisions(state.request, f"E_TENANT_FORBIDDEN: {state.complaint}" if state.complaint else "")
    return {"decision": "approve" if decisions[0]["type"] == "approve" else "veto", "complaint": ""}


async def apply_soul(state: SoulState, runtime: Runtime[Claim]) -> Update:
    """Carry out what was decided, in the name of whoever resumed; or what nobody has to be asked about."""
    caller = _caller(runtime)
    proposal = await _row(state, caller)
    if proposal.status != "proposed":
        return {"outcome": _outcome(proposal), "request": None}
    try:
        if state.decision:
            settled = await decide(caller, proposal.version, cast("SoulDecision", state.decision))
        else:
            settled = await apply_unasked(caller.resources, proposal, caller.scope)
    except BrainError as refused:
        if refused.code in CANNOT_COUNT:
            return {"complaint": f"{refused.message} {refused.hint}".strip(), "decision": ""}
        if refused.code == "E_CONFLICT":
            return {"outcome": _outcome(await _row(state, caller)), "complaint": refused.message, "request": None}
        raise
    active = await caller.resources.memory.souls.active(caller.scope.tenant_id)
    return {"outcome": _outcome(settled), "request": None, "active": active.version if active else None}


def who_decides(state: SoulState) -> Literal["approve", "apply", "__end__"]:
    """Is it refused already, does a person decide, or nobody?"""
    if state.outcome:
        return "__end__"
    return "approve" if state.request else "apply"


def is_settled(state: SoulState) -> Literal["approve", "__end__"]:
    """Did the decision count, or does somebody else have to make it?"""
    return "__end__" if state.outcome else "approve"


async def _request(caller: SoulCaller, proposal: SoulVersion, found: Sequence[str]) -> ApprovalRequest:
    assert proposal.parent is not None
    before = await caller.resources.memory.souls.get(caller.scope.tenant_id, proposal.parent)
    told = "\n".join((proposal.intent, soul_diff(before.text, proposal.text), ", ".join(found)))
    action = ActionRequest(name=ACT, args={"version": proposal.version}, description=told)
    return request_approval([action], ("approve", "reject"))


def _outcome(version: SoulVersion) -> Outcome:
    if version.reason == "overtaken":
        return "overtaken"
    match version.status:
        case "proposed":
            return "waiting"
        case "vetoed":
            return "refused" if version.reason == "evaluation" else "vetoed"
        case _:
            return "applied"


async def _row(state: SoulState, caller: SoulCaller) -> SoulVersion:
    assert state.version is not None
    return await caller.resources.memory.souls.get(caller.scope.tenant_id, state.version)


def _caller(runtime: Runtime[Claim]) -> SoulCaller:
    """Who runs or resumes: the authenticated person where there is one."""
    identity = owner_of(runtime.context, runtime.server_info.user if runtime.server_info else None)
    info = runtime.execution_info
    key = f"thread:{info.thread_id}" if info and info.thread_id else ""
    return SoulCaller(resources=runtime.context.resources, identity=identity, may_decide=administers(identity), key=key)
