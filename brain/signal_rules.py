"""After the reply: was memory used, how did the user take it, and which things were named? Pattern rules, zh and en."""

import re
from typing import Literal

from language.statements import is_retraction
from language.terms import fold, word_terms
from language.times import time_words

Utilization = Literal["keyword_match", "reference_phrase", "none"]
Feedback = Literal["affirm", "deepen", "correct", "silence"]

READ = 4_000
"""Characters of a text that these rules look at."""
_ENOUGH = 2
_SHARE = 0.5
_MOST_VALUES = 5
_LONGEST_VALUE = 40

_REFERENCE = re.compile(
    r"\b(?:you\s+(?:once\s+|previously\s+|also\s+|had\s+|have\s+)?(?:mentioned|told\s+me|said|shared|noted)"
    r"|(?:based|going)\s+on\s+(?:what\s+you|your)|since\s+you(?:['’]re|\s+\w+)|(?:as|given)\s+(?:you|your)"
    r"|i\s+remember|if\s+i\s+recall"
    r"|(?:from|in)\s+our\s+(?:last|previous|earlier)|according\s+to\s+(?:what\s+you|your))\b"
    r"|[您你](?:之前|以前|上次|曾经?|刚才)?(?:有)?(?:提到|说过|提过|告诉过|讲过|说)|(?:根据|按照|结合|考虑到"
    r"|鉴于)[您你]|我(?:还)?记得[您你]?|如果我没记错",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"^\s*\[[^\]\n]{0,200}\]")
_GENERIC = frozenset(
    {"user", "like", "prefer", "love", "name", "used", "use", "用户", "喜欢", "偏好", "户喜", "用戶", "表示"}
)


def utilization(reply: str, memory_text: str) -> Utilization:
    """Whether a reply drew on one injected memory.

    ``reference_phrase``: the reply says that it remembers, and shares a word with this memory; ``keyword_match``: it
    shares two key words, or half of them when there are few.
    """
    wanted = _key_words(_PREFIX.sub("", memory_text[:READ]))
    shared = wanted & _key_words(reply[:READ])
    if not shared:
        return "none"
    if _REFERENCE.search(reply[:READ]):
        return "reference_phrase"
    return "keyword_match" if len(shared) >= min(_ENOUGH, max(1, round(len(wanted) * _SHARE))) else "none"


def _key_words(text: str) -> set[str]:
    return {word for word in word_terms(fold(text)) if word not in _GENERIC and not word.startswith("month:")}


