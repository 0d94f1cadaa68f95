"""A name in the place of a pronoun, with the verb that follows made to agree."""

import re

from language.en.references import OWNER
from language.references import UnclearReference

_OWNING = frozenset({"my", "his", "her", "mine", "hers"})
_SUBJECTS = frozenset({"i", "he", "she"})
_CONTRACTED = {"m": "is", "s": "is", "ve": "has", "ll": "will"}
_OBJECTS = frozenset({"me", "him", "her"})
_CHINESE = frozenset({"我", "他", "她", "本人"})
_IRREGULAR = {"am": "is", "are": "is", "have": "has", "do": "does", "go": "goes"}
_DENIED = {"don't": "doesn't", "haven't": "hasn't", "aren't": "isn't"}
_AS_IT_IS = re.compile(
    r"(?:was|were|did|had|will|would|can|could|should|may|might|must|cannot|\w+n['’]t|\w+ed|went|got|saw|met|bought|came|took|made"
    r"|found|began|left|lost|grew|sold|told|said|thought|felt|kept|gave|knew|ran|wrote|read|quit|chose|spent|became|is|has)$",
    re.IGNORECASE,
)
_VERB = re.compile(r"\s+((?:(?:\w+ly|also|never|always|just|still|now|often|sometimes)\s+)?)([\w'’]+)", re.IGNORECASE)


def insert_name(name: str, text: str, each: UnclearReference) -> str:
    """The text with the name instead of the pronoun; unchanged when the pronoun means several or no person."""
    word, _, contracted = each.words.lower().replace("’", "'").partition("'")
    before, after = text[: each.start], text[each.end :]
    if word in _CHINESE:
        return before + name + after
    if contracted:
        verb = _CONTRACTED.get(contracted) if word in _SUBJECTS else None
        return f"{before}{name} {verb}{after}" if verb else text
    if word in _SUBJECTS:
        return before + name + (_conjugate_after(after) if word == "i" else after)
    if word in _OWNING and (word != "her" or OWNER.match(text, each.start)):
        return f"{before}{_fit_name(before, name)}'s{after}"
    return before + _fit_name(before, name) + after if word in _OBJECTS else text


def _fit_name(before: str, name: str) -> str:
    """«The user» within a sentence."""
    return name.replace("The user", "the user", 1) if before.strip() and name.startswith("The user") else name


def _conjugate_after(after: str) -> str:
    """«I like» becomes «Ann likes»."""
    found = _VERB.match(after)
    if not found:
        return after
    start, end = found.span(2)
    return after[:start] + _third_person(found[2]) + after[end:]


def _third_person(verb: str) -> str:
    known = {**_IRREGULAR, **_DENIED}.get(verb.lower().replace("’", "'"))
    if known or _AS_IT_IS.fullmatch(verb):
        return known or verb
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"
