"""English words by which people ask something of memory."""

import re

from language.kinds import Topic
from language.patterns import RequestWords, Switch

_I = re.IGNORECASE

_SWITCHES: dict[Switch, re.Pattern[str]] = {
    "on_record": re.compile(
        r"\b(?:back\s+on|on)\s+(?:the\s+)?record\s*(?:again|now)?\W*$|\byou\s+(?:can|may)\s+(?:start\s+)?"
        r"(?:tak(?:e|ing)\s+notes?|remember(?:ing)?(?:\s+things)?|not(?:e|ing)\s+things)\s+again",
        _I,
    ),
    "off_record": re.compile(
        r"\boff\s+(?:the\s+)?record\s+(?:from\s+(?:now|here)|until|for\s+(?:now|the\s+rest|a\s+while)|starting\s+now)"
        r"|\b(?:from\s+now\s+on|for\s+(?:now|the\s+rest)|until\s+I\s+(?:say|tell))\b.{0,40}"
        r"\b(?:off\s+(?:the\s+)?record|(?:don['’]?t|do\s+not|stop)\s+(?:note|noting|record(?:ing)?|writ(?:e|ing)|sav(?:e|ing)))"
        r"|\b(?:stop|quit)\s+(?:taking\s+notes|noting|recording|writing\s+(?:things|this|stuff)\s+down)\b",
        _I,
    ),
    "undo": re.compile(
        r"^\W*(?:(?:no|oh|wait|actually|sorry|oops|please|pls|ok(?:ay)?)\W+)*(?:(?:can|could|would)\s+you\s+)?(?:please\s+)?"
        r"(?:undo|un-?delete|unforget|revert)\b(?!\s+(?:the|a|my)\s+(?!(?:last|change|deletion)))[^,;]{0,40}$"
        r"|\b(?:bring|put|get)\s+(?:it|that|them|those|this)\s+back\W*$|\brestore\s+(?:it|that|them|those|this)\b",
        _I,
    ),
}
_NOT_ASKED = re.compile(
    r"\b(?:search|look|check|browse|go|find|show|list|read)\b.{0,30}\b(?:memor(?:y|ies)|notes?|remember)\b|"
    r"\b(?:never|won['’]?t|wont|can['’]?t|cant|cannot|don['’]?t|dont|do\s+not|didn['’]?t|wouldn['’]?t|couldn['’]?t|let['’]?s\s+not|not"
    r"|(?:hard|easy|tend|try|trying|wish|going|not|have|had|impossible)\s+to|always|keep|kept|might|almost|nearly|I|we|she|he|they|who|ever)\s+"
    r"(?:ever\s+|even\s+|always\s+|totally\s+|completely\s+|just\s+|sometimes\s+|often\s+)?forget(?:s|ting)?\b(?!\s+(?:what|that|everything|about|my|the)\b.*\bplease)"
    r"|\b(?:told|tells|asked|wants?|made|makes)\s+(?:me|us|him|her|them|everyone)\s+to\b|(?<!\bI\s)(?<!\byou\s)\b(?:said|says)\s+(?:to\s+)?forget"
    r"|^\W*(?:I|we|he|she|they|it|(?:my|the|our|a)\s+\w+|(?-i:[A-Z][a-z]+))\s+(?:(?:just|finally|already|once|had\s+to|have|has|['’]ve)\s+)*"
    r"(?:deleted|erased|wiped|cleared|dropped|scrubbed|removed|lost|binned|scrapped|sold|forgot)\b|\bshould\s+(?:I|we)\b|\b(?:I|we|he|she|they)\s+(?:had|have|has)\s+to\b"
    r"|\b(?:I\s+(?:wish|hope|want|need|have|had|tried|try)\b.{0,20}?\bI\s+could|wish\s+I)\b|\bit\s+doesn['’]?t\s+matter"
    r"|\bforgot(?:ten)?\b(?!\s+again)|\bunforgettable|\bforgetful|\bforget[\s-]me[\s-]nots?\b|\bdon['’]?t\s+you\s+forget\b"
    r"|\b(?:the|this|that|these|those)\s+(?:(?:first|second|third|last|next|following)\s+)?"
    r"(?:paragraph|sentence\s+(?:of|in|from)|text|file|folder|code|column|row|table|function|commit|branch|app|onions?)\b"
    r"|\bhow\s+(?:do|can|to|did|should|would)\b|\bforget\s+about\s+it[,!]|\bwhy\b",
    _I,
)
"""Says the words of asking, and asks nothing of the one who is spoken to."""
_IDIOMS = re.compile(
    r"^\W*(?:(?:oh|ah|ugh|well|ok(?:ay)?|nah|no|never\s?mind)\W+)*(?:forget\s+(?:about\s+)?it|never\s?mind)\W*$", _I
)
_FORGETS = re.compile(
    r"\b(?:forget|delete|erase|wipe|scrub|unlearn|unremember|scratch\s+(?:that|what)|strike\s+(?:that|what)"
    r"|purge|(?:drop|lose|bin|clear|let\s+go\s+of)\s+(?:the|that|my|our|everything|all)\b|(?:bin|scrub|scrap|drop)\s+that"
    r"|(?:no\s+need|no\s+longer|no\s+point|need\s*n['’]?t|don['’]?t|do\s+not|didn['’]?t|stop)\b.{0,25}\b(?:remember(?:ing)?|keep(?:ing)?|know|hold"
    r"|stor(?:e|ing)|hang(?:ing)?\s+on)\b|remove\b.*\b(?:memor(?:y|ies)|notes|records?)|get\s+rid\s+of|disregard\s+what\s+I)\b",
    _I,
)
_POLITELY = re.compile(
    r"\b(?:can|could|would|will|wd|cd)\s+(?:you|u)\b.{0,30}\b(?:forget|delete|erase|wipe|scrub|unlearn|unremember|unhear|get\s+rid\s+of|let\s+go)\b"
    r"|\b(?:is\s+it\s+possible|any\s+chance|mind)\b.{0,30}\b(?:forget|delet|eras|wip|remov)\w*\b.{0,60}\b(?:memory|told|said|mentioned|notes|about\s+m[ey])\b",
    _I,
)
_ADDRESSED = re.compile(
    r"\b(?:please|pls|plz|kindly|you|u|your|ur|yours|memor(?:y|ies)|notes|records?|told|said|mentioned|stored?|saved?|keep|kept)\b"
    r"|^\W*(?:(?:ok(?:ay)?|hey|and|so|um|uh|actually)\W+)*(?:forget|delete|del|erase|remove|wipe|clear|scrub|drop|lose|bin|scrap|strike|scratch)\b",
    _I,
)
_WITHHOLDS = re.compile(
    r"\b(?:do\s*n['’]?o?t|dnt|not|no|never|none|nothing|off|between|without|secret|confidential|confidence|private|stop|stays?)\b",
    _I,
)
_FIRST_PERSON = re.compile(r"\b(?:I|my|mine|me|we|our|us|im|ive)\b", _I)
_EVERYTHING = re.compile(r"\b(?:everything|anything|all|every|whatever|any\s+(?:trace|record|mention))\b", _I)
_JUST_SAID = re.compile(
    r"\bjust\s+(?:now\s+)?(?:said|told|mentioned|wrote|typed|shared)|\b(?:said|told\s+you|mentioned)\s+just\s+now"
    r"|\b(?:that|the|my)\s+last\s+(?:bit|thing|part|message|one|sentence|line|remark)"
    r"|\b(?:scratch|strike|scrap)\s+that\W*$",
    _I,
)
_ASKING = re.compile(
    r"\b(?:please|pls|plz|kindly|thanks?|can|could|would|will|you|u|your|ur|forget(?:ting)?|delet(?:e|ing)|del"
    r"|eras(?:e|ing)|remov(?:e|ing)|wip(?:e|ing)|clear|scrub|scratch|strike|scrap|drop|lose|bin|get\s+rid\s+of|rid"
    r"|take\s+out|out|unlearn|unremember|disregard|ignore|purge|memor(?:y|ies)|notes?|records?|file|files|profile"
    r"|storage|database|brain|system|what|whatever|that|this|it|these|those|thing|things|stuff|bit|part|fact|facts"
    r"|info|information|details?|data|entry|i|i['’](?:ve|d|m|ll)|said|say|told|tell|mention(?:ed)?|shared|gave|wrote"
    r"|ever|about|abt|bout|re|regarding|concerning|from|of|in|on|the|a|an|any|anything|everything|all|every|trace"
    r"|remember(?:ing)?|keep(?:ing)?|kept|stor(?:e|ed|ing)|sav(?:e|ed|ing)|know(?:ing)?|hold(?:ing)?|longer|no|not"
    r"|don['’]?t|do|more|anymore|stop|need|want|wish|like|to|just|now|up|go|um|uh|so|and|also|actually|ok(?:ay)?|hey"
    r"|have|has|got|is|was|be|been|am|are|for|me|let|last|earlier|before|previously|again)\b",
    _I,
)
_REMEMBERS = re.compile(
    r"^\W*(?:(?:please|pls|hey|ok(?:ay)?|and|also|oh)\W+)*(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?"
    r"(?:always\s+)?(?:remember|note(?:\s+down)?|make\s+a\s+note|keep\s+in\s+mind|bear\s+in\s+mind|write\s+down"
    r"|jot\s+down|don['’]?t\s+forget|save|store|memori[sz]e|for\s+the\s+record|fyi)\b"
    r"\s*(?:this|down)?\s*[:,]?\s*(?:that\b|for\s+(?:me|later|next\s+time)\b|of\s+(?:that|this)\b)?\s*[:,]?\s*",
    _I,
)
_CORRECTS = re.compile(
    r"^\W*(?:no|nope|nah|correction|oops|sorry)\b\s*[,.:;—-]"
    r"|\b(?:that|this|it)(?:['’]?s|\s+is|\s+was)\s+(?:wrong|incorrect|not\s+(?:right|true|correct))"
    r"|\byou(?:['’]ve|\s+have)?\s+(?:got|have|had)\s+(?:that|it|this|my|me)\b.{0,30}\bwrong"
    r"|\byou(?:['’]re|\s+are)\s+(?:wrong|mistaken)"
    r"|\b(?:I\s+(?:meant|misspoke|mistyped)|to\s+correct|small\s+correction|my\s+mistake|typo)\b"
    r"|\b(?:fix|correct|update|change|amend|edit)\s+(?:that|this|it|my|our|the)\b",
    _I,
)
_ALONE = re.compile(
    r"(?:no|nope|sorry|oops|correction|that['’]?s\s+(?:wrong|not\s+right|incorrect|not\s+true)"
    r"|you\s+(?:got|have)\s+(?:that|it)\s+wrong|you['’]?re\s+wrong|my\s+mistake|typo)\W*",
    _I,
)
_LEAD_IN = re.compile(
    r"^\W*(?:(?:no+|nope|nah|yes|correct|right|exactly|wait|hang\s+on|hold\s+on|actually|sorry|oops|(?:(?:small|quick)\s+)?correction"
    r"|to\s+correct\s+\w+|well|um+|uh+|ok(?:ay)?|hey|please"
    r"|(?:that|this|it)(?:['’]?s|\s+is|\s+was)\s+(?:wrong|incorrect|not\s+(?:right|true|correct))"
    r"|you(?:['’]ve|\s+have)?\s+(?:got|have|had)\s+(?:that|it|this)\s+wrong|you(?:['’]re|\s+are)\s+(?:wrong|mistaken)"
    r"|my\s+mistake|typo|I\s+meant(?:\s+(?:to\s+say|that))?|I\s+misspoke)\b[\s,.:;!—–-]*)+",
    _I,
)
_DENIALS = (
    re.compile(r"[\s,;—–-]+(?:and\s+)?(?:not|instead\s+of|rather\s+than)\s+(?P<denied>[^,.;!?]{1,60})[.!]*\s*$", _I),
    re.compile(
        r"^\W*(?:it['’]?s\s+)?not\s+(?P<denied>[^,.;!?]{1,40}?)\s*(?:,|;|\bbut\b)\s*(?:but\s+)?(?:it['’]?s\s+)?", _I
    ),
)
_SET_TO = re.compile(
    r"\b(?:change|update|correct|set|fix|edit|amend)\s+(?P<what>(?:my|our|the)\s+[^,.;]{2,50}?)\s+"
    r"(?:to|:|from\s+.{1,40}?\s+to)\s+(?P<value>[^,;]{1,80}?)[.!\s]*$",
    _I,
)
_LITTLE = """
    i i'm i'v i'd my me you your he she it we they them his her their our us is are was were be been am do doe did
    have has had a an the and or but not no so to of in on at for with from by as that this these those there here
    just also now
"""
_EMPTY = frozenset(_LITTLE.split())

