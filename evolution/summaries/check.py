"""Is what a model made of a conversation founded in it? Names and numbers must occur in the turns."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from brain.prompting.tokens import count_tokens
from brain.safety.sanitizer import sanitize_text
from brain.signal_rules import entities
from evolution.summaries.digest import Digest, Point, day_of, speaker_of
from evolution.summaries.form import SessionSummary, SummaryPoint
from evolution.summaries.rules import KINDS
from language.detection import same_language
from language.secrets import has_secret
from language.times import find_times
from language.times.numerals import parse_number
from memory.sessions import SummaryTurn

LONGEST_POINT = 400
"""Characters of one point."""
SLACK = 1.25
"""How far a summary may pass its room before it counts as too long."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_CHINESE_NUMBER = re.compile(r"[零〇一二两三四五六七八九十百千万]+")
_NAME = re.compile(r"(?<=[\w,;:)] )[A-Z][\w'’-]+")
_CALENDAR = re.compile(
    r"(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|AM|PM|UTC"
)


class Grounding:
    """What the turns of a stretch give a summary to stand on."""

    def __init__(self, turns: Sequence[SummaryTurn]) -> None:
        self.turns = turns
        self.heard = " ".join(f"{turn.speaker} {turn.text}" for turn in turns).casefold()
        self.told = " ".join(turn.text for turn in turns if turn.role == "user").casefold()
        self._numbers = frozenset(each for turn in turns for each in _numbers_of(turn))

    def turn(self, number: int) -> SummaryTurn | None:
        """By the number under which the model was shown it."""
        return self.turns[number - 1] if 1 <= number <= len(self.turns) else None

    def find_unfounded(self, text: str) -> list[str]:
        """The numbers and names in a text that no turn holds, nor any date that a turn speaks of."""
        numbers = [found[0] for found in _NUMBER.finditer(text) if _plain_number(found[0]) not in self._numbers]
        listed = (value for values in entities(text).values() for value in values.split(", "))
        names = [*_NAME.findall(text), *(value for value in listed if not _NUMBER.search(value))]
        return numbers + [each for each in dict.fromkeys(names) if not self._knows(each)]

    def _knows(self, name: str) -> bool:
        return bool(_CALENDAR.fullmatch(name)) or name.removesuffix("'s").casefold() in self.heard


def find_faults(answer: SessionSummary, grounds: Grounding, room: int) -> list[str]:
    """What is wrong with an answer, in words for the model."""
    found = [fault for point in answer.points for fault in _point_faults(point, grounds)]
    if sum(count_tokens(point.text) for point in answer.points) > room * SLACK:
        found.append("the points are too long in all; keep what matters most")
    return found


def build_digest(answer: SessionSummary, grounds: Grounding) -> Digest:
    """A faultless answer as a digest; what tells a secret or steers is left out of it."""
    points = [_point(point, grounds) for point in answer.points if _is_harmless(point.text)]
    named = {
        kind: tuple(
            dict.fromkeys(
                each.name for each in answer.named if each.kind == kind and _is_from_person(each.name, grounds)
            )
        )
        for kind in KINDS
    }
    return Digest(
        points=tuple(sorted(points, key=lambda point: point.on)),
        named={kind: values for kind, values in named.items() if values},
    )


def _point_faults(point: SummaryPoint, grounds: Grounding) -> Iterator[str]:
    cited = [grounds.turn(each) for each in point.turns]
    turns = [turn for turn in cited if turn is not None]
    if not turns or len(turns) < len(cited):
        yield f"«{point.text[:60]}» must name turns between 1 and {len(grounds.turns)}"
    elif len({speaker_of(turn) for turn in turns}) > 1:
        yield f"«{point.text[:60]}» mixes turns of several speakers; make it one point each"
    yield from _wording_faults(point.text, turns, grounds)


def _wording_faults(text: str, turns: Sequence[SummaryTurn], grounds: Grounding) -> Iterator[str]:
    if not text.strip() or len(text) > LONGEST_POINT:
        yield f"«{text[:60]}» must have between 1 and {LONGEST_POINT} characters"
    if unfounded := grounds.find_unfounded(text):
        yield f"«{text[:60]}» says {', '.join(unfounded[:5])}, which the turns do not say"
    if turns and not same_language(" ".join(turn.text for turn in turns), text):
        yield f"«{text[:60]}» is not in the language of its turns"


def _point(point: SummaryPoint, grounds: Grounding) -> Point:
    turns = [turn for each in sorted(point.turns) if (turn := grounds.turn(each))]
    sources = tuple(dict.fromkeys(turn.event_id for turn in turns))
    return Point(by=speaker_of(turns[0]), on=day_of(turns[0]), text=_one_line(point.text), sources=sources)


def _is_harmless(text: str) -> bool:
    return not has_secret(text) and sanitize_text(text).verdict == "pass"


def _is_from_person(name: str, grounds: Grounding) -> bool:
    """Named by a person; a list separator inside would make two of it."""
    return bool(name.strip()) and "," not in name and name.casefold() in grounds.told


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _numbers_of(turn: SummaryTurn) -> Iterator[str]:
    """Every number of a turn and of the dates it speaks of."""
    yield from (_plain_number(found[0]) for found in _NUMBER.finditer(turn.text))
    yield from (part for found in _NUMBER.finditer(turn.text) for part in re.split(r"[.,]", found[0]))
    for found in _CHINESE_NUMBER.finditer(turn.text):
        value = parse_number(found[0])
        if value is not None:
            yield str(value)
    days = {day_of(turn)}
    for time in find_times(turn.text, turn.occurred_at, turn.time_zone):
        days |= {time.start.date(), (time.end - timedelta(seconds=1)).date()}
        yield from (str(part) for each in (time.start, time.end) for part in (each.hour, each.minute))
    yield from (part for day in days for part in _date_parts(day))


def _date_parts(day: date) -> Iterator[str]:
    yield from (str(day.year), str(day.month), str(day.day))


def _plain_number(digits: str) -> str:
    """4,000 and 4000, 03 and 3 are the same number."""
    return re.sub(r",(?=\d{3}\b)", "", digits).lstrip("0") or "0"
