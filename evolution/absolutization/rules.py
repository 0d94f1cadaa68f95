"""Making memories understandable alone, by rules: names for pronouns, dates for relative times."""

import re
from collections.abc import Sequence
from datetime import datetime

from evolution.absolutization.names import about
from evolution.absolutization.references import Talk, person_meant, place_meant
from evolution.speaking import display_name
from evolution.state import Candidate, Said
from language.detection import Language, language_of
from language.references import Unclear, points_elsewhere, unclear, unresolved_words
from language.times import find_times, zone_of
from language.times.wording import dated

_NEAR = re.compile(
    r"recently|lately|these\s+days|nowadays|最近|近[来日期]|前阵子|前段时间|前些[天日]|这(?:阵子|段时间|段日子|几[天年个])",
    re.IGNORECASE,
)
_JUST = re.compile(r"just\s+now|the\s+other\s+(?:day|night)|刚刚|刚才|方才|不久前|前几天|日前", re.IGNORECASE)
_SOON = re.compile(
    r"soon|in\s+a\s+(?:bit|while|moment)|马上|不久后|过[几两]天|稍后|改[天日]|[待等]会儿?|一会儿", re.IGNORECASE
)


def absolute(candidates: Sequence[Candidate], talk: Talk) -> list[Candidate]:
    """The candidates in words that need no context, each with the words that rules could not make clear.

    A statement stays as it was said: its date and its speaker stand beside it.
    """
    return [each if each["source"] == "rules" else judged(_cleared(each, talk)) for each in candidates]


def judged(candidate: Candidate) -> Candidate:
    """The candidate with what the gate objects to."""
    words = (*unresolved_words(candidate["content"]), *unresolved_words(candidate["object"]))
    return {**candidate, "unresolved": list(dict.fromkeys(words))}


def _cleared(candidate: Candidate, talk: Talk) -> Candidate:
    turn = talk.turn(candidate["event_id"])
    if turn is None:
        return candidate
    scene = _Scene(turn, talk, candidate)
    return {
        **candidate,
        "content": scene.cleared(candidate["content"]),
        "object": scene.cleared(candidate["object"]),
        "subject": scene.named(candidate["subject"]),
    }


class _Scene:
    """The turn that proves a candidate, and what had been said until then."""

    def __init__(self, turn: Said, talk: Talk, candidate: Candidate) -> None:
        self._turn = turn
        self._language: Language = language_of(candidate["content"])
        self._owner = display_name(turn, self._language)
        self._heard = talk.before(turn["event_id"], candidate["start"])
        self._at = datetime.fromisoformat(turn["at"])

    def cleared(self, text: str) -> str:
        """The text with everything replaced that can only mean one thing."""
        if not unclear(text, self._language):
            return text
        capital = text[:1].isupper()
        text = self._dated(text)
        for each in reversed(unclear(text, self._language)):
            text = self._replaced(text, each)
        return text[:1].upper() + text[1:] if capital else text

    def named(self, subject: str) -> str:
        """A subject that is a pronoun, by name."""
        return person_meant(subject, self._heard, self._language) or subject

    def _dated(self, text: str) -> str:
        zone = self._turn["time_zone"]
        times = [each for each in find_times(text, self._at, zone) if points_elsewhere(text, each)]
        return dated(text, (0, len(text)), times, self._language)

    def _replaced(self, text: str, each: Unclear) -> str:
        match each.kind:
            case "speaker":
                return about(self._owner, text, each)
            case "person":
                name = person_meant(each.words.split("'")[0].split("’")[0], self._heard, self._language)
                return about(name, text, each) if name else text
            case "time":
                words = self._around(each.words)
                return text[: each.start] + words + text[each.end :] if words else text
            case "place" if each.words.lower() in _THERE:
                return self._placed(text, each)
            case _:
                return text

    def _placed(self, text: str, each: Unclear) -> str:
        place = place_meant(self._heard)
        if not place:
            return text
        return text[: each.start] + (place if self._language == "zh" else f"in {place}") + text[each.end :]

    def _around(self, words: str) -> str:
        """A vague time, as vague as it was said, beside the date of its turn."""
        local = self._at.astimezone(zone_of(self._turn["time_zone"]))
        chinese = self._language == "zh"
        day = f"{local.year}年{local.month}月{local.day}日" if chinese else f"{local:%Y-%m-%d}"
        month = f"{local.year}年{local.month}月" if chinese else f"{local:%Y-%m}"
        if _NEAR.fullmatch(words):
            return f"{month}前后" if chinese else f"around {month}"
        if _JUST.fullmatch(words):
            return f"{day}前不久" if chinese else f"shortly before {day}"
        if _SOON.fullmatch(words):
            return f"{day}后不久" if chinese else f"soon after {day}"
        return ""


_THERE = frozenset({"there", "over there", "那里", "那边", "那儿"})
