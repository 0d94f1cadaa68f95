"""Run the tools that the model called, each past its gate."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict, cast
from uuid import UUID

from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langgraph.runtime import Runtime

from brain.approval import ActionRequest, Approval, ApprovalAct, is_expired, request_approval
from brain.context import Context
from brain.identity import identity_of
from brain.intent_rules import Intent
from brain.safety.taint import untrusted_texts, user_words
from brain.state import OpenTurn, ToolOutcome, Update
from nodes.open_session import session_name, session_of
from nodes.thread_position import as_of, learns_from
from skills.active import load_registry
from skills.approval import EXPIRED, action_request, answer_decided, must_wait
from skills.context import ToolContext
from skills.dispatch import RoundContext, ToolAnswer, answer_call, refuse_call
from skills.registry import Registry

MAX_CALLS = 16
"""Calls of one message that are run; a model that asks for more gets told so."""
TOO_MANY = ToolAnswer(
    text=f"E_BAD_REQUEST: at most {MAX_CALLS} tools are run at once.",
    code="E_BAD_REQUEST",
    degraded=("too_many_tool_calls",),
)
REFUSED = "guardrail_blocked"
NOT_ENDED = "NOT_ENDED: the conversation goes on, because another tool failed. Deal with that, or end with force."


class _Plan(TypedDict):
    """What is kept over a wait: the places of the calls that wait, and why others are refused, by place."""

    waiting: list[int]
    refused: dict[str, str]


async def dispatch_tools(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """Answer every tool call of the last message, one after the other, whatever becomes of it.

    Where the policy has calls wait for approval, nothing runs until the node runs again with the decisions.
    """
    last = state.messages[-1]
    calls = _ToolRound(
        calls=last.tool_calls if isinstance(last, AIMessage) else [],
        circumstances=_circumstances(state, await load_registry(runtime.context.resources.settings)),
        contexts=lambda call, place: replace(_context(state, runtime), call_id=_name_call(call, place, state)),
    )
    if state.approval:
        given = await calls.answer_decided(state.approval, runtime.context.resources.clock())
        decided: Update = {"approval": None}
    else:
        approval = await _ask_approval(calls, runtime)
        if approval:
            return {"approval": approval}
        given, decided = await calls.answer(), {}
    answers = _hold_end(given)
    return decided | {
        "messages": [_message(call, given) for call, given in zip(calls.calls, answers, strict=True)],
        "tool_rounds": state.tool_rounds + 1,
        "tool_outcomes": [calls.outcome(call, given) for call, given in zip(calls.calls, answers, strict=True)],
        "ended": any(given.ends for given in answers),
        "degraded": [reason for given in answers for reason in given.degraded],
    }


@dataclass(frozen=True, kw_only=True)
class _ToolRound:
    """The calls of one message. ``contexts`` gives each call, by its place, what its tool is told."""

    calls: list[ToolCall]
    circumstances: RoundContext
    contexts: Callable[[ToolCall, int], ToolContext]

    async def answer(self) -> list[ToolAnswer]:
        return [await self._answer(place) for place in range(len(self.calls))]

    async def answer_decided(self, approval: Approval, at: datetime) -> list[ToolAnswer]:
        """Answer with the decisions. What was refused before the wait stays refused: its reasons are not kept."""
        plan = cast("_Plan", approval["plan"])
        decisions = dict(zip(plan["waiting"], approval["decisions"], strict=True))
        answers: list[ToolAnswer] = []
        for place, call in enumerate(self.calls):
            if str(place) in plan["refused"]:
                text = plan["refused"][str(place)]
                answers.append(ToolAnswer(text=text, code=text.partition(":")[0], degraded=(REFUSED,)))
            elif place not in decisions:
                answers.append(await self._answer(place))
            elif is_expired(approval, at):
                answers.append(EXPIRED)
            else:
                told = (call["name"], call["args"])
                context = self.contexts(call, place)
                answers.append(await answer_decided(told, decisions[place], context, self.circumstances))
        return answers

    async def plan(self, acts: frozenset[ApprovalAct]) -> tuple[_Plan, list[ActionRequest]]:
        """Which calls wait for a decision and which are refused as it is."""
        plan, actions = _Plan(waiting=[], refused={}), list[ActionRequest]()
        for place, call in enumerate(self.calls[:MAX_CALLS]):
            context, told = self.contexts(call, place), (call["name"], call["args"])
            tool = self.circumstances.registry.find_tool(call["name"], context.identity)
            refusal = refuse_call(*told, context, self.circumstances)
            if refusal:
                plan["refused"][str(place)] = refusal.text
            elif tool and must_wait(tool, call["args"], context, acts):
                action = await action_request(tool, call["args"], context)
                plan["waiting"] += [place] if action else []
                actions += [action] if action else []
        return plan, actions

    def outcome(self, call: ToolCall, given: ToolAnswer) -> ToolOutcome:
        """How a call ended, as the turn keeps it."""
        known = call["name"] in self.circumstances.registry.tools
        return ToolOutcome(tool=call["name"] if known else "", ok=not given.code, code=given.code)

    async def _answer(self, place: int) -> ToolAnswer:
        call = self.calls[place]
        if place >= MAX_CALLS:
            return TOO_MANY
        return await answer_call(call["name"], call["args"], self.contexts(call, place), self.circumstances)


async def _ask_approval(calls: _ToolRound, runtime: Runtime[Context]) -> Approval | None:
    """The approval that the calls wait for; None when they may run at once."""
    policy = runtime.context.approval_policy
    plan, actions = await calls.plan(frozenset(policy.acts))
    if not actions:
        return None
    request = request_approval(actions, ("approve", "edit", "reject", "respond"))
    return policy.start("dispatch_tools", request, {**plan}, runtime.context.resources.clock())


def _circumstances(state: OpenTurn, registry: Registry) -> RoundContext:
    """Whatever the prompt brought may be planted, the user's own memories too: anything is pasted into a turn."""
    documents = state.prompt.documents if state.prompt else ()
    summaries = state.opened.summaries if state.opened else ()
    knowledge = (entry.text for entry in state.knowledge.entries) if state.knowledge else ()
    shown = state.prompt.shown if state.prompt else None
    attached = [each.text for each in shown.told] if shown else []
    return RoundContext(
        registry=registry,
        guard=state.guard,
        said_before=user_words(state.messages),
        untrusted=(*untrusted_texts(state.memories, state.messages), *documents, *summaries, *knowledge, *attached),
        has_media=bool(shown and shown.blocks),
        intent=Intent.model_validate(state.intent) if state.intent else None,
    )


