"""Whether two texts say the same, or a newer one may put an end to what an older one says. Words only, no model."""

import re
from functools import lru_cache

from language.terms import fold, word_terms

_NAMING = re.compile(
    r"\b(?:the\s+)?user(?:['’]s)?\b|用户的?|我们?的?|\(?\b(?:since\s+)?[12]\d{3}-\d{2}-\d{2}\b\)?", re.IGNORECASE
)
"""How a note names the person, and the date behind it: neither is what it says."""
_NEGATED = re.compile(r"\b(?:not|never|no|nor|without|hardly)\b|n['’]t\b|[不没别无未]", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:now|nowadays|no\s+longer|any\s?more|again|instead|switch\w*|mov(?:ed|ing)|left|leav(?:e|ing)|quit"
    r"|gave\s+up|giv(?:e|ing)\s+up"
    r"|stopped|ga?ve\s+\w+\s+(?:away|to)|sold|died|passed\s+away|broke\s+up|split\s+up|divorced|chang\w+|back\s+(?:on|to|at)|actually"
    r"|turns?\s+out|finished"
    r"|cancell?ed|postponed|expired|closed|recovered|became|become|got\s+(?:a\s+)?new|used\s+to|not|sorry"
    r"|correction|meant|since\s+then)\b"
    r"|现在|不再|改[成到为了在名]|换|又|戒|搬|卖了|分手|分了|离婚|去世|走了|死了|离职|辞|不是|取消|推迟|已经"
    r"|其实|打错|说错|原来|好了|变|开始|了\W*$",
    re.IGNORECASE,
)
_PLAIN = frozenset(
    word_terms(
        "like love prefer enjoy hate want need go get make take use work live be know think say tell day time year week"
        " month thing people today tomorrow yesterday new old good"
        " 喜欢 爱 想 要 去 做 用 有 吃 喝 说 住 人 天 年 月 日 个 我 你 他 她 不 没 很 会 在"
    )
)
"""Words that two texts may share without being about the same thing."""


@lru_cache(maxsize=8_192)
def content_terms(text: str) -> frozenset[str]:
    """What a text says, as terms, however it names the person."""
    return frozenset(word_terms(fold(_NAMING.sub(" ", text))))


def is_contained_in(text: str, other: str) -> bool:
    """Whether everything that a text says stands in the other as well, and neither denies it."""
    terms = content_terms(text)
    return bool(terms) and terms <= content_terms(other) and is_negated(text) == is_negated(other)


@lru_cache(maxsize=8_192)
def is_negated(text: str) -> bool:
    """Whether there is a word of denial in it."""
    return _NEGATED.search(text) is not None


@lru_cache(maxsize=8_192)
def may_tell_change(text: str) -> bool:
    """Whether it may tell that something ended, began or was said wrongly."""
    return _CHANGES.search(text) is not None


def has_common_subject(text: str, other: str) -> bool:
    """Whether two texts have a word in common that is not said of everything."""
    shared = content_terms(text) & content_terms(other) - _PLAIN
    return any(len(term) > 1 for term in shared)
