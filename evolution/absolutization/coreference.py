"""Resolves pronouns for people and places: to the one that the talk has just named, or to none."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from evolution.speakers import display_name
from evolution.state import TurnRecord
from language.detection import Language
from language.en.people import KIN, NAME
from language.zh.people import CITIES
from language.zh.people import KIN as CHINESE_KIN

Gender = Literal["f", "m", ""]
LOOKED_BACK = 4
"""Turns before its own in which a pronoun may have its person."""

_CAPITAL = rf"(?-i:{NAME}(?:\s{NAME})?)"
_MY_PERSON = re.compile(rf"\b(?P<whose>my|our|your)\s+{KIN}(?![\w-])(?:,?\s+(?P<name>{_CAPITAL}))?", re.IGNORECASE)
_PERSON = re.compile(
    r"(?<!I'm )(?<!I’m )(?<!I am )\b(?:met|saw|called|named|married|dating|asked|told|with|and\s+I\s+and|friend)"
    rf"\s+(?P<a>{_CAPITAL})"
    rf"|(?:^|(?<=[.!?,;]\s))(?P<b>{_CAPITAL})(?=\s+(?:says?|said|told|tells|likes?|loves?|hates?|works?|lives?|moved|wants?|called"
    r"|and\s+I|is\s+(?:my|our|an?|coming|moving|getting)|was\s+(?:my|our|an?)|has|had|got|just)\b)",
    re.IGNORECASE,
)
_NO_PERSON = re.compile(r"(?:I|He|She|They|We|You|It|This|That|There|Mr|Mrs|My|Everyone|Nobody|Someone|People)\b")
_CHINESE_PERSON = re.compile(
    rf"我(?:们)?(?:家)?的?(?P<kin>{CHINESE_KIN})(?:叫|名叫)?(?P<name>[小阿][\u4e00-\u9fff])?"
    rf"|(?P<other>[小阿老][\u4e00-\u9fff](?=[是说在也想喜来去的住]))|(?:(?<![我名])叫|(?<!我)名叫)(?P<called>[\u4e00-\u9fff]{{2,3}})(?=[，。,；的]|$)"
)
_PLACE = re.compile(
    rf"\b(?:in|to|at|from|visit(?:ed|ing)?|near)\s+(?P<en>[A-Z][\w’'-]+(?:\s[A-Z][\w’'-]+)*)|(?P<zh>{CITIES})"
)
_FEMALE = re.compile(
    r"wife|girlfriend|daughter|sister|mother|mom|mum|aunt|niece|grandm|[妻妹姐妈母婆姨姑娘女婶]|奶奶|太太|老婆|媳妇|闺蜜"
)
_MALE = re.compile(r"husband|boyfriend|son\b|brother|father|dad|uncle|nephew|grandp|[夫弟哥爸父公叔舅爷男]|儿子|先生")
_SEVERAL = re.compile(r"(?:parents|kids|children|twin|sons|daughters|brothers|sisters|friends)$|父母|爸妈|孩子")
_SHE, _HE = ("she", "her", "hers", "她"), ("he", "his", "him", "他")
_PRONOUN = re.compile(r"\b(?:she|he|her|hers|him|his)\b|[她他]", re.IGNORECASE)
_WANTED: dict[str, Gender] = {**dict.fromkeys(_SHE, "f"), **dict.fromkeys(_HE, "m")}


@dataclass(frozen=True)
class NamedPerson:
    """Somebody who was named: how to call them in a sentence, and what their relation tells.

    ``subject`` is how statements about them name them, ``place`` where in the text the words stand that do so.
    """

    name: str
    gender: Gender = ""
    subject: str = ""
    place: tuple[int, int] = field(default=(0, 0), compare=False)


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """The turns in order, the ones that explain before the ones that prove."""

    turns: Sequence[TurnRecord]
    by_id: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """Places are looked up once per candidate."""
        object.__setattr__(self, "by_id", {turn["event_id"]: place for place, turn in enumerate(self.turns)})

    def turn(self, event_id: str) -> TurnRecord | None:
        """The turn of that id."""
        place = self.by_id.get(event_id)
        return None if place is None else self.turns[place]

    def earlier_texts(self, event_id: str, at: int) -> list[tuple[TurnRecord, str]]:
        """What had been said when that turn reached character ``at``: its own words first, then the turns before."""
        place = self.by_id[event_id]
        own = self.turns[place]
        earlier = reversed(self.turns[max(0, place - LOOKED_BACK) : place])
        return [(own, own["text"][:at]), *((turn, turn["text"]) for turn in earlier)]


def resolve_person(pronoun: str, heard: Sequence[tuple[TurnRecord, str]], language: Language) -> str | None:
    """The name of the one person whom «she» can mean."""
    found = find_antecedents(pronoun, heard, language)
    return found[0][1].name if len(found) == 1 else None


def find_antecedents(
    pronoun: str, heard: Sequence[tuple[TurnRecord, str]], language: Language
) -> list[tuple[TurnRecord, NamedPerson]]:
    """Everybody whom «she» can mean, each with the turn that names them: the nearest that names anybody decides."""
    wanted = _WANTED.get(pronoun.lower())
    for turn, text in heard if wanted else ():
        named = {each for each in find_people(turn, text, language) if each.gender in ("", wanted)}
        if named:
            return [(turn, each) for each in named]
    return []


def find_pronoun(sentence: str) -> str:
    """The first pronoun for one person in a sentence; empty without any."""
    found = _PRONOUN.search(sentence)
    return found[0].lower() if found else ""


def may_mean(pronoun: str, person: str) -> bool:
    """Whether a pronoun does not contradict the relation by which somebody is called ("sister Ana", 哥哥)."""
    wanted = _WANTED.get(pronoun.lower())
    return wanted is None or _gender(person.lower()) in ("", wanted)


def resolve_place(heard: Sequence[tuple[TurnRecord, str]]) -> str | None:
    """The one place that the nearest turn with any names."""
    for _, text in heard:
        named = {found["en"] or found["zh"] for found in _PLACE.finditer(text)}
        if named:
            return named.pop() if len(named) == 1 else None
    return None


def find_people(turn: TurnRecord, text: str, language: Language) -> Iterator[NamedPerson]:
    """Everybody whom words of a turn clearly name, called so that it holds outside of the talk."""
    if language == "zh":
        yield from _find_chinese_people(turn, text)
        return
    owner = display_name(turn, "en")
    for found in _MY_PERSON.finditer(text):
        mine = (found["whose"].lower() != "your") == (turn["role"] == "user")
        if not _SEVERAL.search(found["kin"].lower()) and (mine or turn["role"] == "assistant"):
            whose = owner if turn["role"] == "user" else "The user"
            kin = found["kin"].lower()
            subject = f"{kin} {found['name'] or ''}".strip()
            yield NamedPerson(found["name"] or f"{whose}'s {kin}", _gender(kin), subject, found.span())
    for found in _PERSON.finditer(text):
        name = found["a"] or found["b"]
        if not _NO_PERSON.match(name):
            yield NamedPerson(name, subject=name, place=found.span("a" if found["a"] else "b"))


def _find_chinese_people(turn: TurnRecord, text: str) -> Iterator[NamedPerson]:
    owner = display_name(turn, "zh")
    for found in _CHINESE_PERSON.finditer(text):
        kin = found["kin"] or ""
        if not _SEVERAL.search(kin):
            called = found["name"] or found["other"] or found["called"]
            subject = " ".join(each for each in (kin, called) if each)
            yield NamedPerson(called or f"{owner}的{kin}", _gender(kin), subject, found.span())


def _gender(kin: str) -> Gender:
    return "f" if _FEMALE.search(kin) else "m" if _MALE.search(kin) else ""
