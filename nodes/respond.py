"""The reply: by the model, word by word, or honestly without one."""

from collections.abc import Iterator

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage
from langgraph.runtime import Runtime

from brain.attachments import attached
from brain.context import Context
from brain.identity import identity_of
from brain.intent_rules import Intent
from brain.models.errors import ModelError, ModelInterrupted, ModelRefused
from brain.models.port import ChatModel
from brain.notices import Break, attachment_notice, break_notice, with_notices
from brain.offline import compose, language_of
from brain.state import AssembledPrompt, State, Update
from skills.registry import Registry, builtin

TOO_LONG = "reply_length_limit"
"""The reason code of a reply that the model's limit of length cut off."""
_BREAKS: dict[str, Break] = {"interrupted": "broken_off", "length": "too_long"}


async def respond(state: State, runtime: Runtime[Context]) -> Update:
    """Answer, or call tools. A model that fails is replaced by what memory alone can say.

    A reply that is not whole, or that had to do without something attached, says so at its end.
    """
    reply, degraded = await _reply(state, runtime)
    if reply.tool_calls:
        return {"messages": [reply]}
    return {"messages": [await with_notices(reply, _notices(state, reply))], "degraded": degraded}


async def _reply(state: State, runtime: Runtime[Context]) -> tuple[AIMessage, list[str]]:
    """The reply, and why it is less than it could be."""
    models = runtime.context.resources.models
    model = models.chat
    if model is None or state.prompt is None:
        return _without_model(state, models.absent if model is None else "prompt_lost_on_resume")
    try:
        reply = await _ask(model, state.prompt, state, runtime)
    except ModelRefused as refusal:
        return AIMessage(refusal.text), ["model_refused"]
    except ModelInterrupted as cut:
        return cut.partial, [cut.reason]
    except ModelError as failure:
        return _without_model(state, failure.reason)
    return reply, [TOO_LONG] if _ending(reply) == "length" else []


def _notices(state: State, reply: AIMessage) -> Iterator[str]:
    assert state.turn is not None
    language = language_of(state.turn["text"])
    broken = _BREAKS.get(_ending(reply))
    if broken:
        yield break_notice(broken, language)
    if kinds := attached(state.messages):
        yield attachment_notice(kinds, language)


def _ending(reply: AIMessage) -> str:
    """Why the reply ended, as its metadata tells a client: ``stop`` when it is whole."""
    return str(reply.response_metadata.get("finish_reason", ""))


async def _ask(model: ChatModel, prompt: AssembledPrompt, state: State, runtime: Runtime[Context]) -> AIMessage:
    registry = builtin()
    open_for_tools = state.tool_rounds < runtime.context.max_tool_rounds
    intent = Intent.model_validate(state.intent)
    tools = registry.offered(identity_of(runtime), intent) if open_for_tools else ()
    return await model.stream(conversation(prompt, state.messages), Registry.specs(tools))


def conversation(prompt: AssembledPrompt, messages: list[AnyMessage]) -> list[BaseMessage]:
    """The stable prefix first, this turn's context beside the user's newest words, then what tools said since.

    Documents change seldom and stand before the conversation; they are data, so they are no part of the system's words.
    """
    spoken_at = max(index for index, message in enumerate(messages) if isinstance(message, HumanMessage))
    words = HumanMessage(f"{prompt.context}\n\n{prompt.user_text}" if prompt.context else prompt.user_text)
    standing = [HumanMessage("\n\n".join(prompt.documents))] if prompt.documents else []
    return [SystemMessage(prompt.system), *standing, *prompt.history, words, *messages[spoken_at + 1 :]]


def wants_tools(state: State) -> str:
    """Did the model call tools?"""
    last = state.messages[-1]
    return "dispatch_tools" if isinstance(last, AIMessage) and last.tool_calls else "capture_signals"


def goes_on(state: State) -> str:
    """Is there more to say after the tools?"""
    said = any(isinstance(message, AIMessage) and message.text for message in state.messages[-6:])
    return "capture_signals" if state.ended and said else "check_guard"


def _without_model(state: State, reason: str) -> tuple[AIMessage, list[str]]:
    return AIMessage(compose(state, reason)), [reason]
