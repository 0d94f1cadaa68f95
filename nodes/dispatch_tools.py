"""Run the tools that the model called, each past its gate."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import identity_of
from brain.intent_rules import Intent
from brain.safety.taint import untrusted_texts, user_words
from brain.state import State, Update
from nodes.open_session import session_name, session_of
from nodes.reopen_turn import as_of
from nodes.turn_lineage import learns_from
from skills.context import ToolContext
from skills.dispatch import RoundContext, ToolAnswer, answer_call
from skills.registry import builtin_registry

MAX_CALLS = 16
"""Calls of one message that are run; a model that asks for more gets told so."""
TOO_MANY = ToolAnswer(
    text=f"E_BAD_REQUEST: at most {MAX_CALLS} tools are run at once.", degraded=("too_many_tool_calls",), failed=True
)
NOT_ENDED = "The conversation goes on, because another tool failed. Deal with that, or end with force."


async def dispatch_tools(state: State, runtime: Runtime[Context]) -> Update:
    """Answer every tool call of the last message, one after the other, whatever becomes of it."""
    last = state.messages[-1]
    calls = last.tool_calls if isinstance(last, AIMessage) else []
    round_ = _circumstances(state)
    context = _context(state, runtime)
    answers = _hold_end(
        [
            await answer_call(
                call["name"], call["args"], replace(context, call_id=_name_call(call, place, state)), round_
            )
            for place, call in enumerate(calls[:MAX_CALLS])
        ]
        + [TOO_MANY] * len(calls[MAX_CALLS:])
    )
    return {
        "messages": [_message(call, given) for call, given in zip(calls, answers, strict=True)],
        "tool_rounds": state.tool_rounds + 1,
        "ended": any(given.ends for given in answers),
        "degraded": [reason for given in answers for reason in given.degraded],
    }


def _circumstances(state: State) -> RoundContext:
    """Whatever the prompt brought may be planted, the user's own memories too: anything is pasted into a turn."""
    documents = state.prompt.documents if state.prompt else ()
    summaries = state.opened.summaries if state.opened else ()
    knowledge = (entry.text for entry in state.knowledge.entries) if state.knowledge else ()
    return RoundContext(
        registry=builtin_registry(),
        guard=state.guard,
        said_before=user_words(state.messages),
        untrusted=(*untrusted_texts(state.memories, state.messages), *documents, *summaries, *knowledge),
        intent=Intent.model_validate(state.intent) if state.intent else None,
    )


def _hold_end(answers: Sequence[ToolAnswer]) -> list[ToolAnswer]:
    """A conversation does not end over an unfinished task unless it is forced to."""
    if not any(given.failed for given in answers):
        return list(answers)
    return [replace(a, ends=False, text=NOT_ENDED) if a.ends and not a.forced else a for a in answers]


def _context(state: State, runtime: Runtime[Context]) -> ToolContext:
    assert state.turn is not None
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
        as_of=as_of(state),
        learnt=learns_from(state.turn),
    )


def _name_call(call: ToolCall, place: int, state: State) -> str:
    """Names one call for ever: providers start their own ids again with every reply, so turn and place belong to it."""
    return f"{state.turn['operation_id'] if state.turn else ''}:{state.tool_rounds}:{place}:{call['id']}"


def _message(call: ToolCall, given: ToolAnswer) -> ToolMessage:
    """The artifact stays with us: it is what the next round's gate must not take as a reason."""
    return ToolMessage(
        given.text, tool_call_id=call["id"] or "", name=call["name"], artifact=list(given.untrusted) or None
    )
