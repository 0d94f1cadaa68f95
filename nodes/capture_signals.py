"""After the reply: how memory was used and received, and the turn itself, in one transaction."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import Identity, identity_of
from brain.metering import BUDGET_SPENT, spendings
from brain.reactions import reactions
from brain.signal_rules import entities, utilization
from brain.state import MemoryUse, State, TurnInfo, Update
from evolution.changing import Changes
from language.statements import takes_back
from memory.contracts import Capture, Receipt, SessionRef, Utterance, Visibility
from nodes.open_session import session_name, session_of


@dataclass(frozen=True)
class _Run:
    """What the steps below need of the run."""

    context: Context
    identity: Identity
    turn: TurnInfo

    session: SessionRef

    @property
    def at(self) -> datetime:
        return datetime.fromisoformat(self.turn["at"])

    def new_id(self) -> UUID:
        return self.context.resources.new_id()


async def capture_signals(state: State, runtime: Runtime[Context]) -> Update:
    """Log the turn, write its receipts and the user's reaction to the last ones, enqueue the job: all or nothing."""
    assert state.turn is not None
    identity = identity_of(runtime)
    run = _Run(runtime.context, identity, state.turn, _session(runtime, identity))
    receipts = (_retrieval_receipt(state, run), *_injection_receipts(state, run))
    capture = Capture(
        operation_id=UUID(state.turn["operation_id"]),
        session=run.session,
        utterances=tuple(_utterances(state, run)),
        receipts=receipts,
        spendings=spendings(state.usage, "turn"),
        reactions=reactions(state.opened, state.turn["text"]),
        entity_slots=entities(state.turn["text"]) if _visibility(state) == "all" else {},
        urgent=takes_back(state.turn["text"]),
        pause=runtime.context.resources.settings.evolution_pause,
        ends=state.ended,
        thread_id=runtime.execution_info.thread_id if runtime.execution_info else None,
        settled=state.change["settled"] if state.change else "",
        carried=state.change["carried"] if state.change else None,
    )
    memory = runtime.context.resources.memory
    await memory.log.capture(run.identity.scope, capture)
    await _note(state, run, capture)
    return {
        "receipts": [str(receipt.receipt_id) for receipt in receipts],
        "memories": [_without_words(memory) for memory in state.memories],
        "rejected": [_without_words(memory) for memory in state.rejected],
        "change": None,
        "messages": _forgettable(state.messages, runtime.context.resources.settings.messages_kept),
    }


def _without_words(memory: MemoryUse) -> MemoryUse:
    """As a checkpoint keeps it: the words are read back from where they stand."""
    return {**memory, "text": "", "about": ""} if "about" in memory else {**memory, "text": ""}


def reply_of(messages: list[AnyMessage]) -> AIMessage | None:
    """The last thing Brain said in this turn."""
    newest = messages[-1] if messages else None
    return newest if isinstance(newest, AIMessage) and newest.text else _last_reply(messages)


def _last_reply(messages: list[AnyMessage]) -> AIMessage | None:
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            return None
        if isinstance(message, AIMessage) and message.text:
            return message
    return None


def _session(runtime: Runtime[Context], identity: Identity) -> SessionRef:
    """From the identity, never from the state: a client may write into the state of its own threads."""
    name = session_name(runtime)
    return SessionRef(
        session_id=session_of(identity, name),
        name=name,
        user_name=identity.user,
        tenant_name=identity.tenant,
        keep_for=runtime.context.resources.settings.session_days * 86_400,
    )


def _utterances(state: State, run: _Run) -> Iterator[Utterance]:
    spoken = next(message for message in reversed(state.messages) if isinstance(message, HumanMessage))
    speaker = run.identity.user if run.identity.scope.is_group else "user"
    visibility = _visibility(state)
    yield replace(_utterance(run, "user", speaker, (run.turn["text"], spoken.id)), visibility=visibility)
    reply = reply_of(state.messages)
    if reply is not None:
        offline = any(reason == BUDGET_SPENT or reason.startswith("model_") for reason in state.degraded)
        said = _utterance(run, "assistant", "assistant", (reply.text, reply.id), indexed=not offline)
        yield replace(said, visibility=visibility)


def _visibility(state: State) -> Visibility:
    return state.change["visibility"] if state.change else "all"


async def _note(state: State, run: _Run, capture: Capture) -> None:
    """Remember what the person asked to be remembered, now that its turn is logged."""
    if not state.change or not state.change["notes"]:
        return
    memory, scope = run.context.resources.memory, run.identity.scope
    spoken = await memory.log.turn(scope, capture.operation_id)
    changes = Changes(resources=run.context.resources, scope=scope, key=f"change:{capture.operation_id}", at=run.at)
    for each in spoken:
        if each.role == "user":
            await changes.note(each, state.change["notes"])


def _utterance(run: _Run, role: Any, speaker: str, said: tuple[str, str | None], *, indexed: bool = True) -> Utterance:
    text, message_id = said
    return Utterance(
        event_id=run.new_id(),
        role=role,
        speaker=speaker,
        text=text.replace("\x00", ""),
        occurred_at=run.at,
        time_zone=run.turn["time_zone"],
        idempotency_key=f"{run.session.session_id}:{message_id}" if message_id else None,
        indexed=indexed,
    )


def _retrieval_receipt(state: State, run: _Run) -> Receipt:
    changed = {"change": {name: state.change[name] for name in ("act", "outcome")}} if state.change else {}
    details = {
        **state.retrieval,
        **changed,
        "degraded_reason": list(state.degraded),
        "intent": state.intent.get("intent_type"),
        "tokens": list(state.usage),
    }
    return Receipt(receipt_id=run.new_id(), receipt_type="retrieval", details=details)


def _injection_receipts(state: State, run: _Run) -> Iterator[Receipt]:
    reply = reply_of(state.messages)
    said = reply.text if reply else ""
    for memory in (*state.memories, *state.rejected):
        injected = memory["position"] is not None
        signal = utilization(said, memory["text"]) if injected else None
        yield Receipt(
            receipt_id=run.new_id(),
            receipt_type="injection",
            details=_injection_details(memory, state),
            memory_id=UUID(memory["memory_id"]),
            lane=memory["lane"],  # type: ignore[arg-type]
            utilized=None if signal is None else signal != "none",
            utilization_signal=signal,
        )


def _injection_details(memory: MemoryUse, state: State) -> dict[str, Any]:
    blocked = memory["decision_reason"] == "blocked"
    return {
        "candidate_score": memory["score"],
        "decision_reason": memory["decision_reason"],
        "policy_version": state.retrieval.get("policy"),
        "guardrail_hit": {"hit": blocked, "rule": "sanitizer" if blocked else None},
        "context_position": memory["position"],
        "sanitization_result": memory.get("sanitization", "pass"),
        "signals": memory["signals"],
        "text": memory["text"],
        "span": memory.get("span"),
        "budget_allocation": state.prompt.allocation if state.prompt else {},
        "budget_exceeded": memory["decision_reason"] == "budget_exceeded",
        "degraded_reason": list(state.degraded),
    }


def _forgettable(messages: list[AnyMessage], kept: int) -> list[RemoveMessage]:
    return [RemoveMessage(id=message.id) for message in messages[:-kept] if message.id]
