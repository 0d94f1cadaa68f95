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
        r"^\W*(?:(?:no|oh|wait|actually|sorry|oops|hang\s+on|please|pls|ok(?:ay)?)\W+)*(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?"
        r"(?:undo|un-?delete|unforget|unerase|revert)\b(?!\s+(?:the|a|my)\s+(?!(?:last|change|deletion|correction)))[^,;]{0,40}$"
        r"|\b(?:bring|put|get|give|take)\s+(?:me\s+)?(?:it|that|them|those|this)\s+back\W*(?:please\W*|again\W*)?$"
        r"|\brestore\s+(?:it|that|them|those|this|what\s+(?:you|I))\b"
        r"|\b(?:I\s+)?did\s?n['’]?t\s+mean\s+(?:it|that|to\s+(?:delete|forget|erase|remove)).{0,60}\b(?:restore|undo|back|keep)\b"
        r"|^\W*(?:no\W+|oops\W+|wait\W+|sorry\W+)*(?:I|you)\s+(?:deleted|forgot|erased|removed)\s+the\s+wrong\s+(?:one|thing|memory)"
        r"|^\W*(?:that|the\s+last\s+(?:one|change|deletion))\s+was\s+(?:a\s+mistake|wrong)\W+(?:please\s+)?(?:undo|restore|bring)",
        _I,
    ),
}
_BRINGS_BACK = re.compile(
    r"^\W*(?:(?:please|pls|oh|oops|sorry|wait|actually|no)\W+)*(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?"
    r"(?:(?:restore|un-?delete|unforget|undelete|recover|undo)\s+(?P<about>(?!.*\?).{2,80})|(?:bring|put|get)\s+(?:back\s+)(?P<about2>.{2,80})"
    r"|(?:bring|put|get)\s+(?P<about3>(?:the|my|our|what)\b.{2,80}?)\s+back)\W*$",
    _I,
)
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
    r"(?:paragraph|sentence\s+(?:of|in|from)|text|file|folder|column|row|table|function|commit|branch|app|onions?)\b"
    r"|\bhow\s+(?:do|can|to|did|should|would)\b|\bforget\s+about\s+it[,!]|\bwhy\b",
    _I,
)
"""Says the words of asking, and asks nothing of the one who is spoken to."""
_IDIOMS = re.compile(
    r"^\W*(?:(?:oh|ah|ugh|well|ok(?:ay)?|nah|no|never\s?mind)\W+)*(?:forget\s+(?:about\s+)?it|never\s?mind)\W*$", _I
)
_WITHHOLDS = re.compile(
    r"\b(?:do\s*n['’]?o?t|dnt|not|no|never|none|nothing|off|between|without|secret|confidential|confidence|private|stop|stays?)\b",
    _I,
)
_KEEPS_NO_NOTE = re.compile(
    r"\b(?:do\s?n['’]?o?t|dnt|never|no\s+need\s+to|not\s+to)\s+(?:you\s+)?(?:(?:be|ever|go|please)\s+)*(?:note|noting|write|writing|jot|record|recording|log|logging"
    r"|sav(?:e|ing)|stor(?:e|ing)|keep(?:ing)?\s+(?:a\s+)?(?:note|record|this|it)|retain|remember(?:ing)?)\s+(?:any\s+of\s+|a\s+record\s+of\s+)?"
    r"(?:this|it|that|what\s+follows|the\s+following|any)\b"
    r"|\bno\s+notes\b|\bdo\s?n['’]?o?t\s+want\s+(?:any\s+of\s+)?(?:it|this|that)\s+(?:\w+\s+)?(?:saved|noted|kept|stored|recorded|written)"
    r"|\bdo\s?n['’]?o?t\s+(?:you\s+)?be\s+(?:saving|storing|noting|keeping)|\boff\s+the\s+record\b|\bnot\s+for\s+(?:your|the)\s+(?:notes|record|memory)"
    r"|\b(?:this|it)\s+(?:stays|is\s+to\s+stay|goes)\s+(?:un(?:written|recorded|noted)|between\s+us|off)",
    re.IGNORECASE,
)
_NOT_WITHHELD = re.compile(
    r"\b(?:I|we|he|she|they)\s+(?:do\s?n['’]?o?t|can['’]?t|cannot|did\s?n['’]?o?t|never)\s+(?:really\s+)?(?:remember|recall|know|think)"
    r"|^\W*do\s?n['’]?o?t\s+do\s+(?:it|that)|\?\W*$|^\W*(?:did|do|does|have|has|was|were)\s+(?:I|you)\b",
    re.IGNORECASE,
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
    r"\b(?:please|pls|plz|kindly|thanks?|can|could|would|will|you|u|your|ur|forget(?:ting)?|4get|delet(?:ed?|ing)|del|nix|expunge|blot|cross|rub|shot|dump|ditch|junk|kill|trash|toss|chuck|cut|pull|throw|away|discard"
    r"|eras(?:ed?|ing)|remov(?:ed?|ing)|wip(?:ed?|ing)|clear|scrub|scratch|strike|scrap|drop|lose|bin|get\s+rid\s+of|rid"
    r"|take\s+out|out|unlearn|unremember|disregard|ignore|purge|memor(?:y|ies)|notes?|records?|file|files|profile|piece|particulars|matter|subject|statement|mention|reminder|preference|sentence|story|idea|news"
    r"|(?<=email\s)address|(?<=e-mail\s)address|storage|database|brain|system|what|whatever|that|this|it|these|those|thing|things|stuff|bit|part|fact|facts"
    r"|info|information|details?|data|entry|i|i['’](?:ve|d|m|ll)|said|say|told|tell|mention(?:ed)?|shared|gave|wrote"
    r"|ever|about|abt|bout|re|regarding|concerning|from|of|in|on|the|a|an|any|anything|everything|all|every|trace"
    r"|remember(?:ing)?|keep(?:ing)?|kept|stor(?:e|ed|ing)|sav(?:e|ed|ing)|know(?:ing)?|hold(?:ing)?|longer|no|not"
    r"|don['’]?t|do|more|anymore|stop|need|want|wish|like|to|just|now|up|go|um|uh|so|and|also|actually|ok(?:ay)?|hey"
    r"|have|has|got|is|was|be|been|being|am|are|for|me|let|last|earlier|before|previously|again|off|take|grateful|obliged|glad|would|wd|cd|should|shouldn['’]?t|may|might|if|ya|y['’]?all|wat|sed|mean|thank|back|because|anymore|where|how|part|whole|feel|better|rather|prefer|weren['’]?t|there|didn['’]?t|had|having|lol|haha|yeah|yep|anyone|else|turns|actually|wrong|gone|idea|thought|one|safely|private|none|point|any|longer|none|kindly|i['’]?m|im|ive|were|it['’]?s|there['’]?s)\b",
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
    r"|\b(?:fix|correct|update|change|amend|edit|revise|rectify)\s+(?:that|this|it|my|our|the)\b"
    r"|\b(?:put|set|sort)\s+(?:that|this|it)\s+(?:right|straight|out)\b|\bplease\s+(?:revise|correct|amend|update|fix)\b|\bswap\s+that\b",
    _I,
)
_CORRECTING = re.compile(
    r"\b(?:please|pls|kindly|can|could|would|you|fix|correct(?:ion)?|update|change|amend|edit|revise|rectify|replace|swap|sort|make|put|set|right|straight"
    r"|wrong|incorrect|true|mistake(?:n)?|typo|sorry|oops|mate|no+|nope|nah|yes|actually|well|wait|hang|hold|on|to|from|for|in|out|of|the|it|its|that|this|what|have|had|has|got"
    r"|got|as|down|i|i['’]m|i['’]ve|said|say|told|meant|mean|misspoke|mistyped|bit|part|thing|note|entry|record|about|where|says?|should|be|been|not|but|and"
    r"|instead|rather|than|now|these|days|never|fault|own|my|me|if|out|there|is|was|are|were|at|so|just|small|quick|remember(?:ed)?)\b",
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
_LEAD_OUT = re.compile(
    r"[\s,;.]+(?:so\s+|and\s+)?(?:please\s+|pls\s+|can\s+you\s+|could\s+you\s+|just\s+)*(?:(?:fix|change|correct|update|amend|edit|sort|rectify|revise|put|set)\s+"
    r"(?:that|it|this)(?:\s+(?:right|straight|out|please|pls))*|please\s+(?:revise|correct|update|fix|amend))\W*$",
    _I,
)
_DENIALS = (
    re.compile(
        r"[\s,;—–-]+(?:and\s+)?(?:not|instead\s+of|rather\s+than)\s+(?:an?\s+|the\s+)?(?P<denied>[^,.;!?]{1,60})[.!;…]*\s*$",
        _I,
    ),
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
    brings_back=_BRINGS_BACK,
    not_asked=_NOT_ASKED,
    idioms=_IDIOMS,
    withholds=_WITHHOLDS,
    keeps_no_note=_KEEPS_NO_NOTE,
    not_withheld=_NOT_WITHHELD,
    first_person=_FIRST_PERSON,
    everything=_EVERYTHING,
    just_said=_JUST_SAID,
    asking=_ASKING,
    remembers=_REMEMBERS,
    corrects=_CORRECTS,
    correcting=_CORRECTING,
    alone=_ALONE,
    lead_in=_LEAD_IN,
    lead_out=_LEAD_OUT,
    denials=_DENIALS,
    set_to=_SET_TO,
    empty=_EMPTY,
    set_form="{what} is {value}",
)

MATTERS: tuple[tuple[Topic, str], ...] = (
    ("home", "address live living home house flat street postcode moved where"),
    ("work", "work job employer company office boss career profession occupation employment workplace"),
    ("work", "business company firm startup : shop store stall"),
    ("contact", "phone mobile cell telephone"),
    ("money", "salary pay paid earn earning income wage wages make"),
    ("money", "finance finances financial : money debt loan savings overdraft mortgage bankrupt bank salary"),
    ("belongings", "car vehicle : drive driving van"),
    ("birth", "birthday birth born birthdate"),
    ("partner", "partner spouse relationship : boyfriend girlfriend husband wife dating married"),
    ("partner", "ex : boyfriend girlfriend husband wife"),
    ("partner", "married marriage : wife husband"),
    ("pet", "pet pets animal : dog puppy cat kitten rabbit hamster parrot beagle labrador"),
    ("pet", "dog puppy pup : beagle labrador terrier poodle spaniel retriever greyhound whippet collie"),
    ("pet", "cat kitten"),
    ("health", "illness disease condition sick ill health medical diagnosis diagnosed : surgery cancer diabetes"),
    ("health", "pills tablets medication meds medicine"),
    ("health", "antidepressants : citalopram sertraline fluoxetine prozac escitalopram venlafaxine"),
    ("appearance", "weight weigh : kilos kg pounds stone"),
    ("appearance", "height tall : cm"),
    ("travel", "trip travel travelling holiday vacation flight itinerary"),
    ("family", "family relatives : mother father mum mom dad parents sister brother"),
    ("family", "child children kid kids : son daughter"),
    ("family", "baby pregnancy : pregnant expecting due"),
    ("money", "debt owe owes loan : owed"),
    ("diet", "diet : vegan vegetarian eat"),
    ("diet", "allergy allergic allergies"),
    ("birth", "age old : years"),
    ("study", "school university college study studying degree education : studied graduated"),
    ("study", "uni university"),
    ("media", "novel book writing"),
    ("contact", "email mail inbox : gmail"),
    ("belief", "religion faith church believe god"),
    ("belief", "politics political vote voted voting party"),
    ("drink", "drinking alcohol : drink beer wine sober"),
    ("travel", "plans plan : going planning"),
)
"""Words that name one matter, with its topic: somebody asks for it by one and told it by another, or by none.

What stands behind a colon is held by the words before it, never by another: a pet may be a dog, a dog is no cat.
"""
