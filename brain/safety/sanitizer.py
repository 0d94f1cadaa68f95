"""Detection on top of the fence: which text that was not said in this turn tries to steer its reader.

Nothing is rewritten. A text is read whole behind its fence, or, when it is plainly an attack, not at all.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from brain.safety.steering_rules import ORDERS, SHAPES, Kind
from language.tables import pattern_of_all

Verdict = Literal["pass", "sanitized", "blocked"]
"""``sanitized``: something in it steers, so it is a flagged quotation; ``blocked``: it is plainly an attack."""

MAX_RUN_CHARACTERS = 400
"""Characters without any break that a text may hold; more is a blob, not language."""

_HIDDEN = re.compile(
    "(\U0001f3f4[\U000e0020-\U000e007e]{1,6}\U000e007f)"
    "|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0\U000e0000-\U000e0fff]"
    "|(?<=[\u0020-\u007e\u4e00-\u9fff])[\u200c\u200d]|[\u200c\u200d](?=[\u0020-\u007e\u4e00-\u9fff])"
)
"""What shows nothing or turns the direction of writing. Regional flags keep their tags; joiners stay between emoji and
in scripts that need them."""

_UNBROKEN = r"[^\s，。！？、；：,.!?;]"
_RUN = re.compile(rf"(?<!{_UNBROKEN}){_UNBROKEN}{{{MAX_RUN_CHARACTERS + 1},}}")
_IMAGE = re.compile(r"!\[[^\]\n]{0,300}\]\([^)\n]{0,2000}\)?")
_LINK = re.compile(r"(?<!/)//[^\s)\"'<>?]{1,300}\?[^\s)\"'<>]{1,1500}", re.IGNORECASE)
_LEAK = re.compile(
    r"[{$<\[]|%7b|(?:data|prompt|memory|memories|secret|conversation|history|chat|leak|exfil|password)=", re.IGNORECASE
)
_SPELLED = re.compile(r"(?:\b\w[ .\-_*/]{1,3}){5,}\w\b")
_FORGERIES = frozenset({"role_marker", "chat_template", "memory_tag", "tool_call_lookalike", "hidden_characters"})

_Found = tuple[str, Kind]
"""The name of a rule, and what kind of steering it finds."""


class _Fold(dict[int, int]):
    """One character for one: compatibility forms and the Cyrillic and Greek letters that pass for Latin ones."""

    def __missing__(self, code: int) -> int:
        plain = unicodedata.normalize("NFKC", chr(code))
        self[code] = ord(plain) if len(plain) == 1 else code
        return self[code]


_FOLD = _Fold(str.maketrans("аеорсухіјѕԁһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "aeopcyxijsdhlABEZHIKMNOPTYXo"))


@dataclass(frozen=True)
class SanitizedText:
    """What may be read of a text: all of it, or nothing when it is blocked; and which rules found something in it."""

    text: str
    verdict: Verdict
    rules: tuple[str, ...] = ()


@lru_cache(maxsize=2_048)
def sanitize_text(text: str) -> SanitizedText:
    """Judge one text, in time linear in its length."""
    shown = _HIDDEN.sub(r"\1", text)
    found = list(_findings(shown))
    if len(shown) != len(text):
        found.append(("hidden_characters", "shape"))
    rules = tuple(dict.fromkeys(name for name, _ in found))
    if _is_attack(found):
        return SanitizedText("", "blocked", rules)
    return SanitizedText(text, "sanitized" if rules else "pass", rules)


def _is_attack(found: list[_Found]) -> bool:
    """An attack by itself, two different orders, or one order in forged dress."""
    orders = {name for name, kind in found if kind == "order"}
    forged = any(name in _FORGERIES for name, _ in found)
    return any(kind == "attack" for _, kind in found) or len(orders) > 1 or (bool(orders) and forged)


def _findings(shown: str) -> Iterator[_Found]:
    folded = shown if shown.isascii() else shown.translate(_FOLD)
    lowered = folded.lower()
    for rule in (*ORDERS, *SHAPES):
        if any(trigger in lowered for trigger in rule.triggers) and rule.pattern.search(folded):
            yield rule.name, rule.kind
    yield from _find_leaky_links(folded)
    if _RUN.search(folded):
        yield "overlong_run", "shape"
    if any(
        pattern_of_all("steering.spelled_order").search(re.sub(r"[\W_]", "", found[0]))
        for found in _SPELLED.finditer(folded)
    ):
        yield "spelled_out", "attack"


def _find_leaky_links(folded: str) -> Iterator[_Found]:
    """Addresses that carry data away; an image does so without being clicked."""
    if "//" not in folded:
        return
    for image in _IMAGE.finditer(folded):
        if link := _LINK.search(image[0]):
            yield "remote_image", "attack" if _LEAK.search(link[0]) else "shape"
    if any(_LEAK.search(link[0].partition("?")[2]) for link in _LINK.finditer(folded)):
        yield "leaky_link", "shape"
