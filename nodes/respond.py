"""The reply: by the model, word by word, or honestly without one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.runtime import Runtime

from brain.approval import is_waiting
from brain.attachments import NOT_READ, Kind, attachment_kinds
from brain.change_replies import ACTION_TOOLS, ask_back, change_reply, is_settled_word_by_word
from brain.context import Context
from brain.fallback_reply import FallbackReply, compose, is_overview_request
from brain.identity import identity_of
from brain.intent_rules import Intent
from brain.models.errors import ModelError, ModelInterrupted, ModelRefused, ModelUnavailable
from brain.models.port import ChatModel
from brain.notices import FOR_PROGRAM, LIMITED, Break, append_notices, attachment_notice, break_notice, unchanged_notice
from brain.prompting.memory_choice import is_shown
from brain.prompting.prompt_context import attachment_note
from brain.state import AssembledPrompt, MemoryChange, MemoryUse, OpenTurn, Update
from brain.turn_language import turn_language
from language.choices import declines
from language.claims import claims_change
from skills.memory_changes import is_carried_out
from skills.registry import Registry, builtin_registry

TOO_LONG = "reply_length_limit"
"""The reason code of a reply that the model's limit of length cut off."""
_BREAKS: dict[str, Break] = {"interrupted": "broken_off", "length": "too_long"}

CHANGING_TOOLS = frozenset(ACTION_TOOLS.values())
KNOWN = 40
"""Newest memories that are looked through for who asks what is known about them."""


@dataclass(frozen=True)
class _ReplyOutcome:
    """A reply, why it is less than it could be, what was ``unseen``, and what it was made of where no model chose."""

    reply: AIMessage
    degraded: list[str]
    made_of: Update = field(default_factory=Update)
    unseen: tuple[Kind, ...] = ()