_CHANGES = re.compile(r"\b(?:moved|switched|changed\s+(?:jobs?|schools?))\b", _I)

WORDS = RequestWords(
    changes=_CHANGES,
    switches=_SWITCHES,
    not_asked=_NOT_ASKED,
    idioms=_IDIOMS,
    forgets=_FORGETS,
    politely=_POLITELY,
    addressed=_ADDRESSED,
    withholds=_WITHHOLDS,
    first_person=_FIRST_PERSON,
    everything=_EVERYTHING,
    just_said=_JUST_SAID,
    asking=_ASKING,
    remembers=_REMEMBERS,
    corrects=_CORRECTS,
    alone=_ALONE,
    lead_in=_LEAD_IN,
    denials=_DENIALS,
    set_to=_SET_TO,
    empty=_EMPTY,
    set_form="{what} is {value}",
)

MATTERS: tuple[tuple[Topic, str], ...] = (
    ("home", "address live living home house flat street postcode moved"),
    ("work", "work job employer company office boss career profession"),
    ("contact", "phone mobile cell telephone number"),
    ("money", "salary pay paid earn earning income wage wages"),
    ("belongings", "car drive driving vehicle van"),
    ("birth", "birthday birth born birthdate"),
    ("partner", "boyfriend girlfriend partner husband wife spouse ex dating married"),
    ("pet", "dog puppy cat kitten pet rabbit hamster beagle labrador"),
    ("health", "diagnosis diagnosed illness disease condition sick ill health medical"),
    ("health", "pills tablets medication meds medicine"),
    ("appearance", "weight weigh kilos kg pounds"),
    ("appearance", "height tall cm"),
    ("travel", "trip travel travelling holiday vacation flight itinerary"),
    ("family", "child children kid kids son daughter"),
    ("money", "debt owe owes loan"),
    ("diet", "diet vegan vegetarian eat food"),
    ("diet", "allergy allergic allergies"),
    ("birth", "age old years"),
    ("study", "school university college study studying degree"),
    ("media", "novel book writing"),
    ("contact", "email mail inbox"),
    ("belief", "religion faith church believe god"),
    ("belief", "politics vote voted party"),
)
"""Words that name one matter, with its topic: somebody asks for it by one and told it by another, or by none."""
