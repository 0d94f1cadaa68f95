"""``before_llm`` and ``after_llm``: memory for every agent, in two calls around its model."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, cast
from uuid import UUID

from pydantic import AwareDatetime, Field

from apps.memory_api.endpoint import STORABLE, ApiAnswer, ApiCall, ApiRequest, Name, Reply, Text, endpoint
from apps.memory_api.recall import RecalledMemory, recalled_memory
from apps.memory_api.remembering import was_paused
from brain.media.intake import read_attached
from brain.media.message import MAX_CHARACTERS, check_words
from brain.metering import spendings
from brain.prompting.memory_choice import ChoiceCriteria, choose_in_order
from brain.prompting.memory_tags import memory_tag
from brain.reactions import reactions
from brain.safety.fence import Fence, make_fence
from brain.signal_rules import entities
from brain.state import MemoryUse, OpenTurn, said_at
from evolution.requests.change_run import OFF_RECORD
from graphs.recall import recall_for
from language.requests import find_request
from language.retractions import is_retraction
from memory.errors import BrainError
from memory.lanes import Lane
from memory.media import MediaBlock, reference_of
from memory.names import require_name
from memory.receipts import Receipt
from memory.scope import name_id, session_id_of
from memory.session_state import SessionState
from memory.turns import Capture, Role, SessionRef, Utterance, Visibility
from nodes.capture_signals import injection_details, retrieval_details
from prompts.registry import load_prompt

SESSION = "api"
"""The conversation of callers that name none."""
_LAST_TURN_EVENTS = 2
"""What was said last in a conversation: a message and its reply."""

SessionName = Annotated[Name, Field(description="The caller's conversation.")]
Message = Annotated[str, Field(min_length=1, max_length=MAX_CHARACTERS, pattern=r"\S"), STORABLE]


class BeforeLlm(ApiRequest):
    """The newest message of a person, before a model answers it."""

    message: Message
    session: SessionName = SESSION
    tokens: Annotated[int, Field(ge=50, le=16_000, description="How long the context may be, estimated.")] = 1_000


class PromptContext(ApiAnswer):
    """``context`` is ready to stand in a prompt, after what never changes in it; empty when nothing bears on it."""

    context: str
    memories: list[RecalledMemory]
    session: str


class AfterLlm(ApiRequest):
    """What was said and what was answered. ``trace_id`` is that of ``before_llm``.

    ``blocks`` are content blocks beside the words, in the form of OpenAI's chat API or LangChain's; a message with some
    needs no words.
    """

    user_message: Annotated[Text, Field(max_length=MAX_CHARACTERS)] = ""
    assistant_message: Annotated[Text, Field(max_length=MAX_CHARACTERS)]
    blocks: Annotated[list[dict[str, Any]], Field(max_length=100, description="What the message carries.")] = Field(
        default_factory=list[dict[str, Any]]
    )
    session: SessionName = SESSION
    trace_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9._:-]{0,100}$")] = ""
    said_at: Annotated[AwareDatetime | None, Field(description="When it was said; now when left out.")] = None


class Captured(ApiAnswer):
    """Ask for the operation to hear what memory took from the turn."""

    operation_id: UUID
    session: str


@endpoint("POST /before_llm", example={"message": "Where shall I have dinner tonight?", "session": "trip to Lyon"})
async def recall_for_prompt(asked: BeforeLlm, call: ApiCall) -> Reply[PromptContext]:
    """Tell what a prompt should carry of memory, chosen by the steps of Brain's own turn, with receipts."""
    recalled = await recall_for(asked.message, replace(call.context, session=require_name("session", asked.session)))
    fence = _make_fence(asked.message, recalled.memories)
    room = call.resources.settings.pin_tokens
    criteria = ChoiceCriteria(
        question=asked.message, room=asked.tokens, fence=fence, pin_room=room, left_out=recalled.rejected
    )
    choice = choose_in_order(recalled.memories, criteria, recalled.retrieval["temporal_intent"])
    state = replace(recalled, memories=choice.injected, rejected=[*recalled.rejected, *choice.rejected])
    await _save_receipts(state, asked, call)
    context = render_recalled(state.memories, fence, call.resources.settings.time_zone)
    answer = PromptContext(context=context, memories=_recalled(state), session=asked.session)
    return Reply(answer, tuple(state.degraded), state.retrieval)


