"""English sentences whose value can be read off: name, age, home, work, diet, allergy, family and pets by name."""

import re

from language.en.people import KIN, NAME
from language.patterns import Reader, reader

SUPPOSED = re.compile(
    r"\b(?:if|imagine|suppose|pretend|wish|would|could|might|maybe|novel|character|joke|kidding|as\s+if)\b|[\"“”?]",
    re.IGNORECASE,
)
"""What makes a value uncertain: it is supposed, quoted or asked."""

_NAMES = rf"(?-i:{NAME}(?:\s{NAME})?)"
_I_AM = r"(?:^|[\s,;])I(?:['’]m|\s+am|m)"
_NOW = r"(?:\s+(?:now|currently|still|actually|also|just))?"
_PLACE = r"(?-i:(?:the\s+)?[A-Z][\w’'.-]*(?:(?:\s(?:of|de|la|upon|am))?\s[A-Z][\w’'.-]*){0,3})"
_DATE = (
    r"(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?(?:\s+of)?\s+[A-Z][a-z]{2,8}(?:,?\s+\d{4})?"
    r"|[A-Z][a-z]{2,8}\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?"
)
_THING = r"[\w’'-]+(?:\s(?!(?:and|but|so|because|which|who|since|that)\b)[\w’'-]+){0,3}(?:,?\s+(?:and|or)\s+[\w’'-]+)?"

READERS: tuple[Reader, ...] = (
    reader(
        "name",
        "name",
        rf"\bmy\s+(?:full\s+|first\s+)?name(?:['’]s|\s+is)\s+(?P<value>{_NAMES})",
        rf"{_I_AM}\s+called\s+(?P<value>{_NAMES})",
    ),
    reader("nickname", "name", rf"\b(?:call\s+me|everyone\s+calls\s+me|I\s+go\s+by)\s+(?P<value>{_NAMES})"),
    reader(
        "birthday",
        "birth",
        rf"\bmy\s+birthday(?:['’]s|\s+is)(?:\s+on)?\s+(?P<value>{_DATE})",
        rf"\bI\s+was\s+born\s+on\s+(?P<value>{_DATE})",
    ),
    reader(
        "age",
        "birth",
        rf"{_I_AM}{_NOW}\s+(?P<value>\d{{1,2}})\s+(?:years?\s+old|y/?o)\b",
        r"\bI\s+(?:just\s+)?turn(?:ed)?\s+(?P<value>\d{1,2})\b(?!:)",
    ),
    reader(
        "lives_in",
        "home",
        rf"\b(?:I|we)(?:['’](?:m|re)|\s+am|\s+are)?{_NOW}\s+(?:live|living)\s+(?:now\s+)?(?:in|near|at)\s+(?P<value>{_PLACE})",
        rf"\b(?:I|we)(?:['’]ve|\s+have)?\s+(?:just\s+|recently\s+)?moved\s+(?:back\s+|over\s+|down\s+|up\s+)?to\s+(?P<value>{_PLACE})",
    ),
    reader(
        "origin",
        "origin",
        rf"{_I_AM}\s+(?:originally\s+)?from\s+(?P<value>{_PLACE})",
        rf"\bI\s+grew\s+up\s+in\s+(?P<value>{_PLACE})",
    ),
    reader(
        "works_at",
        "work",
        rf"\bI{_NOW}\s+work\s+(?:for|at)\s+(?P<value>{_PLACE})",
        rf"{_I_AM}{_NOW}\s+(?:working\s+)?(?:at|with|for)\s+(?P<value>{_PLACE})\s+now\b",
    ),
    reader("job", "work", rf"\bI{_NOW}\s+work\s+as\s+(?:an?\s+)?(?P<value>{_THING})"),
    reader(
        "allergic_to",
        "diet",
        rf"\b(?:am|['’]m|is|are|['’]s|im)\s+(?:very\s+|badly\s+|severely\s+|deathly\s+)?allergic\s+to\s+(?P<value>{_THING})",
    ),
    reader(
        "diet",
        "diet",
        rf"{_I_AM}{_NOW}\s+(?:an?\s+)?(?P<value>vegan|vegetarian|veggie|pescatarian|coeliac|celiac|lactose[\s-]intolerant|gluten[\s-]free|teetotal)\b",
        r"\bI\s+(?:don['’]?t|do\s+not|never|can['’]?t|cannot)\s+eat\s+(?P<value>[\w-]+(?:\s+(?:or|and)\s+[\w-]+)?)\s*(?:[.!,;]|$)",
    ),
    reader(
        "has_family",
        "family",
        rf"\bmy\s+{KIN}(?:['’]s\s+name\s+is|\s+is\s+(?:called|named)|['’]s\s+(?:called|named))\s+(?P<value>{_NAMES})",
    ),
    reader(
        "note",
        "other",
        r"^(?:please\s+|pls\s+)?(?:remember|note|keep\s+in\s+mind|don['’]?t\s+forget)\s+that\s+(?P<value>(?:my|I|we|our)\b.{4,160})",
    ),
)
