"""Which memory a correction puts right, and what it says then: only one that holds all that is named beside the value.

A correction changes what it names and nothing else. Where that cannot be done the memory stays as it is: what was
said now stands beside it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from evolution.requests.change_targets import ChangeTarget, TargetQuery, targets_in_last_turn
from evolution.requests.target_ranking import pick_clear_target, rank_targets
from language.attributes import NewValue, among_several, states, with_value
from language.corrections import correct_value, exchange_stated, find_contrast, is_bare_correction
from language.naming import Named, compare_named, read_named
from language.people import SPEAKER
from language.requests import Request, correcting_words
from language.statements import is_denial
from language.tables import pattern_of_all, words_of_all
from language.terms import terms_of
from language.values import find_values

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class CorrectedMemory:
    """The memory that is meant, and what it says once it is put right."""

    target: ChangeTarget
    content: str


def find_corrections(
    request: Request, turn: str, heard: TargetQuery, among: list[ChangeTarget]
) -> list[CorrectedMemory]:
    """What a correction may put right: what was just said where it only points, each memory that states what is to be
    set, else the one that it names.
    """
    if request.new is not None:
        return _find_stating(request.new, among)
    if request.points:
        found = find_restated(request, targets_in_last_turn(heard, among))
    else:
        found = find_corrected(request, turn, rank_targets(request, among))
    return [found] if found else []


def _find_stating(new: NewValue, among: Sequence[ChangeTarget]) -> list[CorrectedMemory]:
    """The memories of the speaker's own attribute; of several those that say which one it is."""
    own = [each for each in among if each.person == SPEAKER and states(each.text, new.attribute, each.topics)]
    meant = among_several(new, [each.text for each in own])
    return [CorrectedMemory(own[place], with_value(own[place].text, new)) for place in meant]


def find_corrected(request: Request, turn: str, best_first: Sequence[ChangeTarget]) -> CorrectedMemory | None:
    """What a correction puts right; None where nothing holds what it names, several do, or no sentence comes of it."""
    assert request.sentence is not None
    if find_contrast(turn) and is_bare_correction(turn):
        return _find_holder(turn, best_first)
    new = _new_words(request.stated)
    around = turn
    for said in (request.denied, *new):
        around = around.replace(said, " ") if said else around
    named = read_named(correcting_words(turn).sub(" ", around), request.sentence.text)
    fitting = [each for each in best_first if _fits(request, named, new, each)]
    one = fitting[0] if len(fitting) == 1 else pick_clear_target(fitting)
    if one is None:
        return None
    content = corrected_text(one, request)
    return CorrectedMemory(one, content) if content.casefold() != one.text.casefold() else None


def _find_holder(correction: str, among: Sequence[ChangeTarget]) -> CorrectedMemory | None:
    """The only thing said that holds the value of a correction which names that and nothing else."""
    held = [(each, content) for each in among if (content := correct_value(each.text, correction))]
    return CorrectedMemory(*held[0]) if len(held) == 1 else None


def find_restated(request: Request, last: Sequence[ChangeTarget]) -> CorrectedMemory | None:
    """What the last turn says once its only statement is put right ("scratch that, it's blue").

    None where more than one may be meant, or more is said than another value of the same sort.
    """
    text = last[0].text if len(last) == 1 else ""
    new, content = _other_value(text, request.stated) or _other_colour(text, request.stated) or ("", "")
    said = correcting_words(request.stated).sub(" ", request.stated.replace(new, " ", 1) if new else "")
    if not content or terms_of(said) - terms_of(text, alone=True):
        return None
    return CorrectedMemory(last[0], content)


def _other_value(text: str, stated: str) -> tuple[str, str] | None:
    """The one value of a correction, and the text with it. A name alone may be that of anything."""
    values, content = find_values(stated), exchange_stated(text, stated)
    if len(values) != 1 or not content or (values[0].kind == "name" and not terms_of(text) & terms_of(stated)):
        return None
    return values[0].text, content


