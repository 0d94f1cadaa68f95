"""The analysis by a model: asked once for notes, once more for those that were not true to the conversation."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.models.errors import ModelError
from brain.models.port import ChatModel
from brain.models.roles import Models
from brain.state import Update
from evolution.extraction.check import CheckResult, RejectedNote, check_notes
from evolution.extraction.form import Notes
from evolution.extraction.prompt import ExtractionInput, extraction_messages, one_line
from evolution.extraction.proof import says_the_same
from evolution.extraction.rules import extract_by_rules
from evolution.extraction.small_talk import states_something
from evolution.state import DroppedCandidate, EvolutionState, ExtractionCandidate, states_value
from language.assertions import has_several_assertions
from language.similarity import is_contained_in, is_denial
from prompts.registry import load_prompt

RULES = "rules"
UNFOUNDED = "analysis_unfounded"
"""Asked again, the model still noted what nobody said."""
NOTED = 0.25
"""Share of the words of a sentence that says several things, from which on notes of them stand in its place."""


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """What a reading yields, who read, what was left out of it and why, and what had to be done without."""

    judge: str
    candidates: tuple[ExtractionCandidate, ...] = ()
    dropped: tuple[DroppedCandidate, ...] = ()
    degraded: tuple[str, ...] = ()


async def analyze(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """The assertions of the turns, each with the span that proves it; small talk has none and costs no model."""
    if not states_something(state.said):
        return {"candidates": []}
    reading = ExtractionInput(said=state.said, before=state.before, known=state.known)
    found = await analyze_turns(runtime.context.resources.models, reading)
    return {
        "candidates": list(found.candidates),
        "dropped": list(found.dropped),
        "degraded": list(found.degraded),
        "judge": found.judge,
    }


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
    found = await asyncio.to_thread(extract_by_rules, reading.said, reading.before, faint=True)
    return Analysis(judge=RULES, candidates=tuple(found), degraded=degraded)


async def extract_with_model(model: ChatModel, reading: ExtractionInput) -> Analysis:
    """What the model notes down and code finds true, and the statements that it neither noted better nor dismissed.

    Raises ``ModelError`` when there is no answer at all.
    """
    # Pasted books take seconds to read: meanwhile a worker must go on saying that it lives, and serve others.
    stated = await asyncio.to_thread(extract_by_rules, reading.said, reading.before)
    reading = replace(reading, stated=stated)
    asked = extraction_messages(reading)
    notes = await model.fill(Notes, asked)
    first = check_notes(notes.memories, reading)
    second, degraded = CheckResult((), (), ()), tuple[str, ...]()
    if first.rejected:
        second, degraded = await _ask_again(model, asked, first.rejected, reading)
        if second.rejected and not degraded:
            degraded = (UNFOUNDED,)
    accepted = _deduplicate((*first.candidates, *second.candidates))
    dismissed = _dismissed(notes, reading, {each.entry.turn for each in first.rejected})
    return Analysis(
        judge=model.name,
        candidates=(*accepted, *_other_statements(accepted, reading, dismissed)),
        dropped=(
            *first.dropped,
            *second.dropped,
            *(each.to_dropped(reading) for each in second.rejected),
            *dismissed.values(),
        ),
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


def _dismissed(notes: Notes, reading: ExtractionInput, misread: Collection[int]) -> dict[str, DroppedCandidate]:
    """The statements that the model says are none, by label.

    What keeps somebody safe, or was read exactly, stays; so does what stands in a turn that the model misread.
    """
    found: dict[str, DroppedCandidate] = {}
    kept = {turn["event_id"] for turn in map(reading.turn, misread) if turn}
    for each in notes.dismissed:
        label = each.statement.strip().strip("[]").lower()
        stated = reading.statements.get(label)
        if stated and stated["event_id"] not in kept and _may_be_dismissed(stated):
            reason = f"dismissed: {each.reason}"
            found[label] = DroppedCandidate(content=stated["content"], event_id=stated["event_id"], reason=reason)
    return found


def _may_be_dismissed(stated: ExtractionCandidate) -> bool:
    return stated["item_type"] != "constraint" and not states_value(stated)


def _other_statements(
    accepted: Sequence[ExtractionCandidate], reading: ExtractionInput, dismissed: Collection[str]
) -> list[ExtractionCandidate]:
    """What code has read, the model has neither noted in other words nor dismissed, and memory does not know yet."""
    return [
        each
        for label, each in reading.statements.items()
        if label not in dismissed and not _is_noted(each, accepted) and not _is_known(each, reading)
    ]


def _is_noted(stated: ExtractionCandidate, accepted: Sequence[ExtractionCandidate]) -> bool:
    """Whether notes rest on its words: on any, or on enough of a sentence that says several things."""
    of_turn = [each for each in accepted if each["event_id"] == stated["event_id"]]
    places = range(stated["start"], stated["end"])
    noted = sum(any(each["start"] <= place < each["end"] for each in of_turn) for place in places)
    least = NOTED * len(places) if has_several_assertions(stated["content"]) else 1
    return noted >= least


def _is_known(stated: ExtractionCandidate, reading: ExtractionInput) -> bool:
    return any(is_contained_in(stated["content"], each["content"]) for each in reading.known)


def _deduplicate(candidates: Sequence[ExtractionCandidate]) -> tuple[ExtractionCandidate, ...]:
    """Each assertion once, as it was first noted."""
    once: list[ExtractionCandidate] = []
    for each in candidates:
        if not any(_is_same_assertion(each, noted) for noted in once):
            once.append(each)
    return tuple(once)


def _is_same_assertion(one: ExtractionCandidate, other: ExtractionCandidate) -> bool:
    """Whether two notes on the same words of one turn differ in nothing but their wording."""
    if one["event_id"] != other["event_id"] or one["subject"] != other["subject"]:
        return False
    if one["negated"] != other["negated"] or is_denial(one["content"]) != is_denial(other["content"]):
        return False
    if (one["predicate"], one["object"]) == (other["predicate"], other["object"]):
        return True
    overlap = one["start"] < other["end"] and other["start"] < one["end"]
    return overlap and says_the_same(one["content"], other["content"])
