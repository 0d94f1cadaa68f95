"""Where an English clause may begin, and what its subject is."""

import re

from language.patterns import ClauseWords

_PRONOUN = r"(?:I|i|im|ive|we|he|she|they|it|you|there|that|this)(?:['’](?:m|ve|re|s|d|ll))?"
_JOINING = (
    r"(?:and|but|so|plus|because|cos|cuz|bc|while|whereas|although|though|which|who|whose|yet|then|with|since|as|or|n"
    r"|also|from|until|where|when)"
)
_OWNER = r"(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he|[Bb]oth|[Oo]ne|[Aa]ll)"
_WHICH = r"(?:best|older|younger|big|little|eldest|late|new|old|oldest|youngest|middle|half)"
_NOUN = (
    rf"(?:{_OWNER}\s+(?:{_WHICH}\s+)?[a-z][\w’'-]*(?:\s+[A-Z][\w’'-]+)?"
    r"|[A-Z][\w’'-]+(?=['’]s\b|\s+(?:is|was|has|had|does|did|will|can|\w{2,}(?:s|ed))\b))"
)
_ADVERB = (
    r"(?:also|always|never|often|usually|mostly|only|just|now|still|then|recently|really|don['’]?t|doesn['’]?t|can['’]?t"
    r"|won['’]?t|didn['’]?t)"
)
_VERB = (
    r"(?:am|is|are|was|were|be|been|have|has|had|do|does|did|can|could|will|would|should|must|live|lives|work|works|like"
    r"|likes|love|loves|hate|hates|prefer|prefers|need|needs|want|wants|go|goes|went|get|gets|got|make|makes|made|take"
    r"|takes|took|eat|eats|drink|drinks|play|plays|run|runs|ran|speak|speaks|own|owns|keep|keeps|study|studies|teach"
    r"|teaches|drive|drives|cook|cooks|wear|wears|use|uses|plan|plans|come|comes|came|grew|sing|sings|read|reads|write"
    r"|writes|swim|swims|cycle|cycles|sleep|sleeps|share|shares|rent|rents|used|walk|walks|look|looks|start|starts"
    r"|collect|collects|\w{3,}ed)"
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
    goes_on=re.compile(rf"(?:{_ADVERB}\s+)*{_VERB}\b", re.IGNORECASE),
    may_lead=re.compile(r".+", re.DOTALL),
    leading=re.compile(
        r"\W*(?:(?:and|but|so|plus|n|also|because|cos|cuz|bc|while|whereas|although|though|um+|uh+|well|oh)\b[\s,]*)*",
        re.IGNORECASE,
    ),
    trailing=re.compile(r"[\s,;:–—(-]+$"),
    omission=" … ",
)
