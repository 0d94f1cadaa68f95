"""Resolves pronouns for people and places: to the one that the talk has just named, or to none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from evolution.speakers import display_name
from evolution.state import TurnRecord
from language import tables
from language.detection import Language
from language.tables import languages, pattern, pattern_of_all, patterns_of, words_of_all

Gender = Literal["f", "m", ""]
LOOKED_BACK = 4
"""Turns before its own in which a pronoun may have its person."""
_PRONOUNS: dict[Gender, str] = {"f": "she", "m": "he"}


@dataclass(frozen=True)
class NamedPerson:
    """Somebody who was named: how to call them in a sentence, and what their relation tells.

    ``subject`` is how statements about them name them, ``place`` where in the text the words stand that do so.
    """

    name: str
    gender: Gender
    subject: str
    place: tuple[int, int] = field(compare=False)


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
    wanted = _gender_meant(pronoun)
    for turn, text in heard if wanted else ():
        named = {each for each in find_people(turn, text, language) if each.gender in ("", wanted)}
        if named:
            return [(turn, each) for each in named]
    return []


def find_pronoun(sentence: str) -> str:
    """The first pronoun for one person in a sentence; empty without any."""
    found = pattern_of_all("coreference.pronoun").search(sentence)
    return found[0].lower() if found else ""


def may_mean(pronoun: str, person: str) -> bool:
    """Whether a pronoun does not contradict the relation by which somebody is called ("sister Ana", "brother")."""
    wanted = _gender_meant(pronoun)
    return wanted == "" or _gender(person.lower()) in ("", wanted)


def _gender_meant(pronoun: str) -> Gender:
    for gender, key in _PRONOUNS.items():
        if pronoun.lower() in words_of_all(f"coreference.{key}"):
            return gender
    return ""


def resolve_place(heard: Sequence[tuple[TurnRecord, str]]) -> str | None:
    """The one place that the nearest turn with any names."""
    for _, text in heard:
        places = (pattern("coreference.place", each) for each in languages())
        named = {found["place"] for each in places for found in each.finditer(text)}
        if named:
            return named.pop() if len(named) == 1 else None
    return None


def find_people(turn: TurnRecord, text: str, language: Language) -> Iterator[NamedPerson]:
    """Everybody whom words of a turn clearly name, called so that it holds outside of the talk."""
    words, owner = patterns_of("coreference", language), display_name(turn, language)
    for found in words.my_person.finditer(text):
        kin = found["kin"].lower()
        mine = (found["whose"].lower() != "your") == (turn["role"] == "user")
        if not _are_several(kin) and (mine or turn["role"] == "assistant"):
            whose = owner if turn["role"] == "user" else tables.text("coreference.the_user", language)
            called = found["name"] or _call_by_relation(whose, kin, language)
            yield NamedPerson(called, _gender(kin), _subject(kin, found["name"]), found.span())
    for found in words.person.finditer(text):
        kin, name = found.groupdict().get("kin") or "", found.groupdict().get("name") or found["a"] or found["b"] or ""
        if not _are_several(kin) and not words.no_person.match(name):
            place = found.span() if kin else found.span("a" if found["a"] else "b")
            yield NamedPerson(name or _call_by_relation(owner, kin, language), _gender(kin), _subject(kin, name), place)


def _call_by_relation(owner: str, kin: str, language: Language) -> str:
    return tables.text("coreference.of_owner", language).format(owner=owner, kin=kin)


def _subject(kin: str, name: str | None) -> str:
    return " ".join(each for each in (kin, name) if each)


def _are_several(kin: str) -> bool:
    return pattern_of_all("coreference.several").search(kin) is not None


def _gender(kin: str) -> Gender:
    if pattern_of_all("coreference.female").search(kin):
        return "f"
    return "m" if pattern_of_all("coreference.male").search(kin) else ""
