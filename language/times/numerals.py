"""Small numbers as people write them: digits, full-width digits, numerals and words of each language."""

from collections.abc import Mapping

from language.tables import languages, numbers


def parse_number(text: str) -> int | None:
    """The value of a short numeral in digits, in words or in characters such as 二十一; None when it is not one."""
    word = text.strip().lower()
    if word.isdecimal():
        return int(word) if len(word) <= 9 else None
    for language in languages():
        numerals, multipliers = numbers("times.numerals", language), numbers("times.multipliers", language)
        if word in numerals:
            return numerals[word]
        if word and multipliers and all(char in numerals or char in multipliers for char in word):
            return _add_up(word, numerals, multipliers)
    return None


def _add_up(word: str, digits: Mapping[str, int], multipliers: Mapping[str, int]) -> int:
    if not any(char in multipliers for char in word):
        return int("".join(str(digits[char]) for char in word))
    total, pending = 0, 0
    for char in word:
        if char in multipliers:
            total += (pending or 1) * multipliers[char]
            pending = 0
        else:
            pending = digits[char]
    return total + pending
