"""Where the object of a statement ends, and which list items stand in it."""

import re

from memory.rules.rows import SKIPPED, TIME_MARK

_ENGLISH_END = re.compile(
    r"\s*(?:\s-\s|[,;:(—–]\s*(?!(?:and|or)\b)|[,]?\s+(?:because|since|when|while|whenever|although|though"
    r"|so(?!\s+far)|but|which|who|whose|except|unless|if|than"
    r"|and\s+(?:I|my|we|he|she|it|they|you|so|then|also|have|am|is|was|want|need|love|like|hate|prefer|do|works|lives|loves|likes|hates|wants|has|is|joined|moved|started|studies|living|working"
    r"|don['’]?t|live|work)\b"
    r"|originally|for\s+(?:its|their|now|the\s+(?:past|last)|(?:about\s+|over\s+|almost\s+)?(?:\d+|an?|two|three|four|five|six|many|some|several)\s+(?:years?|months?|weeks?))|these\s+days|nowadays|right\s+now|at\s+the\s+(?:moment"
    r"|minute)|currently|now|any\s?more"
    r"|any\s+longer|too|as\s+well|a\s+lot|very\s+much|so\s+much|the\s+most|(?:more\s+)?than\s+anything|again"
    r"|lately|recently|instead|actually"
    r"|lol|haha|please|btw|by\s+the\s+way|either|though|as\s+an?)(?![\w'’]))",
    re.IGNORECASE,
)
_ENGLISH_PLAN_END = re.compile(
    r"\s*(?:[;(—–]|,\s+(?!\w+\s*,)|\s+(?:because|since|so|but|which|and\s+(?:I|my|we|he|she|it|they|you))\b)",
    re.IGNORECASE,
)
_LEADING_ADVERB = re.compile(r"(?:(?:also|really|just|only|mostly|mainly|especially|both|now)\s+)+", re.IGNORECASE)
_NOUNS = (
    r"(?!(?:because|when|so|but|I|my|we|he|she|it|they|you|not)\b)[\w'’&-]+"
    r"(?:\s(?!(?:and|or|but|because|when|in|for)\b)[\w'’&-]+){0,2}"
)
_ENGLISH_LIST = re.compile(rf"{_NOUNS}(?:,\s*{_NOUNS})+,?\s+(?:and|or)\s+{_NOUNS}(?=\s*(?:$|[,;.]))", re.IGNORECASE)
_ADJECTIVES = re.compile(r"\b(?:an?|the|more|very)\s+[\w-]+,\s+[\w-]+\s+\w+", re.IGNORECASE)
_INSTEAD_OF = re.compile(
    r"(?:,\s*(?:and\s+)?(?:not|no\s+longer|rather\s+than|instead\s+of)|\s+(?:not|instead\s+of|rather\s+than))\s+"
    r"(?:in\s+|at\s+|to\s+|an?\s+|the\s+)?(?P<old>[^,.;]{1,60}?)(?:\s+any\s?more)?\s*$",
    re.IGNORECASE,
)
_BUT_NOT = re.compile(r",?\s+but\s+not\s+(?P<other>[^,.;]{1,60})$", re.IGNORECASE)
_PREFERRED_TO = re.compile(r"\s+(?:over|to|rather\s+than)\s+(?!\w+\s+\w+\s+\w+\s+\w+)(?=\w)", re.IGNORECASE)
_ENGLISH_ITEMS = re.compile(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|&)\s+", re.IGNORECASE)
_PAIRS = re.compile(
    r"\b(?:fish\s+and\s+chips|rock\s+(?:and|&)\s+roll|mac\s+and\s+cheese|black\s+and\s+white"
    r"|salt\s+and\s+pepper|peanut\s+butter\s+and"
    r"|gin\s+and\s+tonic|arts?\s+and\s+crafts?|bed\s+and\s+breakfast|drum\s+and\s+bass|r\s*&\s*b|d\s*&\s*d"
    r"|hide\s+and\s+seek|science\s+and)\b",
    re.IGNORECASE,
)
_SOFT_EDGE = " \t\"'“”‘’「」『』*_~,，、:：;；-–—😊🙂😀❤️👍!！"
_CHINESE_END = re.compile(
    rf"{SKIPPED}|但|不过|因为|所以|而且|的时候|的话|了(?=$|[，。、\s])|[（(]|\s(?=我)|而不是|不是(?=.)|多过|胜过"
)
_CHINESE_TAIL = re.compile(r"(?:了|啊|呀|呢|哦|吧|嘛|啦|哈|的说|哟|喔|来着|~)+$")
_CHINESE_ITEMS = re.compile(
    r"[、/]|(?<=.)(?:和(?!牛|平|服|室|声|谐|解|尚|风|弦|气)|跟(?!团|踪|拍|班)|以及|还有|与(?!众|其))(?=.)"
)


