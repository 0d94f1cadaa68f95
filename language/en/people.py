"""English relatives and companions, and which of them a sentence is about."""

import re

_RELATIVE = (
    r"wife|husband|spouse|partner|girlfriend|boyfriend|gf|bf|fianc[eé]e?|daughters?|sons?|kids?|child(?:ren)?|baby|twins?"
    r"|sisters?|brothers?|siblings?|mother|mom|mum|mam|mama|father|dad|papa|parents|folks|aunt(?:ie|y)?|uncle|cousins?"
    r"|niece|nephew|grand(?:mother|father|ma|pa|parents|son|daughter|kids|dad)|gran(?:ny|dad)?|nan(?:a|ny)?"
    r"|(?:mother|father|sister|brother|daughter|son)s?-in-law|step(?:mum|mom|mother|father|dad|son|daughter|brother|sister)"
    r"|god(?:son|daughter|mother|father)|in-laws|bro|sis|missus|hubby"
)
_COMPANION = (
    r"best\s+(?:friend|mate)|friends?|mates?|boss|manager|supervisor|colleagues?|co-?workers?|(?:room|flat|house)mates?"
    r"|neighbou?rs?|teacher|tutor|coach|landlord|landlady|mentor|therapist|dentist|doctor|gp|trainer|nanny|babysitter"
    r"|professor|classmate|team\s+lead|pastor|dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|hamsters?|parrots?|horses?"
    r"|pony|tortoise|beagle|labrador|lab|terrier|poodle|budgie"
)
_KIND_OF = (
    r"(?:(?:ex|late|older|younger|elder|eldest|oldest|youngest|middle|little|big|twin|baby|new|old|former|other)"
    r"[\s-]+)*"
)
KIN = rf"(?P<kin>{_KIND_OF}(?:ex-)?(?:{_RELATIVE}|{_COMPANION}))"
NAME = r"(?:[A-Z][a-z’'-]{1,20})"
_SPEAKER = re.compile(r"\b(?:I|i|im|ive|Im|Ive|I['’]\w+|i['’]\w+|we|We|we['’]\w+|We['’]\w+)(?![\w-])")
_MINE = re.compile(rf"\b(?:my|our)\s+{KIN}(?![\w-])(?:,?\s+(?P<name>(?-i:{NAME})))?", re.IGNORECASE)
_BARE = re.compile(
    r"(?:^|[,;:]\s+|\b(?:and|but|so)\s+)(?P<kin>mum|mom|dad|mam|nan|gran|granny|grandma|grandpa|granddad|mother|father)"
    r"(?=['’]s\b|\s)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"^(?P<name>{NAME})(?=['’]s\s|\s+(?:is|was|has|had|says?|said|likes?|loves?|hates?|lives?|works?|wants?|died|got|just|moved|left"
    r"|will|can|never|always|went|turned|started|quit|doesn['’]t|isn['’]t|and\s+I)\b)"
)
_PRONOUN = re.compile(
    r"\W{0,3}(?:(?:and|but|so|oh|well|yes|no|yeah)\b\W{1,3}){0,3}(?:he|she|they|his|her|their)\b", re.IGNORECASE
)
_NO_NAME = re.compile(
    r"(?:He|She|They|It|This|That|There|Here|We|You|Who|What|When|Where|Why|How|Everyone|Everybody|Nobody|Someone|Nothing"
    r"|Something|Today|Tomorrow|Yesterday|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Jan|Febr)uary|March|April|May|June|July"
    r"|August|\w+ember|October|Work|Life|School|Dinner|Lunch|Breakfast|Rent|The|One|Two)\b"
)


def subject_of(sentence: str) -> str | None:
    """The person named first; None for the speaker, empty for a pronoun that points back."""
    found = [each for each in (_MINE.search(sentence), _BARE.search(sentence), _NAMED.match(sentence)) if each]
    found = [each for each in found if not _NO_NAME.match(each.groupdict().get("name") or "-")]
    speaker = _SPEAKER.search(sentence)
    first = min(found, key=lambda each: each.start(), default=None)
    if first is None:
        return "" if _PRONOUN.match(sentence) else None
    if speaker and speaker.start() <= first.start():
        return None
    named = first.groupdict()
    return " ".join(" ".join(named.get(each, "") or "" for each in ("kin", "name")).split())
