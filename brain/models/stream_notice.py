"""Words of Brain's own in the stream of a reply: LangGraph's clients hear only what a model says."""

from collections.abc import AsyncIterator
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult


async def stream_words(words: str, message_id: str) -> None:
    """Stream the words as a further piece of the message with this id."""
    async for _ in _FixedReplyModel(words=words, message_id=message_id).astream([]):
        pass


class _FixedReplyModel(BaseChatModel):
    """Says one thing, once."""

    words: str
    message_id: str

    @property
    def _llm_type(self) -> str:
        return "brain-aside"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self.words, id=self.message_id))])

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        # Without the position an empty piece under another id would follow.
        piece = AIMessageChunk(content=self.words, id=self.message_id, chunk_position="last")
        yield ChatGenerationChunk(message=piece)
