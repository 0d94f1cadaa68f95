"""English words that mean something only where and when they are said."""

import re

_DEGREE = r"(?:not\s+|very\s+|too\s+|so\s+|quite\s+|really\s+|more\s+|always\s+|often\s+|usually\s+|almost\s+)*"
_STATE = (
    r"(?:important|hard(?:er)?|difficult|eas(?:y|ier)|nice|good|better|best|bad|necessary|possible|impossible|true|likely|unlikely"
    r"|clear|obvious|fun|great|time|worth|rude|polite|safe|dangerous|fine|okay|wrong|right|strange|unusual|common|normal"
    r"|essential|useful|crucial|vital|healthy|cheaper|comfortable)"
)
_WEATHER = r"(?:cold|hot|warm|rain\w*|snow\w*|sunny|dark|late|early|freezing|humid|windy|cloudy|foggy|\d{1,2}\s?°)"
FIXED = re.compile(
    rf"\bit(?:['’]s|\s+(?:is|was|will\s+be|would\s+be|gets?|becomes?|has\s+been))\s+{_DEGREE}(?:{_WEATHER}\b"
    rf"|{_STATE}\s+(?:for\s+[\w ]{{1,30}}?\s)?(?:to|that|when|if|how|whether)\b)"
    r"|\bit\s+(?:rains?|snows?|takes|took|seems|turn(?:s|ed)\s+out|appears|matters|depends)\b"
    rf"|\b(?:mak(?:e|es|ing)|made|finds?|found|thinks?|considers?)\s+it\s+{_DEGREE}{_STATE}\b|\bas\s+it\s+were\b"
    r"|\b(?:lov|lik|enjoy|hat)e?(?:s|d)?\s+it(?=\s+(?:here|there|in|at|when|that)\b)"
    r"|\bthere(?:['’](?:s|re)|\s+(?:is|are|was|were|will|has|have|had|may|might|can|could|should|must|seems?|used\s+to)\b)"
    r"|\bthank[\s-]you\b|\bdo[\s-]it[\s-]yourself\b|\bhere\s+and\s+now\b|\bthose\s+(?:who|of|with|that|whose)\b"
    r"|\b(?:the\s+)?(?:last|first)\s+(?:week|day|month|year|weekend)s?\s+of\b|\bon\s+\w+days?\s+(?:morning|afternoon|evening|night)s\b"
    r"|\bin\s+(?:about\s+)?\S+\s+(?:minutes?|hours?)\b|\bhave[\s-]it[\s-]all\b"
    r"|\b(?:up|down)stairs\s+(?:neighbou?r|from|of)|\bnext[\s-]door\s+(?:to|neighbou?r)|\bnear[\s-]?by\s+(?=[A-Z])",
    re.IGNORECASE,
)
"""Turns of phrase in which such a word points at nothing."""

