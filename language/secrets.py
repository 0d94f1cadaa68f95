"""What must not be remembered even when asked to: passwords, keys, card numbers."""

import re

_TOLD = re.compile(
    r"\b(?:pass(?:word|code|phrase)s?|pwd|pin(?:\s+(?:code|number))?|cvv|cvc|api[\s_-]?keys?|secret\s+key|private\s+key"
    r"|access\s+token|seed\s+phrase|recovery\s+(?:code|phrase)|security\s+code)\b"
    r"(?:\s+(?:for|of|to|on)\s+[^.,;:!?\n]{1,40}?)?\s*(?:is|are|was|=|:|['’]s)\s*\S"
    r"|(?:密码|口令|验证码|私钥|密钥|助记词|安全码|支付码)[^，。,.；;！!？?\n]{0,8}?(?:是|为|叫|：|:|=)\s*\S",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[opusr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bAKIA[0-9A-Z]{16}\b"
    r"|\bxox[abprs]-[A-Za-z0-9-]{10,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|\bAIza[\w-]{30,}",
)
_CARD = re.compile(r"(?<![\d.])[3-6]\d(?:[ -]?\d){11,17}(?![\d.])")


def holds_secret(text: str) -> bool:
    """Whether a text tells a password, a key or a payment card's number (checked by its check digit)."""
    return bool(_TOLD.search(text) or _KEY.search(text)) or any(
        _checks_out(re.sub(r"\D", "", found[0])) for found in _CARD.finditer(text)
    )


def _checks_out(digits: str) -> bool:
    """Luhn: what tells a card number from any other long number."""
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0
