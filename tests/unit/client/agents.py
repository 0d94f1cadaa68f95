"""Agents of ``create_agent`` with a model that follows a script."""

from collections.abc import Sequence
from typing import Any

from brain_memory.langchain import BrainMiddleware
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import BaseTool
from pydantic import Field

from tests.unit.client.fake_server import Mode


class ScriptedModel(BaseChatModel):
    """Gives its replies in order, then the last one again; keeps the prompts it saw."""

    replies: list[AIMessage] = Field(default_factory=lambda: [AIMessage("Green.")])
    prompts: list[list[BaseMessage]] = Field(default_factory=list[list[BaseMessage]])

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> "ScriptedModel":
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **options: Any,
    ) -> ChatResult:
        self.prompts.append(messages)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0].model_copy(update={"id": None})
        return ChatResult(generations=[ChatGeneration(message=reply)])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **options: Any,
    ) -> ChatResult:
        return self._generate(messages)

    @property
    def texts(self) -> list[list[str]]:
        """What each prompt said."""
        return [[each.text for each in prompt] for prompt in self.prompts]


def calls(name: str, **arguments: Any) -> AIMessage:
    """A reply that calls a tool."""
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": f"call_{name}"}])


def an_agent(
    memory: BrainMiddleware, model: BaseChatModel | None = None, tools: Sequence[BaseTool] = (), **options: Any
) -> Any:
    """An agent; its own types know less than its answers hold."""
    more = options.pop("middleware", ())
    return create_agent(model or ScriptedModel(), list(tools), middleware=[memory, *more], **options)


async def ask(mode: Mode, agent: Any, text: Any, **options: Any) -> dict[str, Any]:
    """A turn; ``text`` may also be a whole input."""
    asked = {"messages": [{"role": "user", "content": text}]} if isinstance(text, str) else text
    return agent.invoke(asked, **options) if mode == "sync" else await agent.ainvoke(asked, **options)
