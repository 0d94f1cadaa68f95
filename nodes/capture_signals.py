"""After the reply: the reply itself, and how memory was used and received, in one transaction."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langgraph.runtime import Runtime

from brain.context import Context
from brain.embeddings.backfill import embed_said
from brain.experiments.counting import count_turn
from brain.identity import Identity, identity_of
from brain.metering import BUDGET_SPENT, spendings
from brain.models.errors import INTERRUPTED
from brain.reactions import judge_soul, reactions
from brain.safety.contract import contract_of_turn
from brain.signal_rules import entities, utilization
from brain.state import MemoryUse, OpenTurn, TurnInfo, Update
from brain.turn_run import attempt_of, checkpoint_of, run_id_of, run_to_completion, thread_of
from evolution.requests.erase import erase_asker
from evolution.requests.memory_editor import OFF_RECORD, MemoryEditor
from language.retractions import is_retraction
from memory.receipts import Receipt
from memory.turns import Capture, SessionRef, Utterance, Visibility
from nodes.open_session import session_ref
from nodes.thread_position import learns_from

BROKEN_OFF = ":broken_off"
NOT_LEARNT = "not_learnt"
"""The reason code of a turn that memory takes nothing from."""


@dataclass(frozen=True)
class _CaptureRun:
    """What the steps below need of the run. ``answering`` tells this reply from another one to the same words."""

    context: Context
    identity: Identity
    turn: TurnInfo
    session: SessionRef
    answering: str
    checkpoint: str | None

    @property
    def at(self) -> datetime:
        return datetime.fromisoformat(self.turn["at"])

    @property
    def speaker(self) -> str:
        """Who speaks, as the log names them."""
        return self.identity.user if self.identity.scope.is_group else "user"

    def new_id(self) -> UUID:
        return self.context.resources.new_id()

    def receipt_id(self, number: int) -> UUID:
        """The same whenever the same answering is captured, and in the order of the receipts."""
        whole = uuid5(UUID(self.turn["operation_id"]), self.answering).int
        return UUID(int=whole >> 16 << 16 | number)


async def capture_signals(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """Log the reply, write its receipts and the user's reaction to the last ones, release the job: all or nothing."""
    receipts = await capture_turn(state, runtime)
    await _embed_words(state, runtime)
    await _write_requests(state, runtime)
    await erase_asker(state.change, identity_of(runtime), runtime.context.resources)
    return {
        "receipts": [str(receipt.receipt_id) for receipt in receipts],
        "memories": [_strip_words(memory) for memory in state.memories],
        "rejected": [_strip_words(memory) for memory in state.rejected],
        "change": None,
        "messages": _messages_to_remove(state.messages, runtime.context.resources.settings.messages_kept),
    }


async def capture_turn(state: OpenTurn, runtime: Runtime[Context]) -> tuple[Receipt, ...]:
    """What the turn leaves behind, once however often it is captured; what is being written is written to the end."""
    reply = reply_of(state.messages)
    run = _build_run(state.turn, runtime, reply)
    receipts = (_retrieval_receipt(state, run), *_injection_receipts(state, run))
    capture = Capture(
        operation_id=UUID(state.turn["operation_id"]),
        session=run.session,
        utterances=(_reply(reply, state, run),) if reply else (),
        receipts=receipts,
        spendings=spendings(state.usage, "turn"),
        experiment=count_turn(state, receipts, run.speaker) if learns_from(state.turn) else None,
        reactions=reactions(state.opened, state.turn["text"]) if learns_from(state.turn) else (),
        soul_reaction=judge_soul(state.opened, state.turn["text"]) if _counts_for_soul(state, run) else None,
        entity_slots=entities(state.turn["text"]) if _visibility(state) == "all" else {},
        urgent=is_retraction(state.turn["text"]),
        pause=runtime.context.resources.settings.evolution_pause,
        ends=state.ended,
        thread_id=thread_of(runtime),
        settled=_settlement_reason(state, run),
        carried=state.change["carried"] if state.change else None,
        run_id=run_id_of(runtime),
        accepted=True,
        visibility=_visibility(state),
        at=runtime.context.resources.clock(),
    )
    await run_to_completion(runtime.context.resources.memory.log.capture(run.identity.scope, capture))
    return receipts


def _counts_for_soul(state: OpenTurn, run: _CaptureRun) -> bool:
    """Without a model SOUL shapes no reply."""
    return learns_from(state.turn) and run.context.resources.models.chat is not None


def _build_run(turn: TurnInfo, runtime: Runtime[Context], reply: AIMessage | None) -> _CaptureRun:
    identity = identity_of(runtime)
    answering = attempt_of(runtime) + (BROKEN_OFF if reply is None or is_interrupted(reply) else "")
    session, checkpoint = session_ref(runtime, identity), checkpoint_of(runtime)
    return _CaptureRun(runtime.context, identity, turn, session, answering, checkpoint)


def _settlement_reason(state: OpenTurn, run: _CaptureRun) -> str:
    """Why nobody else need look at the turn. What is to be noted is noted at its end, if it comes to one.

    What is not to be noted is looked at by nobody, even if it does not.
    """
    if not learns_from(run.turn):
        return NOT_LEARNT
    if not state.change:
        return ""
    settled = state.change["settled"]
    is_left = bool(state.change["notes"]) and settled != OFF_RECORD and run.answering.endswith(BROKEN_OFF)
    return "" if is_left else settled


def _strip_words(memory: MemoryUse) -> MemoryUse:
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


def is_interrupted(reply: AIMessage) -> bool:
    """Whether the user saw only a part of what the model wanted to say."""
    return reply.response_metadata.get("finish_reason") == INTERRUPTED


