"""Run the tools that the model called, each past its gate."""

import asyncio
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langgraph.runtime import Runtime
from pydantic import ValidationError

from brain.context import Context
from brain.guardrail import gate, tainted
from brain.identity import identity_of
from brain.sanitizer import clean
from brain.state import State, Update
from memory.errors import BrainError
from skills.context import ToolContext, ToolResult
from skills.registry import builtin
from skills.tool import Tool

log = structlog.get_logger(__name__)

SECONDS = 10.0
MAX_CHARACTERS = 8_000
NOT_COVERED = "NOT_COVERED: there is no such ability here; say so kindly and go on without it."


@dataclass(frozen=True)
class Outcome:
    """What came of one call."""

    text: str
    ends: bool = False
    degraded: tuple[str, ...] = ()


async def dispatch_tools(state: State, runtime: Runtime[Context]) -> Update:
    """Answer every tool call of the last message, whatever becomes of it."""
    last = state.messages[-1]
    calls = last.tool_calls if isinstance(last, AIMessage) else []
    outcomes = [await _dispatch(call, state, runtime) for call in calls]
    return {
        "messages": [_message(call, outcome) for call, outcome in zip(calls, outcomes, strict=True)],
        "tool_rounds": state.tool_rounds + 1,
        "ended": any(outcome.ends for outcome in outcomes),
        "degraded": [reason for outcome in outcomes for reason in outcome.degraded],
    }


async def _dispatch(call: ToolCall, state: State, runtime: Runtime[Context]) -> Outcome:
    tool = builtin().usable(call["name"], identity_of(runtime))
    if tool is None:
        return Outcome(NOT_COVERED, degraded=("tool_not_covered",))
    refusal, degraded = _gated(tool, call, state)
    if refusal:
        log.warning("guardrail_blocked", tool=tool.name, code=refusal)
        return Outcome(f"{refusal}: this tool may not run now.", degraded=("guardrail_blocked",))
    outcome = await _run(tool, call, _context(call, state, runtime))
    return Outcome(outcome.text, outcome.ends, (*degraded, *outcome.degraded))


def _gated(tool: Tool[Any], call: ToolCall, state: State) -> tuple[str | None, tuple[str, ...]]:
    verdict = gate(state.guard, tool.risk)
    if not verdict.allowed:
        return verdict.code, ()
    arguments, said = json.dumps(call["args"], ensure_ascii=False), state.turn["text"] if state.turn else ""
    if tool.risk == "high" and tainted(arguments, state.memories, said):
        return "GUARD_TAINTED", ()
    return None, ("guardrail_degraded",) if verdict.degraded else ()


async def _run(tool: Tool[Any], call: ToolCall, context: ToolContext) -> Outcome:
    try:
        async with asyncio.timeout(SECONDS):
            return _inert(await tool.call(call["args"], context))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        return Outcome(f"E_BAD_REQUEST: {wrong}")
    except BrainError as error:
        return Outcome(str(error), degraded=("tool_failed",))
    except TimeoutError:
        return Outcome("E_DEP_TIMEOUT: the tool took too long.", degraded=("tool_timeout",))


def _inert(result: ToolResult) -> Outcome:
    """What a tool brings is data: each line cleaned like a memory, all of it bounded and marked as untrusted."""
    lines = [clean(line).text for line in result.text[:MAX_CHARACTERS].splitlines()]
    text = "\n".join(line for line in lines if line)
    return Outcome(f'<tool_result trust="data">\n{text}\n</tool_result>', ends=result.ends)


def _context(call: ToolCall, state: State, runtime: Runtime[Context]) -> ToolContext:
    assert state.turn is not None
    return ToolContext(
        identity=identity_of(runtime),
        resources=runtime.context.resources,
        session_id=UUID(state.turn["session_id"]),
        call_id=call["id"] or state.turn["operation_id"],
        at=datetime.fromisoformat(state.turn["at"]),
        time_zone=state.turn["time_zone"],
        user_text=state.turn["text"],
    )


def _message(call: ToolCall, outcome: Outcome) -> ToolMessage:
    return ToolMessage(outcome.text, tool_call_id=call["id"] or "", name=call["name"])
