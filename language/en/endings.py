"""English words that end things, and matters of which one value holds at a time."""

import re

from language.en.assertions import JOINTS as JOINTS
from language.en.people import KIN
from language.term_words import ENGLISH_STOP_WORDS
from language.terms import fold, word_terms

_KIN = KIN.replace("?P<kin>", "?:")


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


ACTS = frozenset(word_terms("drink eat take use play watch read buy wear do drive"))
"""Verbs that two statements may share without being about one thing."""
RELATIVE = _compile(rf"\b{_KIN}\b")
NOT_SO = _compile(
    r"\b(?:if|would|could|might|(?<!in\s)(?-i:may)|maybe|perhaps|imagine|suppose|wish(?:es|ed)?|hop(?:e|es|ing)|think(?:s|ing)?\s+(?:of|about)"
    r"|consider(?:s|ing)?|want(?:s|ed|ing)?\s+to|plan(?:s|ning)?\s+to|going\s+to|gonna|(?:almost|nearly)\s+(?:quit|gave|left|sold|moved|stopped|broke|cancel\w*)|dream(?:s|t|ed|ing)?"
    r"|pretend|as\s+if|joke|kidding|thought\s+about|should|ought|tempted|used\s+to|unless|looking\s+(?:to|for))\b|[?]\s*$"
)
"""It is supposed, wished, asked or long ago, and tells nothing about now."""
ADDS = _compile(
    r"\b(?:also|too|as\s+well|another|second|other|either|both|besides|additionally|sometimes|occasionally|part[-\s]time|side"
    r"|extra|guest|temporar\w+|just\s+(?:the\s+)?(?:once|this)|on\s+(?:holiday|vacation|loan)|occasional|exception|except"
    r"|spare|old|former|previous|some|few|several|visit\w*|only\s+for|and\s+all)\b"
)
"""It adds up, or is an exception."""
ONE_TIME = _compile(
    r"\b(?:for\s+(?:a|the|one|two|three|this|next|\d+)\s+\w+|this\s+(?:week\w*|month|morning|afternoon|evening|time|once)|today"
    r"|tonight|tomorrow|yesterday|last\s+\w+|first|at\s+weekends|on\s+weekends|in\s+(?:the\s+)?(?:evenings|summer|winter)|until)\b"
)
"""It may be so for once only."""
BEFORE = _compile(
    r"\b(?:used\s+to|in\s+(?:19|20)\d\d|back\s+(?:then|in)|as\s+a\s+(?:child|kid|student|teenager)|once|formerly)\b"
)
"""The statement speaks of the past."""
CHANGES = _compile(
    r"\b(?:now|nowadays|these\s+days|no\s+longer|any\s?more|instead|from\s+now\s+on|switched|moved|changed|transferred|relocated"
    r"|promoted|became|turned|renamed|rescheduled|postponed|brought\s+forward|pushed|went\s+up|gone\s+(?:up|down|off)|raised"
    r"|replaced|swapped|traded|exchanged|(?:gone|went)\s+over|rebooked|shift(?:ed)?\s+the|put\s+me\s+on|sacked|fired|redundant|allowed|as\s+of|since\s+(?:last|the|\w+day)|has\s+been\s+(?:put|moved|set)|got\s+a\s+new|back\s+(?:to|on)|again|new)\b"
)
"""It says that something is otherwise than it was."""
SETTLES = _compile(
    r"\b(?:according\s+to|turns\s+out|(?:double-)?checked|looking\s+at|looked\s+at|found\s+the|in\s+fact|apparently|mixed\s+(?:up|that|it)"
    r"|muddled|fat\s+fingers|autocorrect\w*|misread|misremembered|wrong\s+end|showed\s+me|tell\s+a\s+lie|got\s+\w+\s+wrong|read(?:ing)?\s+the"
    r"|says?\s+(?:it['’]s|i['’]m|he['’]s|she['’]s)|after\s+all|showing\s+off|should['’]ve\s+said|exaggerat\w+)\b"
)
"""The speaker has found out better."""
ONCE = _compile(
    r"\b(?:yesterday|last\s+(?:night|week\w*|month|year|summer|winter|spring|autumn|\w+day)|ago|this\s+morning|earlier\s+today"
    r"|(?:I|we|he|she|they|(?-i:[A-Z]\w+))\s+(?:just\s+|finally\s+|already\s+)?(?:met|bought|paid|went|saw|ate|had|read|watched|visited|flew|drove|ran|won|lost|broke"
    r"|got|made|took|gave(?!\s+up)|found|called|spoke|talked|finished|passed|failed|cooked|booked|ordered|attended|signed|sent|fixed"
    r"|baked|tried|celebrated|walked|played|repaired|painted|planted))\b"
)
"""It tells of something that happened."""
_DET = r"(?:(?:my|our|the|his|her|their|any|all|that|with|from|at|on|of|to|for|as|an?)\s+){0,2}"
_WHAT = (
    rf"{_DET}(?P<what>[\w'’-]+(?:\s+(?!(?:and|but|so|because|since|last|this|in|on|at|for|from|after|before|when|yesterday"
    r"|today|now|ages|two|three|a|an|to|with|by|as|altogether|completely|again|years?|months?|weeks?|entirely|over|back|until"
    r"|except|unless|except|of|the|my|is|was|during|while|if|without|outside)\b)[\w'’-]+){0,3})"
)
_STOPPED = (
    r"(?:(?:have|has|['’]ve|['’]s)\s+)?(?:just\s+|finally\s+|recently\s+|now\s+)?(?:stopped|quit|quitted|gave\s+up|given\s+up|packed\s+in"
    r"|ditched|scrapped|got\s+rid\s+of|cancell?ed|sold|flogged|resigned|left|dropped\s+out|broke\s+up|broken\s+up|split\s+up"
    r"|split|divorced|done|finished\s+with|(?:got|been|was)\s+(?:sacked|fired|laid\s+off|made\s+redundant)|retired|gone\s+off|come\s+off|came\s+off|cut\s+out|swore\s+off|sworn\s+off)"
)
_PART = (
    r"(?:today|tonight|tomorrow|this|one|some|two|half|early|late|each|over|off|by|out|up|down|\d+|\w+day(?:['’]s)?"
    r"|it|them)\b"
)
ENDINGS = (
    _compile(rf"\bno\s+longer\s+(?:have\s+|has\s+)?(?!{_PART}){_WHAT}"),
    _compile(
        r"\bg[ai]ven?\s+(?:(?:my|our|the)\s+)?(?P<what>[\w'’-]+(?:\s+[\w'’-]+)?)\s+(?:away|back|to\s+(?:my|our|the|a)\b)"
    ),
    _compile(rf"(?:\bnot|n['’]t)\s+{_WHAT}\s+(?:any\s?more|any\s+longer)\b"),
    _compile(rf"\b{_STOPPED}\s+(?!{_PART}){_WHAT}"),
    _compile(
        r"\b(?:my|our|the|his|her)\s+(?P<what>[\w'’-]+(?:\s+[\w'’-]+){0,3}?)(?:\s+(?:is|are|was|were|has\s+been|have\s+been|got)|['’]s)"
        r"\s+(?:been\s+|now\s+)?(?:over|gone|dead|cancell?ed|called\s+off|off|sold|closed\s+down|scrapped|healed|history|disbanded"
        r"|dissolved|shut\s+down|stolen|finished|done)\b"
    ),
    _compile(
        r"\b(?:my\s+|our\s+|the\s+)?(?P<what>[\w'’-]+(?:\s+[\w'’-]+){0,2}?)\s+(?:has\s+|have\s+)?(?:died|passed\s+away|fell\s+through|folded|shut\s+down"
        r"|closed\s+down|was\s+put\s+down|was\s+put\s+to\s+sleep)\b"
    ),
)
"""An end, with ``what`` has ended."""
_VERB = (
    r"(?:is|are|was|['’]s(?!\s+\w+\s+(?:is|are|was|has)\b)|has\s+(?:been\s+)?(?:moved|changed|pushed|switched|transferred|put|set|brought)"
    r"|(?:was|got|is|are|been)\s+(?:moved|changed|pushed|transferred|rescheduled|postponed|brought\s+forward)|moved|changed|switched|went"
    r"|meets?|starts?|begins?|opens?|closes?|ends?|finishes|costs?|leaves?|departs?|arrives?|runs?\s+out|expires?|takes\s+place|weighs"
    r"|lives|works|studies|teaches|rose|dropped|fell|['’]s\s+(?:been\s+)?(?:moved|changed|gone)|happens)"
)
_HABIT = (
    r"get\s+up|wake\s+up|go\s+to\s+bed|go\s+to\s+sleep|start\s+work|finish\s+work|weigh|earn|bank\s+with|live|work|support|report\s+to|commute"
    r"|smoke|sleep|wear\s+(?:a\s+)?size|am\s+(?:based|living)|drive\s+an?"
)
MATTERS = (
    _compile(r"\b(?P<verb>)(?P<noun>weigh(?:s|ed)?|scales|weight)\b(?P<rest>.*)"),
    _compile(
        r"\b(?:my|our|his|her|the)\s+(?P<free>(?:favou?rite|main|preferred|default|current|native|mother|dream)\s+[\w’'-]+(?:\s[\w’'-]+)?)"
        r"\s+(?:is|are|['’]s)\s+(?:now\s+)?(?P<rest>(?!not\b)[\w’' -]{1,40})"
    ),
    _compile(
        r"\b(?:mov(?:ed|e)|shift(?:ed)?|push(?:ed)?|put|changed?|reschedul\w+|rebook\w+|postpon\w+|brought|switched)\s+(?:my|our|the)"
        r"\s+(?P<noun>[\w’'-]+(?:\s[\w’'-]+){0,2}?)\s+(?:back\s+|forward\s+)?(?:to|until|for)\s+(?P<rest>.+)"
    ),
    re.compile(
        r"\b[Mm]y\s+(?P<noun>wife|husband|boyfriend|girlfriend|partner|fianc\w+|boss|manager|dentist|landlord|landlady|GP|therapist)"
        r"(?:['’]s|\s+is)?(?:\s+name\s+is)?(?:\s+called|\s+named)?\s+(?P<verb>)(?P<rest>[A-Z][\w’'-]+.*)"
    ),
    _compile(
        rf"(?:^|[,;:.]\s+|\b(?:so|and|but|because|turns\s+out)\s+)(?:my|our|the|his|her)\s+(?P<noun>(?!{_KIN}\s+(?:is|['’]s|was)\b)"
        rf"[\w’'-]+(?:\s(?!{_VERB}\b)[\w’'-]+){{0,3}}?)(?:\s+|(?=['’]s)){_VERB}\s+(?P<rest>.+)"
    ),
    _compile(rf"^(?:the\s+)?(?P<noun>[\w’'-]+(?:\s(?!{_VERB}\b)[\w’'-]+)?)(?:\s+|(?=['’]s)){_VERB}\s+(?P<rest>.+)"),
    _compile(
        rf"\b(?:my|our)\s+(?P<noun>{_KIN})(?:\s+[A-Z]\w+)?\s+(?:(?:is|was)\s+)?(?:now\s+)?(?P<verb>lives|works|called|named|studies|teaches)\s+(?P<rest>.+)"
    ),
    _compile(rf"\bI(?:\s+(?:now|always|usually|normally|currently)|['’]m|['’]ve)*\s+(?P<verb>{_HABIT})\s+(?P<rest>.+)"),
    _compile(r"\bI(?:['’]m|\s+am)\s+(?:now\s+)?(?P<rest>\d+\s+(?P<verb>years\s+old))"),
    _compile(r"\b(?:rent|mortgage|salary|pay)\b(?P<noun>)(?P<verb>)(?P<rest>.*\d.*)"),
)
"""``noun`` and ``verb`` name the matter, ``rest`` holds its value; under ``free`` any words are the value."""
STATES = (
    frozenset({r"\bsingle\b", r"\bmarried\b", r"\bengaged\b", r"\bdivorced\b", r"\bwidowed\b"}),
    frozenset({r"\bvegan\b", r"\bvegetarian\b", r"\bpescatarian\b", r"\bI eat meat\b"}),
    frozenset({r"\bleft-handed\b", r"\bright-handed\b"}),
    frozenset({r"\bmorning person\b", r"\bnight owl\b"}),
    frozenset({r"\bunemployed\b", r"\bretired\b", r"\bI work\b"}),
    frozenset({r"\brent(?:ing)?\s+(?:a|my|our)\b", r"\bown\s+(?:my|our)\s+(?:flat|house|home|place)\b"}),
    frozenset({r"\bnon-smoker\b", r"\bI smoke\b"}),
    frozenset({r"\blive alone\b", r"\blive with\b"}),
    frozenset({r"\bby car\b", r"\bby (?:train|bus|bike|tram)\b"}),
)
"""Sets of states of which a person is in one at a time."""
DENIES = _compile(
    r"\b(?:not|never|no\s+longer|cannot|nothing|none)\b|n['’]t\b|\b(?:stopped|quit|gave\s+up|given\s+up|without)\b|\bhave\s+no\b|\bhas\s+no\b"
)
LIKES = _compile(r"\b(?:like|love|enjoy|adore)s?\b|\b(?:drink|eat|have|take)(?:ing)?\b(?=\s+\w)")
DISLIKES = _compile(r"\b(?:hate|dislike|loathe|can['’]?t\s+stand|can['’]?t\s+bear|detest)s?\b|\bcannot\s+stand\b")
_CARRIES = frozenset(
    word_terms(
        """
        play plays playing do doing go going goes drink drinks drinking eat eats eating smoke smoking have has had
        take takes taking use using learn learning study studying attend train training practise practice practising
        drive driving ride riding own owns keep keeps rent renting see seeing date dating get belong pay paying
        member work works working teach teaching coach coaching run running live share volunteer every day week
        still always usually currently regularly called named dog cat rabbit hamster horse parrot wife husband
        partner girlfriend boyfriend old new little lot car bike van subscribe subscription subscribed am love like
        enjoy into big prescribed treatment course lesson lessons class night user job contract evening morning
        weekend month year saturday sunday monday tuesday wednesday thursday friday two three one
        """
    )
)
"""Words before an object that only say that it is there, or done."""
_AFTER = frozenset(
    [
        "on",
        "at",
        "in",
        "with",
        "for",
        "since",
        "every",
        "from",
        "until",
        "to",
        "and",
        "or",
        "but",
        "so",
        "because",
        "twice",
        "once",
        "three",
        "four",
        "five",
        "a",
        "an",
        "the",
        "by",
        "near",
        "as",
        "which",
        "who",
        "that",
        "after",
        "before",
        "of",
        "mostly",
        "now",
        "again",
        "daily",
        "most",
        "each",
        "all",
        "these",
        "usually",
        "regularly",
        "when",
        "while",
        "during",
        "is",
        "are",
        "was",
        "has",
    ]
)
_TOKEN = re.compile(r"[\w’'-]+|[.,;:!?]")


