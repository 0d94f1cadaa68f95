"""Which characters of a turn are the speaker's own statements. Everything else is hidden, offsets unchanged."""

import re

HIDDEN = "\ue000"
"""Stands for each character that is not the speaker's own statement, such as quoted speech."""
MAX_SPOKEN = 10_000
"""Characters read of one turn: beyond that it is a pasted document, not speech."""

_TAG = re.compile(
    r"<(?P<name>(?:said|belief|document|summary|knowledge|memories|tool_result)_[0-9a-f]{6}"
    r"|user_memory|memory_usage_guide|memory|memories|knowledge|context|documents?|system|assistant"
    r"|tool(?:_result)?"
    r"|retrieved|summary|entity_slots)\b[^<>]{0,400}>",
    re.IGNORECASE,
)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_ROLE_LINE = re.compile(
    r"^[ \t]*(?:user|assistant|system|human|ai|bot|tool|developer|助手|系统|用户)[ \t]*[:：].*$",
    re.IGNORECASE | re.MULTILINE,
)
_NAMED_LINE = re.compile(r"^[ \t]*[A-Z][a-z]{1,15}[ \t]*:.*$|^[ \t]*[\u4e00-\u9fff]{2,3}：.*$", re.MULTILINE)
_QUOTE = re.compile(r"[\"“「『]([^\"“”「」『』\n]{1,300})[\"”」』]|(?<!\w)['‘]([^'‘’\n]{2,200})['’](?!\w)")
_SPEECH = re.compile(r"\b(?:I|I['’]m|my|me|you|we)\b|[我你您]")
_SAID_BEFORE = re.compile(r"(?:\b(?:said|says|asked|told \w+|wrote|replied|shouted)|[说问道写答喊])\s*[,，:：]?\s*$")
_YOU_SAID = re.compile(
    r"\b(?:according to (?:you|your (?:notes|memory|records))"
    r"|you (?:just |once |already |still )?(?:said|say|claim(?:ed)?|mentioned|told me|wrote|think|thought|remembered"
    r"|noted|believed?)"
    r"(?! (?:it|so|right)\b))[^,.!?;，。！？；\n]*"
    r"|你(?:刚才|刚刚|上次|之前|以前|昨天|一直|还|总是|都)?(?:跟我)?(?:说过?|提到过?|讲过?|以为|记得|记着|认为)(?![得的对])"
    r"[^,.!?;，。！？；\n]*",
    re.IGNORECASE,
)
_INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:all\s+|any\s+|the\s+|your\s+|of\s+|these\s+|every\s+){0,4}"
    r"(?:previous|prior|above|earlier|existing|system|safety)?\s*(?:instructions?|prompts?|rules|guidelines"
    r"|guardrails)\b"
    r"|^[ \t#]{0,40}(?:system|developer)\s*(?:prompt|message)?\s*[:：]|\byou\s+are\s+now\s+(?:an?|the|in)\b"
    r"|\bnew\s+instructions?\s*:"
    r"|\bjailbreak|\bsystem\s+prompt\b|\bact\s+as\s+(?:an?|the|my)\b|\bfrom\s+now\s+on,?\s+you\s+(?:are|must"
    r"|will|have)\b|\[/?INST\]|<\|"
    r"|(?:忽略|无视|忘记|绕过)[^。\n]{0,10}(?:指令|指示|规则|设定|提示词?|要求|限制)|系统(?:提示词?|指令|消息)?[：:]"
    r"|从现在(?:开始|起)[，,]?你(?:是|要|必须|将|就是)|你现在是(?:一|个)",
    re.IGNORECASE | re.MULTILINE,
)
_TO_WORK_ON = re.compile(
    r"^[ \t]{0,40}(?:please\s+|can\s+you\s+|could\s+you\s+)?(?:translate|proofread|paraphrase|rewrite|summari[sz]e"
    r"|correct\s+(?:this|the|my)\s+\w+|fix\s+(?:this|the|my)\s+(?:grammar|text|sentence))\b"
    r"|(?:翻译|润色|改写|校对|总结|续写)(?:一下|这|下面|以下|成|：|:)",
    re.IGNORECASE | re.MULTILINE,
)
"""A text is handed over: nobody says who speaks in it."""
_WRITE = r"\b(?:write|draft|compose|tell)\s+(?:me\s+)?(?:an?|the|my)\s+(?:\w+\s+){0,3}"
_WRITE_ZH = r"写(?:一|个)?(?:篇|首|个|段|封)?[^，。]{0,8}"
_MAKE_BELIEVE = re.compile(
    r"(?<!\bI\s)(?<!\bcan\s)(?<!\bcould\s)(?<!\bcan['’]t\s)(?<!\bto\s)\b(?:imagine|suppose)\b"
    r"|\b(?:pretend|supposing|hypothetically|role-?play|let['’]?s\s+say|for\s+the\s+sake\s+of\s+argument"
    r"|in\s+my\s+(?:novel|story|dream))\b"
    rf"|{_WRITE}(?:story|poem|song|script|dialogue|lyrics|novel)\b"
    rf"|想象一下|假装|假设|假定|扮演|举个例子|打个比方|角色扮演|{_WRITE_ZH}(?:故事|小说|诗|歌词|剧本|台词)",
    re.IGNORECASE,
)
_LETTER = re.compile(
    rf"{_WRITE}(?:letter|bio|essay|speech)\b|{_WRITE_ZH}(?:作文|自我介绍|信)",
    re.IGNORECASE,
)
"""A text in which nothing is made up; but of a short request nobody knows whose life it tells."""
_STOP = re.compile(r"[.!?。！？]+\s*|\n+")
LONG_TALK = 6
"""Sentences from which a message tells of itself beside what it asks for."""