_OPENING = r"^(?:(?:oh|ah|wow|haha|hmm)[,!\s]+)*"
_OPENING_ZH = r"^(?:哇|哈哈|嗯+|啊|哦)*[，,!！\s]*"
_AGREES = re.compile(
    rf"{_OPENING}(?:yes|yeah|yep|yup|exactly|right|correct|true|that['’]s\s+(?:right|it|correct|true)|absolutely"
    r"|of\s+course|indeed|good\s+memory|you\s+remember(?:ed)?)\b"
    rf"|{_OPENING_ZH}(?:对(?![了不])|对对|没错|是的|是啊|正是|就是(?:这|它|他|她)|正确|你(?:还)?记得|说得对)",
    re.IGNORECASE,
)
_PRAISES = re.compile(
    rf"{_OPENING}(?:that['’]s\s+(?:perfect|great)|perfect|great|good\s+(?:idea|one|call)|sounds?\s+(?:good|great|perfect)"
    r"|love\s+it|nice|awesome|thank(?:s|\s+you))\b"
    rf"|{_OPENING_ZH}(?:太好了|很好|完美|不错|好(?:的|呀|啊|主意)|可以(?!吗)|谢谢|多谢|棒|厉害)",
    re.IGNORECASE,
)
"""Praise and thanks lead over to the next request as often as they mean what was said."""
_DENY = re.compile(
    r"^(?:(?:oh|um|uh|hmm|well|sorry)[,!\s]+)*(?:no(?:pe)?[,.!]|no\s+(?:that|i|it|you)|that['’]s\s+(?:not|wrong"
    r"|incorrect)|wrong\b|incorrect\b|not\s+(?:really|quite|true|right|any\s*more))"
    r"|\byou(?:['’]re|\s+are|\s+got\s+(?:it|that))\s+(?:wrong|mistaken|confus)|\bi\s+(?:never"
    r"|didn['’]?t)\s+(?:say|said|tell|told)\b"
    r"|\b(?:not|n['’]t)\s+(?:like|love|want|eat|drink|use)\b[^.!?]{0,40}\b(?:any\s*more|now)\b"
    r"|^(?:哦|呃|嗯|啊)*[，,\s]*(?:不是(?!吗)|不对|错了|不，|不,|不不|没有啊|才不)|(?:记|说|搞|弄)错了|我(?:没"
    r"|从没|没有)说过|(?:现在|已经)不(?:再)?(?:喜欢|爱|吃|喝|用|住)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"^(?:by\s+the\s+way|btw|anyway|another\s+(?:question|thing|topic)|on\s+another\s+note|different\s+topic"
    r"|let['’]?s\s+talk\s+about)\b"
    r"|^(?:对了|另外|话说|换个话题|说点别的|顺便)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\b(?:tell\s+me\s+more|go\s+on|more\s+(?:about|details?|like)|what\s+about|how\s+about|what\s+else|and\s+then"
    r"|for\s+example|elaborate)\b|^(?:but\s+|and\s+)?why\b"
    r"|继续|接着说|还有(?:呢|吗|什么|别的)|^(?:那|可)?为什么|那么?(?:.{0,10})呢|具体|详细|展开|比如|再(?:来|说|推荐|讲|给)|更多",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？]\s*$|[吗呢]\s*$|怎么(?:做|样|办)")
_POINTS_BACK = re.compile(
    r"\b(?:it|that|this|those|these|them|they|there|which\s+one|the\s+(?:first|second|other|last))\b|[它这那]|第[一二三]个",
    re.IGNORECASE,
)


def feedback(next_user_text: str, reply: str = "") -> Feedback:
    """How the user took the last ``reply``, by their next message.

    Only agreement is ``affirm``. A question that goes on about the reply is ``deepen``; where the reply is not known,
    every question is. A change of subject and plain statements are ``silence``.
    """
    said = next_user_text[:READ].strip()
    if not said or _ELSEWHERE.search(said):
        return "silence"
    if _DENY.search(said) or is_retraction(said):
        return "correct"
    if _is_agreement(said):
        return "affirm"
    asks = bool(_GOES_ON.search(said) or _ASKS.search(said))
    return "deepen" if asks and not is_subject_change(said, reply) else "silence"


def is_subject_change(next_user_text: str, reply: str) -> bool:
    """Whether a message leaves what the reply was about: it says so, or shares no word with it and points back to none.

    False where the reply is not known.
    """
    said = next_user_text[:READ].strip()
    if _ELSEWHERE.search(said):
        return True
    if not reply or not said or _GOES_ON.search(said) or _POINTS_BACK.search(said):
        return False
    return not _key_words(said) & _key_words(reply[:READ])


def _is_agreement(said: str) -> bool:
    """Praise that a question follows is a courtesy."""
    if _AGREES.search(said):
        return True
    return bool(_PRAISES.search(said)) and not (_ASKS.search(said) or _GOES_ON.search(said))


_KIN = (
    r"(?:wife|husband|partner|girlfriend|boyfriend|daughter|son|sister|brother|mother|mom|mum|father|dad|aunt"
    r"|uncle|cousin|niece"
    r"|nephew|grandmother|grandfather|friend|boss|colleague|coworker|roommate|neighbou?r|teacher|dog|cat)"
)
_KIN_ZH = (
    r"(?:老婆|妻子|太太|老公|丈夫|女朋友|男朋友|女儿|儿子|姐姐|妹妹|哥哥|弟弟|妈妈|爸爸|母亲|父亲"
    r"|表[哥弟姐妹]|堂[哥弟姐妹]|朋友|同事|老板|室友|邻居|老师|同学)"
)
_SURNAME = (
    "王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁董余苏叶吕魏"
    "蒋田杜丁沈姜范江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛"
    "常万顾赖武康贺严尹钱施牛洪龚"
)
_PEOPLE = (
    re.compile(rf"\bmy\s+{_KIN}(?:\s+(?:is\s+)?(?:called|named))?,?\s+(?P<value>[A-Z][a-z]{{1,20}})\b"),
    re.compile(
        rf"我(?:的)?(?:大|小|二)?{_KIN_ZH}(?:叫|名叫|是)?"
        rf"(?P<value>[{_SURNAME}小阿][\u4e00-\u9fff]{{1,2}})(?=[，。！？、\s的是在喜想要今明昨上下每去来和说很也都]|$)"
    ),
    re.compile(
        rf"(?:和|跟|见到?|找|叫|约了?)(?P<value>[{_SURNAME}][\u4e00-\u9fff]{{1,2}})(?=[，。！？、\s一去在吃见聊]|$)"
    ),
    re.compile(
        r"\b(?:with|meet|met|call|called|see|saw|ask|told|tell)\s+(?P<value>[A-Z][a-z]{2,20})\b"
        r"(?!\s+(?:Park|Street|University))"
    ),
)
_PLACES = (
    re.compile(r"\b(?:in|to|from|at|near|visit(?:ed|ing)?)\s+(?P<value>[A-Z][a-z]{2,20}(?:\s[A-Z][a-z]{2,20}){0,2})\b"),
    re.compile(
        r"(?P<value>北京|上海|广州|深圳|杭州|南京|成都|重庆|武汉|西安|苏州|天津|长沙|青岛|厦门|大连|宁波|昆明"
        r"|郑州|沈阳|济南|合肥|福州|哈尔滨|无锡|三亚|香港|澳门|台北"
        r"|东京|大阪|京都|首尔|曼谷|新加坡|巴黎|伦敦|纽约|洛杉矶|旧金山|柏林|里昂|罗马|悉尼|云南|四川|新疆|西藏"
        r"|海南|日本|韩国|泰国|美国|英国|法国|德国|意大利|加拿大|澳大利亚)"
    ),
    re.compile(r"(?:住在|去了?|来自|搬到|前往)(?P<value>[\u4e00-\u9fff]{2,6}?(?:市|省|区|县|镇|村|路|街))"),
)
_PRODUCTS = (
    re.compile(r"《(?P<value>[^《》\n]{1,40})》"),
    re.compile(
        r"\b(?P<value>(?:[A-Z][A-Za-z]{1,15}|i(?:Phone|Pad|Mac))"
        r"(?:\s[A-Z][A-Za-z]{1,15}){0,2}\s?\d{1,4}(?:\s?(?:Pro|Max|Plus|Ultra|mini))*)\b"
    ),
)
_NOT_NAMES = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes"
    r"|Thurs|Fri|Satur|Sun)day|Christmas|Easter|English|Chinese|French|The|This|That)\b"
)


def entities(text: str) -> dict[str, str]:
    """Things named in a message, by kind (people, places, products, dates), in order, joined by commas.

    Kinds without any are absent. Dates stay in the words of the message: the log knows when it was said.
    """
    said = text[:READ]
    found = {
        "people": _find_values(said, _PEOPLE),
        "places": _find_values(said, _PLACES),
        "products": _find_values(said, _PRODUCTS),
        "dates": time_words(said),
    }
    return {kind: ", ".join(values[:_MOST_VALUES]) for kind, values in found.items() if values}


def _find_values(text: str, patterns: tuple[re.Pattern[str], ...]) -> list[str]:
    matches = sorted((match.start("value"), match["value"]) for pattern in patterns for match in pattern.finditer(text))
    kept = (value for _, value in matches if not _NOT_NAMES.match(value) and len(value) <= _LONGEST_VALUE)
    return list(dict.fromkeys(kept))
