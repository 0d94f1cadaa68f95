"""What Brain itself adds to a reply: that it broke off, or that something attached was not looked at."""

from collections.abc import Iterable, Sequence
from typing import Literal

from langchain_core.messages import AIMessage

from brain.attachments import Kind
from language.detection import Language

Break = Literal["broken_off", "too_long"]

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
_KINDS: dict[Language, dict[Kind, str]] = {
    "en": {"image": "image", "audio": "audio", "video": "video", "file": "file"},
    "zh": {"image": "图片", "audio": "音频", "video": "视频", "file": "文件"},
}


def break_notice(kind: Break, language: Language) -> str:
    """That the reply is not whole."""
    return _BREAKS[language][kind]


def attachment_notice(kinds: Sequence[Kind], language: Language) -> str:
    """That something was not looked at."""
    joined = ("、" if language == "zh" else ", ").join(_KINDS[language][kind] for kind in kinds)
    return _ATTACHED[language].format(kinds=joined)


async def append_notices(reply: AIMessage, notices: Iterable[str]) -> AIMessage:
    """The reply with notices behind its words, in the message and, where its words were streamed, in the stream."""
    words = "".join(f"\n\n{notice}" for notice in notices)
    if not words:
        return reply
    if reply.id:
        from brain.models.stream_notice import stream_words  # heavy to import, and most replies need no notice

        await stream_words(words, reply.id)
    return reply.model_copy(update={"content": reply.text + words})
