"""How much a sentence tells: resolutions, numbers, names and times count, courtesies do not. Rules, zh and en."""

import re

from brain.signal_rules import entities
from evolution.courtesies import courtesies
from evolution.summaries.digest import NoteKind

_ASKS = re.compile(r"[?？]\s*$|[吗呢]\s*[。!！]?$")
_NUMBER = re.compile(r"\d[\d.,:%]*|[一二三四五六七八九十百千万两]+(?=[个次天周月年号点块元万千百人岁公斤])")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
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
_POLITE = courtesies(
    r"noted|(?:i['’]?m\s+)?happy\s+to\s+help|let\s+me\s+know|anything\s+else|today|have\s+a|day",
    r"知道了",
)

_OF_THE_ASSISTANT, _ASKED = 0.5, 0.7
_MOST_NAMES, _MOST_NUMBERS = 3, 2


def is_polite(text: str) -> bool:
    """Whether it is made of greetings, thanks and assents alone."""
    return bool(_POLITE.fullmatch(text))


def asks(text: str) -> bool:
    """Whether it is a question."""
    return bool(_ASKS.search(text))


def resolution(text: str) -> NoteKind | None:
    """Whether a person settles something in it, or takes something on; nothing that is only asked or supposed."""
    if asks(text) or _HEDGE.search(text):
        return None
    if _TODO.search(text):
        return "todo"
    return "decision" if _DECISION.search(text) else None


def worth(text: str, *, dated: bool, by_person: bool) -> float:
    """From 0.35 for an assistant's plain question to some 8 for a dated decision with names and numbers."""
    names = max(len(_NAME.findall(text)), sum(value.count(",") + 1 for value in entities(text).values()))
    told = 1.0 + min(_MOST_NUMBERS, len(_NUMBER.findall(text))) + min(_MOST_NAMES, names) + (1.0 if dated else 0.0)
    told += 2.5 if resolution(text) else 0.0
    return told * (1.0 if by_person else _OF_THE_ASSISTANT) * (_ASKED if asks(text) else 1.0)
