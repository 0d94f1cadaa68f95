"""Can each memory be understood by itself a year from now?

What rules cannot make clear is put to a model: its words count when code finds them whole and clear.
"""

import asyncio
import re
from collections.abc import Sequence
from typing import Literal

import structlog
from langchain_core.messages import BaseMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel, Field

from brain.job_context import JobContext
from brain.models.errors import ModelError
from brain.models.port import ChatModel
from brain.state import Update
from evolution.absolutization.coreference import Transcript
from evolution.absolutization.rules import absolutize_by_rules, mark_unresolved
from evolution.extraction.prompt import ExtractionInput, one_line, render_parts
from evolution.state import MAX_MEMORY_CHARACTERS, UNCLEAR, EvolutionState, ExtractionCandidate
from language.detection import same_language
from language.references import find_unclear, unresolved_words
from language.secrets import has_secret
from language.tables import pattern_of_all
from prompts.registry import load_prompt

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<=\S\s)[A-Z][\w-]+|(?<=[\u4e00-\u9fff“《\"])[A-Za-z][\w-]*")
log = structlog.get_logger(__name__)

ROUNDS = 2
"""How often a model may be asked before a memory is written as unclear as it is."""


class Reworded(BaseModel):
    """A memory in words that need no context."""

    reasoning: str = Field(description="What each unclear word stands for, and which turn says so; one sentence.")
    number: int = Field(description="The number of the memory.")
    content: str = Field(description="The whole sentence again, without unclear words.")
    object: str = Field(description="The object again, without unclear words.")


class Rewordings(BaseModel):
    """One entry for each memory that could be made clear; the others are left out."""

    memories: list[Reworded]


async def absolutize(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Candidates in names, dates and places: by rules, and one asking of the model for what these leave unclear.

    In the last round what is still unclear goes on with its words named in ``unresolved``, and an alarm is raised.
    """
    talk = Transcript(turns=(*state.before, *state.said))
    candidates = await asyncio.to_thread(absolutize_by_rules, state.candidates, talk)
    models = runtime.context.resources.models
    model = models.fast or models.chat
    if model is None or not _unclear(candidates):
        return _final_update(candidates)
    reading = ExtractionInput(said=state.said, before=state.before)
    try:
        candidates = await reword_unclear(model, candidates, reading)
    except ModelError as failure:
        return _final_update(candidates, f"absolutization_{failure.reason}")
    if not _unclear(candidates) or state.rounds + 1 >= ROUNDS:
        return _final_update(candidates)
    return {"candidates": candidates, "rounds": state.rounds + 1}


def needs_another_round(state: EvolutionState) -> Literal["absolutize", "normalize"]:
    """Is there anything left to make clear, and a round to do it in?"""
    return "absolutize" if state.rounds < ROUNDS and _unclear(state.candidates) else "normalize"


def _final_update(candidates: list[ExtractionCandidate], *degraded: str) -> Update:
    """The end of the rounds. The log names turns and counts, never what was said."""
    left = _unclear(candidates)
    if left:
        log.warning(UNCLEAR, memories=len(left), words=sum(len(each["unresolved"]) for each in left))
    reasons = [*degraded, *([UNCLEAR] if left else [])]
    return {"candidates": candidates, "rounds": ROUNDS, "degraded": reasons}


def _unclear(candidates: Sequence[ExtractionCandidate]) -> list[ExtractionCandidate]:
    return [each for each in candidates if each["unresolved"]]


async def reword_unclear(
    model: ChatModel, candidates: Sequence[ExtractionCandidate], reading: ExtractionInput
) -> list[ExtractionCandidate]:
    """The candidates, the unclear ones in the model's words where these may stand. Raises ``ModelError``."""
    unclear_ones = {number: each for number, each in enumerate(candidates, start=1) if each["unresolved"]}
    answer = await model.fill(Rewordings, _question(unclear_ones, reading))
    told = {each.number: each for each in answer.memories}
    heard = _source_text(reading)
    return [
        _apply_rewording(each, told[number], heard) if number in told and number in unclear_ones else each
        for number, each in enumerate(candidates, start=1)
    ]


def _question(candidates: dict[int, ExtractionCandidate], reading: ExtractionInput) -> list[BaseMessage]:
    parts = render_parts(reading)
    numbers = {turn["event_id"]: number for number, turn in enumerate(reading.said, start=1)}
    memories = "\n".join(
        f"[{number}] {one_line(each['content'])} (object: {one_line(each['object'])}; from turn "
        f"{numbers.get(each['event_id'], 0)}; unclear: {', '.join(each['unresolved'])})"
        for number, each in candidates.items()
    )
    return load_prompt("absolutize").ask(
        memories=memories,
        participants=parts.participants,
        spoken_at=parts.spoken_at,
        earlier=parts.earlier,
        conversation=parts.conversation,
    )


def _source_text(reading: ExtractionInput) -> str:
    """Everything that may be drawn on: turns and the names of those who spoke."""
    turns = (*reading.before, *reading.said)
    return "\n".join(f"{turn['speaker']}: {turn['text']}" for turn in turns)


def _apply_rewording(candidate: ExtractionCandidate, told: Reworded, heard: str) -> ExtractionCandidate:
    content, thing = " ".join(told.content.split()), " ".join(told.object.split())
    if not keeps_meaning(candidate["content"], content, heard):
        return candidate
    if not unresolved_words(candidate["object"]):
        return mark_unresolved({**candidate, "content": content})
    clear = bool(thing) and keeps_meaning(candidate["object"], thing, heard)
    return mark_unresolved({**candidate, "content": content, "object": thing}) if clear else candidate


def keeps_meaning(old: str, new: str, heard: str) -> bool:
    """Whether new words stand alone and still say what the old ones said, no less and nothing made up."""
    if not _stands_alone(new) or not same_language(old, new):
        return False
    lost = _marks(_remove_unclear(old)) - {*_marks(new), *new.split()}
    told = f"{heard}\n{old}"
    invented = [word for word in _marks(pattern_of_all("absolutize.date").sub(" ", new)) if word not in told]
    denial = pattern_of_all("absolutize.denial")
    return not lost and not invented and bool(denial.search(old)) == bool(denial.search(new))


def _stands_alone(text: str) -> bool:
    return 0 < len(text) <= MAX_MEMORY_CHARACTERS and not has_secret(text) and not unresolved_words(text)


def _marks(text: str) -> set[str]:
    """Numbers and names: what may neither be lost nor made up."""
    return {*_NUMBER.findall(text), *_NAME.findall(text)}


def _remove_unclear(text: str) -> str:
    """The text without the words that may go: «3» of «3 weeks ago» need not come back."""
    for each in reversed(find_unclear(text)):
        text = f"{text[: each.start]} {text[each.end :]}"
    return text
