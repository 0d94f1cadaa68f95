"""What must not be remembered even when asked to: passwords, keys, card numbers. Found, and masked."""

import re
from functools import lru_cache

_TOLD = re.compile(
    r"\b(?:pass(?:word|code|phrase)s?|pwd?|pin(?:\s+(?:code|number))?|cvv|cvc|api[\s_-]?keys?|secret\s+key|private\s+key"
    r"|access\s+token|seed\s+phrase|recovery\s+(?:code|phrase)|security\s+code)\b"
    r"(?:\s+(?:for|of|to|on)\s+[^.,;:!?\n]{1,40}?)?\s*(?:is|are|was|=|:(?!//)|['’]s)\s*\S"
    r"|(?:密码|口令|验证码|取件码|门禁码|门禁[^，。,.；;！!？?\n]{0,4}码|私钥|密钥|助记词|安全码|支付码)"
    r"[^，。,.；;！!？?\n]{0,8}?(?:是|为|叫|：|:|=)\s*\S",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?P<before>(?:密码锁?|密碼|口令|验证码|取件码|登录码|密钥|passwords?|\bpwd?)[\s，,：:是为係]{0,3})"
    r"(?P<value>(?=[!-~]*\d)[!-~]{4,}|[零〇幺一二两三四五六七八九]{4,})",
    re.IGNORECASE,
)
"""A value right behind its name: four or more characters with a digit, or spoken digits."""
_NUMBERED = re.compile(
    r"(?P<before>身份证号?码?[^\d。！？!?\n]{0,12}?|(?:卡号?|\bcard\s+number(?:\s+is)?)[\s，,：:是为]{0,3})"
    r"(?P<value>\d{17}[\dXx](?!\d)|[零〇幺一二两三四五六七八九]{15,}|\d{4}(?:[ -]?\d){9,15}(?!\d))",
    re.IGNORECASE,
)
"""The number of an identity card or a payment card right behind its name."""
_KEY = re.compile(
    r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[opusr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bAKIA[0-9A-Z]{16}\b"
    r"|\bxox[abprs]-[A-Za-z0-9-]{10,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|\bAIza[\w-]{30,}",
)
_CARD = re.compile(r"(?<![\d.])[3-6]\d(?:[ -]?\d){11,17}(?![\d.])")


MASK = "•••"
"""Stands for a secret."""
_NO_VALUE = (
    r"(?!(?:what|which|wrong|incorrect|not|the|a|an|in|on|stored|saved|too|very|so|weak|strong|expired|required|always|still|also|this|that|my"
    r"|your|been|being|set|needed|missing|safe|secure|written|asked)\b|\?|什么|多少|啥|哪|谁|不|没|很|太|忘)"
)
_VALUES = (
    re.compile(
        r"(?P<before>\b(?:pass(?:word|code)s?|pwd?|pin(?:\s+(?:code|number))?|cvv|cvc|api[\s_-]?keys?|secret\s+key|private\s+key"
        r"|access\s+token|recovery\s+code|security\s+code)\b(?:\s+(?:for|of|to|on)\s+[^.,;:!?\n]{1,40}?)?"
        r"\s*(?:is|are|was|=|:(?!//)|['’]s)\s*(?:now\s+)?)"
        + _NO_VALUE
        + r"(?P<value>[^\s,;]*[^\s,;.!?](?:\s+[^\s,;]*\d[^\s,;.!?]*)*)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<before>\b(?:pass\s?phrase|seed\s+phrase|recovery\s+phrase)s?\b(?:\s+(?:for|of|to|on)\s+[^.,;:!?\n]{1,40}?)?"
        r"\s*(?:is|are|was|=|:(?!//)|['’]s)\s*)" + _NO_VALUE + r"(?P<value>[^.;!?\n]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<before>(?:密码|口令|验证码|取件码|门禁[^，。,.；;！!？?\n]{0,4}码|私钥|密钥|安全码|支付码)[^，。,.；;！!？?\n]{0,8}?(?:是|为|叫|改成|：|:|=)\s*)"
        + _NO_VALUE
        + r"(?P<value>[^\s，。；！？,;!?]+)"
    ),
    re.compile(
        r"(?P<before>助记词[^，。,.；;！!？?\n]{0,8}?(?:是|为|叫|：|:|=)\s*)"
        + _NO_VALUE
        + r"(?P<value>[^。；;！!？?\n]+)"
    ),
    re.compile(
        r"(?P<before>)(?P<value>\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\bgh[opusr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bAKIA[0-9A-Z]{16}\b"
        r"|\bxox[abprs]-[A-Za-z0-9-]{10,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}|\bAIza[\w-]{30,}"
        r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z))"
    ),
    _NAMED,
    _NUMBERED,
)
_MAY_HOLD = re.compile(
    r"pass|pw|pin|cv[vc]|key|token|phrase|code|sk[-_]|pk[-_]|rk[-_]|gh[opusr]_|github|AKIA|xox|eyJ|AIza"
    r"|密[码碼]|口令|验证|[私密]钥|助记|安全码|支付码|取件码|登录码|门禁|身份证|卡|card\s|[3-6]\d(?:[ -]?\d){11}",
    re.IGNORECASE,
)
"""What is seen at a glance; most texts need no closer look."""


@lru_cache(maxsize=4_096)
def mask_secrets(text: str) -> str:
    """The text with each password, key and card number replaced by ``MASK``; masking it again changes nothing."""
    if not _MAY_HOLD.search(text):
        return text
    for pattern in _VALUES:
        text = pattern.sub(lambda found: f"{found['before']}{MASK}", text)
    return _CARD.sub(lambda found: MASK if _is_card_number(re.sub(r"\D", "", found[0])) else found[0], text)


def has_secret(text: str) -> bool:
    """Whether a text tells a password, a key, the number of an identity card or of a payment card.

    A card's number is known by its name or its check digit.
    """
    return any(pattern.search(text) for pattern in (_TOLD, _NAMED, _NUMBERED, _KEY)) or any(
        _is_card_number(re.sub(r"\D", "", found[0])) for found in _CARD.finditer(text)
    )


def _is_card_number(digits: str) -> bool:
    """Luhn: what tells a card number from any other long number."""
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0
