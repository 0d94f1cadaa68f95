"""Making memories understandable alone, by rules: names for pronouns, dates for relative times."""

import re
from collections.abc import Sequence
from datetime import datetime

from evolution.absolutization.coreference import Transcript, resolve_person, resolve_place
from evolution.speakers import display_name
from evolution.state import ExtractionCandidate, TurnRecord
from language import tables
from language.detection import DEFAULT, Language, language_of
from language.references import UnclearReference, find_unclear, needs_reference_time, unresolved_words
from language.times import find_times, zone_of
from language.times.wording import insert_full_dates

_OWNING = frozenset({"my", "his", "her", "mine", "hers"})
_SUBJECTS = frozenset({"i", "he", "she"})
_CONTRACTED = {"m": "is", "s": "is", "ve": "has", "ll": "will"}
_OBJECTS = frozenset({"me", "him", "her"})
_IRREGULAR = {"am": "is", "are": "is", "have": "has", "do": "does", "go": "goes"}
_DENIED = {"don't": "doesn't", "haven't": "hasn't", "aren't": "isn't"}
_AS_IT_IS = re.compile(
    r"(?:was|were|did|had|will|would|can|could|should|may|might|must|cannot|\w+n['’]t|\w+ed|went|got|saw|met|bought|came|took|made"
    r"|found|began|left|lost|grew|sold|told|said|thought|felt|kept|gave|knew|ran|wrote|read|quit|chose|spent|became|is|has)$",
    re.IGNORECASE,
)
_VERB = re.compile(r"\s+((?:(?:\w+ly|also|never|always|just|still|now|often|sometimes)\s+)?)([\w'’]+)", re.IGNORECASE)
_VAGUE = ("near", "just", "soon")


def absolutize_by_rules(candidates: Sequence[ExtractionCandidate], talk: Transcript) -> list[ExtractionCandidate]:
    """The candidates in words that need no context, each with the words that rules could not make clear.

    A statement stays as it was said: its date and its speaker stand beside it.
    """
    return [
        each if each["source"] == "rules" else mark_unresolved(_resolve_candidate(each, talk)) for each in candidates
    ]


def mark_unresolved(candidate: ExtractionCandidate) -> ExtractionCandidate:
    """The candidate with what the gate objects to."""
    words = (*unresolved_words(candidate["content"]), *unresolved_words(candidate["object"]))
    return {**candidate, "unresolved": list(dict.fromkeys(words))}


def _resolve_candidate(candidate: ExtractionCandidate, talk: Transcript) -> ExtractionCandidate:
    turn = talk.turn(candidate["event_id"])
    if turn is None:
        return candidate
    scene = _TurnContext(turn, talk, candidate)
    return {
        **candidate,
        "content": scene.resolve_text(candidate["content"]),
        "object": scene.resolve_text(candidate["object"]),
        "subject": scene.resolve_subject(candidate["subject"]),
    }


class _TurnContext:
    """The turn that proves a candidate, and what had been said until then."""

    def __init__(self, turn: TurnRecord, talk: Transcript, candidate: ExtractionCandidate) -> None:
        self._turn = turn
        self._language: Language = language_of(candidate["content"])
        self._owner = display_name(turn, self._language)
        self._heard = talk.earlier_texts(turn["event_id"], candidate["start"])
        self._at = datetime.fromisoformat(turn["at"])

    def resolve_text(self, text: str) -> str:
        """The text with everything replaced that can only mean one thing."""
        if not find_unclear(text, self._language):
            return text
        capital = text[:1].isupper()
        text = self._insert_dates(text)
        for each in reversed(find_unclear(text, self._language)):
            text = self._replace_unclear(text, each)
        return text[:1].upper() + text[1:] if capital else text

    def resolve_subject(self, subject: str) -> str:
        """A subject that is a pronoun, by name."""
        return resolve_person(subject, self._heard, self._language) or subject

    def _insert_dates(self, text: str) -> str:
        zone = self._turn["time_zone"]
        times = [each for each in find_times(text, self._at, zone) if needs_reference_time(text, each)]
        return insert_full_dates(text, (0, len(text)), times, self._language)

    def _replace_unclear(self, text: str, each: UnclearReference) -> str:
        match each.kind:
            case "speaker":
                return insert_name(self._owner, text, each)
            case "person":
                name = resolve_person(each.words.split("'")[0].split("’")[0], self._heard, self._language)
                return insert_name(name, text, each) if name else text
            case "time":
                words = self._expand_vague_time(each.words)
                return text[: each.start] + words + text[each.end :] if words else text
            case "place" if tables.pattern_of_all("coreference.there").fullmatch(each.words.lower()):
                return self._insert_place(text, each)
            case _:
                return text

    def _insert_place(self, text: str, each: UnclearReference) -> str:
        place = resolve_place(self._heard)
        if not place:
            return text
        named = tables.text("coreference.at_place", self._language).format(place=place)
        return text[: each.start] + named + text[each.end :]

    def _expand_vague_time(self, words: str) -> str:
        """A vague time, as vague as it was said, beside the date of its turn."""
        local = self._at.astimezone(zone_of(self._turn["time_zone"]))
        day, month = (
            tables.text(f"wording.{unit}", self._language).format(year=local.year, month=local.month, day=local.day)
            for unit in ("day", "month")
        )
        vague = next((each for each in _VAGUE if tables.pattern_of_all(f"coreference.{each}").fullmatch(words)), None)
        return tables.text(f"coreference.{vague}", self._language).format(day=day, month=month) if vague else ""


def insert_name(name: str, text: str, each: UnclearReference) -> str:
    """The text with the name instead of the pronoun; unchanged when the pronoun means several or no person."""
    word, _, contracted = each.words.lower().replace("’", "'").partition("'")
    before, after = text[: each.start], text[each.end :]
    if word in tables.words_of_all("coreference.plain"):
        return before + name + after
    if contracted:
        verb = _CONTRACTED.get(contracted) if word in _SUBJECTS else None
        return f"{before}{name} {verb}{after}" if verb else text
    if word in _SUBJECTS:
        return before + name + (_conjugate_after(after) if word == "i" else after)
    if word in _OWNING and (word != "her" or tables.pattern("references.owner", DEFAULT).match(text, each.start)):
        return f"{before}{_fit_name(before, name)}'s{after}"
    return before + _fit_name(before, name) + after if word in _OBJECTS else text


def _fit_name(before: str, name: str) -> str:
    """«The user» within a sentence."""
    return name.replace("The user", "the user", 1) if before.strip() and name.startswith("The user") else name


def _conjugate_after(after: str) -> str:
    """«I like» becomes «Ann likes»."""
    found = _VERB.match(after)
    if not found:
        return after
    start, end = found.span(2)
    return after[:start] + _third_person(found[2]) + after[end:]


def _third_person(verb: str) -> str:
    known = {**_IRREGULAR, **_DENIED}.get(verb.lower().replace("’", "'"))
    if known or _AS_IT_IS.fullmatch(verb):
        return known or verb
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"
