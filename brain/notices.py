"""What Brain itself adds to a reply: that it broke off, or that something attached was not looked at."""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, Literal

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from brain.attachments import Kind
from language.detection import Language

Break = Literal["broken_off", "too_long"]
FOR_PROGRAM = "for_program"
"""Metadata of a reply that a program reads: not a word is added to it."""
LIMITED = "limited"
"""Metadata of a reply whose length was limited by whoever asked for it, who needs no telling."""

_BREAKS: dict[Language, dict[Break, str]] = {
    "en": {
        "broken_off": "(The reply broke off here: the model stopped before it was done. Ask again, or say “go on”.)",
        "too_long": "(The reply stops here: the model reached its limit of length. Say “go on” for the rest.)",
    },
    "zh": {
        "broken_off": "（回复在此中断：模型没有说完就停了。请再问一次，或者说“继续”。）",
        "too_long": "（回复在此停止：模型已达到长度上限。说“继续”可以看到其余部分。）",
    },
}
_ATTACHED: dict[Language, str] = {
    "en": "(I read only words: I have not looked at what you attached — {kinds}. Describe it to me.)",
    "zh": "（我只能读文字：你附上的{kinds}我没有看。请用文字描述。）",
}
_UNCHANGED: dict[Language, str] = {
    "en": "(So far nothing in my memory has been forgotten or changed.)",
    "zh": "（到目前为止，我的记忆里什么都没有忘掉，也没有改动。）",
}
_KINDS: dict[Language, dict[Kind, str]] = {
    "en": {"image": "image", "audio": "audio", "video": "video", "file": "file"},
    "zh": {"image": "图片", "audio": "音频", "video": "视频", "file": "文件"},
}


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
    return _BREAKS[language][kind]


def attachment_notice(kinds: Sequence[Kind], language: Language) -> str:
    """That something was not looked at."""
    joined = ("、" if language == "zh" else ", ").join(_KINDS[language][kind] for kind in kinds)
    return _ATTACHED[language].format(kinds=joined)


def unchanged_notice(language: Language) -> str:
    """What contradicts a reply that claims a change of memory which nobody made."""
    return _UNCHANGED[language]


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
