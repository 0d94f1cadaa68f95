"""Whether a question is about now, about how things came to be, or about a stretch of time."""

import re
from typing import Literal

from language.times.find import time_words

TemporalIntent = Literal["current_state", "history_trace", "time_slice"]

_HISTORY = re.compile(
    r"以前(?!在)|之前|过去|曾经|曾|原来|原先|当初|从前|早先|变化|变过|变了|改变|改过|换过"
    r"|历史|历任|变迁|演变|先后|一直以来|来龙去脉"
    r"|什么时候(?:开始|变|改|换|搬|不再)|何时(?:开始|变|改|换|搬|不再)|怎么变|为什么(?:变|改|换)"
    r"|\b(?:used to|previous(?:ly)?|formerly|originally|in the past|earlier|history"
    r"|over time|evolve[ds]?|back then|ever|chang(?:ed?|es|ing)|at first|no longer"
    r"|before(?!\s+(?:bed|breakfast|lunch|dinner|work)))\b"
    r"|\bwhen did \w+(?: \w+)? (?:change|switch|move|stop|start|become|begin|quit|leave)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"现在|目前|如今|当前|眼下|这会儿|现阶段"
    r"|\b(?:now|currently|these days|nowadays|at the moment|at present|right now|still|present(?:ly)?|as of today)\b",
    re.IGNORECASE,
)
_AGO = re.compile(r"(?<=[天周月年期拜时钟])(?:以前|之前)")
_TODAY = re.compile(r"今天|今日|今晚|今早|刚才|\b(?:today|tonight|just now|this (?:morning|afternoon|evening))\b", re.I)
_READ = 2_000


def temporal_intent(text: str, *, names_a_time: bool = True) -> TemporalIntent:
    """Which view of time a query asks for; questions of change win over «now», a named period over neither.

    Only the first 2,000 characters are read: a longer text is no query. ``names_a_time`` is False where the caller has
    looked for times already, and found none.
    """
    query = _AGO.sub("前", text[:_READ])
    if _HISTORY.search(query):
        return "history_trace"
    if _NOW.search(query):
        return "current_state"
    return "time_slice" if names_a_time and _mentions_period(query) else "current_state"


def mentions_now(text: str) -> bool:
    """Whether a text speaks of how things are by now."""
    return bool(_NOW.search(text))


def _mentions_period(query: str) -> bool:
    """A period other than today."""
    return bool(time_words(_TODAY.sub(" ", query)))
