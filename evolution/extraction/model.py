"""The analysis by a model: asked once for notes, once more for those that were not true to the conversation."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from brain.models.errors import ModelError
from brain.models.port import ChatModel
from brain.models.roles import Models
from evolution.extraction.check import CheckResult, RejectedNote, check_notes
from evolution.extraction.form import Notes
from evolution.extraction.prompt import ExtractionInput, extraction_messages, one_line
from evolution.extraction.rules import extract_by_rules
from evolution.state import DroppedCandidate, ExtractionCandidate, TurnRecord
from prompts.registry import load_prompt

RULES = "rules"
UNFOUNDED = "analysis_unfounded"
"""Asked again, the model still noted what nobody said."""


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """What a reading yields, who read, what was left out of it and why, and what had to be done without."""

    judge: str
    candidates: tuple[ExtractionCandidate, ...] = ()
    dropped: tuple[DroppedCandidate, ...] = ()
    degraded: tuple[str, ...] = ()


async def analyze_turns(models: Models, reading: ExtractionInput) -> Analysis:
    """The notes of the fast model, or of the other when that one runs out of time; statements when neither answers."""
    reason = ""
    for model in _models_in_order(models):
        try:
            return await extract_with_model(model, reading)
        except ModelError as failure:
            reason = reason or failure.reason
            if failure.reason != "model_timeout":
                break
    degraded = (f"analysis_{reason}",) if reason else ()
    # Pasted books take seconds to read: meanwhile a worker must go on saying that it lives, and serve others.
    found = await asyncio.to_thread(extract_by_rules, reading.said, reading.before, faint=True)
    return Analysis(judge=RULES, candidates=tuple(found), degraded=degraded)


async def extract_with_model(model: ChatModel, reading: ExtractionInput) -> Analysis:
    """What the model notes down and code finds true. Raises ``ModelError`` when there is no answer at all.

    Turns whose notes are wrong twice are read as statements instead.
    """
    asked = extraction_messages(reading)
    notes = await model.fill(Notes, asked)
    first = check_notes(notes.memories, reading)
    if not first.rejected:
        return Analysis(judge=model.name, candidates=first.candidates, dropped=first.dropped)
    second, degraded = await _ask_again(model, asked, first.rejected, reading)
    if second.rejected and not degraded:
        degraded = (UNFOUNDED,)
    accepted = _deduplicate((*first.candidates, *second.candidates))
    return Analysis(
        judge=model.name,
        candidates=(*accepted, *_fallback_statements(second.rejected, accepted, reading)),
        dropped=(*first.dropped, *second.dropped, *(each.to_dropped(reading) for each in second.rejected)),
        degraded=degraded,
    )


def _models_in_order(models: Models) -> list[ChatModel]:
    return [model for model in (models.fast, models.chat) if model is not None]


async def _ask_again(
    model: ChatModel, asked: Sequence[BaseMessage], rejected: Sequence[RejectedNote], reading: ExtractionInput
) -> tuple[CheckResult, tuple[str, ...]]:
    """The rejected notes put right. When the model fails now, they stay as they are and are left out."""
    answer = Notes(memories=[each.entry for each in rejected]).model_dump_json()
    request = load_prompt("extract_again").render(complaints=_complaints(rejected))
    try:
        notes = await model.fill(Notes, [*asked, AIMessage(answer), HumanMessage(request)])
    except ModelError as failure:
        return CheckResult((), tuple(rejected), ()), (f"analysis_{failure.reason}",)
    return check_notes(notes.memories, reading), ()


def _complaints(rejected: Sequence[RejectedNote]) -> str:
    return "\n".join(
        f"- «{one_line(each.entry.content[:80])}»: {'; '.join(fault.words for fault in each.faults)}."
        for each in rejected
    )


def _fallback_statements(
    rejected: Sequence[RejectedNote], accepted: Sequence[ExtractionCandidate], reading: ExtractionInput
) -> list[ExtractionCandidate]:
    """The statements in the turns of hopeless notes, where no accepted note rests on the same words."""
    turns = [turn for turn in reading.said if turn["event_id"] in _turns_of(rejected, reading)]
    return [
        each for each in extract_by_rules(turns, reading.before) if not any(_overlap(each, other) for other in accepted)
    ]


def _turns_of(rejected: Sequence[RejectedNote], reading: ExtractionInput) -> set[str]:
    """The turns that the notes name; all of them, when a note names one that there is not."""
    named: list[TurnRecord | None] = [reading.turn(each.entry.turn) for each in rejected]
    return {turn["event_id"] for turn in (reading.said if None in named else named) if turn is not None}


def _overlap(one: ExtractionCandidate, other: ExtractionCandidate) -> bool:
    return one["event_id"] == other["event_id"] and one["start"] < other["end"] and other["start"] < one["end"]


def _deduplicate(candidates: Sequence[ExtractionCandidate]) -> tuple[ExtractionCandidate, ...]:
    """Each statement once, as it was first noted."""
    once: dict[tuple[str, str, str, str, bool], ExtractionCandidate] = {}
    for each in candidates:
        key = (each["event_id"], each["subject"], each["predicate"], each["object"], each["negated"])
        once.setdefault(key, each)
    return tuple(once.values())
