"""English values by kind, the surest first: what an earlier pattern has taken is no value of a later one."""

import re

from language.kinds import ValueKind

_SHORT = r"(?:Jan|Feb|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|jan|feb|oct|nov|dec)"
_MONTH = (
    r"(?:(?:January|February|March|April|May|June|July|August|September|October|November|December|january|february|april|june"
    rf"|july|august|september|october|november|december)|{_SHORT}(?=\.?\s*\d)|(?:(?<=\d\s)|(?<=of\s)|(?<=th\s)|(?<=st\s)|(?<=nd\s)|(?<=rd\s)|(?<=in\s)){_SHORT})"
)
_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?)"
)
_NUMBER = rf"(?:\d[\d,]*(?:\.\d+)?|{_WORD})"
_ORDINAL = (
    r"(?:\d{1,3}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
    r"|ground|top)"
)
_NO_UNIT = (
    r"(?:and|or|but|not|in|on|at|for|from|to|of|is|was|were|are|now|then|so|because|since|until|till|i|we|he|she|it|by"
    r"|with|instead|today|tomorrow|am|pm|please|there|sorry|wait|no|too|as|the|a|an|my|our|if|when|sharp)"
)
_NO_NAME = (
    r"(?:I|Im|Ive|The|A|An|My|Our|It|He|She|They|We|You|This|That|These|There|No|Not|Yes|Ok|Okay|Oh|Sorry|So|And|But"
    r"|Actually|Since|From|In|On|At|As|Mum|Dad|Mom|Nan|Gran|Now|Correction|Wait|Update|Well|Just|Got|PS|TV|OK)"
)


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


VALUES: tuple[tuple[ValueKind, re.Pattern[str]], ...] = (
    ("money", _compile(r"(?P<value>[£$€]\s?\d[\d,.]*\d?\s?(?:k|m|bn)?\b|[£$€]\s?\d)")),
    ("money", _compile(rf"\b(?P<value>{_NUMBER}(?:\s?k)?)\s?(?P<unit>pounds?|quid|euros?|dollars?|bucks|grand|k)\b")),
    ("time", _compile(r"(?<![\d:])(?P<value>\d{1,2}[:.]\d{2}(?!\d)(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]\.?m\b\.?)")),
    ("time", _compile(rf"\b(?P<value>{_NUMBER})\s?o['’]clock\b")),
    ("time", _compile(rf"\b(?P<value>(?:half|quarter)\s+(?:past|to)\s+{_NUMBER}|noon|midday|midnight)\b")),
    ("weekday", _compile(r"\b(?P<value>(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b")),
    ("day", _compile(rf"\b(?P<value>\d{{1,2}}(?:st|nd|rd|th)?)(?=\s+(?:of\s+)?(?-i:{_MONTH})\b)")),
    ("day", _compile(r"\b(?<=(?-i:[A-Za-z])\s)(?P<value>\d{1,2}(?:st|nd|rd|th))\b(?!\s+(?:floor|time|year|grade))")),
    ("month", _compile(rf"\b(?P<value>(?-i:{_MONTH}))\b(?!\s+(?:I|we)\b)")),
    (
        "year",
        _compile(r"(?<![\d.,:£$€])(?P<value>(?:19|20)\d{2})(?![\d:]|\s?(?:mg|ml|calories|kcal|km|steps|words))\b"),
    ),
    ("ordinal", _compile(rf"\b(?P<value>{_ORDINAL})\s+(?P<unit>floor|grade|year|class|round|row|form|division)\b")),
    ("time", _compile(rf"\b(?:at|until|till|by)\s+(?P<value>{_NUMBER})\b(?!\s+(?!{_NO_UNIT}\b)[a-z]|[%:])")),
    ("quantity", _compile(rf"(?<![\w.,:])(?P<value>{_NUMBER})(?:\s|-)?(?P<unit>(?!{_NO_UNIT}\b)[a-z%]+)")),
    ("number", _compile(rf"(?<![\w.,:])(?P<value>{_NUMBER})\b(?![:.,]?\d)")),
    (
        "name",
        re.compile(
            rf"(?P<value>\b(?!{_NO_NAME}\b)[A-Z][\w’'&.-]*\w(?:\s(?:of|de|la|upon|van|von|&)\s(?=[A-Z])[A-Z][\w’'-]*"
            rf"|\s(?!{_NO_NAME}\b)[A-Z0-9][\w’'-]*)*)"
        ),
    ),
)
"""The group ``value`` is what can be exchanged, ``unit`` what it is counted in."""
