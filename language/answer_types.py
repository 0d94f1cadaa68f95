"""What kind of answer a question wants (a name, a place, a time, a number), and whether a text holds one."""

import re
from functools import lru_cache

_ASKS_NAME = re.compile(r"\bwho(?:se|m)?\b|\bname\b|\bcalled\b|谁|哪位|叫什么|什么名字", re.IGNORECASE)
_ASKS_PLACE = re.compile(
    r"\bwhere\b|\bwhich (?:city|country|town|street)\b|哪里|哪儿|在哪|哪个城市|什么地方", re.IGNORECASE
)
_ASKS_TIME = re.compile(
    r"\bwhen\b|\bwhat (?:time|day|date|year|month)\b|\bwhich (?:day|year|month)\b|\bhow (?:long|old|often)\b"
    r"|什么时候|几点|哪天|哪年|几月|几号|多久|生日|多大|几岁|星期几|周几|时间",
    re.IGNORECASE,
)
_ASKS_NUMBER = re.compile(
    r"\bhow (?:many|much|far|tall|big|heavy|old|long)\b"
    r"|\bwhat(?:'s| is) (?:my|the|his|her) [\w ]{0,20}(?:number|code|size|price|rent|salary|weight|height|age)\b"
    r"|多少|几[个只本次块]|多[大高重远长]|号码|密码|价格",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?<=[\w,;'’“(:] )[A-Z][a-z]+|叫|名|[小老阿][\u4e00-\u9fff]|[李王张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗]"
)
_PLACE = re.compile(
    r"\b(?:in|at|to|from|near|on|by|behind|under|around|into) (?:the )?[A-Z]"
    r"|\b(?:in|at|behind|under|near|on|inside) (?:the|my|a|our) |[在去到住].{1,6}|[省市区县镇村路街楼]"
)
_TIME = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|spring|summer|autumn|fall|winter|easter"
    r"|christmas|morning|evening|night|noon|midnight|week|weekend|month|year|today|tomorrow|yesterday|since|ago|until"
    r"|o'clock)\b|[年月日号点周春夏秋冬节]|星期|昨天|今天|明天|早上|晚上|上午|下午",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand"
    r"|half|dozen|twice|once)\b|[一二两三四五六七八九十百千万半]",
    re.IGNORECASE,
)
_TYPES = ((_ASKS_NAME, _NAME), (_ASKS_PLACE, _PLACE), (_ASKS_TIME, _TIME), (_ASKS_NUMBER, _NUMBER))
UNKNOWN = 0.5
"""What stands for the share where a question asks for no kind that can be told."""


def answer_share(question: str, text: str) -> float:
    """Share of the kinds of answer that the question wants of which the text holds one (0..1), or ``UNKNOWN``."""
    wanted = _wanted_types(question)
    return sum(bool(answer.search(text)) for answer in wanted) / len(wanted) if wanted else UNKNOWN


@lru_cache(maxsize=64)
def _wanted_types(question: str) -> tuple[re.Pattern[str], ...]:
    return tuple(answer for asks, answer in _TYPES if asks.search(question))
