"""What the user wants, by rules; a model names the kind of request where there is one."""

import re
from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from brain.signal_rules import entities
from language.kinds import Kind
from language.statements import is_retraction, read_statements
from language.times import temporal_intent
from memory.recall.query import RecallIntent, TemporalIntent

IntentType = Literal[
    "chat",
    "recommend",
    "complaint",
    "question",
    "preference_check",
    "remember",
    "forget",
    "search_memory",
    "end",
    "task",
]
Phase = Literal["opening", "discussion", "task", "preference_check"]

BY_MODEL = 0.9
"""How far a kind of request is trusted that a model named."""
SURE = 0.75
"""Confidence of the rules from which on no model is asked."""
PLAIN = 0.7
"""How probable it has to be that a sentence states something, for its message to be plain talk."""
READ = 2_000
"""Characters of a message that the rules look at: of a pasted document, the opening says what to do."""


class Intent(BaseModel):
    """What one message of the user asks for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    action_required: bool = Field(description="True when a tool or skill must act; False when words are enough.")
    intent_type: IntentType = Field(description="The one kind of request that fits the message best.")
    confidence: float = Field(ge=0, le=1, description="How sure this classification is, from 0 to 1.")
    extracted_entities: dict[str, str | list[str]] = Field(
        default_factory=dict[str, str | list[str]],
        description="Key things named in the message, by kind: people, places, dates, products.",
    )
    context_hints: list[str] = Field(
        default_factory=list[str], description="Short hints for choosing a skill, such as personal, correction, dated."
    )
    phase: Phase = Field(description="Where the conversation stands.")
    retrieval_intent: RecallIntent = Field(description="Which kind of memory would help to answer.")
    temporal_intent: TemporalIntent = Field(
        description="Whether the message asks how things are now, how they came to be, or about a stretch of time."
    )


class IntentForm(BaseModel):
    """What a model is asked about a message: all else follows from it, or is told by rules."""

    model_config = ConfigDict(frozen=True)

    intent_type: IntentType = Field(description="The one kind of request that fits the message best.")


def classify(text: str, history_len: int = 0, told: IntentType | None = None) -> Intent:
    """The intent of a message (Chinese or English); ``history_len`` counts the turns of this session before it.

    ``told`` is the kind of request that a model saw in it.
    """
    said = text[:READ].strip()
    kind, confidence = (told, BY_MODEL) if told else _kind(said)
    when = temporal_intent(said)
    return Intent(
        action_required=kind in _ACTIONS,
        intent_type=kind,
        confidence=confidence,
        extracted_entities=dict(entities(said)),
        context_hints=_hints(said),
        phase=_phase(kind, history_len),
        retrieval_intent=_retrieval_intent(kind, said),
        temporal_intent=when,
    )


def memory_tokens(intent_type: IntentType) -> int:
    """How much personal memory a reply of this kind may carry, in tokens (S0 section 4.1)."""
    return MEMORY_TOKENS[intent_type]


MEMORY_TOKENS: MappingProxyType[IntentType, int] = MappingProxyType(
    {
        "chat": 500,
        "end": 500,
        "remember": 500,
        "question": 1_000,
        "forget": 1_000,
        "complaint": 2_000,
        "task": 2_000,
        "recommend": 3_000,
        "preference_check": 4_000,
        "search_memory": 4_000,
    }
)

_TELLING: frozenset[Kind] = frozenset(
    {"fact", "preference", "constraint", "event", "change", "slip", "courtesy", "passing"}
)
"""A plan may be a request: who is looking for a laptop wants advice."""
_ACTIONS: frozenset[IntentType] = frozenset({"task", "remember", "forget", "search_memory", "end"})
_WANTING = re.compile(r"\b(?:needs?|wants?|looking for|help|wish|hoping)\b|想|要|需|求|帮|找", re.IGNORECASE)
"""Words in which a wish may hide: who needs a present asks for ideas without a question."""
_ASKING = (
    r"(?:what|which|who|whose|when|where|why|how|do|does|did|is|are|was|were|can|could|should|would|will|have|has)"
)
_DO = (
    r"(?:write|draft|create|generate|make|translate|summari[sz]e|rewrite|book|order|schedule|remind|set|send"
    r"|plan|design|calculate|fix|list|find|build|compare|prepare|convert|export|edit|proofread|organi[sz]e|cancel)"
)
_PLEASE = (
    r"(?:(?:hey|ok|okay|so|now|and|then|well)[,\s]+)*(?:please[,\s]+|(?:can|could|would|will) you(?: please)?\s+)?"
)
_DO_ZH = (
    r"(?:写|做|画|查|算|翻译|总结|生成|创建|预订|预定|订|安排|提醒|设置|发送?|整理|修改|润色|改写|制定|列"
    r"|规划|设计|取消|分析|搜索?|导出|计算)"
)


def _compile(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


_CUES: tuple[tuple[IntentType, float, re.Pattern[str]], ...] = (
    (
        "forget",
        0.9,
        _compile(
            rf"^{_PLEASE}forget\s+(?:that|about|what|my|this|everything|all|the)\b(?!\s+it\b)",
            r"\b(?:delete|erase|remove|wipe|clear)\s+(?:all\s+)?(?:of\s+)?(?:my|your|the|that|this)\s+"
            r"(?:\w+\s+)?(?:memor(?:y|ies)|data)\b",
            r"\bdon['’]?t\s+remember\s+(?:that|this)\b",
            r"(?<!别)(?<!不要)(?<!不会)(?<!我)(?:忘了|忘掉|忘记)(?:我|这|那|关于|刚才|之前|所有|它)(?!吧?$)",
            r"(?:删除|清除|删掉|抹掉|清空).{0,12}(?:记忆|记录|信息|数据)|(?:别|不要)(?:再)?记(?:住|得)?(?:我|这|那)",
        ),
    ),
    (
        "preference_check",
        0.85,
        _compile(
            r"\bwhat\s+(?:do|did)\s+(?:i|you think i)\s+(?:\w+\s+)?(?:like|love|prefer|enjoy|hate|dislike)\b",
            r"\b(?:do|did)\s+i\s+(?:\w+\s+)?(?:like|love|prefer|enjoy|hate|dislike)\b",
            r"\bwhat(?:['’]s| is| are)\s+my\s+(?:\w+\s+)?(?:favou?rites?|preferences?|tastes?|style)\b",
            r"\bwhat\s+(?:do|else do)\s+you\s+(?:know|remember)\s+about\s+me\b|\bmy preferences\b.*\?",
            r"我(?:现在|最|更|比较|平时|还|到底|以前|之前)*(?:不?喜欢|爱|偏好|讨厌)(?:吃|喝|看|听|穿|玩|的是)?"
            r"(?:什么|哪|谁|.{0,12}(?:吗|么)[?？]?$)",
            r"我的?(?:偏好|喜好|口味|风格|忌口)(?:是|有|都)?(?:什么|哪|吗)|我是不是.{0,6}(?:喜欢|讨厌)",
            r"你(?:都|还)?(?:知道|了解|记得)(?:关于)?我(?:的)?(?:哪些|什么|多少|偏好|喜好)",
        ),
    ),
    (
        "search_memory",
        0.85,
        _compile(
            r"\bdo\s+you\s+(?:still\s+)?(?:remember|recall)\b|\bdid\s+i\s+(?:ever\s+)?(?:tell|mention|say|talk)\b",
            r"\bwhat\s+(?:did|have)\s+(?:i|we)\s+(?:\w+\s+)?(?:say|said|tell|told|talk|mention|discuss|decide)",
            r"\b(?:when|where|who|how|why|what|which)\b[^.?!]{0,40}\b(?:did|do|was|were|am|have|had)\s+i\b",
            r"\b(?:what|who|when|where|how)(?:['’]s| is| are| was| were| old is| many)\s+my\b",
            r"\bsearch\s+(?:your|my)\s+memor",
            r"还记得|记得.{0,20}[吗么?？]|(?:我|我们)(?:之前|以前|上次|那天|昨天|上周|曾经)?(?:跟你|和你)?"
            r"(?:说|提|聊|讲)过",
            r"我(?:的)?(?!想|要|该|应该|能|可以)[^，。？?]{0,14}(?:是谁|是什么|叫什么|在哪|哪里|哪儿|几岁|多大"
            r"|几号|什么时候|哪天|哪一?年|多少)",
            r"(?:查|搜|翻)(?:一下)?.{0,4}记忆",
        ),
    ),
    (
        "remember",
        0.9,
        _compile(
            rf"^{_PLEASE}(?:remember|note|keep in mind|don['’]?t forget|make a note|memori[sz]e)\b(?!\s+"
            rf"(?:when|how|the time)\b)",
            r"^(?:请|麻烦)?(?:你)?(?:帮我)?(?:记住|记一下|记下来?|记着|备注一下|记得(?!.{0,20}[吗么?？]))"
            r"|别忘了?我|帮我记",
        ),
    ),
    (
        "complaint",
        0.8,
        _compile(
            r"\b(?:refund|complain(?:t|ing)?|unacceptable|terrible|awful|rip-?off|damaged|defective"
            r"|disappoint(?:ed|ing))\b",
            r"\b(?:does|did|do|is|are)(?:n['’]?t| not)\s+work(?:ing)?\b|\b(?:it|which|that|screen|order) "
            r"(?:is|was|arrived|came) broken\b",
            r"投诉|退货|退款|售后|差评|不满意|太差|很差|坏了|质量(?:问题|差)|(?:用|穿|洗)了?(?:一|两|几)"
            r"(?:次|天)就|没法用|不能用|坑人|维权",
        ),
    ),
    (
        "recommend",
        0.85,
        _compile(
            r"\b(?:recommend|suggest)(?:ations?|ions?|ed)?\b|\bany\s+(?:ideas?|advice|tips)\b"
            r"|\bhelp me (?:choose|pick|decide)\b",
            r"\bwhat\s+should\s+i\s+(?:buy|wear|eat|cook|get|watch|read|order|drink|make|do|choose|visit)\b",
            r"\bwhere\s+should\s+(?:i|we)\s+(?:go|eat|stay)\b|\bwhich\s+(?:\w+\s+){0,3}should\s+i\b",
            r"推荐|建议(?:我|一下|吗)|有(?:什么|啥|没有)(?:好|适合|合适)|适合我|(?:吃|穿|买|喝|看|选|送)"
            r"(?:什么|啥|哪)(?:好|呢|比较)?|怎么搭|搭配|去哪(?:里|儿)?(?:玩|吃|逛)",
        ),
    ),
    (
        "task",
        0.75,
        _compile(
            rf"^{_PLEASE}{_DO}\b|\b(?:help me|i need you to|i want you to)\s+(?:to\s+)?{_DO}\b",
            rf"(?:帮我|给我|替我|麻烦你?|请你?)(?:再|先|把|将)?.{{0,12}}?{_DO_ZH}|^{_DO_ZH}(?:一|个|份|篇|下|首|封|张)",
            r"^(?:请|把|将).{1,30}(?:成|翻译|改|发|删|整理|总结)",
        ),
    ),
)
_END = _compile(
    r"^(?:ok(?:ay)?[,.\s]+|thanks?(?: you)?[,.!\s]+|alright[,.\s]+)*(?:good)?(?:bye|night)\b(?:[\s-]?bye)?[!.\s]*$",
    r"^(?:thanks?(?: you)?[,.!\s]+)*(?:see you(?: \w+)?|talk (?:to you )?later|that(?:['’]s| is) "
    r"(?:all|it)(?: for (?:now|today))?|/?(?:quit|exit|end))(?:[,\s]+(?:thanks|thank you|bye))?[!.\s]*$",
    r"^(?:好的?[，,。\s]*|谢谢(?:你|您)?[，,。!！\s]*)*(?:再见|拜拜|回头见|下次(?:再)?聊|先这样"
    r"|就(?:先)?这样吧?|没(?:别的|其他)?(?:事|问题)了|晚安|结束吧?|退出)[了啦吧哦。！!~\s]*$",
)
_QUESTION = _compile(
    rf"[?？]\s*$|^(?:(?:so|and|but|hey|ok)[,\s]+)*{_ASKING}\b",
    r"[吗呢么]\s*[。!！]?$|什么|怎么|为何|为什么|哪(?:里|儿|个|些|家|天)|多少|几[个点岁天号]|是不是|有没有"
    r"|能不能|可不可以|谁",
)
_GREETING = _compile(
    r"^(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings|yo)\b",
    r"^(?:你好|您好|嗨|哈喽|早上好|晚上好|早安|在吗)",
)
_REASONING = _compile(
    r"\b(?:why|how come|compare|difference|explain|because|pros and cons|better)\b",
    r"为什么|为何|比较|区别|解释|原因|怎么看|分析|优缺点",
)
_PERSONAL = _compile(r"\b(?:i|my|me|mine|i['’]m)\b", r"我")
_DATED = _compile(
    r"\b(?:today|yesterday|tomorrow|last|next|ago|when|20\d\d)\b", r"今天|昨天|明天|上周|下周|去年|什么时候|月|年前"
)
_NEGATIVE = _compile(
    r"\b(?:hate|angry|annoyed|upset|terrible|awful|sad|frustrat\w+)\b", r"讨厌|生气|烦|难过|失望|糟糕|郁闷"
)


def _kind(said: str) -> tuple[IntentType, float]:
    if not said:
        return "chat", 0.3
    if len(said) <= 40 and _END.search(said):
        return "end", 0.9
    for kind, confidence, cue in _CUES:
        if cue.search(said):
            return kind, confidence
    if _QUESTION.search(said):
        return "question", 0.7
    return "chat", 0.8 if _GREETING.search(said) or _only_tells(said) else 0.5


def _only_tells(said: str) -> bool:
    """Whether every sentence tells something, or is a courtesy, beyond doubt: nothing is wanted."""
    told = read_statements(said)
    sure = all(sum(each.kinds[kind] for kind in _TELLING) >= PLAIN for each in told)
    return bool(told) and sure and not _WANTING.search(said)


def _phase(kind: IntentType, history_len: int) -> Phase:
    if kind == "preference_check":
        return "preference_check"
    if kind in _ACTIONS and kind not in ("search_memory", "end"):
        return "task"
    return "opening" if history_len == 0 and kind == "chat" else "discussion"


def _retrieval_intent(kind: IntentType, said: str) -> RecallIntent:
    if kind in ("recommend", "preference_check"):
        return "preference"
    if kind == "task":
        return "skill"
    if kind in ("question", "search_memory"):
        return "reasoning" if _REASONING.search(said) else "fact"
    return "contextual"


def _hints(said: str) -> list[str]:
    cues = {
        "greeting": _GREETING.search(said),
        "personal": _PERSONAL.search(said),
        "dated": _DATED.search(said),
        "negative_tone": _NEGATIVE.search(said),
        "correction": is_retraction(said),
    }
    return [hint for hint, found in cues.items() if found]