def trimmed(text: str, place: tuple[int, int], *, keeps_time: bool = False) -> tuple[int, int]:
    """Drop spaces, quotes, soft punctuation and, unless it ``keeps_time``, marks of time from both ends."""
    start, end = place
    soft = _SOFT_EDGE if keeps_time else _SOFT_EDGE + TIME_MARK
    while start < end and text[start] in soft:
        start += 1
    while end > start and (text[end - 1] in soft or text[end - 1] in ".。?？"):
        end -= 1
    return start, end


def shown(said: str, place: tuple[int, int]) -> str:
    """The words at a place of a masked turn; a masked time counts as a word."""
    return said[slice(*place)].replace(TIME_MARK, "0")


def english_object(text: str, place: tuple[int, int], *, keeps_time: bool) -> tuple[int, int]:
    """The object without reasons, second clauses and, unless it ``keeps_time``, expressions of time.

    Empty when the comma that ends it stands between two adjectives («a safe, inviting place»).
    """
    start, end = place
    if adverb := _LEADING_ADVERB.match(text, start, end):
        start = adverb.end()
    if not keeps_time and (mark := text.find(TIME_MARK, start, end)) > start:
        end = mark
    if listed := _ENGLISH_LIST.match(text, start, end):
        return trimmed(text, listed.span())
    stop = (_ENGLISH_PLAN_END if keeps_time else _ENGLISH_END).search(text, start + 1, end)
    if stop and _ADJECTIVES.search(text[start : stop.end() + 30]):
        return start, start
    return trimmed(text, (start, stop.start() if stop else end), keeps_time=keeps_time)


def chinese_object(text: str, place: tuple[int, int], *, keeps_time: bool) -> tuple[int, int]:
    """The object without what follows it and without closing particles."""
    start, end = place
    if not keeps_time and (mark := text.find(TIME_MARK, start, end)) > start:
        end = mark
    stop = _CHINESE_END.search(text, start + 1, end)
    start, end = trimmed(text, (start, stop.start() if stop else end), keeps_time=keeps_time)
    tail = _CHINESE_TAIL.search(text[start:end])
    return trimmed(text, (start, start + tail.start() if tail else end), keeps_time=keeps_time)


def contrast(text: str, place: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int] | None]:
    """Split «Lyon, not Paris» into the places of the first and, if there is one, of the second."""
    found = _INSTEAD_OF.search(text, *place)
    return ((place[0], found.start()), found.span("old")) if found else (place, None)


def exception(text: str, place: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int] | None]:
    """Split «tea but not coffee»: the place of what holds, and of what does not."""
    found = _BUT_NOT.search(text, *place)
    return ((place[0], found.start()), found.span("other")) if found else (place, None)


def favoured(text: str, place: tuple[int, int]) -> tuple[int, int]:
    """«tea to coffee»: the preferred side."""
    found = _PREFERRED_TO.search(text, *place)
    return (place[0], found.start()) if found and not text.startswith("to ", place[0]) else place


def items(text: str, place: tuple[int, int], *, chinese: bool) -> list[tuple[int, int]]:
    """The members of a list of short names; anything else is one object."""
    if _PAIRS.search(text, *place):
        return [place]
    parts: list[tuple[int, int]] = []
    at = place[0]
    for cut in (_CHINESE_ITEMS if chinese else _ENGLISH_ITEMS).finditer(text, *place):
        parts.append(trimmed(text, (at, cut.start())))
        at = cut.end()
    parts.append(trimmed(text, (at, place[1])))
    return parts if all(_is_item(text[start:end], chinese) for start, end in parts) else [place]


def _is_item(text: str, chinese: bool) -> bool:
    """Short enough to be a name; «the freedom» and «infrastructure in our community» are parts of a phrase."""
    if chinese:
        return 0 < len(text) <= 12
    return 0 < len(text.split()) <= 3 and not _PHRASE.search(text)


_PHRASE = re.compile(r"^the\s(?![A-Z])|\b(?:in|of|for|with|on|at|our|my|their|about|from|is|are)\b")
