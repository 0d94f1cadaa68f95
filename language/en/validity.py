"""English words that tell since when and until when something holds."""

import re
from collections.abc import Iterator
from datetime import datetime
from re import Match

from language.en.times import DAY_NAMES, MONTH, MONTH_NAMES, WEEKDAY, YEAR
from language.times import periods
from language.times.numerals import ENGLISH_NUMBER
from language.times.periods import Period, TimeRule, ValidityWords


def _search(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


def _before(*words: str) -> re.Pattern[str]:
    """Words that end where the time begins."""
    return re.compile(rf"\b(?:{'|'.join(words)})\s+$", re.IGNORECASE)


def _end_of(found: Match[str], now: datetime) -> Period:
    """«The end of next month» as the whole of it: it ends when that ends."""
    side = {"next": 1, "last": -1}.get((found["side"] or "").lower(), 0)
    return periods.shift_period(now, side, found["unit"].lower())


def _year(found: Match[str], _: datetime) -> Period:
    return periods.year_of(int(found["year"]))


def _month(found: Match[str], now: datetime) -> Period:
    number = MONTH_NAMES.index(found["month"][:3].lower()) + 1
    return periods.month(periods.nearest_year(now, number), number)


def _weekday(found: Match[str], now: datetime) -> Period:
    """The coming one."""
    ahead = (DAY_NAMES.index(found["weekday"][:3].lower()) - now.weekday() - 1) % 7 + 1
    return periods.shift_period(now, ahead, "day")


def _last_weekday(found: Match[str], now: datetime) -> Period:
    back = (now.weekday() - DAY_NAMES.index(found["weekday"][:3].lower()) - 1) % 7 + 1
    return periods.shift_period(now, -back, "day")


def _coming_day(found: Match[str], now: datetime) -> Period:
    return next(each for each in _days_of_number(found, now, (0, 1)) if each.end > now)


def _last_day(found: Match[str], now: datetime) -> Period:
    return next(each for each in _days_of_number(found, now, (0, -1)) if each.end <= now)


def _day_by_tense(found: Match[str], now: datetime) -> Period:
    return (_last_day if _PAST.search(found.string) else _coming_day)(found, now)


def _days_of_number(found: Match[str], now: datetime, months: tuple[int, ...]) -> Iterator[Period]:
    """The day of that number in the months that lie so far away."""
    for ahead in months:
        yield periods.day(periods.month(now.year, now.month + ahead).start.replace(day=int(found["day"])).date())


_BEGINNING = r"(?:from|starting|beginning|as\s+of|effective|until|till|til|through|thru)(?:\s+(?:in|on|from))?"
_PARTICIPLE = (
    r"(?:been|had|known|kept|taught|held|run|led|done|sung|driven|ridden|written|made|grown|gone|taken|worn|eaten"
    r"|seen|slept|spoken|drunk|felt|been\s+\w+ing|\w{2,}ed)"
)
_PERFECT = (
    rf"(?:\b(?:have|has|i?ve|weve|havent|hasnt|haven['’]t|hasn['’]t)|['’](?:ve|s))\s+(?:\w+\s+){{0,2}}?{_PARTICIPLE}\b"
)

_PLANS = (
    r"signed|booked|registered|enrolled|scheduled|invited|planned|arranged|reserved|entered"
    r"|promised|agreed|decided|offered|asked|hoped|intended"
)
"""Done in the past for something that is yet to come."""
_PAST = _search(
    r"\b(?:was|were|did|went|had|saw|met|(?<!ve )got|came|took|bought|became|began|gave|left|lost|made|sold|sent|broke"
    r"|felt|chose|found|flew|fell|grew|heard|held|kept|knew|lent|(?<!get )paid|quit|ran|said|spent|taught|told|thought"
    r"|won|wrote)\b",
    r"(?<!\bam )(?<!\bis )(?<!\bare )(?<!['’]m )(?<!['’]s )(?<!['’]re )(?<!\bbe )(?<!\bget )(?<!\bgets )(?<!getting )"
    rf"\b(?!need|speed|feed|bed\b|red\b|shed|breed|indeed|seed|(?:{_PLANS})\b)\w{{2,}}ed\b",
)
_NUMBERED_DAY = r"the\s+(?P<day>[0-3]?\d)(?:st|nd|rd|th)\b"
_NO_MONTH = rf"(?!\s+(?:of|floor|century|birthday|anniversary|time|place|year|grade|{MONTH}))"

VALIDITY = ValidityWords(
    lead=re.compile(
        r"(?:in|on|since|during|by|until|till|til|around|before|after|early|late|mid|of|from|starting|beginning|effective"
        r"|as\s+of|through|thru)\s+(?:(?:in|on|from|the)\s+)*",
        re.IGNORECASE,
    ),
    since=_before(r"since(?:\s+(?:in|on|about))?(?:\s+the)?"),
    starting=_before(r"(?:starting|beginning|effective|as\s+of)(?:\s+(?:in|on|from))?(?:\s+the)?"),
    since_behind=re.compile(
        r"\s+(?:onwards?|on(?=[\s,.;!]*$)|forward|(?:up\s+)?(?:to|until|till)\s+(?:now|today|date|(?:the\s+)?present)\b)",
        re.IGNORECASE,
    ),
    opening=_before(r"from(?:\s+the)?"),
    until=_before(
        r"(?:until|till|til|through|thru)(?:\s+(?:the\s+)?(?:very\s+)?end\s+of)?(?:\s+(?:about|around|at\s+least))?(?:\s+the)?"
    ),
    until_behind=re.compile(r"(?!)"),
    elsewhere=_before(
        r"(?:by|before|after|past|around|about|late|later|mid|middle\s+of|end\s+of|beginning\s+of|start\s+of|half\s+of"
        r"|part\s+of|days?\s+of|class\s+of|over|within|throughout|than|like|between|and|or|to|for\s+the|not|from|of)"
        r"(?:\s+(?:in|on|the|of))*"
    ),
    elsewhere_behind=re.compile(
        r"['’]s?\b|\s+(?:or|and|to|ish|mornings|afternoons|evenings|nights|the\s+\d+\w*)\b|,\s*(?:19|20)\d\d\b|ish\b|\s*[/–-]\s*\w|\s+(?:season|edition|model|issue|budget|time\b)",
        re.IGNORECASE,
    ),
    joint=_search(
        r"(?<![\d-])(?:\d{4}\s?[–—-]\s?\d{4}|\d{1,2}\s?[–—-]\s?\d{1,2})(?![\d-])",
        r"\b(?:to|and|until|till|til|through)\b",
    ),
    between=_search(r"\s*(?:[–—-]|(?:to|until|till|til|through)(?:\s+the)?)\s*"),
    lasting=_search(
        rf"\bfor\s+(?:the\s+(?:last|past)\s+)?(?P<count>{ENGLISH_NUMBER})\s+(?P<unit>day|week|month|year)s?\b"
        r"(?!\s+(?:and\s+a|or|ago|before|from|at|to|each|every|per|in\s+a\s+row)\b)(?:\s+(?:now|straight))?"
    ),
    perfect=_search(_PERFECT),
    past=_PAST,
    past_is_sure=True,
    future=_search(
        rf"\b(?:will|shall|gonna|going\s+to|about\s+to|due\s+to|set\s+to|planning\s+to|plan\s+to|{_PLANS})\b",
        r"['’]ll\b|(?:\b(?:am|is|are)|['’](?:m|re|s))\s+(?:\w+ing|on|in|away|off|out|closed|back|at)\b",
        r"\bhave\s+(?:to\b|an?\b|my\b)|\b(?:starts?|begins?|arrives?)\b",
        r"\b(?:appointment|exam|interview|surgery|operation|wedding|flight|leave)\b",
    ),
    recurring=_search(
        r"\b(?:every|each|always|usually|often|sometimes|normally|generally|never|weekly|monthly|daily|any|most|whenever"
        r"|twice|once\s+a|a\s+(?:week|month|year)\b(?!\s+(?:ago|later|from|back|earlier))|per|tends?|typically|alternate|other)\b",
    ),
    habitual=_search(
        r"\b(?:choir|class(?:es)?|lessons?|practice|training|rehearsals?|market|bins?|days?\s+off|birthdays?|bday|anniversary|"
        r"name\s?day|expires?|expiry|runs?\s+out|ends?|due|deadline|renews?|renewal|shift|yoga|pilates|gym|club)\b",
    ),
    yearly=_search(r"\b(?:every\s+(?:\w+\s+)?year|each\s+year|yearly|annually|all\s+year|always|usually)\b"),
    yearless=_search(
        rf"^(?!.*\b(?:{YEAR}|last|past|previous|this|current|next|coming|following|ago)\b)"
        rf"(?=.*(?:\b{MONTH}|\b{WEEKDAY}\b|christmas|new\s+year|halloween|valentine|today|tonight|{_NUMBERED_DAY}))"
    ),
    weekday=_search(rf"\b{WEEKDAY}\b"),
    clock_alone=_search(r"^(?:at\s|just\s+now|in\s.*(?:hour|minute)|.*\b(?:hour|minute)s?\s)"),
    doubtful=_search(
        r"\?",
        r"\b(?:if|unless|whether|would|could|might|maybe|perhaps|probably|possibly|hopefully|hope|hoping|wish|wants?|wanted"
        r"|like\s+to|love\s+to|supposed|should|imagine|pretend|thinking\s+(?:of|about)|consider\w*|someday|must\s+have"
        r"|(?:I|we|he|she|they|it|you)\s+may|dream\w*|remind\w*|instead\s+of|rather\s+than|used\s+to\s+be|tickets?|will\s+have\s+(?:been|\w+ed))\b",
        rf"^(?!.*(?:\b(?:will|going|am|is|are|starts?|leaves?)\b|['’](?:ll|m|re|s)\b)).*\bin\s+(?:about\s+)?{ENGLISH_NUMBER}"
        r"\s+(?:day|week|month|year)s?\b",
        r"['’]d\b|['’]ll\s+have\s+(?:been|\w+ed)\b",
    ),
    subordinate=_search(
        r"\b(?:who|whose|which|that|where|when|while|after|before|because|than|as|until|till|since|once)\b",
        r"\b(?:the|my|our|an?|this|those|these|his|her|their)\s+(?:\w+\s+){1,3}(?:I|we|he|she|they|you|it)\s+\w+",
    ),
    subordinate_behind=re.compile(r"(?!)"),
    negated=_search(
        r"\b(?:not|no|none|without|nobody|nothing|neither|nor|hardly|cannot|dont|didnt|wont|cant)\b", r"n['’]t\b"
    ),
    units={"day": "day", "week": "week", "month": "month", "year": "year"},
    rules=(
        TimeRule(_search(rf"\b{_BEGINNING}\s+{YEAR}\b"), _year, "explicit"),
        TimeRule(_search(rf"\b{_BEGINNING}\s+{MONTH}\b(?!\s*\d|,?\s+(?:of\s+)?{YEAR})"), _month, "explicit"),
        TimeRule(_search(rf"\b{_BEGINNING}\s+{WEEKDAY}\b"), _weekday),
        TimeRule(_search(rf"\bsince\s+{WEEKDAY}\b"), _last_weekday),
        TimeRule(_search(rf"\b{_BEGINNING}\s+{_NUMBERED_DAY}{_NO_MONTH}"), _coming_day),
        TimeRule(_search(rf"\bsince\s+{_NUMBERED_DAY}{_NO_MONTH}"), _last_day),
        TimeRule(_search(rf"\bon\s+{_NUMBERED_DAY}{_NO_MONTH}"), _day_by_tense),
        TimeRule(
            _search(
                r"\b(?:until|till|til|through)\s+(?:the\s+)?end\s+of\s+(?:the\s+)?(?:(?P<side>this|next|last)\s+)?(?P<unit>week|month|year)\b"
            ),
            _end_of,
        ),
    ),
)
