"""What a person has one of at a time, such as an address or an age: who asks to set it, which sentences state it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from language.corrections import values_within
from language.detection import language_of
from language.kinds import Topic, ValueKind
from language.readers import read_value
from language.tables import is_spaced, pattern, pattern_list, text
from language.values import find_values

PREDICATES: Mapping[str, str] = {
    "home": "lives_in",
    "age": "age",
    "birthday": "birthday",
    "name": "name",
    "nickname": "nickname",
    "job": "job",
    "employer": "works_at",
    "origin": "origin",
    "phone": "",
    "email": "",
    "height": "",
    "weight": "",
}
"""The predicate under which a reader finds each attribute; empty where none reads it."""
OF_WORK = 0.5
"""How probable it has to be that a sentence is about work, for "I'm a nurse" to state a job."""


@dataclass(frozen=True)
class NewValue:
    """A value to be set: ``which`` of several is meant ("work"), empty where that is not said; ``sentence`` says it."""

    attribute: str
    which: str
    value: str
    sentence: str


def find_new_value(turn: str) -> NewValue | None:
    """What a turn asks to set ("Correct my address: Lyon"), where it asks nothing else."""
    language = language_of(turn)
    for each in pattern_list("attributes.sets", language):
        if found := each.fullmatch(turn.strip()):
            what, value = found["what"], found["value"].strip(" \"“”'‘’")
            attribute = next(name for name in PREDICATES if pattern(f"attributes.{name}", language).fullmatch(what))
            which = found.groupdict().get("which") or ""
            named = f"{which} {what}".strip() if is_spaced(language) else f"{which}{what}"
            sentence = text("attributes.own_form", language).format(what=named, value=value)
            return NewValue(attribute, which, value, sentence)
    return None


@lru_cache(maxsize=8_192)
def _says(sentence: str, attribute: str) -> bool:
    return any(each.search(sentence) for each in pattern_list(f"attributes.stated.{attribute}", language_of(sentence)))


def states(sentence: str, attribute: str, topics: Mapping[Topic, float]) -> bool:
    """Whether a sentence says what attribute its speaker has."""
    value = read_value(sentence)
    if value is not None and value.predicate == PREDICATES[attribute]:
        return True
    if _says(sentence, attribute):
        return True
    is_work = pattern("attributes.is_one", language_of(sentence)).search(sentence) is not None
    return attribute == "job" and is_work and topics.get("work", 0.0) >= OF_WORK


def among_several(new: NewValue, sentences: Sequence[str]) -> list[int]:
    """The places of the sentences that a value may be set in, of those that state the attribute ("my work address").

    Where somebody is at home needs no word for it.
    """
    if not new.which:
        return list(range(len(sentences)))
    language = language_of(new.sentence)
    others = pattern("attributes.elsewhere", language)
    named = [place for place, each in enumerate(sentences) if new.which.casefold() in each.casefold()]
    if named or others.search(new.which):
        return named
    return [place for place, each in enumerate(sentences) if not others.search(each)]


def with_value(sentence: str, new: NewValue) -> str:
    """A sentence with the value in the place of its own where both are of one kind; else the sentence that says it."""
    old = _own_value(sentence, new.attribute)
    kind = _kind_of(old)
    return sentence.replace(old, new.value, 1) if kind and kind == _kind_of(new.value) else new.sentence


def _own_value(sentence: str, attribute: str) -> str:
    """What a reader finds, or the only value that there is."""
    read, values = read_value(sentence), find_values(sentence)
    if read is not None and read.predicate == PREDICATES[attribute]:
        return read.text
    return values[0].text if len(values) == 1 else ""


def _kind_of(words: str) -> ValueKind | None:
    """The kind of the one value that the words are; None where they are more, or none."""
    values = values_within(words)
    return values[0].kind if [each.text for each in values] == [words] else None
