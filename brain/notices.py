"""What Brain itself adds to a reply: that it broke off, or that something attached was not looked at."""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, Literal

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from brain.attachments import Kind
from language.detection import Language
from language.tables import text

Break = Literal["broken_off", "too_long"]
FOR_PROGRAM = "for_program"
"""Metadata of a reply that a program reads: not a word is added to it."""
LIMITED = "limited"
"""Metadata of a reply whose length was limited by whoever asked for it, who needs no telling."""


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


def break_notice(kind: Break, language: Language) -> str:
    """That the reply is not whole."""
    return text(f"notices.{kind}", language)


def attachment_notice(kinds: Sequence[Kind], language: Language) -> str:
    """That something was not looked at."""
    return text("notices.attached", language).format(kinds=_name_kinds(kinds, language))


def kept_notice(kinds: Sequence[Kind], language: Language) -> str:
    """What becomes of a message without a word where no model looks at it."""
    return text("notices.kept", language).format(kinds=_name_kinds(kinds, language))


def _name_kinds(kinds: Sequence[Kind], language: Language) -> str:
    return text("notices.joint", language).join(text(f"notices.kinds.{kind}", language) for kind in kinds)


def unchanged_notice(language: Language) -> str:
    """What contradicts a reply that claims a change of memory which nobody made."""
    return text("notices.unchanged", language)


async def append_notices(reply: AIMessage, notices: Iterable[str]) -> AIMessage:
    """The reply with notices behind its words, in the message and, where its words were streamed, in the stream."""
    words = "".join(f"\n\n{notice}" for notice in notices)
    if not words:
        return reply
    if reply.id:
        from brain.notices import stream_words  # heavy to import, and most replies need no notice

        await stream_words(words, reply.id)
    return reply.model_copy(update={"content": reply.text + words})


async def stream_words(words: str, message_id: str) -> None:
    """Stream the words as a further piece of the message with this id."""
    async for _ in _FixedReplyModel(words=words, message_id=message_id).astream([]):
        pass
