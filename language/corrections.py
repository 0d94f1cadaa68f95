"""Which value a correction replaces by which: "Apex, not Acme", 不是周三，是周四, "no, the fourth"."""

from dataclasses import dataclass

from language.detection import language_of
from language.en import corrections as english
from language.predicates import has_whole_words, object_key
from language.zh import corrections as chinese


@dataclass(frozen=True)
class ValueContrast:
    """``new`` takes the place of ``old``, both in the words of the correction."""

    old: str
    new: str


def find_contrast(correction: str) -> ValueContrast | None:
    """The two values of a correction that names both."""
    patterns = chinese.CONTRASTS if language_of(correction) == "zh" else english.CONTRASTS
    for pattern in patterns:
        if found := pattern.search(correction):
            return ValueContrast(found["old"].strip(), found["new"].strip())
    return None


def correct_value(statement: str, correction: str) -> str:
    """The statement with the value that the correction gives; empty where it does not say which value that is."""
    contrast = find_contrast(correction)
    if contrast:
        return _replace_value(statement, contrast)
    tongue = chinese if language_of(correction) == "zh" else english
    before, after = tongue.NUMBER.findall(statement), tongue.NUMBER.findall(correction)
    if len(before) == len(after) == 1 and before != after:
        return statement.replace(before[0], after[0])
    return ""


def exchange_number(statement: str, correction: str) -> str:
    """The statement with the number of a correction that counts the same (五年级 for 四年级, "14 June" for "4 June").

    Empty where it is not plain which number that is.
    """
    tongue = chinese if language_of(correction) == "zh" else english
    before, after = list(tongue.COUNTED.finditer(statement)), list(tongue.COUNTED.finditer(correction))
    pairs = [(old, new) for old in before for new in after if old["unit"].casefold() == new["unit"].casefold()]
    if len(pairs) != 1 or pairs[0][0]["number"] == pairs[0][1]["number"]:
        return ""
    old, new = pairs[0]
    return statement[: old.start("number")] + new["number"] + statement[old.end("number") :]


def has_value(statement: str, value: str) -> bool:
    """Whether a statement holds a value as whole words."""
    return has_whole_words(object_key(statement), object_key(value))


def _replace_value(statement: str, contrast: ValueContrast) -> str:
    at = statement.casefold().find(contrast.old.casefold())
    if at < 0:
        return ""
    before, after = statement[:at], statement[at + len(contrast.old) :]
    return before + _strip_overlap(before, contrast.new) + after


def _strip_overlap(before: str, new: str) -> str:
    """The nurse of "my sister is a nurse, not a doctor": the value without the words that lead up to it."""
    words, said = new.split(), before.casefold().split()
    for count in range(len(words) - 1, 0, -1):
        if said[-count:] == [each.casefold() for each in words[:count]]:
            return " ".join(words[count:])
    return new
