"""Greetings, thanks and assents: words that state nothing, in English and Chinese."""

import re

_ENGLISH = (
    r"hi|hello|hey|bye|goodbye|good\s+(?:morning|afternoon|evening|night)|see\s+you|later|tomorrow|thanks?|thank\s+you"
    r"|so\s+much|ok|okay|sure|great|good|nice|cool|perfect|yes|yeah|no|of\s+course|got\s+it|i\s+see|sounds\s+good"
    r"|that['’]?s|well|haha+|lol|how\s+are\s+you|no\s+problem|you['’]?re\s+welcome|again|there|then"
)
_CHINESE = (
    r"你好|您好|早上好|晚上好|晚安|再见|拜拜|谢谢|多谢|好的|好吧|好啊|行|可以|没问题|收到|明白|嗯|哦|对|是的|不客气|哈"
    r"|了|啊|呀|吧|呢|吗|您|你"
)


def compile_courtesies(english: str, chinese: str) -> re.Pattern[str]:
    """What matches a text of courtesies alone, together with further words of either language that count as such."""
    return re.compile(rf"(?:\W|\b(?:{_ENGLISH}|{english})\b|{_CHINESE}|{chinese})+", re.IGNORECASE)