SPEAKER = re.compile(
    r"\b(?:I(?:['’](?:m|ve|ll|d))?(?![\w'’-])|me|my|mine|myself|we(?:['’](?:re|ve|ll|d))?|us|our|ours|ourselves"
    r"|you(?:['’](?:re|ve|ll|d))?|your|yours|yourself|yourselves)\b(?![-])",
    re.IGNORECASE,
)
"""The speaker, and the person spoken to."""
SUBJECT = re.compile(r"\b(?:he|she|they)(?:['’](?:s|re|ve|ll|d))?\b", re.IGNORECASE)
_THEN = (
    r"(?:in|at|on|to|for|from|with|about|and|but|because|when|since|after|before|again|there|here|every|yesterday|last)"
)
OWNER = re.compile(
    rf"\b(?:his|her(?=\s+(?!{_THEN}\b)\w)|their|its|himself|herself|themsel(?:f|ves)|itself)\b", re.IGNORECASE
)
OTHER = re.compile(rf"\b(?:him|hers|them|theirs|her(?!\s+(?!{_THEN}\b)\w))\b", re.IGNORECASE)
_KINDS = (
    r"(?:one|place|guy|man|woman|person|day|night|evening|morning|week|weekend|month|year|time|thing|restaurant|city|town|shop"
    r"|store|house|company|school|country|book|movie|film|trip|job|project)"
)
THING = re.compile(
    rf"\bit(?:['’](?:s|ll|d))?\b|\b(?:this|these|those)\b|\bthat(?=\s*(?:[.,;!?]|$))|\bthat\s+{_KINDS}\b(?!\s+(?:is|are|was|were)\b)"
    r"|(?:^|(?<=[.!?]\s))that(?:['’]s|\s+(?:is|was|will|has))\b",
    re.IGNORECASE,
)
PLACE = re.compile(
    r"\b(?:here|there|near[\s-]?by|close\s+by|(?:up|down)stairs|next[\s-]door|over\s+there|around\s+the\s+corner"
    r"|across\s+the\s+(?:street|road)|back\s+home|in\s+the\s+neighbou?rhood)\b",
    re.IGNORECASE,
)
TIME = re.compile(
    r"\b(?:recently|lately|soon|just\s+now|right\s+now|nowadays|(?:these|those)\s+days|the\s+other\s+(?:day|night|week)|back\s+then"
    r"|at\s+th(?:at|is)\s+time|(?:last|next|this)\s+time|in\s+a\s+(?:bit|while|moment)|earlier\s+(?:today|this)|later\s+(?:today|this|on)"
    r"|(?:a\s+(?:long\s+)?while|some\s+time|not\s+long|long|ages|(?:some\s+|many\s+)?(?:days|weeks|months|years))\s+ago)\b",
    re.IGNORECASE,
)
ROMAN = re.compile(r"\b(?:War|Type|Part|Phase|Class|Level|Volume|Grade|Stage|Chapter|Elizabeth|Charles|George)\s$")
"""What makes an «I» a numeral."""

_NAME = re.compile(
    r"(?<![\w’'])(?P<before>(?:in|at|to|from|for|near|of|on)\s+)?(?P<name>[A-Z][\w-]*(?:\s[A-Z][\w-]*)*)"
)
_NO_NAME = re.compile(
    r"(?:The|A|An|In|On|At|By|For|If|When|While|Since|After|Before|Because|Every|Each|Some|All|Both|No|Not|And|But|So|Once|As"
    r"|He|She|They|It|His|Her|Their|Its|This|That|These|Those|There|Here|My|Our|Your|We|You|I|Monday|Tuesday|Wednesday|Thursday"
    r"|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December)"
)


def antecedents(before: str) -> set[str]:
    """The people that a sentence has named so far: «The user», and names that stand after no preposition of place."""
    people = {"the user"} if re.search(r"\bthe\s+(?:user|speaker)\b", before, re.IGNORECASE) else set[str]()
    for found in _NAME.finditer(before):
        if not found["before"] and not _NO_NAME.fullmatch(found["name"]):
            people.add(re.sub(r"^The\s+", "", found["name"]))
    return people


def starts_sentence(content: str, at: int) -> bool:
    """Whether the word at that place is the first of its sentence."""
    return not content[:at].strip(" \"'“”‘’(") or content[:at].rstrip(" \"'“”‘’(")[-1] in ".!?:;\n"


def is_title(content: str, span: tuple[int, int]) -> bool:
    """Whether the word is written as part of a name: capitalised within a sentence, or before another such word."""
    start, end = span
    word = content[start:end]
    if word in ("US", "IT") or (word[0].isupper() and word[:1] != "I" and not starts_sentence(content, start)):
        return True
    goes_on = re.match(r"\s(?!I\b)[A-Z][a-z]", content[end:])
    return bool(goes_on) and word in _BEFORE_A_NAME and not _DAY.match(content, end + 1)


_BEFORE_A_NAME = frozenset({"He", "She", "It", "They", "This", "Here", "There"})
_DAY = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Jan|Febr)uary|March|April|May|June|July|August|\w+ber\b"
)