def _visibility(state: OpenTurn) -> Visibility:
    asked: Visibility = state.change["visibility"] if state.change else "all"
    return "session" if asked == "all" and state.turn and not learns_from(state.turn) else asked


async def _embed_words(state: OpenTurn, runtime: Runtime[Context]) -> None:
    """The person's words are found by their meaning from now on, if they are found at all."""
    turn, identity = state.turn, identity_of(runtime)
    if not turn or not turn["own"] or not turn["text"].strip() or _visibility(state) != "all":
        return
    said = Utterance(
        event_id=UUID(turn["own"][0]),
        role="user",
        speaker=identity.user if identity.scope.is_group else "user",
        text=turn["text"],
        occurred_at=datetime.fromisoformat(turn["at"]),
        time_zone=turn["time_zone"],
    )
    await embed_said(runtime.context.resources, identity.scope, UUID(turn["session_id"]), said)


async def _write_requests(state: OpenTurn, runtime: Runtime[Context]) -> None:
    """Remember what the person asked to be remembered, now that its turn is logged."""
    if not state.turn or not state.change or not state.change["notes"] or not learns_from(state.turn):
        return
    resources, scope, turn = runtime.context.resources, identity_of(runtime).scope, state.turn
    spoken = await resources.memory.log.turn(scope, UUID(turn["operation_id"]))
    at = datetime.fromisoformat(turn["at"])
    key, trace_id = f"change:{turn['operation_id']}", turn["operation_id"]
    changes = MemoryEditor(resources=resources, scope=scope, key=key, at=at, trace_id=trace_id)
    for each in spoken:
        if each.role == "user":
            await changes.note(each, state.change["notes"])


def _reply(reply: AIMessage, state: OpenTurn, run: _CaptureRun) -> Utterance:
    """A reply that memory alone gave is no evidence, and not indexed."""
    broken_off = is_interrupted(reply)
    offline = any(reason == BUDGET_SPENT or reason.startswith("model_") for reason in state.degraded)
    return Utterance(
        event_id=run.new_id(),
        role="assistant",
        speaker="assistant",
        text=reply.text.replace("\x00", ""),
        occurred_at=run.at,
        time_zone=run.turn["time_zone"],
        idempotency_key=f"{run.turn['operation_id']}:{run.answering}",
        indexed=broken_off or not offline,
        visibility=_visibility(state),
        broken_off=broken_off,
    )


def _retrieval_receipt(state: OpenTurn, run: _CaptureRun) -> Receipt:
    details = retrieval_details(state, run.checkpoint)
    return Receipt(receipt_id=run.receipt_id(0), receipt_type="retrieval", details=details)


def retrieval_details(state: OpenTurn, checkpoint: str | None) -> dict[str, Any]:
    """What a turn looked for, and what it found."""
    changed = {"change": {name: state.change[name] for name in ("act", "outcome")}} if state.change else {}
    told = {name: each for name in ("experiment", "route") if (each := getattr(state, name))}
    return {
        **state.retrieval,
        **changed,
        **told,
        "degraded_reason": list(state.degraded),
        "guardrail_hit": {**_guardrail_hit(state), "codes": list(state.guard_hits), "contract": _contract_hash(state)},
        "intent": state.intent.get("intent_type"),
        "tokens": list(state.usage),
        "tools": list(state.tool_outcomes),
        "checkpoint": checkpoint,
    }


def _injection_receipts(state: OpenTurn, run: _CaptureRun) -> Iterator[Receipt]:
    reply = reply_of(state.messages)
    said = reply.text if reply else ""
    for number, memory in enumerate((*state.memories, *state.rejected), 1):
        injected = memory["position"] is not None
        signal = utilization(said, memory["text"]) if injected else None
        yield Receipt(
            receipt_id=run.receipt_id(number),
            receipt_type="injection",
            details=injection_details(memory, state),
            memory_id=UUID(memory["memory_id"]),
            lane=memory["lane"],  # type: ignore[arg-type]
            utilized=None if signal is None else signal != "none",
            utilization_signal=signal,
        )


def injection_details(memory: MemoryUse, state: OpenTurn) -> dict[str, Any]:
    """Why a memory stood in the prompt, or did not."""
    blocked = memory["decision_reason"] == "blocked"
    return {
        "candidate_score": memory["score"],
        "decision_reason": memory["decision_reason"],
        "policy_version": state.retrieval.get("policy"),
        "guardrail_hit": {"hit": True, "rule": "sanitizer"} if blocked else _guardrail_hit(state),
        "context_position": memory["position"],
        "sanitization_result": memory.get("sanitization", "pass"),
        "signals": memory["signals"],
        "text": memory["text"],
        "span": memory.get("span"),
        "budget_allocation": state.budget,
        "budget_exceeded": memory["decision_reason"] == "budget_exceeded",
        "degraded_reason": list(state.degraded),
        **({"ruled_by": ruled_by} if (ruled_by := memory.get("ruled_by")) else {}),
    }


def _guardrail_hit(state: OpenTurn) -> dict[str, Any]:
    """Whether the guard objected to anything in this turn: by its own codes, or by what came of it."""
    reason = next((each for each in state.degraded if each.startswith("guardrail_")), None)
    rule = state.guard_hits[0] if state.guard_hits else reason
    return {"hit": rule is not None, "rule": rule}


def _contract_hash(state: OpenTurn) -> str | None:
    """Which contract was in force, by its SHA-256; None where it could not be read."""
    contract = contract_of_turn(state.opened)
    return contract.source_hash if contract else None


def _messages_to_remove(messages: list[AnyMessage], kept: int) -> list[RemoveMessage]:
    return [RemoveMessage(id=message.id) for message in messages[:-kept] if message.id]