_PLAY_STARTS = re.compile(
    r"\brole-?\s?play|\blet['’]?s\s+(?:play|act|pretend)\b|\byou\s+(?:are|be|play)\s[^,.!?\n]{1,40}[,.;]?\s+(?:and\s+)?"
    r"I(?:['’]m|['’]ll\s+(?:be|play)|\s+am|\s+play)\s"
    r"|角色扮演|剧本杀|你(?:现在|就|来|先)*(?:是|演|扮演?|当)[^，。！？?!,\n]{1,14}[，,。；;！!\s]+我(?:现在|就|来|先)*"
    r"(?:是|演|扮|当|上门)",
    re.IGNORECASE,
)
"""Roles are dealt out, to the assistant and to the speaker."""
_PLAY_ENDS = re.compile(
    r"\b(?:seriously|for\s+real|out\s+of\s+character|end\s+(?:of\s+)?scene|enough\s+(?:of\s+that|playing)|stop\s+playing|back\s+to)\b"
    r"|不玩了|不演了|不闹了|玩够了|说真的|说正经|言归正传|出戏|回到正题|说回|话说回来|正经问",
    re.IGNORECASE,
)


def starts_play(text: str) -> bool:
    """Whether a turn begins a role play, in which its speaker takes a part as well."""
    return _PLAY_STARTS.search(text[:MAX_SPOKEN]) is not None


def ends_play(text: str) -> bool:
    """Whether a turn says in so many words that a play is over."""
    return _PLAY_ENDS.search(text[:MAX_SPOKEN]) is not None


def own_words(text: str) -> str:
    """The turn with everything that is not its speaker's statement hidden; same length (of what is read).

    Hidden: injected memory and knowledge, code, quoted lines and quoted speech, what Brain is said to have said,
    pasted transcripts. A turn that carries instructions, make-believe or a text to work on states nothing: it is hidden
    whole; a long one tells of its speaker before the make-believe begins, and around a letter that it asks for.
    """
    said = _blank_tags(text[:MAX_SPOKEN])
    if _INSTRUCTION.search(said) or _TO_WORK_ON.search(said):
        return HIDDEN * len(said)
    said = _hide_made_up(said)
    for pattern in (_FENCE, _QUOTED_LINE, _ROLE_LINE, _YOU_SAID):
        said = pattern.sub(_blank, said)
    if len(_NAMED_LINE.findall(said)) > 1:
        said = _NAMED_LINE.sub(_blank, said)
    return _QUOTE.sub(_blank_speech, said)


def _hide_made_up(said: str) -> str:
    """Without make-believe and texts that are to be written."""
    made_up, letter = _MAKE_BELIEVE.search(said), _LETTER.search(said)
    if made_up is None and letter is None:
        return said
    stops = [each.end() for each in _STOP.finditer(said) if each.end() < len(said.rstrip())]
    if len(stops) + 1 < LONG_TALK:
        return HIDDEN * len(said)
    if letter:
        begin = max((each for each in stops if each <= letter.start()), default=0)
        end = min((each for each in stops if each >= letter.end()), default=len(said))
        said = said[:begin] + HIDDEN * (end - begin) + said[end:]
    if made_up:
        begin = max((each for each in stops if each <= made_up.start()), default=0)
        said = said[:begin] + HIDDEN * (len(said) - begin)
    return said


def _blank(found: re.Match[str]) -> str:
    return "\n" * len(found[0])


def _blank_speech(found: re.Match[str]) -> str:
    """Titles and nicknames stay, speech goes."""
    inside = found[1] or found[2]
    before = found.string[max(0, found.start() - 20) : found.start()]
    speech = _SPEECH.search(inside) or _SAID_BEFORE.search(before) or len(inside) > 60
    return HIDDEN * len(found[0]) if speech else found[0]


def _blank_tags(text: str) -> str:
    """Injected blocks become line breaks; one that is never closed runs to the end."""
    kept: list[str] = []
    at = 0
    while tag := _TAG.search(text, at):
        closing = re.compile(rf"</{tag['name']}\s*>", re.IGNORECASE).search(text, tag.end())
        end = closing.end() if closing else len(text)
        kept += (text[at : tag.start()], "\n" * (end - tag.start()))
        at = end
    return "".join((*kept, text[at:]))
