"""Around a request to memory: whether a turn makes one, what its steps need, and what it leaves of the turn."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from langgraph.runtime import Runtime

from brain.approval import Approval, is_waiting
from brain.change_approval import PendingChange, approval_request
from brain.context import Context
from brain.documents.profile_refresh import try_refresh_profile
from brain.identity import identity_of
from brain.previous_reply import previous_reply
from brain.recall import RecallRequest, search
from brain.state import MemoryChange, OpenTurn, Update
from evolution.requests.change_run import ChangeRun
from evolution.requests.change_targets import TargetQuery
from evolution.requests.memory_editor import MemoryEditor
from evolution.requests.request_state import RequestState
from language.detection import language_of
from language.erasing import asks_to_be_erased
from language.requests import find_request
from memory.session_state import SessionState
from nodes.open_session import reload_session
from nodes.thread_position import remove_forgotten


def asks_change(state: OpenTurn) -> Literal["change_memory", "assemble"]:
    """Does the person ask something of memory, answer a question about it, or talk off the record?"""
    carried: Mapping[str, Any] = state.opened.carried if state.opened else {}
    text = state.turn["text"]
    asked = find_request(text, previous_reply(state)) is not None or asks_to_be_erased(text)
    waits = any(carried.get(each) for each in ("question", "off_record", "erasing"))
    return "change_memory" if asked or waits else "assemble"


def needs_approval(state: OpenTurn) -> Literal["approve", "assemble"]:
    """Has the change to wait for a decision?"""
    return "approve" if is_waiting(state.approval) else "assemble"


def begin_request(state: OpenTurn, runtime: Runtime[Context]) -> RequestState:
    """The request as its steps take it: who asks, of which session, and what was decided meanwhile."""
    run = _build_run(state, runtime)
    return RequestState(run=run, previous_reply=previous_reply(state), approval=state.approval)


async def finish_request(change: MemoryChange, run: ChangeRun, state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """What the turn knows of it: an approval to wait for, or the change with all that it took out of the turn."""
    if change["outcome"] == "waiting":
        return {"approval": _ask_approval(run, change)}
    known: Update = {"change": change, "approval": None, "opened": run.opened}
    if change["outcome"] != "done" or change["act"] not in ("forget", "correct", "undo"):
        return known
    await try_refresh_profile(run.context.resources, run.query.scope, run.turn["time_zone"])
    return known | await _reload_turn(state, run, runtime)


def _ask_approval(run: ChangeRun, change: MemoryChange) -> Approval:
    pending: PendingChange = change["carried"]["pending"]
    request = approval_request(pending, language_of(run.turn["text"]))
    return run.context.approval_policy.start("change_memory", request, {**pending}, run.context.resources.clock())


async def _reload_turn(state: OpenTurn, run: ChangeRun, runtime: Runtime[Context]) -> Update:
    """The session, the thread and the memories of this turn as they are after the change."""
    opened = await reload_session(run.turn, runtime)
    opened = replace(opened, injected=run.opened.injected, tokens_spent=run.opened.tokens_spent)
    found = await search(run.context.resources, run.query.scope, run.query.ask)
    living = {str(each.source_id): each.text for each in found.candidates.candidates}
    return {
        "opened": opened,
        "messages": remove_forgotten(state.messages, opened),
        "memories": [each for each in state.memories if living.get(each["memory_id"]) == each["text"]],
        "rejected": [each for each in state.rejected if living.get(each["memory_id"]) == each["text"]],
    }


def _build_run(state: OpenTurn, runtime: Runtime[Context]) -> ChangeRun:
    identity, turn, opened = identity_of(runtime), state.turn, state.opened or SessionState()
    query = TargetQuery(
        scope=identity.scope,
        speaker=identity.user if identity.scope.is_group else "user",
        window=opened.window,
        ask=RecallRequest.of_turn(turn["text"], turn),
    )
    editor = MemoryEditor(
        resources=runtime.context.resources,
        scope=identity.scope,
        key=f"change:{turn['operation_id']}",
        trace_id=turn["operation_id"],
        at=datetime.fromisoformat(turn["at"]),
    )
    return ChangeRun(context=runtime.context, turn=turn, query=query, editor=editor, opened=opened, user=identity.user)