@endpoint(
    "POST /after_llm",
    scope="memory:write",
    status=202,
    example={"user_message": "I live in Ghent.", "assistant_message": "Noted.", "session": "trip to Lyon"},
)
async def capture_turn(asked: AfterLlm, call: ApiCall) -> Captured:
    """Log the turn, from which memory then learns as from any other; the same key captures once.

    Of a turn off the record memory learns nothing, nor is it read outside of its own session.
    """
    log, session = call.resources.memory.log, _session_ref(asked.session, call)
    media = await _read_media(asked, call)
    operation_id = _operation_id(asked, call)
    captured = Captured(operation_id=operation_id, session=asked.session)
    if await _is_captured(asked, media, operation_id, call):
        return captured
    opened = await log.open(call.scope, session.session_id, _LAST_TURN_EVENTS)
    record = _record_of(asked.user_message, opened)
    if opened.is_paused or await was_paused(call, session.session_id, asked.said_at):
        record = replace(record, is_withheld=True)
    capture = Capture(
        operation_id=operation_id,
        session=session,
        utterances=tuple(_utterances(asked, _Told(operation_id, record.visibility, media), call)),
        pause=call.resources.settings.evolution_pause,
        carried=record.carried,
    )
    learning = replace(
        capture,
        reactions=reactions(opened, asked.user_message),
        entity_slots=entities(asked.user_message),
        urgent=is_retraction(asked.user_message),
    )
    await log.capture(call.scope, replace(capture, settled=OFF_RECORD) if record.is_withheld else learning)
    await _is_captured(asked, media, operation_id, call)  # of two at once under one key, the second is told so
    return captured


@dataclass(frozen=True)
class _Record:
    """Whether a turn is off the record, and what its session carries on; None where that stays as it was."""

    is_withheld: bool
    carried: Mapping[str, object] | None

    @property
    def visibility(self) -> Visibility:
        return "session" if self.is_withheld else "all"


def _record_of(message: str, opened: SessionState) -> _Record:
    """Off the record holds for the turns of the session from the one that asks for it, until one takes it back."""
    request = find_request(message)
    act = request.act if request else ""
    before = bool(opened.carried.get("off_record"))
    after = act == "off_record" or (before and act != "on_record")
    others = {name: value for name, value in opened.carried.items() if name != "off_record"}
    carried = None if after == before else others | ({"off_record": True} if after else {})
    return _Record(before or after or act == "dont_note", carried)


def render_recalled(chosen: list[MemoryUse], fence: Fence, time_zone: str) -> str:
    """The memories behind the sentences that tell any model what they are; empty without memories."""
    if not chosen:
        return ""
    told = "\n".join(memory_tag(each, fence, time_zone) for each in chosen)
    return f"{load_prompt('recalled').body.strip()}\n\n{fence.enclose('memories', told)}"


def _make_fence(message: str, memories: Sequence[MemoryUse]) -> Fence:
    """The same for the same words, so that an agent that asks again gets the same prompt."""
    quoted = (text for each in memories for text in (each["text"], each["speaker"]))
    return make_fence([message, *quoted], sha256(message.encode()).hexdigest())


def _recalled(state: OpenTurn) -> list[RecalledMemory]:
    rows = {str(row.source_id): row for each in state.passes for row in each.candidates}
    return [
        recalled_memory(rows[each["memory_id"]], each["score"]) if each["memory_id"] in rows else _pinned_memory(each)
        for each in state.memories
    ]


def _pinned_memory(pinned: MemoryUse) -> RecalledMemory:
    """A memory that the question did not bring."""
    return RecalledMemory(
        id=pinned["memory_id"],
        lane="fact",
        text=pinned["text"],
        speaker=pinned["speaker"],
        role=pinned["role"],
        said_at=datetime.fromisoformat(said_at(pinned)),
        score=pinned["score"],
    )


