"""The small notation of the Chinese tables, and their kinds of rows: ``@word`` is a piece of grammar from here."""

import re
from functools import partial
from typing import Unpack

from memory.rules import chinese_words as words
from memory.rules.rows import SKIPPED, TIME_MARK, Row, RowTerms

_PIECES = {
    "adverbs": rf"(?:{words.ADVERBS}|[\s{TIME_MARK}{SKIPPED}])*",
    "still": rf"(?:{words.ADVERBS}|[\s{SKIPPED}])*",
    "not": r"(?P<not>不再|再也不|从来?不|并不|一点[也都]?不|不太|不怎么|不是很|没那么|不|没有?)?",
    "is": rf"(?P<not>不)?[{SKIPPED}\s]*而?(?:是|为|叫做?|：|:)",
    "object": r"(?P<object>[^，。,；;！!？?\n]{1,60})",
    "time": rf"{TIME_MARK}+",
    "number": words.NUMBER,
    "money": words.MONEY,
    "job": words.JOBS,
    "pet": words.PETS,
    "name": words.NAME,
    "condition": words.CONDITIONS,
    "end": rf"(?=\s*(?:$|[，。,；;！!？?\n\s的了呢啊哦呀哈{TIME_MARK}{SKIPPED}]))",
}


def _written_out(pattern: str) -> str:
    """A row's pattern as a regular expression: pieces in place."""
    return re.sub(r"@([a-z]+)", lambda found: _PIECES[found[1]], pattern)


def row(predicate: str, pattern: str, says: str, denies: str = "", **terms: Unpack[RowTerms]) -> Row:
    """A row whose sentences begin with whom they are about; 不 becomes 不再 where a state ends."""
    ended = denies.replace("不", "不再", 1) if "不再" not in denies else denies
    return Row(
        predicate=predicate,
        written=_written_out(pattern),
        says="{who}" + says,
        denies=denies and "{who}" + denies,
        ended=ended and "{who}" + ended,
        **terms,
    )


taste = partial(row, item_type="preference", epistemic_type="preference", category="preference", fits=words.likeable)
wish = partial(row, item_type="preference", epistemic_type="preference", category="communication")
"""How Brain shall speak."""
limit = partial(row, item_type="constraint")
plan = partial(row, item_type="plan", standing="intended", category="plans", keeps_time=True)
place = partial(row, category="residence", fits=words.place)
work = partial(row, category="work")
