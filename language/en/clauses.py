"""Where an English clause may begin, and what its subject is."""

import re

from language.patterns import ClauseWords

_PRONOUN = r"(?:I|i|im|ive|we|he|she|they|it|you|there|that|this)(?:['’](?:m|ve|re|s|d|ll))?"
_JOINING = (
    r"(?:and|but|so|plus|because|cos|cuz|bc|while|whereas|although|though|which|who|whose|yet|then|with|since|as|or|n"
    r"|also|from|until|where|when)"
)
_BASE = (
    r"(?:live|work|like|love|hate|prefer|need|want|get|make|take|eat|drink|play|run|speak|own|keep|drive|cook|wear|use"
    r"|plan|come|sing|read|write|swim|cycle|sleep|share|rent|walk|look|start|collect)"
)
_PAST = (
    r"(?:was|had|did|can|could|will|would|should|must|went|got|made|took|ran|came|grew|used|moved|worked|lived|studied"
    r"|started|stopped|married|graduated)"
)
_OF_SPEAKER = rf"(?:{_BASE}|{_PAST}|am|are|were|have|do|go|study|teach)"
_OF_OTHER = rf"(?:{_BASE}s|{_PAST}|is|has|does|goes|studies|teaches)"
_VERB = rf"(?:{_OF_SPEAKER}|{_OF_OTHER}|be|been|\w{{3,}}ed)"
_OWNER = r"(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he|[Bb]oth|[Oo]ne|[Aa]ll)"
_WHICH = r"(?:best|older|younger|big|little|eldest|late|new|old|oldest|youngest|middle|half)"
_NOUN = (
    rf"(?:{_OWNER}\s+(?:{_WHICH}\s+)?[A-Za-z][\w’-]*(?:\s+[\w’-]+){{0,3}}?(?=['’]s\b|[,(]|\s+\(?(?:{_VERB}|who)\b)"
    r"|(?!(?:There|Here|This|That|It|They|He|She|You|What|Who)\b)[A-Z][\w’-]+(?=['’]s\b|\s+(?:is|was|has|had|does|did|will|can|\w{2,}s)\b))"
)
_ADVERB = (
    r"(?:also|always|never|often|usually|mostly|only|just|now|still|then|recently|really|don['’]?t|doesn['’]?t|can['’]?t"
    r"|won['’]?t|didn['’]?t)"
)
_ANY_VERB = rf"(?:\b(?:{_VERB}|im|ive|\w{{3,}}ing)\b|['’](?:m|s|re|ve|d|ll)\b)"
CLASSES = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "person": r"(?:i|we|he|she|they|it|you|im|ive|there)(?:['’](?:m|ve|re|s|d|ll))?",
        "owner": r"(?:my|our|his|her|their|its|your)",
        "joining": r"(?:and|but|so|plus|or|n|yet|then)",
        "cause": r"(?:because|cos|cuz|since|as|while|although|though|when|if|until|where)",
        "relative": r"(?:which|who|whose|that)",
        "verb": rf"(?:{_VERB}|{_ADVERB})",
        "preposition": r"(?:in|on|at|to|from|for|of|with|without|by|near|about|into|since|than|like|over|under|till)",
        "article": r"(?:the|an?|some|any|no|one|two|three|both|all|every|each|this|these)",
        "number": r"\d.*",
        "doing": r"\w{3,}ing",
        "mark": r"[^\w\s]",
    }.items()
}
"""What words of a sentence do in it, roughly."""

WORDS = ClauseWords(
    joints=re.compile(
        rf"\s*(?:[,;:()–—]|\s-(?=\s)|[.!?](?=\s))+\s*|\s+(?=(?:{_JOINING}|{_PRONOUN}|my|our|his|her)\b)", re.IGNORECASE
    ),
    verb=re.compile(_ANY_VERB, re.IGNORECASE),
    subject=re.compile(rf"\W*(?:{_JOINING}\s+)*(?:{_PRONOUN}\b|{_NOUN})"),
    own_subject=re.compile(rf"(?=.*(?i:{_ANY_VERB}))\W*(?:(?i:{_JOINING})\s+)*(?P<subject>(?:I|i|[Ww]e)\b|{_NOUN})"),
    goes_on=re.compile(
        rf"(?:I|we)\n(?:{_ADVERB}\s+)*{_OF_SPEAKER}\b|(?!(?:I|we)\n)[^\n]+\n(?:{_ADVERB}\s+)*{_OF_OTHER}\b",
        re.IGNORECASE,
    ),
    leading=re.compile(
        r"\W*(?:(?:and|but|so|plus|n|also|because|cos|cuz|bc|while|whereas|although|though|um+|uh+|well|oh)\b[\s,]*)*",
        re.IGNORECASE,
    ),
    trailing=re.compile(r"[\s,;:–—(-]+$"),
    omission=" … ",
)
