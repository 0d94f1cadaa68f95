"""What a person asks to have remembered, in their own words, when no row knows what it says."""

import re
from collections.abc import Iterator

from memory.rules.clauses import Sentence
from memory.rules.rows import HIDDEN, Finding, Row, Subject

_ASKED = re.compile(
    r"\s*(?:(?:hi|hey|hello|ok|okay|also|and|oh)[,\s]+)*"
    r"(?:(?:(?:can|could)\s+you\s+)?please\s+(?:remember|note|keep\s+in\s+mind|make\s+a\s+note)(?:\s+(?:that|this|down))*\s*[:,]?"
    r"|(?:remember|note|keep\s+in\s+mind|don['’]?t\s+forget|make\s+a\s+note|bear\s+in\s+mind)\s*(?:(?:that|this|down)\s*[:,]?|:|(?=\s(?:my|our|to)\s))"
    r"|(?:please\s+)?remind\s+me(?=\s+to\s))"
    r"\s+(?P<object>\S.{3,200})"
    r"|\s*(?:请|麻烦)?(?:你)?(?:帮我)?(?:记住|记一下|记下来?|记得)(?:了)?[：:，,\s]*(?P<zh>\S.{2,120})",
    re.IGNORECASE,
)
_REMIND = re.compile(r"to\s+\w+|(?:提醒我|要|去)", re.IGNORECASE)
_NOT_A_FACT = re.compile(
    r"\b(?:you|your|when|how|who|what|where|why|me|him|her|them|it|always|must|never|should|obey|answer|reply|respond|admin|root)\b|[你您它]|^(?:别|不要|不能|帮|给)|什么|怎么|哪|吗|这个|那个|必须|永远|回答",
    re.IGNORECASE,
)

NOTE = Row(predicate="note", says="{who} asked to remember: {object}", category="notes", keeps_time=True)
REMINDER = Row(
    predicate="reminder",
    says="{who} wants to remember {object}",
    item_type="plan",
    category="plans",
    standing="intended",
    needs_future=True,
    keeps_time=True,
)
NOTE_ZH = Row(predicate="note", says="{who}要求记住：{object}", category="notes", keeps_time=True)
REMINDER_ZH = Row(
    predicate="reminder",
    says="{who}要记得{object}",
    item_type="plan",
    category="plans",
    standing="intended",
    keeps_time=True,
)


def asked(said: str, sentence: Sentence, speaker: Subject) -> Iterator[Finding]:
    """The words after «remember that» and 记住, unless they point elsewhere or tell Brain how to behave."""
    found = _ASKED.match(said, sentence.start, sentence.end)
    if not found or not sentence.clauses:
        return
    group = "zh" if found["zh"] else "object"
    words = found[group]
    if _NOT_A_FACT.search(words) or HIDDEN in words:
        return
    remind = bool(_REMIND.match(words)) or "提醒" in words
    row = (REMINDER_ZH if remind else NOTE_ZH) if sentence.chinese else (REMINDER if remind else NOTE)
    start, end = found.span(group)
    trimmed = said[start:end].rstrip(" .,。，!！")
    yield Finding(
        row=row, subject=speaker, place=(start, start + len(trimmed)), clause=(found.start(), end), insisted=True
    )
