"""English word lists of the rules, and what may be the object of what."""

import re

from memory.rules.rows import HIDDEN


def _one_of(words: str) -> str:
    """A pattern for any of these comma-separated words and word groups."""
    return "(?:" + "|".join(re.sub(r"\s+", r"\\s+", word.strip()) for word in words.split(",")) + ")"


KIN = _one_of(
    """
    wife, husband, spouse, partner, girlfriend, boyfriend, fianc[eé]e?, daughters?, sons?, kids?, children, child, baby,
    sisters?, brothers?, twin, mother, mom, mum, father, dad, parents, aunt, uncle, cousin, niece, nephew, grandmother,
    grandma, grandfather, grandpa, mother-in-law, father-in-law,
    best friend, friend, boss, manager, colleague, co-?worker, roommate, flatmate,
    neighbou?r, teacher, doctor, dog, cat, puppy, kitten,
    supervisor, tutor, coach, landlord, landlady, mentor, therapist, dentist, trainer, nanny, babysitter, housemate,
    classmate, team lead, instructor, pastor, auntie, nan, granny, nana, mam, mama, papa, stepson, stepdaughter,
    grandson, granddaughter, bandmate, godson, goddaughter
    """
)
_ELDER = r"(?:(?:older|younger|elder|little|big|twin|step|oldest|youngest|eldest|late)[\s-]+)?"
MY_KIN = rf"(?P<kin>{_ELDER}{KIN})"
TITLE = r"(?:(?:Professor|Prof|Dr|Doctor|Mr|Mrs|Ms|Miss|Aunty?|Uncle|Coach)\.?\s+)"
NAME = r"(?:[A-Z][a-zA-Z-]{1,20}|O['’][A-Z][a-z]{1,15})"
PETS = _one_of(
    """
    dogs?, cats?, pupp(?:y|ies), kittens?, rabbits?, hamsters?, parrots?, fish, goldfish, turtles?, horses?, birds?,
    guinea pigs?, snakes?, poodles?, retrievers?, husk(?:y|ies), corgis?, beagles?, shepherds?
    """
)
THINGS = _one_of(
    """
    car, bike, bicycle, motorbike, motorcycle, scooter, boat, house, apartment, flat, condo, piano, guitar, violin,
    camera, laptop, computer, telescope, drone, garden, cabin, van, truck, e-bike, phone, tablet
    """
)
CONDITIONS = _one_of(
    """
    asthma, diabetes, type [12] diabetes, adhd, arthritis, migraines?, insomnia, epilepsy, celiac disease,
    high blood pressure, hypertension, anxiety, depression, eczema, hay fever, dyslexia, a bad (?:back|knee)
    """
)
STATES = _one_of(
    """
    pregnant, diabetic, asthmatic, colou?r[\\s-]?blind, left[\\s-]handed, right[\\s-]handed, deaf, dyslexic, autistic,
    near-?sighted, introverted, extroverted
    """
)
_JOBS = _one_of(
    """
    engineer, developer, programmer, designer, teacher, professor, lecturer, tutor, nurse, doctor, surgeon, dentist,
    physician, pharmacist, vet, veterinarian, therapist, psychologist, counsel+or, lawyer, attorney, paralegal, judge,
    accountant, auditor, banker, analyst, consultant, manager, director, ceo, cto, cfo, founder, entrepreneur, owner,
    architect, artist, painter, illustrator, musician, singer, actor, actress, writer, author, editor, journalist,
    reporter, photographer, filmmaker, chef, cook, baker, waiter, waitress, bartender, barista, driver, pilot, mechanic,
    electrician, plumber, carpenter, farmer, gardener, scientist, researcher, chemist, physicist, biologist,
    mathematician, economist, historian, librarian, translator, interpreter, secretary, receptionist, assistant,
    salesperson, salesman, saleswoman, cashier, clerk, firefighter, police officer, officer, soldier, paramedic,
    midwife, coach, trainer, instructor, student, intern, apprentice, freelancer, contractor, technician, recruiter,
    marketer, hairdresser, stylist, florist, butcher, tailor, social worker, stay-at-home \\w+, retiree, postdoc
    """
)
JOB = rf"(?:[\w&-]+\s+){{0,3}}?{_JOBS}"
LANGUAGES = _one_of(
    """
    English, French, German, Spanish, Italian, Portuguese, Dutch, Russian, Polish, Swedish, Norwegian, Danish, Finnish,
    Greek, Turkish, Arabic, Hebrew, Hindi, Bengali, Urdu, Mandarin, Cantonese, Chinese, Japanese, Korean, Vietnamese,
    Thai, Indonesian, Swahili, Czech, Hungarian, Ukrainian, Romanian, Catalan, Latin
    """
)
WEEKDAYS = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?)"

