"""What a correction puts in the place of what: "Apex, not Acme", 不是周三，是周四, "no, the fourth"."""

from dataclasses import dataclass

from language.detection import language_of
from language.en import corrections as english
from language.predicates import holds_words, object_key
from language.zh import corrections as chinese


@dataclass(frozen=True)
class PutRight:
    """``new`` takes the place of ``old``, both in the words of the correction."""

    old: str
    new: str


def contrast_in(correction: str) -> PutRight | None:
    """The two values of a correction that names both."""
    patterns = chinese.CONTRASTS if language_of(correction) == "zh" else english.CONTRASTS
    for pattern in patterns:
        if found := pattern.search(correction):
            return PutRight(found["old"].strip(), found["new"].strip())
    return None


def put_right(statement: str, correction: str) -> str:
    """The statement with the value that the correction gives; empty where it does not say which value that is."""
    contrast = contrast_in(correction)
    if contrast:
        return _replaced(statement, contrast)
    tongue = chinese if language_of(correction) == "zh" else english
    before, after = tongue.NUMBER.findall(statement), tongue.NUMBER.findall(correction)
    if len(before) == len(after) == 1 and before != after:
        return statement.replace(before[0], after[0])
    return ""


def names(statement: str, value: str) -> bool:
    """Whether a statement holds a value as whole words."""
    return holds_words(object_key(statement), object_key(value))


def _replaced(statement: str, contrast: PutRight) -> str:
    at = statement.casefold().find(contrast.old.casefold())
    if at < 0:
        return ""
    before, after = statement[:at], statement[at + len(contrast.old) :]
    return before + _not_repeating(before, contrast.new) + after


def _not_repeating(before: str, new: str) -> str:
    """The nurse of "my sister is a nurse, not a doctor": the value without the words that lead up to it."""
    words, said = new.split(), before.casefold().split()
    for count in range(len(words) - 1, 0, -1):
        if said[-count:] == [each.casefold() for each in words[:count]]:
            return " ".join(words[count:])
    return new
