"""Checks of what a proposal would make of Brain, by rules: people, steering, and a set of conversations."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, TypeAdapter

from brain.safety.contract import SafetyContract
from brain.safety.guardrail import check_texts
from brain.safety.sanitizer import sanitize_text
from brain.soul_document import LASTING, SoulDocument
from evolution.soul.form import added_points, removed_points
from evolution.soul.report import Finding, SoulCheck, found, make_check
from language.secrets import has_secret
from language.tables import pattern_of_all, words_of_all

RULES = (
    "pretends_human",
    "shares_memories",
    "sends_away",
    "obeys_texts",
    "obeys_somebody",
    "skips_approval",
    "keeps_erased",
    "hides",
    "changes_itself",
    "promotes",
    "triggers",
    "guesses",
    "cites_authority",
    "flatters",
    "takes_over",
    "favours_some",
    "suspends",
)
TOPICS = (
    "touches_people",
    "touches_rules",
    "touches_memory",
    "touches_money",
    "touches_sources",
    "touches_itself",
    "touches_influence",
    "touches_moments",
    "touches_ciphers",
    "touches_omissions",
)
PRIVATE = frozenset({"secret", "person", "identifier", "too_large", "too_long", "malformed"})
"""What was found in a text that is not kept: it tells of somebody, or was too much to be read for that."""
_CORE = ("Identity", "Values")
_OF_MANNER = ("Voice", "Habits")
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_IDENTIFIER = re.compile(
    r"\d[\d -]{3,}\d|\b(?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])[\w]+[._-][\w.-]+|\b[a-z]+\.[a-z]{3,}\b"
    r"|(?<![A-Za-z])\d{1,5}\s+[A-Z][a-z]+\s+[A-Z][a-z]+"
)
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}")
_KNOWN_NAMES = frozenset({"Brain", "English", "Chinese", "Markdown", "Monday", "Internet"})
_LATIN_NAME = re.compile(r"[A-Za-z]{3,}")
_HAN = re.compile(r"[\u4e00-\u9fff]")


class ConversationCase(BaseModel):
    """A conversation that has to go on as it does: what is asked, and what must not become of the answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    said: dict[str, str]
    expected: str
    against: tuple[str, ...]


@cache
def conversation_cases() -> tuple[ConversationCase, ...]:
    """The regression set."""
    text = files("evolution.soul").joinpath("conversations.json").read_text("utf-8")
    return TypeAdapter(tuple[ConversationCase, ...]).validate_json(text)


def check_people(added: Sequence[tuple[str, str]], names: Iterable[str]) -> SoulCheck:
    """Nobody's name, number or secret stands in what everybody's prompt will say."""
    known = [name.casefold() for name in names if len(name) > 1]
    refused: list[Finding] = []
    ask: list[Finding] = []
    for section, point in added:
        folded = point.casefold()
        refused += [found("secret", section)] if has_secret(point) else []
        refused += [found("identifier", section)] if _IDENTIFIER.search(point) else []
        refused += [found("person", section) for name in known if _says_name(folded, name)]
        ask += [found("name", section)] if _may_name(point) else []
    return make_check("people", refused, ask)


def names_somebody(text: str, names: Iterable[str]) -> bool:
    """Whether one of the names stands in a text as a word."""
    return any(_says_name(text.casefold(), name.casefold()) for name in names if len(name) > 1)


def check_steering(added: Sequence[tuple[str, str]], contracts: Sequence[SafetyContract]) -> SoulCheck:
    """Nothing in it steers its reader or permits what a contract forbids."""
    refused = [found("steers", section) for section, point in added if sanitize_text(point).verdict != "pass"]
    refused += [
        found("permits", section)
        for section, point in added
        for contract in contracts
        if not check_texts(contract, point)["passed"]
    ]
    return make_check("steering", refused)


def check_conduct(before: SoulDocument, after: SoulDocument) -> tuple[SoulCheck, list[str]]:
    """The conversations go on as they do; which of them would not, by the rules that new points break."""
    refused = [
        found(rule, section)
        for section, point in added_points(before, after)
        for rule in RULES
        if pattern_of_all(f"soul.{rule}").search(point)
    ]
    refused += [found("softens", section) for section in _softened_sections(before, after)]
    broken = {each["code"] for each in refused}
    return make_check("conduct", refused), [each.id for each in conversation_cases() if broken & set(each.against)]


def check_change(before: SoulDocument, after: SoulDocument) -> SoulCheck:
    """What whoever decides has to be told of: who Brain is, what lasts, and what new points touch on."""
    ask = [found("core", section) for section, _ in removed_points(before, after) if section in _CORE]
    added = added_points(before, after)
    ask += [found("core", section) for section, _ in added if section == "Identity"]
    ask += [found("lasting", section) for section, _ in added if section in LASTING]
    ask += [
        found(topic, section)
        for section, point in added
        for topic in TOPICS
        if pattern_of_all(f"soul.{topic}").search(point)
    ]
    return make_check("change", ask=ask)


def is_familiar(before: SoulDocument, after: SoulDocument) -> bool:
    """Whether all that changes is manner, in known words: the least that may apply unasked."""
    added, gone = added_points(before, after), removed_points(before, after)
    if any(section not in _OF_MANNER for section, _ in (*added, *gone)):
        return False
    return bool(added) and all(_has_known_words(point) for _, point in added)


def _has_known_words(point: str) -> bool:
    known = words_of_all("soul.familiar")
    if any(word.lower() not in known for word in _LATIN_WORD.findall(point)):
        return False
    rest = "".join(_HAN.findall(point))
    return not rest or bool(_known_chinese().fullmatch(rest))


@cache
def _known_chinese() -> re.Pattern[str]:
    """Text that consists of known words: the longest at each place, without a second try."""
    known = sorted((word for word in words_of_all("soul.familiar") if _HAN.match(word)), key=len, reverse=True)
    return re.compile(f"(?>(?:{'|'.join(known)})+)")


def _softened_sections(before: SoulDocument, after: SoulDocument) -> list[str]:
    """Sections in which a point gave way to one that says less firmly what it says, or a rule is added that is none."""
    weak = pattern_of_all("soul.softens")
    firm = {section for section, point in removed_points(before, after) if not weak.search(point)}
    added = added_points(before, after)
    return [section for section, point in added if section in (*LASTING, *firm) and weak.search(point)]


def _says_name(folded: str, name: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded)) if name.isascii() else name in folded


def _may_name(point: str) -> bool:
    """A capital in the middle of an English sentence, or a Latin word in a Chinese one."""
    words = _LATIN_NAME.findall(point) if _HAN.search(point) else _NAME.findall(point)
    return any(word not in _KNOWN_NAMES for word in words)