def _other_colour(text: str, stated: str) -> tuple[str, str] | None:
    old, new = _colours(text), _colours(stated)
    if len(old) != 1 or len(new) != 1 or old[0].casefold() == new[0].casefold():
        return None
    return new[0], text.replace(old[0], new[0], 1)


def _colours(text: str) -> list[str]:
    known = words_of_all("correction_fit.colours")
    spaced = [each for each in re.findall(r"[a-z]+", text, re.IGNORECASE) if each.casefold() in known]
    return spaced or [each for each in known if not each.isascii() and each in text]


def _new_words(stated: str) -> tuple[str, ...]:
    """The words of a correction that may be new: those behind its verb, or else its values, or its last word."""
    said = list(_words_of_key("says").finditer(stated))
    if said:
        return (stated[said[0].end() :],)
    return tuple(each.text for each in find_values(stated)) or tuple(stated.split()[-1:] if stated.isascii() else ())


def _fits(request: Request, named: Named, new: tuple[str, ...], target: ChangeTarget) -> bool:
    """Whether it holds the wrong value and all else that is named, and something is named at all."""
    held = compare_named(named, target.text, target.person, target.topics)
    if held.unheld - terms_of(" ".join(new), alone=True) or not held.is_of_person:
        return False
    if request.denied:
        return terms_of(request.denied, alone=True) <= terms_of(target.text, alone=True)
    return bool(named.terms - held.unheld) and request.is_addressed


def corrected_text(target: ChangeTarget, request: Request) -> str:
    """What a memory says once it is put right: its own words around the new value, or the new sentence.

    Its own text where neither makes a sentence of the same kind.
    """
    assert request.sentence is not None
    if request.denied:
        exchanged = _exchange(target.text, request)
        return exchanged if exchanged else target.text
    number = exchange_stated(target.text, request.stated)
    if number and set(_NUMBER.findall(request.stated)) <= set(_NUMBER.findall(number)):
        return number
    stated = request.stated.rstrip(" .!。！")
    return stated if _replaces(stated, target.text) else target.text


def _exchange(text: str, request: Request) -> str:
    """The text with the right value in the place of the wrong one, where that stands in it as a whole word."""
    assert request.sentence is not None
    denied = request.denied
    edge = r"(?<![a-zA-Z0-9])%s(?![a-zA-Z0-9])" if denied.isascii() else "%s"
    if not re.search(edge % re.escape(denied), text, re.IGNORECASE):
        return ""
    exchanged = correct_value(text, request.sentence.text)
    if exchanged or is_bare_correction(request.sentence.text):
        return exchanged
    value = _value_alone(request.stated, text)
    return re.sub(edge % re.escape(denied), lambda _: value, text, count=1, flags=re.IGNORECASE) if value else ""


def _value_alone(stated: str, text: str) -> str:
    """The new value without the words that lead up to it; empty where more than a value is left."""
    said = list(_words_of_key("says").finditer(stated))
    if said:
        value = stated[said[-1].end() :]
    else:
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(stated.casefold(), text.casefold(), strict=False))
        led = sum(1 for _ in alike)
        value = stated[led:] if not stated.isascii() else stated[stated.rfind(" ", 0, led) + 1 :] if led else stated
        value = _words_of_key("article").sub("", value)
    value = value.strip(" .,!。，！\"“”'").removesuffix(" now")
    return "" if _words_of_key("clause").search(value) else value


def _replaces(stated: str, text: str) -> bool:
    """Whether a new sentence says what the old one said, with another value: it loses no more than it brings."""
    if not _words_of_key("says").search(stated) or is_denial(stated) != is_denial(text):
        return False
    old, new = terms_of(text), terms_of(stated)
    return len(old - new) <= len(new - old) + 1 and _words(stated) != _words(text)


def _words(text: str) -> set[str]:
    """As they are spelt: Maud is not Maude."""
    return set(re.findall(r"[a-z0-9'’]+|\w", text.casefold()))


def _words_of_key(key: str) -> re.Pattern[str]:
    return pattern_of_all(f"correction_fit.{key}")
