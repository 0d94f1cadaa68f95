"""Cleaning of everything that was not said to Brain in this turn: memories, documents, knowledge, tool results.

What commands or imitates is rendered inert: readable and quotable, but no longer an instruction, a tag or a link. Plain
attacks are blocked. Only the reading is cleaned; what is stored stays as it is.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from brain.safety.forged_shapes import SHAPES
from brain.safety.steering import ORDERS, Kind

Verdict = Literal["pass", "sanitized", "blocked"]

LONGEST_RUN = 400
"""Characters without any break that a text may hold; more is a blob, not language."""

_HIDDEN = re.compile(
    "(\U0001f3f4[\U000e0020-\U000e007e]{1,6}\U000e007f)"
    "|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0\U000e0000-\U000e0fff]"
    "|(?<=[\u0020-\u007e\u4e00-\u9fff])[\u200c\u200d]|[\u200c\u200d](?=[\u0020-\u007e\u4e00-\u9fff])"
)
"""What shows nothing or turns the direction of writing. Regional flags keep their tags; joiners stay between emoji and
in scripts that need them."""

_UNBROKEN = r"[^\s，。！？、；：,.!?;⟦⟧]"
_RUN = re.compile(rf"(?<!{_UNBROKEN}){_UNBROKEN}{{{LONGEST_RUN + 1},}}")
_IMAGE = re.compile(r"!\[[^\]\n]{0,300}\]\([^)\n]{0,2000}\)?")
_LINK = re.compile(r"(?<!/)//[^\s)\"'<>?]{1,300}\?[^\s)\"'<>]{1,1500}", re.IGNORECASE)
_LEAK = re.compile(
    r"[{$<\[]|%7b|(?:data|prompt|memory|memories|secret|conversation|history|chat|leak|exfil|password)=", re.IGNORECASE
)
_SPELLED = re.compile(r"(?:\b\w[ .\-_*/]{1,3}){5,}\w\b")
_SPELLED_ORDER = re.compile(
    r"(?:ignore|disregard|forget|bypass)(?:all|the|any|your|my)*(?:previous|prior|above|earlier|system|safety)"
    r"|systemprompt|(?:忽略|无视|忘记)(?:以上|之前|所有|全部|系统)",
    re.IGNORECASE,
)
_HOST = re.compile(r"//(?:[^/?#\s)@]{1,200}@)?([\w.-]{1,200})")


class _Fold(dict[int, int]):
    """One character for one: compatibility forms and the Cyrillic and Greek letters that pass for Latin ones."""

    def __missing__(self, code: int) -> int:
        plain = unicodedata.normalize("NFKC", chr(code))
        self[code] = ord(plain) if len(plain) == 1 else code
        return self[code]


_FOLD = _Fold(str.maketrans("аеорсухіјѕԁһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "aeopcyxijsdhlABEZHIKMNOPTYXo"))
_SOFT = str.maketrans("<>＜＞‹›«»{}[]|｜\"':：#=`⟦⟧/／", "〈〉〈〉〈〉〈〉❴❵❲❳¦¦”’∶∶♯＝’❲❳∕∕")
_BETWEEN_HAN = re.compile(r"(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff])")
_FORGERIES = frozenset({"role_marker", "chat_template", "memory_tag", "tool_call_lookalike", "hidden_characters"})


@dataclass(frozen=True)
class Cleaned:
    """What may be read: the text with what was found made inert, and which rules found it. Empty when blocked."""

    text: str
    verdict: Verdict
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Finding:
    """One span that must not reach a model as it is, and how it is shown instead."""

    rule: str
    kind: Kind
    start: int
    end: int
    show: Callable[[str], str]


def clean(text: str) -> Cleaned:
    """Judge and defuse one text. Linear in its length; cleaning what is already clean changes nothing."""
    shown = _HIDDEN.sub(r"\1", text)
    findings = sorted(_findings(shown), key=lambda found: (found.start, -found.end))
    hidden = ("hidden_characters",) if len(shown) != len(text) else ()
    rules = tuple(dict.fromkeys((*hidden, *(found.rule for found in findings))))
    if _is_attack(findings, frozenset(rules)):
        return Cleaned("", "blocked", rules)
    return Cleaned(_defused(shown, findings), "sanitized" if rules else "pass", rules)


def inert(words: str) -> str:
    """The same words as a quotation that nothing can execute: no tag, colon, quote or gap between them is left."""
    quoted = "·".join(words.translate(_SOFT).split())
    return f"⟦{_BETWEEN_HAN.sub('·', quoted)}⟧"


def _is_attack(findings: list[_Finding], rules: frozenset[str]) -> bool:
    """An attack by itself, two different orders, or one order in forged dress."""
    orders = {found.rule for found in findings if found.kind == "order"}
    return any(found.kind == "attack" for found in findings) or len(orders) > 1 or bool(orders and rules & _FORGERIES)


def _findings(shown: str) -> Iterator[_Finding]:
    folded = shown if shown.isascii() else shown.translate(_FOLD)
    lowered = folded.lower()
    for rule in (*ORDERS, *SHAPES):
        if any(trigger in lowered for trigger in rule.triggers):
            yield from (_Finding(rule.name, rule.kind, *match.span(), inert) for match in rule.pattern.finditer(folded))
    yield from _links(folded)
    yield from (_Finding("overlong_run", "shape", *match.span(), _cut) for match in _RUN.finditer(folded))
    yield from _spelled(folded)


def _links(folded: str) -> Iterator[_Finding]:
    if "//" not in folded:
        return
    for match in _IMAGE.finditer(folded):
        link = _LINK.search(match[0])
        if link:
            yield _Finding("remote_image", "attack" if _LEAK.search(link[0]) else "shape", *match.span(), _host)
    for match in _LINK.finditer(folded):
        if _LEAK.search(match[0].partition("?")[2]):
            yield _Finding("leaky_link", "shape", *match.span(), _host)


def _spelled(folded: str) -> Iterator[_Finding]:
    for match in _SPELLED.finditer(folded):
        if _SPELLED_ORDER.search("".join(letter for letter in match[0] if letter.isalnum())):
            yield _Finding("spelled_out", "attack", *match.span(), inert)


def _host(link: str) -> str:
    host = _HOST.search(link)
    return f"⟦link to {host[1]} removed⟧" if host else "⟦link removed⟧"


def _cut(run: str) -> str:
    return f"{run[:40].translate(_SOFT)}⟦{len(run) - 40:,} characters without a break left out⟧"


def _defused(shown: str, findings: list[_Finding]) -> str:
    parts: list[str] = []
    done = 0
    for group in _overlapping(findings):
        start, end = group[0].start, max(found.end for found in group)
        show = group[0].show if len(group) == 1 else _shown_together(group)
        parts += (shown[done:start], show(shown[start:end]))
        done = end
    return "".join((*parts, shown[done:]))


def _overlapping(findings: list[_Finding]) -> Iterator[list[_Finding]]:
    """Findings in groups that share characters; the input is in order of their starts."""
    group: list[_Finding] = []
    end = 0
    for found in findings:
        if group and found.start >= end:
            yield group
            group, end = [], 0
        group.append(found)
        end = max(end, found.end)
    if group:
        yield group


def _shown_together(group: list[_Finding]) -> Callable[[str], str]:
    """What cuts or removes goes before what merely quotes."""
    return next((found.show for found in group if found.show is not inert), inert)
