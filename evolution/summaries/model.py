"""The summary by a model: asked once, once more with what was unfounded in it, and by rules when that does not help."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Annotated, Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import BaseModel, Field

from brain.models.errors import ModelError
from brain.models.port import ChatModel
from brain.models.roles import Models
from brain.prompting.memory_tags import speaker_name
from brain.prompting.tokens import clip, count_tokens
from brain.safety.sanitizer import sanitize_text
from brain.signal_rules import entities
from evolution.extraction.prompt import one_line
from evolution.summaries.digest import Digest, Point, day_of, readable_turns, speaker_of, summary_budget
from evolution.summaries.rules import KINDS, summarize_by_rules
from evolution.summaries.sentences import sentences_of
from language.detection import same_language
from language.secrets import has_secret
from language.tables import pattern_of_all
from language.times import find_times, zone_of
from language.times.numerals import parse_number
from memory.sessions import SummaryTurn
from prompts.registry import load_prompt

MAX_POINT_CHARACTERS = 400
"""Characters of one point."""
SLACK = 1.25
"""How far a summary may pass its room before it counts as too long."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<=[\w,;:)] )[A-Z][\w'’-]+")
_CALENDAR = re.compile(
    r"(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|AM|PM|UTC"
)
UNFOUNDED = "summary_unfounded"
MAX_TURN_TOKENS = 1_500
"""Tokens of one turn that a model is shown."""
_WORDS_PER_TOKEN = 0.75


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


class SummaryPoint(BaseModel):
    """One line of the summary."""

    turns: Annotated[list[int], Field(description="The numbers of the turns that say it, all of one speaker.")]
    text: Annotated[str, Field(description="What was said, without the speaker's name.")]


class NamedThing(BaseModel):
    """Something that a person named."""

    kind: Literal["people", "places", "products"]
    name: Annotated[str, Field(description="Letter for letter.")]


class SessionSummary(BaseModel):
    """What a stretch of conversation comes to."""

    points: list[SummaryPoint]
    named: list[NamedThing]


async def summarize_turns(models: Models, turns: Sequence[SummaryTurn]) -> tuple[Digest, tuple[str, ...]]:
    """The digest of a stretch, and what it had to do without. Idle talk costs no model."""
    quotable = readable_turns(turns)
    model = models.fast or models.chat
    if model is None or not any(sentence for turn in quotable for sentence in sentences_of(turn)):
        return summarize_by_rules(turns), ()
    try:
        digest = await _summarize_with_model(model, quotable)
    except ModelError as failure:
        return summarize_by_rules(turns), (f"summary_{failure.reason}",)
    return (digest, ()) if digest is not None else (summarize_by_rules(turns), (UNFOUNDED,))


async def _summarize_with_model(model: ChatModel, turns: Sequence[SummaryTurn]) -> Digest | None:
    """None when two answers in a row say what the turns do not say."""
    grounds, room = Grounding(turns), summary_budget(turns)
    asked = _question(turns, room)
    answer = await model.fill(SessionSummary, asked)
    wrong = find_faults(answer, grounds, room)
    if wrong:
        again = load_prompt("answer_again").render(complaint="; ".join(wrong[:8]))
        answer = await model.fill(SessionSummary, [*asked, AIMessage(answer.model_dump_json()), HumanMessage(again)])
        wrong = find_faults(answer, grounds, room)
    return None if wrong else build_digest(answer, grounds)


def _question(turns: Sequence[SummaryTurn], room: int) -> list[BaseMessage]:
    conversation = "\n".join(_render_turn(number, turn) for number, turn in enumerate(turns, start=1))
    return load_prompt("summarize_session").ask(conversation=conversation, words=str(int(room * _WORDS_PER_TOKEN)))


def _render_turn(number: int, turn: SummaryTurn) -> str:
    """One turn with its number, day and speaker; what steers is defused, what is secret is not shown."""
    text = "" if has_secret(turn.text) else clip(sanitize_text(turn.text).text, MAX_TURN_TOKENS)
    at = turn.occurred_at.astimezone(zone_of(turn.time_zone))
    who = "assistant" if turn.role == "assistant" else speaker_name(turn.speaker)
    return f"{number}. [{at:%Y-%m-%d %H:%M, %A}] {one_line(who)}: {one_line(text) or '(left out)'}"


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
    if not text.strip() or len(text) > MAX_POINT_CHARACTERS:
        yield f"«{text[:60]}» must have between 1 and {MAX_POINT_CHARACTERS} characters"
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
    for found in pattern_of_all("summaries.number").finditer(turn.text):
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
