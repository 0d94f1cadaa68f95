"""Does somebody settle something in a sentence, or take something on?"""

import re
from typing import Literal

Resolution = Literal["decision", "todo"]

_ASKS = re.compile(r"[?？]\s*$|[吗呢]\s*[。!！]?$")
_DECISION = re.compile(
    r"\b(?:decided|agreed|settled\s+on|chose|going\s+with|we['’]ll\s+go|let['’]?s\s+(?:go|do|use|take|meet)|booked"
    r"|signed|confirmed|ordered|cancel(?:l?ed)|postponed|switched\s+to)\b"
    r"|决定|定了|敲定|说好|约好|约定|同意|选了|选定|确定(?!吗)|确认|改成|改为|订了|预订|取消|推迟|签了|就这么办|就用|就选",
    re.IGNORECASE,
)
_TODO = re.compile(
    r"\b(?:(?:I|we)\s+(?:still\s+)?(?:need|have|must|ought)\s+to|I\s+must|remind\s+me|don['’]?t\s+(?:let\s+me\s+)?forget"
    r"|to-?do|deadline|due\s+(?:on|by)"
    r"|by\s+(?:tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|the\s+end\s+of))\b"
    r"|提醒我|记得|别忘|不要忘|待办|截止|(?:我|我们|咱们)(?:还?得|还要|必须|需要)(?!是)",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|might|not\s+sure|if|whether|kidding|joking|imagine|pretend)\b"
    r"|也许|可能|如果|要是|不确定|开玩笑|假装|想象",
    re.IGNORECASE,
)


def has_question_mark(sentence: str) -> bool:
    """Whether it is marked as a question."""
    return bool(_ASKS.search(sentence))


def find_commitment(sentence: str) -> Resolution | None:
    """What a sentence settles or takes on, in English or Chinese; nothing that is only asked or supposed."""
    if has_question_mark(sentence) or _HEDGE.search(sentence):
        return None
    if _TODO.search(sentence):
        return "todo"
    return "decision" if _DECISION.search(sentence) else None