_POINTS_ELSEWHERE = re.compile(
    r"(?:it|its|this|that|these|those|them|they|him|her|his|hers|their|you|your|yours|how|what|when|where|why"
    r"|who|whatever|one|ones|some|any"
    r"|something|anything|everything|nothing|someone|everyone|everybody|both|all|each|another|such|so|more|most"
    r"|much|lots?|myself|me|us)\b",
    re.IGNORECASE,
)
_POINTS_INSIDE = re.compile(
    r"\b(?:you|your|yours|it|this|that|these|those|here|there|him|his|them|their|he|she|they)\b", re.IGNORECASE
)
_EMPTY_ACTION = re.compile(
    r"to\s+(?:know|say|ask|see|hear|think|be|do|have|get|make|let|thank|talk|tell|mention|point|start|share"
    r"|chat|meet|help|keep|hang|catch|come|go\b(?!\s+\w))\b"
    r"|(?:being|seeing|hearing|having|getting|knowing|talking|doing|making|thinking|chatting)\b|an?\b|no\b|the\s+(?!"
    r"beach|beaches|mountains?|sea|ocean|outdoors|countryside|city|cold|heat|rain|snow|gym|theat(?:re|er)|opera"
    r"|cinema|woods|forest|desert"
    r"|colou?rs?\s+\w+)|not\s|to$",
    re.IGNORECASE,
)
_EMPTY_ACTION_CASED = re.compile(r"the\s+(?=[A-Z])")
_NO_PLACE = re.compile(
    r"(?:an?|the\s+(?:same|moment|past|middle|next|new|present|other)|my|our|your|his|her|their|this|that|here"
    r"|there|fear|peace|hope|another|different|bed|work"
    r"|school|first|second|something|denial|town|college|house|home|sunday|monday)\b",
    re.IGNORECASE,
)
_NO_EMPLOYER = re.compile(
    r"(?:home|myself|me|you|it|them|free|hours|days|weeks|months|years|night|nights|the\s+moment|now|all|this"
    r"|that|my|our|your|him|her|once|least|\d)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]")


def short(text: str, words: int = 8) -> bool:
    """A few words of the speaker's own, and nothing hidden in them."""
    return bool(_WORD.search(text)) and HIDDEN not in text and len(text.split()) <= words and len(text) <= 120


def likeable(text: str) -> bool:
    """A thing or activity that stands for itself: not «it», «your idea», «the photo», «to see that»."""
    if not short(text) or _POINTS_ELSEWHERE.match(text) or _POINTS_INSIDE.search(text):
        return False
    return not _EMPTY_ACTION.match(text) or bool(_EMPTY_ACTION_CASED.match(text))


def subject_matter(text: str) -> bool:
    """What can be learned: a language or a craft, not «how to market myself»."""
    return thing(text) and not _NO_SUBJECT.match(text)


_NO_SUBJECT = re.compile(r"(?:how|to|about|from|a|an|the|new|not|if|as|by|in)\b", re.IGNORECASE)


def thing(text: str) -> bool:
    """A thing with a name, in at most six words."""
    return short(text, 6) and not _POINTS_ELSEWHERE.match(text) and not _POINTS_INSIDE.search(text)


