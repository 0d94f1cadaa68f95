"""Small numbers as people write them: digits, full-width digits, Chinese numerals, English words."""

_DIGITS = {"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_ENGLISH = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
    "a": 1,
    "an": 1,
    "couple": 2,
    "few": 3,
    "several": 4,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
}

CHINESE_NUMBER = r"(?:\d{1,4}|[〇零一二两三四五六七八九十百千]{1,7})"
ENGLISH_NUMBER = (
    r"(?:\d{1,4}|" + "|".join(sorted((w for w in _ENGLISH if w not in ("a", "an")), key=len, reverse=True)) + r"|an?)"
)


def parse_number(text: str) -> int | None:
    """The value of a short numeral in digits, English words or Chinese; None when it is not one."""
    word = text.strip().lower()
    if word.isdecimal():
        return int(word) if len(word) <= 9 else None
    return _ENGLISH[word] if word in _ENGLISH else _chinese(word)


def _chinese(word: str) -> int | None:
    if not word or any(char not in _DIGITS and char not in _UNITS for char in word):
        return None
    if not any(char in _UNITS for char in word):
        return int("".join(str(_DIGITS[char]) for char in word))
    total, pending = 0, 0
    for char in word:
        if char in _UNITS:
            total += (pending or 1) * _UNITS[char]
            pending = 0
        else:
            pending = _DIGITS[char]
    return total + pending
