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
from brain.model_routing import choose_route
from brain.models.errors import ModelError, ModelInterrupted, ModelRefused, ModelUnavailable
from brain.models.port import ChatModel
from brain.notices import FOR_PROGRAM, LIMITED, Break, append_notices, attachment_notice, break_notice, unchanged_notice
from brain.prompting.memory_choice import is_shown
from brain.prompting.prompt_context import attachment_note
from brain.state import AssembledPrompt, MemoryChange, MemoryUse, OpenTurn, Route, Update
from brain.turn_language import turn_language
from language.choices import declines
from language.claims import claims_change
from nodes.offer_tools import NOT_COVERED, answer_uncovered, offer_tools
from skills.memory_changes import is_carried_out
from skills.registry import Registry

EXPERIMENT = "experiment"
"""Where the metadata of a reply name the experiment and the variant that it was given in."""
TOO_LONG = "reply_length_limit"
"""The reason code of a reply that the model's limit of length cut off."""
_BREAKS: dict[str, Break] = {"interrupted": "broken_off", "length": "too_long"}

CHANGING_TOOLS = frozenset(ACTION_TOOLS.values())
KNOWN = 500
"""Newest memories that are looked through for who asks what is known about them."""


@dataclass(frozen=True)
class _Answer:
    """A model's reply, what was not there to be offered for it, and the kinds of what the model ``refused`` to take."""

    reply: AIMessage
    missing: list[str]
    refused: tuple[Kind, ...] = ()


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
        return {"messages": [said.reply], "degraded": said.degraded, **said.made_of}
    reply = await append_notices(said.reply, _notices(state, said))
    if state.experiment:
        reply.response_metadata[EXPERIMENT] = {name: state.experiment[name] for name in ("id", "variant")}
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
    route, unseen = choose_route(state, runtime.context), state.prompt.shown.unseen
    try:
        if route and route["role"] == "routed" and models.routed is not None:
            quick = await _ask_routed(models.routed, state.prompt, state, runtime)
            if quick is not None:
                return quick
            route = Route(role="chat", reason="fast_failed")
        return _outcome(await _ask_with_media(model, state.prompt, state, runtime), route, unseen)
    except ModelRefused as refusal:
        return _ReplyOutcome(AIMessage(refusal.text), ["model_refused"], unseen=unseen)
    except ModelInterrupted as cut:
        return _ReplyOutcome(cut.partial, [cut.reason], unseen=unseen)
    except ModelError as failure:
        return await _reply_without_model(state, failure.reason, runtime)


async def _ask_routed(
    model: ChatModel, prompt: AssembledPrompt, state: OpenTurn, runtime: Runtime[Context]
) -> _ReplyOutcome | None:
    """The fast model's reply; None where it failed or refused before a word of it was heard."""
    try:
        return _outcome(await _ask(model, prompt, state, runtime), Route(role="routed", reason="small_talk"))
    except ModelInterrupted:
        raise
    except ModelError:
        return None


def _outcome(answer: _Answer, route: Route | None, unseen: tuple[Kind, ...] = ()) -> _ReplyOutcome:
    cut, refused = _ending(answer.reply) == "length", answer.refused
    degraded = [*answer.missing, *([TOO_LONG] if cut else []), *([NOT_READ] if refused else [])]
    made_of = Update(route=route) if route else Update()
    return _ReplyOutcome(answer.reply, degraded, made_of, (*unseen, *refused))


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
) -> _Answer:
    """The answer; a model that refuses to take what is attached is asked again without."""
    try:
        return await _ask(model, prompt, state, runtime)
    except ModelUnavailable as refused:
        if not prompt.shown.blocks or refused.reason != "model_bad_request":
            raise
    blind = replace(prompt, shown=prompt.shown.without_blocks())
    told = replace(blind, context=f"{prompt.context}\n\n{attachment_note(blind.shown)}")
    return replace(await _ask(model, told, state, runtime), refused=prompt.shown.kinds)


async def _ask(model: ChatModel, prompt: AssembledPrompt, state: OpenTurn, runtime: Runtime[Context]) -> _Answer:
    offer = await offer_tools(state, runtime)
    open_for_tools = state.tool_rounds < runtime.context.max_tool_rounds
    reply = await model.stream(
        conversation(prompt, state.messages, offer.note), Registry.specs(offer.tools) if open_for_tools else ()
    )
    return _Answer(reply, offer.degraded)


def conversation(prompt: AssembledPrompt, messages: list[AnyMessage], note: str = "") -> list[BaseMessage]:
    """The stable prefix, the history, this turn's documents and context beside the user's newest words, then tools.

    What changes from turn to turn stands behind the history, so that providers find the same beginning again. The user
    never speaks twice in a row.
    """
    spoken_at = max(index for index, message in enumerate(messages) if isinstance(message, HumanMessage))
    parts = (*prompt.documents, prompt.context, note, prompt.user_text)
    said = _join_voices([*prompt.history, HumanMessage("\n\n".join(text for text in parts if text))])
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
    if uncovered := await answer_uncovered(state, runtime, language):
        made_of = _injection_update(state, FallbackReply(uncovered))
        return _ReplyOutcome(AIMessage(uncovered), [reason, NOT_COVERED], made_of, attached)
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