async def _save_receipts(state: OpenTurn, asked: BeforeLlm, call: ApiCall) -> None:
    """Under the turn that ``after_llm`` hands over with this trace: so it can be told what its answer rests on."""
    new_id = call.resources.new_id
    looked = Receipt(receipt_id=new_id(), receipt_type="retrieval", details=retrieval_details(state, None))
    considered = [
        Receipt(
            receipt_id=new_id(),
            receipt_type="injection",
            details=injection_details(each, state),
            memory_id=UUID(each["memory_id"]),
            lane=cast("Lane", each["lane"]),
        )
        for each in (*state.memories, *state.rejected)
    ]
    receipts = Capture(
        operation_id=_named_operation("trace", call.trace_id, call),
        session=_session_ref(asked.session, call),
        utterances=(),
        receipts=(looked, *considered),
        spendings=spendings(state.usage, "turn"),
        at=call.resources.clock(),
    )
    await call.resources.memory.log.capture(call.scope, receipts)


def _operation_id(said: AfterLlm, call: ApiCall) -> UUID:
    if said.trace_id:
        return _named_operation("trace", said.trace_id, call)
    return _named_operation("key", call.idempotency_key, call) if call.idempotency_key else call.resources.new_id()


def _named_operation(kind: str, name: str, call: ApiCall) -> UUID:
    """The same for the same name in the mouth of the same person, and nobody else's."""
    scope = call.scope
    return name_id("operation", str(scope.tenant_id), scope.key, str(scope.user_id), kind, name)


def _session_ref(name: str, call: ApiCall) -> SessionRef:
    return SessionRef(
        session_id=session_id_of(call.scope, require_name("session", name)),
        name=name,
        user_name=call.identity.user,
        tenant_name=call.identity.tenant,
        keep_for=call.resources.settings.session_days * 86_400,
    )


@dataclass(frozen=True)
class _Told:
    """Under which turn the messages are logged, how far they may be read, and what the person's carries."""

    operation_id: UUID
    visibility: Visibility
    media: tuple[MediaBlock, ...]


async def _read_media(said: AfterLlm, call: ApiCall) -> tuple[MediaBlock, ...]:
    limits = call.resources.settings.media_limits
    media = (await asyncio.to_thread(read_attached, said.blocks, limits)).media if said.blocks else ()
    check_words(said.user_message, media)
    return media


def _utterances(said: AfterLlm, told: _Told, call: ApiCall) -> list[Utterance]:
    at: datetime = said.said_at or call.resources.clock()
    return [
        Utterance(
            event_id=call.resources.new_id(),
            role=role,
            speaker=role,
            text=text,
            occurred_at=at,
            time_zone=call.resources.settings.time_zone,
            idempotency_key=f"api:{told.operation_id}:{role}",
            visibility=told.visibility,
            media=told.media if role == "user" else (),
        )
        for role, text in _voices(said).items()
    ]


def _voices(said: AfterLlm) -> dict[Role, str]:
    """Who said what; nothing of those who were silent."""
    voices: dict[Role, str] = {"user": said.user_message, "assistant": said.assistant_message}
    return {role: text for role, text in voices.items() if text.strip() or (role == "user" and said.blocks)}


async def _is_captured(said: AfterLlm, media: tuple[MediaBlock, ...], operation_id: UUID, call: ApiCall) -> bool:
    """Whether the turn was handed over before. Raises ``E_CONFLICT`` where its key or trace was another turn's."""
    if not (said.trace_id or call.idempotency_key):
        return False
    logged = await call.resources.memory.log.turn(call.scope, operation_id)
    carried = [reference_of(block) for each in logged for block in each.blocks or ()]
    is_same = {each.role: each.text for each in logged} == _voices(said) and carried == [each.sha256 for each in media]
    if logged and not is_same:
        raise BrainError("E_CONFLICT", "This Idempotency-Key or trace_id stands for another turn.", "Use a new one.")
    return bool(logged)
