"""Cutting a turn into the clauses that state something: questions, conditions, hearsay and sarcasm are left out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from language.detection import language_of
from memory.rules.corrections import PAUSE, SLIP

LONGEST_SENTENCE = 600
"""A longer one is a list or a log line; nobody states a fact in it that rules could read safely."""

_END = re.compile(
    r"[。！!？?；;\n\r…～]+"
    r"|(?<!\bMr)(?<!\bDr)(?<!\bSt)(?<!\bMrs)(?<!\be\.g)(?<!\bi\.e)\.(?=[\s\"'”’)\]]|$)"
)
_STARTS = (
    r"(?:I|i|I['’]m|i['’]m|I['’]ve|I['’]ll|my|our|we|we['’]\w+|he|she|they|it|it['’]s|that['’]s|this|you|your"
    r"|there|let['’]?s"
    r"|now|these\s+days|please|can|could|would|should|will|what|where|which|who|how|why|do|does|did|is|are|any|am\s+i|actually|maybe)\b"
)
_NAMED_START = (
    r"(?-i:[A-Z][a-z]{1,15})\s+(?:doesn['’]?t|does\s+not|hates|loves|likes|can['’]?t|is|has|lives|works|prefers|eats|drinks"
    r"|plays|moved|started|never)\b"
)
"""«Tom hates olives, Ida loves them»: a list of people cuts where the next one begins."""
_JOIN = r"(?:and|but|so|or|because|since|although|though|while|whereas|then|however|yet|plus|also)"
_ENGLISH_CUT = re.compile(
    rf"\s*[,:—–]\s+(?=(?:{_JOIN}\s+)?{_STARTS})|\s*[,:—–]\s+(?={_NAMED_START})|\s+(?={_JOIN}\s+{_STARTS})|[,]?\s+(?=(?:if|unless|when|whenever"
    rf"|because|although|whether)\s)"
)
_CHINESE_CUT = re.compile(
    r"[，,：:]\s*|(?=但是|不过(?!敏)|可是(?!不)|然而|而且|因为|所以|并且|如果|要是|假如"
    r"|只要|除非|的话)|\s+(?=我)"
)
_LEADING_JOIN = re.compile(rf"^(?:{_JOIN}[,\s]+)+", re.IGNORECASE)


@dataclass(frozen=True)
class Clause:
    """A stretch ``[start, end)`` of a turn that states something; ``reported`` is what others say: only names count."""

    start: int
    end: int
    chinese: bool
    reported: bool = False


@dataclass(frozen=True)
class Sentence:
    """A sentence and what remains of it once doubtful clauses are gone."""

    start: int
    end: int
    chinese: bool
    clauses: tuple[Clause, ...]


def sentences(said: str) -> Iterator[Sentence]:
    """Every sentence that still states something. Mockery, or a tale that quotes at length (…:), ends the reading."""
    at = 0
    for stop in (*_END.finditer(said), None):
        end = stop.start() if stop else len(said)
        asks = bool(stop and re.search("[?？]", stop[0]))
        text = said[at:end]
        if text.strip() and len(text) <= LONGEST_SENTENCE:
            chinese = language_of(text) == "zh"
            yield Sentence(at, end, chinese, tuple(_stated(said, (at, end), asks, chinese)))
            if _INTRODUCES.search(text) or _MOCKS.search(text):
                return
        at = stop.end() if stop else end


def _stated(said: str, span: tuple[int, int], asks: bool, chinese: bool) -> Iterator[Clause]:
    """The clauses up to the first that puts the rest in doubt; those that only ask are skipped."""
    whole = said[slice(*span)]
    if _SARCASM.search(whole) or (asks and _TAG_QUESTION.search(whole)):
        return
    clauses = [each for each in _cut(said, span, chinese) if said[each.start : each.end].strip()]
    questions = [_asks(said[each.start : each.end], chinese) for each in clauses]
    if asks and not any(questions):
        return
    for clause, question in zip(clauses, questions, strict=True):
        words = said[clause.start : clause.end]
        if (question and asks) or _DOUBT.search(words):
            return
        if _REPORTED.search(words):
            yield replace(clause, reported=True)
            return
        if not question and not _UNREAL.search(words):
            yield clause


def _cut(said: str, span: tuple[int, int], chinese: bool) -> Iterator[Clause]:
    start = span[0]
    for cut in (_CHINESE_CUT if chinese else _ENGLISH_CUT).finditer(said, *span):
        if cut.start() <= start and cut.end() <= start:
            continue
        if _only_sets_the_scene(said[start : cut.start()]):
            continue
        yield Clause(start, cut.start(), chinese)
        start = cut.end()
    yield Clause(start, span[1], chinese)


def _only_sets_the_scene(words: str) -> bool:
    """«Last month, I moved», «No, my name is Jon»: what stands before the comma belongs to what follows."""
    return bool(_MARKERS_ONLY.match(words) or _TIME_ONLY.match(words))


_TIME_ONLY = re.compile(
    r"\s*(?:in|on|at|since|last|this|next|two|three|a|\d|yesterday|today|by)\b[^,]{0,30}$", re.IGNORECASE
)
_MARKERS_ONLY = re.compile(
    rf"\s*(?:(?:{SLIP}|{PAUSE}|oh|hi|hey|hello|well|no|yes|nope|yeah|actually|sorry"
    r"|correction|ok|okay|right|so|there|again"
    r"|i\s+changed\s+my\s+mind|i\s+was\s+wrong|my\s+mistake|i\s+misspoke"
    r"|不|不对|错了|我?(?:刚才)?[说记写搞弄]错了|更正(?:一下)?|纠正(?:一下)?|我改(?:变)?主意了)[\s,:!，：]*)+$",
    re.IGNORECASE,
)


def _asks(words: str, chinese: bool) -> bool:
    if chinese:
        return bool(_CHINESE_QUESTION.search(words))
    return bool(_ENGLISH_QUESTION.match(_LEADING_JOIN.sub("", words.strip())))


_ENGLISH_QUESTION = re.compile(
    r"(?:what|which|who|whose|when|where|why|how|do(?!\s+not)|does|did|is|are|am|was|were|can|could|should|would|will"
    r"|have|has|may|any)\b"
    r"(?!['’]t\s+(?:stand|bear))",
    re.IGNORECASE,
)
_CHINESE_QUESTION = re.compile(
    r"[吗么]\s*$|什么(?!都|也)|(?<![随])哪(?!怕|都)|(?<!不管)谁(?!都|也)|(?<!不)怎么|怎样|为什么|为何|多少"
    r"|几[个岁点号次种]|是不是|有没有|能不能"
    r"|会不会|要不要|可不可以|对吧|来着|是否|如何"
)
_TAG_QUESTION = re.compile(
    r"(?:,\s*(?:right|correct|yes|no|huh|eh|remember|don['’]?t\s+i|do\s+i|isn['’]?t\s+(?:it|that)"
    r"|am\s+i(?:\s+not)?|aren['’]?t\s+i|you\s+know)"
    r"|[，,]?\s*(?:对吗|对吧|对不对|是吗|是吧|是不是|没错吧|记得吗|你?还?记得吧?))\s*$",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:if(?!\s+(?:possible|you\s+(?:can|like|don['’]?t\s+mind)|need\s+be|anything))|unless|whether|what\s+if|as\s+if|as\s+though|in\s+case|i\s+(?:dreamed|dreamt))\b"
    r"|如果|假如|要是|倘若|若是|万一|除非|只要|的话|即使|就算|梦见|梦到|听说|据说|传说",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:would(?!\s+(?:\w+\s+)?rather\b[^.]*\bthan\b[^.]*\bany\s)|could|might|wish|hope|should\s+have|['’]d\s+(?:like|love|prefer|be|have)|['’]d\s+rather(?![^.]*\bthan\b)|kidding|joking|apparently|supposedly|allegedly"
    r"|not\s+sure|don['’]?t\s+know)\b"
    r"|(?:希望|但愿|恨不得|说不定|不知道|不确定|开玩笑|骗你)",
    re.IGNORECASE,
)
_PERSON = (
    r"(?:he|she|they|you|it|people|everyone|everybody|someone|somebody|nobody|mom|mum|dad"
    r"|(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Yy]our|[Tt]he|[Aa]n?|[Tt]his|[Tt]hat)\s+(?:\w+\s+){0,2}\w+"
    r"|[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)"
)
_SAYS = (
    r"(?:said|says?|told|tells|thinks?|thought|claims?|claimed|believes?|believed|asks?|asked|mentioned|writes?"
    r"|wrote|suggests?|suggested"
    r"|insists?|insisted|assumes?|assumed|reckons?|guess(?:es|ed)?|swears?|heard|jokes?|joked|texted|replied"
    r"|posted|complain(?:s|ed)|announced)"
)
_REPORTED = re.compile(
    rf"\b{_PERSON}\s+(?:(?:\w+ly|always|once|just|also|even|still|have|has|had|keeps?|kept)\s+)?{_SAYS}\b"
    r"|\baccording\s+to\b|\bI\s+(?:heard|read|saw\s+on)\b|\bthey\s+say\b"
    r"|^(?!老实|说实话|坦白|说真的|总的来|一般来|不得不|具体来|简单来|换句话|应该|可以"
    r"|我(?!的?[\u4e00-\u9fff]{2,4}(?:说|告诉|觉得|以为|认为|问)))"
    r"[^，,。]{1,9}?(?:说(?!话|不|明|起|来|英|中|法|日|德|韩|西)|告诉|以为|觉得|认为|问我|写道|声称|表示|猜)",
)
_INTRODUCES = re.compile(
    rf"\b{_PERSON}\s+(?:\w+\s+)?{_SAYS}[^.!?\n]{{0,30}}:(?=\s|$)|(?:说|写道|告诉我|表示|留言|回复)(?:道|了)?[：:]\s*$"
)
_MOCKERY = (
    r"\byeah,?\s+right\b|\b(?:oh|how|just),?\s+(?:great|joy|wonderful|fantastic|lovely)\b(?=\s*(?:[,.!…]|$))"
    r"|\bjust\s+what\s+i\s+(?:always\s+)?(?:needed|wanted)\b|[🙄😒🙃]|呵呵|我谢谢|真是谢谢"
    r"|(?:真好|太好了|太棒了|好极了)[，,！!]\s*(?:又|还)(?:要|得|是|来|被)"
)
_MOCKS = re.compile(_MOCKERY, re.IGNORECASE)
"""What sets the tone of all that follows in a turn."""
_SARCASM = re.compile(
    rf"{_MOCKERY}|,\s+(?:clearly|obviously)\s*$|\bas\s+if\b|(?:^|\s)/s\b|\boh,?\s+(?:great|joy|wonderful|fantastic|lovely)\b"
    r"|\bi\s+(?:just|really|simply|absolutely|so)\s+(?:love|enjoy|adore)\s+(?:it\s+when|how|when|being|getting"
    r"|having\s+to|waiting|sitting\s+in|paying|working\s+(?:overtime|weekends))"
    r"|\bi\s+(?:\w+\s+)?(?:love|enjoy|adore)\s+(?:waiting|standing\s+in|queue?ing|sitting\s+in\s+traffic|traffic"
    r"|paying|paperwork|doing\s+(?:my\s+)?taxes|overtime|mondays|delays"
    r"|(?:being|getting)\s+(?:stuck|ignored|yelled|woken|interrupted|up\s+at\s+[345]\b))"
    r"|\bi\s+love\s+(?:it\s+when|how)\b|\blove\s+being\s+\w+ed\b"
    r"|才怪|似的|我(?:可|真是)(?:太|真)(?:喜欢|爱)|(?:最|太|好|就|可)(?:喜欢|爱)(?:周末|每天|半夜)?"
    r"(?:加班|堵车|排队|开会|被|挨骂|早起打卡|熬夜|写检讨|等人)",
    re.IGNORECASE,
)
