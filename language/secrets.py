"""What must not be remembered even when asked to: passwords, keys, card numbers. Found, and masked."""

import re
from functools import cache, lru_cache

from language.tables import languages, pattern_list, pattern_of_all

_TOKENS = (
    r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[opusr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bAKIA[0-9A-Z]{16}\b"
    r"|\bxox[abprs]-[A-Za-z0-9-]{10,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}|\bAIza[\w-]{30,}"
)
_KEY = re.compile(rf"{_TOKENS}|-----BEGIN [A-Z ]*PRIVATE KEY")
_WHOLE_KEY = re.compile(rf"{_TOKENS}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)")
_CARD = re.compile(r"(?<![\d.])[3-6]\d(?:[ -]?\d){11,17}(?![\d.])")


MASK = "•••"
"""Stands for a secret."""


@lru_cache(maxsize=4_096)
def mask_secrets(text: str) -> str:
    """The text with each password, key and card number replaced by ``MASK``; masking it again changes nothing."""
    if not pattern_of_all("secrets.may_hold").search(text):
        return text
    for pattern in _named_values("values", "named"):
        text = pattern.sub(lambda found: f"{found['before']}{MASK}", text)
    text = _WHOLE_KEY.sub(MASK, text)
    return _CARD.sub(lambda found: MASK if _is_card_number(re.sub(r"\D", "", found[0])) else found[0], text)


def has_secret(text: str) -> bool:
    """Whether a text tells a password, a key, the number of an identity card or of a payment card.

    A card's number is known by its name or its check digit.
    """
    patterns = (pattern_of_all("secrets.told"), *_named_values("named"), _KEY)
    return any(pattern.search(text) for pattern in patterns) or any(
        _is_card_number(re.sub(r"\D", "", found[0])) for found in _CARD.finditer(text)
    )


@cache
def _named_values(*keys: str) -> tuple[re.Pattern[str], ...]:
    """Values behind their names, in every language."""
    return tuple(each for key in keys for language in languages() for each in pattern_list(f"secrets.{key}", language))


def _is_card_number(digits: str) -> bool:
    """Luhn: what tells a card number from any other long number."""
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0