def _hold_end(answers: Sequence[ToolAnswer]) -> list[ToolAnswer]:
    """A conversation does not end over an unfinished task unless it is forced to."""
    if not any(given.failed for given in answers):
        return list(answers)
    return [replace(a, ends=False, text=NOT_ENDED, code="NOT_ENDED") if a.ends and not a.forced else a for a in answers]


def _context(state: OpenTurn, runtime: Runtime[Context]) -> ToolContext:
    identity = identity_of(runtime)
    return ToolContext(
        identity=identity,
        resources=runtime.context.resources,
        session_id=session_of(identity, session_name(runtime)),
        call_id="",
        at=datetime.fromisoformat(state.turn["at"]),
        time_zone=state.turn["time_zone"],
        user_text=state.turn["text"],
        own=tuple(UUID(each) for each in state.turn["own"]),
        operation_id=state.turn["operation_id"],
        as_of=as_of(state),
        learnt=learns_from(state.turn),
    )


def _name_call(call: ToolCall, place: int, state: OpenTurn) -> str:
    """Names one call for ever: providers start their own ids again with every reply, so turn and place belong to it."""
    return f"{state.turn['operation_id'] if state.turn else ''}:{state.tool_rounds}:{place}:{call['id']}"


def _message(call: ToolCall, given: ToolAnswer) -> ToolMessage:
    """The artifact stays with us: it is what the next round's gate must not take as a reason."""
    return ToolMessage(
        given.text, tool_call_id=call["id"] or "", name=call["name"], artifact=list(given.untrusted) or None
    )