def place(text: str) -> bool:
    """Where somebody may live: a proper name, or the lower-case words of somebody who types none."""
    if not short(text, 6) or _NO_PLACE.match(text) or _POINTS_INSIDE.search(text):
        return False
    return (
        text[0].isupper()
        or bool(re.match(r"the\s(?:[A-Z]|countryside)", text))
        or (len(text.split()) <= 2 and not text.startswith("the "))
    )


def employer(text: str) -> bool:
    """An organisation, by name or by kind («a bank»)."""
    if not short(text, 6) or _NO_EMPLOYER.match(text) or _POINTS_INSIDE.search(text):
        return False
    return text[0].isupper() or bool(re.match(r"(?:an?|the)\s", text)) or len(text.split()) <= 2


def named_employer(text: str) -> bool:
    """An organisation by its name: who «left the house» or «joined a gym» changed no job."""
    return employer(text) and text[0].isupper() and not text.startswith("The ")


def started_at(text: str) -> bool:
    """An organisation by its name, with or without an article; no hour and no weekday."""
    return employer(text) and bool(re.match(r"(?:the\s(?:[\w-]+\s){0,3})?[A-Z]|an?\s\w+", text))


def trade(text: str) -> bool:
    """What somebody does for a living, told in the present."""
    return short(text, 12) and not re.search(r"\b(?:you|your|it|this|that|these|him|her|them|birthday|party)\b", text)


def allergen(text: str) -> bool:
    """What an allergy is to: no adjective of its strength."""
    return thing(text) and not re.match(
        r"(?:bad|severe|food|many|some|no|several|mild|terrible|seasonal|lots)\b", text, re.I
    )


def job(text: str) -> bool:
    """What somebody is by profession."""
    return bool(re.fullmatch(JOB, text, re.IGNORECASE))


def name(text: str) -> bool:
    """A name: one to three capitalised words."""
    return bool(re.fullmatch(rf"{NAME}(?:\s{NAME}){{0,2}}", text)) and not _NO_NAME.fullmatch(text)


_NO_NAME = re.compile(
    r"(?:Back|Me|Later|Now|Today|Tomorrow|Maybe|Please|If|When|The|Your|My|It|That|This|Again|You|Sir)", re.IGNORECASE
)


def given_name(text: str) -> bool:
    """A name after «I'm»: no nationality, no state of mind."""
    return name(text) and not re.search(r"(?:an|ese|ish|ic|ed|ing|y)$", text) and not _NO_NAME_AFTER_AM.match(text)


_NO_NAME_AFTER_AM = re.compile(
    r"(?:Here|Back|Sorry|Sick|Good|Fine|Ok|Okay|Home|Done|So|Not|New|Glad|Sad|Well|Just|In|At|On|From|The)\b"
)


def purchase(text: str) -> bool:
    """Something with an article: «a wool coat», «two tickets»."""
    return (
        short(text, 8)
        and bool(re.match(r"(?:an?|two|three|new|some\s+new)\s", text))
        and not _POINTS_INSIDE.search(text)
        and not _NO_GOODS.search(text)
    )


_NO_GOODS = re.compile(
    r"\b(?:lot|bit|few|couple|chance|good|great|feeling|cold|call|message|idea|reply|ticket\s+for\s+speeding"
    r"|glimpse)\b",
    re.I,
)


def action(text: str) -> bool:
    """What one plans to do, in two words at least, named without pointing at something unsaid."""
    return (
        len(re.sub(r"^(?:to|on)\s", "", text).split()) > 1
        and short(text, 14)
        and not _POINTS_INSIDE.search(text)
        and not _NO_ACTION.match(text)
    )


_NO_ACTION = re.compile(
    r"(?:to\s+|on\s+)?(?:be\s+honest|try|see|say|ask|tell|let|guess|assume|think|need|have\s+to|just|do\s+that"
    r"|check|look|go\s+now|sleep|bed|get\s+back|keep)\b",
    re.I,
)
