"""The small notation of the English tables, and their kinds of rows.

A space is white space, ``@word`` a piece of grammar from here.
"""

import re
from functools import partial
from typing import Unpack

from memory.rules import english_words as words
from memory.rules.rows import TIME_MARK, Row, RowTerms

_ADVERB = (
    "really|just|still|also|always|absolutely|do|does|actually|now|currently|already|quite|totally|definitely|usually"
    "|particularly|especially|truly|both|personally|recently|generally|mostly|basically|simply|only|officially|since"
    "|finally|much|even|very|so|pretty|a bit|kind of|sort of|extremely|severely|deathly|highly|mildly|slightly"
    "|strictly|happily|originally|all|normally|typically|often|probably|maybe"
)
_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PIECES = {
    "adverbs": rf"(?:@space(?:{_ADVERB})(?![\w'’])|@space?{TIME_MARK}+)*",
    "not": r"(?P<not>@space(?:do not|don['’]?t|doesn['’]?t|does not|never|no longer|cannot|can not|can['’]t|won['’]t))",
    "be": r"(?:['’]m|@space(?:am|m)|['’]s|@space(?:is)|['’]re|@space(?:are))",
    "got": r"(?:['’]ve|@space(?:have|has)|['’]s)(?: got)?",
    "have": r"(?:['’]ve|@space(?:have|has)|['’]s)?",
    "does": r"@adverbs@not?@adverbs ",
    "is": r"@be@adverbs(?P<not>n['’]t| (?:not|no longer))?@adverbs ",
    "did": r"@have@adverbs ",
    "object": r"(?P<object>\S.{0,200})",
    "time": rf"{TIME_MARK}+",
    "number": r"(?:an?|one|two|three|four|five|six|\d)",
    "every": (
        rf"(?:every (?:single )?(?:other )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter"
        rf"|{_WEEKDAY})"
        rf"|(?:once|twice|three times|four times) an? (?:day|week|month|year)|on (?:{_WEEKDAY}|weekend)s|daily)"
    ),
    "end": rf"(?=\s*(?:$|now\b|and\b|,|{TIME_MARK}))",
    "job": words.JOB,
    "name": rf"(?-i:{words.NAME})",
    "pet": words.PETS,
    "thing": words.THINGS,
    "condition": words.CONDITIONS,
    "state": words.STATES,
    "language": words.LANGUAGES,
}
_DEPTH = 4


def _written_out(pattern: str) -> str:
    """A row's pattern as a regular expression: pieces in place, every space any white space."""
    for _ in range(_DEPTH):
        pattern = re.sub(r"@(?!space)([a-z]+)", lambda found: _PIECES[found[1]], pattern)
    for notation, meaning in (("@space", " "), (" ?", r"\s*"), (" ", r"\s+")):
        pattern = pattern.replace(notation, meaning)
    return pattern


def row(predicate: str, pattern: str, says: str, denies: str = "", **terms: Unpack[RowTerms]) -> Row:
    """A row whose sentences begin with whom they are about; the end of a state is worded after its denial."""
    ended = f"no longer {says}" if denies.startswith("does not") else denies.replace("is not", "is no longer", 1)
    sentence = partial(str.format, "{{who}}{}{}")
    return Row(
        predicate=predicate,
        written=_written_out(pattern),
        flags=re.IGNORECASE,
        says=sentence("" if says.startswith("'s") else " ", says),
        denies=denies and sentence("" if denies.startswith("'s") else " ", denies),
        ended=ended and sentence("" if ended.startswith("'s") else " ", ended),
        **terms,
    )


taste = partial(row, item_type="preference", epistemic_type="preference", category="preference", fits=words.likeable)
wish = partial(row, item_type="preference", epistemic_type="preference", category="communication")
"""How Brain shall speak."""
limit = partial(row, item_type="constraint")
plan = partial(row, item_type="plan", standing="intended", category="plans", keeps_time=True)
place = partial(row, category="residence", fits=words.place)
work = partial(row, category="work")