async def respond(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """Answer, or call tools. A model that fails is replaced by what memory alone can say.

    A reply that is not whole, or that had to do without something attached, says so at its end.
    """
    said = await _reply(state, runtime)
    if said.reply.tool_calls:
        return {"messages": [said.reply]}
    reply = await append_notices(said.reply, _notices(state, said))
    if settled := _settle_proposal(state, reply):
        return {"messages": [reply], "degraded": said.degraded, "change": settled, **said.made_of}
    return {"messages": [reply], "degraded": said.degraded, **said.made_of}


async def _reply(state: OpenTurn, runtime: Runtime[Context]) -> _ReplyOutcome:
    models = runtime.context.resources.models
    model = models.chat
    if is_settled_word_by_word(state.change):
        return await _reply_without_model(state, "", runtime)
    if model is None or state.prompt is None:
        return await _reply_without_model(state, models.absent if model is None else "prompt_lost_on_resume", runtime)
    unseen = state.prompt.shown.unseen
    try:
        reply, refused = await _ask_with_media(model, state.prompt, state, runtime)
    except ModelRefused as refusal:
        return _ReplyOutcome(AIMessage(refusal.text), ["model_refused"], unseen=unseen)
    except ModelInterrupted as cut:
        return _ReplyOutcome(cut.partial, [cut.reason], unseen=unseen)
    except ModelError as failure:
        return await _reply_without_model(state, failure.reason, runtime)
    degraded = [*([TOO_LONG] if _ending(reply) == "length" else []), *([NOT_READ] if refused else [])]
    return _ReplyOutcome(reply, degraded, unseen=(*unseen, *refused))


def _notices(state: OpenTurn, said: _ReplyOutcome) -> Iterator[str]:
    reply = said.reply
    if reply.response_metadata.get(FOR_PROGRAM):
        return
    language = turn_language(state)
    broken = _BREAKS.get(_ending(reply))
    if broken and not (broken == "too_long" and reply.response_metadata.get(LIMITED)):
        yield break_notice(broken, language)
    if _claims_too_much(state, reply):
        yield unchanged_notice(language)
    if said.unseen:
        yield attachment_notice(tuple(dict.fromkeys(said.unseen)), language)
    if not _calls_of_change(state) and not declines(reply.text) and (question := ask_back(state.change, language)):
        yield question


def _claims_too_much(state: OpenTurn, reply: AIMessage) -> bool:
    """Whether a model was to change something, did not, and says that it did."""
    change = state.change
    wanted = change["outcome"] == "proposed" if change else state.intent.get("intent_type") == "forget"
    done = any(is_carried_out(each.text) for each in _calls_of_change(state))
    return wanted and not done and claims_change(reply.text)


def _settle_proposal(state: OpenTurn, reply: AIMessage) -> MemoryChange | None:
    """What became of a change that a model was to decide about: the question stays open only where it was asked."""
    change = state.change
    if change is None or change["outcome"] != "proposed":
        return None
    question = ask_back(change, turn_language(state))
    asks = bool(change["told"] and question) and reply.text.endswith(question)
    carried = {name: value for name, value in change["carried"].items() if name != "question" or asks}
    done = any(is_carried_out(each.text) for each in _calls_of_change(state))
    return {**change, "carried": carried, "visibility": "log" if done else change["visibility"]}


def _calls_of_change(state: OpenTurn) -> list[ToolMessage]:
    """The answers that tools which forget and correct gave in this turn."""
    spoken_at = max((at for at, each in enumerate(state.messages) if isinstance(each, HumanMessage)), default=0)
    later = state.messages[spoken_at:]
    return [each for each in later if isinstance(each, ToolMessage) and each.name in CHANGING_TOOLS]


def _ending(reply: AIMessage) -> str:
    """Why the reply ended, as its metadata tells a client: ``stop`` when it is whole."""
    return str(reply.response_metadata.get("finish_reason", ""))


async def _ask_with_media(
    model: ChatModel, prompt: AssembledPrompt, state: OpenTurn, runtime: Runtime[Context]
) -> tuple[AIMessage, tuple[Kind, ...]]:
    """The reply, and the kinds of what the model refused to take: it is then asked again without."""
    try:
        return await _ask(model, prompt, state, runtime), ()
    except ModelUnavailable as refused:
        if not prompt.shown.blocks or refused.reason != "model_bad_request":
            raise
    blind = replace(prompt, shown=prompt.shown.without_blocks())
    told = replace(blind, context=f"{prompt.context}\n\n{attachment_note(blind.shown)}")
    return await _ask(model, told, state, runtime), prompt.shown.kinds


async def _ask(model: ChatModel, prompt: AssembledPrompt, state: OpenTurn, runtime: Runtime[Context]) -> AIMessage:
    registry = builtin_registry()
    open_for_tools = state.tool_rounds < runtime.context.max_tool_rounds
    intent = Intent.model_validate(state.intent)
    tools = registry.select_tools(identity_of(runtime), intent) if open_for_tools else ()
    return await model.stream(conversation(prompt, state.messages), Registry.specs(tools))


def conversation(prompt: AssembledPrompt, messages: list[AnyMessage]) -> list[BaseMessage]:
    """The stable prefix, the history, this turn's documents and context beside the user's newest words, then tools.

    What changes from turn to turn stands behind the history, so that providers find the same beginning again. The user
    never speaks twice in a row.
    """
    spoken_at = max(index for index, message in enumerate(messages) if isinstance(message, HumanMessage))
    words = "\n\n".join(text for text in (*prompt.documents, prompt.context, prompt.user_text) if text)
    said = _join_voices([*prompt.history, HumanMessage(words)])
    if prompt.shown.blocks:
        said[-1] = HumanMessage([{"type": "text", "text": said[-1].text}, *prompt.shown.blocks])
    return [SystemMessage(prompt.system), *said, *messages[spoken_at + 1 :]]


def _join_voices(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The same words, those of one voice in a row as one message."""
    joined: list[BaseMessage] = []
    for message in messages:
        if joined and joined[-1].type == message.type:
            message = type(message)(f"{joined.pop().text}\n\n{message.text}")
        joined.append(message)
    return joined


def wants_tools(state: OpenTurn) -> str:
    """Did the model call tools?"""
    last = state.messages[-1]
    return "dispatch_tools" if isinstance(last, AIMessage) and last.tool_calls else "capture_signals"


def has_more_to_say(state: OpenTurn) -> str:
    """Is there more to say after the tools? They may wait for approval, over which the prompt is not kept."""
    if is_waiting(state.approval):
        return "approve"
    said = any(isinstance(message, AIMessage) and message.text for message in state.messages[-6:])
    if state.ended and said:
        return "capture_signals"
    return "check_guard" if state.prompt else "assemble"


async def _reply_without_model(state: OpenTurn, reason: str, runtime: Runtime[Context]) -> _ReplyOutcome:
    """What memory alone says; only what it was made of counts as injected, so that the receipts name just that."""
    language, attached = turn_language(state), attachment_kinds(state.messages)
    told = ask_back(state.change, language) or change_reply(state.change, language)
    if told:
        made_of = _injection_update(state, FallbackReply(told))
        return _ReplyOutcome(AIMessage(told), [reason] if reason else [], made_of, attached)
    text, memory = state.turn["text"], runtime.context.resources.memory
    asked = is_overview_request(text)
    known = await memory.items.list_newest(identity_of(runtime).scope, limit=KNOWN) if asked else []
    reply = compose(state, reason, known)
    unseen = attached if text.strip() else ()
    return _ReplyOutcome(AIMessage(reply.text), [reason], _injection_update(state, reply), unseen)


def _tell(memory: MemoryUse, place: int) -> MemoryUse:
    """The reply itself says it, wherever the prompt had it."""
    reason = memory["decision_reason"] if is_shown(memory) else "relevance"
    return {**memory, "position": place, "decision_reason": reason}


def _injection_update(state: OpenTurn, reply: FallbackReply) -> Update:
    told = {memory["memory_id"] for memory in reply.memories}
    unsaid = (memory for memory in state.memories if memory["memory_id"] not in told)
    documents = state.retrieval.get("documents", [])
    shown = [each for place, each in enumerate(documents) if place in reply.documents]
    return {
        "memories": [_tell(memory, place) for place, memory in enumerate(reply.memories)],
        "rejected": [*state.rejected, *({**m, "decision_reason": "below_cut", "position": None} for m in unsaid)],
        "retrieval": {**state.retrieval, "documents": shown},
    }
