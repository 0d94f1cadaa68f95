"""What an English message does: patterns over one sentence, and over a whole message where it says nothing else."""

import re


def _compile_any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


def _compile_whole(*alternatives: str) -> re.Pattern[str]:
    """The whole message, whatever fillers, names of address and punctuation stand around it."""
    said = "|".join(alternatives)
    return re.compile(
        rf"\W*(?:(?:oh|ok(?:ay)?|so|well|hey|alright|right|and|yes|no)\W+)*(?:{said})"
        r"(?:\W+(?:brain|there|all|again|man|mate|everyone|so much|very much|a lot|then|for (?:now|today|that"
        r"|everything)))*\W*",
        re.IGNORECASE,
    )


_DO = r"(?:do|does|did|is|are|was|were|am|have|has|had|can|could|should|would|will|shall|might)"
_WHOM = r"(?:i|you|he|she|it|we|they|my|your|his|her|its|our|their|the|there|this|that|these|those|any(?:one)?)"

ASKS = _compile_any(
    rf"^\W*(?:(?:so|and|but|hey|ok(?:ay)?|also|well|wait|now|then)\W+)*(?:(?:what|who|where|when|why|how"
    rf"|which)(?:['’]?s|['’]re)?"
    rf"\s+(?:\w+\s+){{0,4}}?{_DO}\b|(?:what|who|where|when|why|how)['’]?(?:s|re)\b"
    r"|how\s+(?:many|much|long|old|often|far|tall|big|come)\b|which\s+\w+|whose\s+\w+|(?:what|who)\s+(?!a\b"
    r"|an\b|the\b)\w+\s"
    rf"|{_DO}(?:n['’]?t)?\s+(?:{_WHOM}\b|(?-i:[A-Z])))",
    r"\bremind\s+me\s+(?:again\s+)?(?:of|about|what|where|who|when|which|how|whose)\b|\btell\s+me\s+(?:again\s+)?"
    r"(?:about|what|where|who|when|which|how|whose|why)\b|\b(?:any\s+idea|do\s+you\s+(?:still\s+)?(?:know"
    r"|remember|recall))\b",
    r"^\W*(?:what|where|who|when|why|which)\W+(?:\w+\W+){0,2}again\W*$",
    r"^\W*(?:(?:please|pls|hey|ok(?:ay)?|can|could|would|will|you|just|so|and|kindly)\W+)*(?:show|list|repeat|recite|recall|give|find"
    r"|(?:remind|tell)\s+(?:me|us)|(?:look|bring|pull)\s+up|run\s+through|(?:play|read|say)\s+back)\b(?!\s+to\b).{0,80}?"
    r"\b(?:(?:I|we)(?:['’]ve|\s+have|\s+had)?\s+(?:\w+\s+)?(?:told|said|mentioned|gave|given|shared|noted|asked)"
    r"|you\s+(?:know|remember|have\s+(?:on|about|of)|noted|kept|hold)|from\s+memory)\b",
)
NOT_ASKS = _compile_any(r"^\W*when(?:ever)?\s+(?:i|he|she|we|they|it)\b(?!.*\?)", r"^\W*what\s+an?\b")
ABOUT_USER = _compile_any(
    r"\b(?:know|remember|learn(?:ed|t)?|recall|noted?|got|have)\b.{0,40}\b(?:about|on) (?:me|myself)\b(?!\w)",
    r"\b(?:is|['’]s) known about me\b|\bwho am i\b|\bdescribe me\b|\btell me about (?:me|myself)\b",
    r"\bwhat (?:do|can|else do) you (?:know|remember)(?: so far)?\s*[?.!]*$|\btell me (?:everything|all"
    r"|what) you (?:know|remember)",
)
SUMMARY = _compile_any(
    r"\b(?:summari[sz]e|sum up|recap|wrap up|go over|outline)\b.{0,30}\b(?:conversation|chat|talk|discussion"
    r"|session|so far"
    r"|we (?:(?:have|['’]ve)\s+)?(?:talk|discuss|sa(?:y|id)|cover)\w*|i (?:(?:have|['’]ve)\s+)?(?:said|told)"
    r"|today)\b",
    r"\b(?:summary|recap) of (?:this|our|the|today['’]?s?) (?:conversation|chat|talk|discussion|session)\b",
    r"\bwhat (?:have|did) we (?:talk|discuss|cover|say|sa(?:id))\w*(?: about)?(?: so far| today"
    r"| (?:just )?now)?\s*[?.!]*$",
    r"^\W*(?:summari[sz]e|recap|sum (?:it|that) up)(?: please)?\W*$",
)
_HELP = _compile_whole(
    r"help(?: me)?(?: please)?",
    r"what (?:can|do) you do(?: for me)?",
    r"what are you(?: (?:good|able to do) ?(?:for|at)?)?",
    r"who are you",
    r"how (?:do|does|can|should) (?:you|this|it|i)(?: \w+)? (?:work|use (?:you|this|it))",
    r"what(?:['’]s| is) this",
)
_THANKS = _compile_whole(
    r"(?:many )?thank(?:s| you|u)", r"thx", r"ty", r"cheers", r"much appreciated", r"(?:i )?appreciate (?:it|that)"
)
_GREETING = _compile_whole(
    r"hi+", r"hello+", r"hey+", r"hiya", r"yo", r"howdy", r"good (?:morning|afternoon|evening|day)", r"morning"
)
_FAREWELL = _compile_whole(
    r"(?:good ?)?bye(?:[ -]?bye)?",
    r"good ?night",
    r"(?:i(?:['’]ll| will) )?see (?:you|ya)(?: (?:later|soon|tomorrow|around))?",
    r"talk (?:to you )?(?:later|soon|tomorrow)",
    r"take care",
)
_WELLBEING = _compile_whole(
    r"(?:(?:hi|hello|hey)\W+)?how(?:['’]s it going| are you(?: doing)?(?: today)?|['’]s life| do you do|['’]re you)",
    r"what(?:['’]s| is) up",
    r"sup",
)
_REACTION = _compile_whole(
    r"ok(?:ay)?",
    r"k",
    r"great",
    r"cool",
    r"nice(?: one)?",
    r"(?:ha)+h?",
    r"l(?:ol|mao)",
    r"got it",
    r"i see",
    r"sure",
    r"yes(?: please)?",
    r"yeah",
    r"yep",
    r"no(?:pe)?",
    r"wow",
    r"hm+",
    r"never ?mind",
    r"(?:that(?:['’]s| is) )?(?:right|correct|fine|good|perfect|funny|interesting|all)",
    r"well done",
    r"good (?:job|one|to know)",
)
ABOUT_REPLIES = _compile_any(
    r"\b(?:did|do|have|had|would|were|was|that|which|what|as|how)\s+(?:\w+\s+){0,3}?(?:you|brain)\s+(?:\w+\s+){0,2}?"
    r"(?:sa(?:y|id)|told?|tell|recommend\w*|suggest\w*|advi[sc]e\w*|propos\w*|mention\w*|answer\w*|repl\w+"
    r"|writ\w+|wrote|writ\w*"
    r"|gave|given?|explain\w*|list(?:ed)?|promis\w*|offer\w*|sen[dt]|pick\w*|describ\w*|calculat\w*"
    r"|summari[sz]\w*|c[oa]me up"
    r"|draft\w*|plann?\w*|cho(?:o?se|osen))\b",
    r"\byou\s+(?:just |once |already |had |have |['’]ve |previously |originally )*(?:said|told|recommended"
    r"|suggested|advised|proposed"
    r"|mentioned|answered|replied|wrote|gave|explained|listed|promised|offered|sent|picked|described|drafted"
    r"|planned)\b",
    r"\byour\s+(?:\w+\s+){0,2}?(?:recommendations?|suggestions?|advice|answers?|repl(?:y|ies)|tips?|proposals?"
    r"|explanations?|ideas?"
    r"|list|recipe|plan|draft|summary|words|itinerary|routine|message)\b",
    r"\b(?:i|we)\s+(?:just |last |already |once )*ask(?:ed)?\b|\bmy\s+(?:\w+\s+)?questions?\b|\bdid\s+(?:i"
    r"|we)\s+(?:\w+\s+)?ask\b",
    r"\b(?:we|us)\s+(?:\w+\s+){0,2}?(?:discuss\w*|talk\w*|cover\w*|went over)\b",
)
FIRST_PERSON = _compile_any(r"\b(?:i|me|my|mine|myself|i['’]\w+|we|our|ours|us)\b")
COURTESIES = {
    "help": _HELP,
    "thanks": _THANKS,
    "wellbeing": _WELLBEING,
    "greeting": _GREETING,
    "farewell": _FAREWELL,
    "reaction": _REACTION,
}
"""Messages that say nothing else, by what they do."""
