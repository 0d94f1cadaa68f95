"""The reply without a language model: honest about it, and made of memory alone."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from brain.metering import BUDGET_SPENT
from brain.models.errors import ADVICE
from brain.offline_documents import about_the_user, told
from brain.state import MemoryUse, State

Language = Literal["en", "zh"]
SHOWN = 3
CLEARLY = 0.4
"""Share of the best score below which a memory is not worth telling."""

_QUESTIONS = re.compile(
    r"[?？]\s*$|^(?:who|what|when|where|why|how|which|whose|do|does|did|is|are|was|were|can|could|tell me)\b|[吗呢]\s*$"
    r"|什么|多少|哪里|哪儿|谁|几点|怎么",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True)
class Phrases:
    """The few sentences that Brain can say by itself."""

    no_model: str
    spent: str
    failed: str
    remember: str
    nothing: str
    noted: str
    user_said: str
    other_said: str
    known: str
    advice: Mapping[str, str]


PHRASES: dict[Language, Phrases] = {
    "en": Phrases(
        no_model="(No language model is configured, so I answer from memory alone.)",
        spent="(Today's tokens for the language model are used up, so I answer from memory alone until tomorrow.)",
        failed="(The language model did not answer ({reason}), so I answer from memory alone. {advice})",
        remember="This is what I remember:",
        nothing="I remember nothing about that yet.",
        noted="I have noted that.",
        user_said="- on {date} you said: “{text}”",
        other_said="- on {date} {speaker} said: “{text}”",
        known="- {text} (since {date})",
        advice=ADVICE,
    ),
    "zh": Phrases(
        no_model="（没有配置语言模型，所以我只凭记忆回答。）",
        spent="（今天可用于语言模型的额度已经用完，明天之前我只凭记忆回答。）",
        failed="（语言模型没有回应（{reason}），所以我只凭记忆回答。{advice}）",
        remember="我记得的有：",
        nothing="关于这个，我还没有任何记忆。",
        noted="我记下了。",
        user_said="- {date}，你说过：“{text}”",
        other_said="- {date}，{speaker}说过：“{text}”",
        known="- {text}（自{date}）",
        advice={
            "model_timeout": "它没有及时回答；请调大 BRAIN_MODEL_TIMEOUT，或换一个更快的模型。",
            "model_rate_limited": "服务商限制了请求频率；请稍等，或提高限额。",
            "model_quota_exhausted": "账户额度已用完；请查看服务商的套餐和账单。",
            "model_server_error": "服务商自身出错；请稍后再试。",
            "model_unreachable": "它的地址无人应答；请检查 BRAIN_BASE_URL 和网络，再运行 brain doctor。",
            "model_interrupted": "它什么都没说就停了；请再试一次。",
            "model_auth_failed": "服务商拒绝了密钥；请检查 OPENAI_API_KEY。",
            "model_not_found": "它的地址不认识这个模型或路径；brain doctor 会列出可用的模型。",
            "model_bad_request": "服务商拒绝了请求；brain doctor 会检查模型和地址。",
            "model_context_exceeded": "提示词超过了它能读的长度；请调小 BRAIN_CONTEXT_WINDOW。",
            "model_malformed": "它的回答无法读取；请检查 BRAIN_BASE_URL 的结尾是否正确，通常是 /v1。",
        },
    ),
}


def compose(state: State, reason: str) -> str:
    """An answer from the turn's own memories, in the user's language, with the reason why no model speaks."""
    assert state.turn is not None
    text = state.turn["text"]
    phrases = PHRASES[language_of(text)]
    asked = bool(_QUESTIONS.search(text.strip()))
    apologies = {"model_not_configured": phrases.no_model, BUDGET_SPENT: phrases.spent}
    apology = apologies.get(reason) or _failed(reason, phrases)
    remembered = [] if about_the_user(text) else [_line(memory, phrases) for memory in _shown(state.memories)]
    lines = remembered or _standing(state, text) or [_line(memory, phrases) for memory in _shown(state.memories)]
    lines = lines or (_just_said(state, phrases) if about_the_user(text) else [])
    body = [phrases.remember, *lines] if lines and asked else [phrases.nothing if asked else phrases.noted]
    return "\n".join((*body, apology))


def _failed(reason: str, phrases: Phrases) -> str:
    told = phrases.failed.format(reason=reason, advice=phrases.advice.get(reason, ""))
    return re.sub(r"\s+\)$", ")", told)


def _standing(state: State, text: str) -> list[str]:
    """What recall leaves out because it stands in every prompt anyway, or because no word of the question names it."""
    documents = state.prompt.documents if state.prompt else ()
    return [f"- {line}" for line in told(documents, text)]


def _just_said(state: State, phrases: Phrases) -> list[str]:
    """The user's last statements of this conversation: nothing may have been made of them yet."""
    window = state.opened.window if state.opened else ()
    told = [event for event in window if event.role == "user" and not _QUESTIONS.search(event.text.strip())]
    return [_quoted(event.speaker, event.text, event.occurred_at.isoformat(), phrases) for event in told[-SHOWN:]]


def language_of(text: str) -> Language:
    """Chinese when it is written in Chinese characters, English otherwise."""
    return "zh" if _CHINESE.search(text) else "en"


def _shown(memories: list[MemoryUse]) -> list[MemoryUse]:
    """The few that clearly bear on it, facts first: they are kept up to date, and what was said once is not.

    Neither questions nor Brain's own words answer anything.
    """
    telling = [memory for memory in memories if memory["role"] != "assistant" and not _asks(memory["text"])]
    best = _holding(sorted(telling, key=lambda memory: memory["score"], reverse=True))[:SHOWN]
    clear = [memory for memory in best if memory["score"] >= CLEARLY * best[0]["score"]]
    return sorted(clear, key=lambda memory: memory["lane"] != "fact")


def _holding(best: list[MemoryUse]) -> list[MemoryUse]:
    """A turn of which something is over tells nothing below one memory that holds; above it, it may be all there is."""
    held = next((place for place, each in enumerate(best) if not _is_doubted(each)), len(best))
    return [*best[:held], *(each for each in best[held:] if not _is_doubted(each))]


def _is_doubted(memory: MemoryUse) -> bool:
    return memory["lane"] == "turn" and memory["signals"].get("belief", 1.0) < 1.0


def _asks(text: str) -> bool:
    return text.rstrip().endswith(("?", "？"))


def _line(memory: MemoryUse, phrases: Phrases) -> str:
    if memory["lane"] != "turn":
        return phrases.known.format(text=memory["text"], date=memory["valid_since"][:10])
    return _quoted(memory["speaker"], memory["text"], memory["valid_since"], phrases)


def _quoted(speaker: str, text: str, when: str, phrases: Phrases) -> str:
    template = phrases.user_said if speaker == "user" else phrases.other_said
    return template.format(date=when[:10], speaker=speaker, text=text)