def holds_as_object(statement: str, what: str) -> str:
    """The words of a statement that is plainly about this thing, from the thing on; empty for any other statement.

    "I play squash on Mondays" is about squash; "my squash racket is from Ann", "I watch squash" are not.
    """
    wanted = [term for term in word_terms(fold(what)) if term not in _CARRIES]
    verbs = [term for term in word_terms(fold(what)) if term in _CARRIES]
    if not wanted:
        return ""
    tokens = list(_TOKEN.finditer(statement))
    for at in range(len(tokens)):
        end = _match_from(tokens, at, wanted)
        if end and _only_carries(tokens[:at], verbs) and _is_closed(tokens, end):
            return statement[tokens[at].start() : tokens[end - 1].end()]
    return ""


def _match_from(tokens: list[re.Match[str]], at: int, wanted: list[str]) -> int:
    """The place behind a run of tokens that is the wanted words; 0 where they do not stand there."""
    left = list(wanted)
    for place in range(at, len(tokens)):
        terms = word_terms(fold(tokens[place][0]))
        if terms and terms[0] == left[0]:
            left.pop(0)
            if not left:
                return place + 1
        elif terms or place == at:
            return 0
    return 0


def _only_carries(before: list[re.Match[str]], verbs: list[str]) -> bool:
    clause = [each[0] for each in before]
    for place in range(len(clause) - 1, -1, -1):
        if clause[place] in ".;!?:":
            clause = clause[place + 1 :]
            break
    terms = [term for word in clause for term in word_terms(fold(word))]
    return all(term in _CARRIES for term in terms)


def _is_closed(tokens: list[re.Match[str]], end: int) -> bool:
    """Whether the object ends there: no noun of its own follows."""
    if end >= len(tokens):
        return True
    after = tokens[end][0].casefold()
    return not after[0].isalpha() or after in _AFTER or after in ENGLISH_STOP_WORDS
